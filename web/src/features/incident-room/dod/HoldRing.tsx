import { formatDuration } from '@watchroom/shared/time'
import type { ReactNode } from 'react'

import { useServerNow } from '../../../ui/clock.tsx'
import { formatCountdown } from './formatCountdown.ts'

import styles from '../evidence/evidence.module.css'

const TICK_MS = 1_000
const RADIUS = 6
const LENGTH = 2 * Math.PI * RADIUS

interface HoldRingProps {
  /** Milliseconds since the epoch, by the server's clock. */
  readonly since: number
  readonly holdMs: number
}

/** How much of a hold has passed: a ring that closes, and what is left of it in words. */
export function HoldRing({ since, holdMs }: HoldRingProps): ReactNode {
  const now = useServerNow(TICK_MS)
  const passedMs = Math.max(0, now - since)
  const share = holdMs === 0 ? 1 : Math.min(1, passedMs / holdMs)
  const text = share < 1 ? `${formatCountdown(holdMs - passedMs)} left` : `held ${formatDuration(holdMs)}`
  return (
    <span className={styles['dodHold']} data-complete={share === 1 || undefined}>
      <svg viewBox="0 0 16 16" width={16} height={16} aria-hidden>
        <circle cx="8" cy="8" r={RADIUS} className={styles['dodHoldTrack']} />
        <circle cx="8" cy="8" r={RADIUS} strokeDasharray={`${LENGTH * share} ${LENGTH}`} transform="rotate(-90 8 8)" />
      </svg>
      <span>{text}</span>
    </span>
  )
}
