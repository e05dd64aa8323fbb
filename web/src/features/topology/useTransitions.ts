import { type HealthTransition, type ShownComponent, toTransitions } from '@watchroom/shared/topology'
import { useEffect, useRef, useState } from 'react'

import { useOnChange } from '../../live/useOnChange.ts'
import { useScreenClock } from '../../ui/clock.tsx'

/** What is older is history, not news. */
export const NEWS_MS = 10 * 60_000
const MAX_KEPT = 500

const NONE: readonly HealthTransition[] = []

interface Watched {
  readonly rows: readonly ShownComponent[]
  /** Nothing tells of changes: all that the next rows tell happened sometime meanwhile, not now and not together. */
  readonly isBlind: boolean
  readonly isHiddenShown: boolean
}

/**
 * What became better or worse on a page since it was opened, oldest first. Nobody is told of what is hidden from them.
 *
 * @param id another page has seen nothing yet
 */
export function useTransitions(id: string, { rows, isBlind, isHiddenShown }: Watched): readonly HealthTransition[] {
  const { serverNow } = useScreenClock()
  const [seen, setSeen] = useState({ id, transitions: NONE })
  const before = useRef({ id, rows })
  const wasBlind = useRef(isBlind)
  useEffect(() => {
    if (isBlind) wasBlind.current = true
  }, [isBlind])
  useOnChange([id, rows], () => {
    const last = before.current
    before.current = { id, rows }
    const isSeen = last.id === id && !wasBlind.current
    wasBlind.current = isBlind
    const all = isSeen ? toTransitions(last.rows, rows, serverNow()) : []
    const hidden = new Set(isHiddenShown ? [] : rows.filter((row) => row.hidden === true).map((row) => row.id))
    const transitions = all.filter((transition) => !hidden.has(transition.id))
    if (last.id !== id) setSeen({ id, transitions: NONE })
    else if (transitions.length > 0) {
      const since = serverNow() - NEWS_MS
      setSeen((now) => ({
        id,
        transitions: [...now.transitions.filter(({ at }) => at > since), ...transitions].slice(-MAX_KEPT),
      }))
    }
  })
  return seen.id === id ? seen.transitions : NONE
}
