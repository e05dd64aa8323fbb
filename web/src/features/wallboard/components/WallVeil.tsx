import type { CheckSummary } from '@watchroom/shared/health'
import type { ReactNode } from 'react'

import type { TopicView } from '../../../live/contract.ts'
import { formatTimeOfDay } from '../../../live/freshnessText.ts'
import { useTimeZone } from '../../../preferences/timeZone.ts'
import { useServerNow } from '../../../ui/clock.tsx'
import { formatSpan } from '../format.ts'

import styles from '../wall.module.css'

interface WallVeilProps {
  topic: TopicView<CheckSummary>
  isOld: boolean
  ending: ReactNode
}

/** Says across the wall that what it shows is old, and since when. The tiles below lose their color meanwhile. */
export function WallVeil({ topic, isOld, ending }: WallVeilProps) {
  if (!isOld) return null
  return (
    <div className={styles['veil']} role="alert">
      {ending ?? <strong>{topic.downMs() === null ? 'No data is arriving' : 'Connection lost'}</strong>}
      <OldData topic={topic} />
    </div>
  )
}

function OldData({ topic }: { topic: TopicView<CheckSummary> }) {
  const now = useServerNow(1_000)
  const zone = useTimeZone()
  const { asOf } = topic
  if (asOf === null) return null
  return (
    // Told once as an alert; the seconds are for the eyes.
    <span className={styles['veilAge']} aria-hidden="true">
      What you see is from {formatTimeOfDay(asOf, zone)}, {formatSpan(now - asOf)} ago
    </span>
  )
}
