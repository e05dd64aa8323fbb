import { type RefObject, useEffect } from 'react'

import { useLatest } from './useLatest.ts'

/** Keys typed into these belong to the text. */
export const TEXT_FIELDS = 'input, textarea, select, [contenteditable=""], [contenteditable="true"], [role="textbox"]'

/** Whether a bare letter key pressed here is meant for what `home` is in, and not for a field, an editor or a dialog above it. */
export function isForHome(event: KeyboardEvent, home: Element | null): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false
  const target = event.target
  if (target instanceof Element && target.closest(TEXT_FIELDS)) return false
  const topmost = [...document.querySelectorAll('[role="dialog"], [role="menu"]')].at(-1)
  return topmost === undefined || (home !== null && topmost.contains(home))
}

/**
 * Runs `onPress` when the key is pressed on the page. Letters never fire while someone types or has a dialog open.
 *
 * @param home something that may be in a dialog: there the key works while no other one is above it
 */
export function useHotkey(key: string, onPress: () => void, home?: RefObject<Element | null>): void {
  const press = useLatest(onPress)
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== key || !isForHome(event, home?.current ?? null)) return
      event.preventDefault()
      press()
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [key, home, press])
}
