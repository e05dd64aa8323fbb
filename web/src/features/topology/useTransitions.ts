import { type HealthTransition, type ShownComponent, toTransitions } from '@watchroom/shared/topology'
import { useRef, useState } from 'react'

import { useOnChange } from '../../live/useOnChange.ts'
import { useScreenClock } from '../../ui/clock.tsx'

/** What is older is history, not news. */
const KEPT_MS = 10 * 60_000
const MAX_KEPT = 500

const NONE: readonly HealthTransition[] = []

/** What became better or worse on a page since it was opened, oldest first. @param id another page has seen nothing yet */
export function useTransitions(id: string, rows: readonly ShownComponent[]): readonly HealthTransition[] {
  const { serverNow } = useScreenClock()
  const [seen, setSeen] = useState({ id, transitions: NONE })
  const before = useRef({ id, rows })
  useOnChange([id, rows], () => {
    const last = before.current
    before.current = { id, rows }
    const transitions = last.id === id ? toTransitions(last.rows, rows, serverNow()) : []
    if (last.id !== id) setSeen({ id, transitions: NONE })
    else if (transitions.length > 0) {
      const since = serverNow() - KEPT_MS
      setSeen((now) => ({
        id,
        transitions: [...now.transitions.filter(({ at }) => at > since), ...transitions].slice(-MAX_KEPT),
      }))
    }
  })
  return seen.id === id ? seen.transitions : NONE
}
