import './freshness.css'
import { type ReactNode, useEffect, useState } from 'react'

import { useTimeZone } from '../preferences/timeZone.ts'
import { systemClock } from './clock.ts'
import type { TopicView } from './contract.ts'
import { freshnessAnnouncement, freshnessText } from './freshnessText.ts'

/** People read seconds; ticking more often would only cost power on a wall display. */
const TICK_MS = 1_000

interface FreshnessProps {
  readonly view: TopicView<unknown>
}

/** Says how old the data is, next to the data. It ticks by itself, so that the screen around it need not. */
export function Freshness({ view }: FreshnessProps): ReactNode {
  const [, setTick] = useState(0)

  useEffect(() => {
    let cancel = (): void => undefined
    const tick = (): void => {
      cancel = systemClock.schedule(() => {
        if (!document.hidden) setTick((count) => count + 1)
        tick()
      }, TICK_MS)
    }
    tick()
    return () => cancel()
  }, [])

  const zone = useTimeZone()
  const { state, via, asOf, error } = view
  const hasRows = view.rows.length > 0
  const text = freshnessText({ state, via, asOf, ageMs: view.ageMs(), downMs: view.downMs(), hasRows, zone })
  return (
    <span className="freshness" data-state={state} title={error?.message}>
      <span className="freshness-mark" aria-hidden="true" />
      <span className="freshness-text">{text}</span>
      {error && state !== 'live' ? <span className="freshness-error"> · {error.message}</span> : null}
      <output className="freshness-announcement">{freshnessAnnouncement(state, via)}</output>
    </span>
  )
}
