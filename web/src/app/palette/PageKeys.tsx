import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'

import { isForHome } from '../../ui/hotkeys.ts'
import { useLatest } from '../../ui/useLatest.ts'
import { useNavigation } from '../navigation.ts'

/** Areas by the letter that leads there after `g`; `s` leads to the first of the settings. */
const AREAS: ReadonlyMap<string, string> = new Map([
  ['h', '/health'],
  ['i', '/incidents'],
  ['c', '/catalog'],
  ['t', '/topology'],
  ['p', '/playbooks'],
  ['l', '/logs'],
])
/** How long `g` waits for its letter. */
const LETTER_MS = 1_500

/** Keys that press the button of the page that claims them: create, edit, and refresh or run. */
const BUTTON_KEYS: ReadonlySet<string> = new Set(['c', 'e', 'r'])

/**
 * Keys that work on every page. They follow links of the sidebar and press visible buttons, so they bypass no rights.
 *
 * @param early keys pressed before this was loaded
 */
export function PageKeys({ early }: { early: RefObject<readonly Event[]> }) {
  const navigate = useNavigate()
  const { main, settings } = useNavigation()
  const begunAt = useRef(-Infinity)

  const toPlace = (letter: string): string | undefined => {
    if (letter === 's') return settings[0]?.path
    return main.find(({ path }) => path === AREAS.get(letter))?.path
  }
  const handleKey = useLatest((event: KeyboardEvent): void => {
    const { key, timeStamp, repeat } = event
    // A key held down would press thirty times a second.
    if (repeat) return
    const isAfterG = timeStamp - begunAt.current < LETTER_MS
    begunAt.current = -Infinity
    if (key === 'g' && isForHome(event, null)) {
      begunAt.current = timeStamp
      return
    }
    const place = isAfterG && isForHome(event, null) ? toPlace(key) : undefined
    if (place !== undefined) {
      event.preventDefault()
      void navigate({ to: place })
    } else if (BUTTON_KEYS.has(key) && !isAfterG) {
      const button = [...document.querySelectorAll<HTMLElement>(`:is(button, a)[aria-keyshortcuts="${key}"]`)].find(
        (each) => isForHome(event, each),
      )
      if (button === undefined) return
      event.preventDefault()
      button.click()
    }
  })
  useEffect(() => {
    // Ignores keys pressed long ago, while there was no server to load from.
    const since = performance.now() - LETTER_MS
    for (const event of early.current) {
      if (event instanceof KeyboardEvent && event.timeStamp > since) handleKey(event)
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [early, handleKey])
  return null
}
