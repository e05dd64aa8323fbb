import type { CheckSummary, HealthCounts } from '@watchroom/shared/health'

import type { TopicView } from '../../../live/contract.ts'
import { Freshness } from '../../../live/Freshness.tsx'
import { useTimeZone } from '../../../preferences/timeZone.ts'
import { useServerNow } from '../../../ui/clock.tsx'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { createZonedFormat } from '../../../ui/zonedFormat.ts'

import styles from '../wall.module.css'

interface WallHeaderProps {
  name: string
  counts: HealthCounts
  topic: TopicView<CheckSummary>
  position: { board: number; boards: number; page: number; pages: number }
  isPaused: boolean
  /** Name of what the wall jumped to. */
  jumpedTo: string | null
}

/** Name, place in the rotation, counts, age of the data, time of day. */
export function WallHeader({ name, counts, topic, position, isPaused, jumpedTo }: WallHeaderProps) {
  const { board, boards, page, pages } = position
  const where = [
    ...(boards > 1 ? [`board ${board + 1} of ${boards}`] : []),
    ...(pages > 1 ? [`page ${page + 1} of ${pages}`] : []),
    ...(isPaused ? ['paused'] : []),
  ]
  return (
    <header className={styles['header']}>
      <div className={styles['name']}>
        <h1>{name}</h1>
        {jumpedTo === null ? (
          <span className={styles['where']}>{where.join(' · ')}</span>
        ) : (
          <span className={`${styles['where']} ${styles['jumped']}`}>Just failed: {jumpedTo}</span>
        )}
      </div>
      <div className={styles['counts']}>
        <span data-zero={counts.unhealthy === 0 || undefined}>
          <StatusGlyph status="unhealthy" word={`${counts.unhealthy} failing`} />
        </span>
        {counts.unknown > 0 ? <StatusGlyph status="unknown" word={`${counts.unknown} unknown`} /> : null}
        <StatusGlyph status="healthy" word={`${counts.healthy} passing`} />
      </div>
      <div className={styles['clock']}>
        <Freshness view={topic} />
        <Clock />
      </div>
    </header>
  )
}

const clock = createZonedFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
const day = createZonedFormat({ weekday: 'short', day: 'numeric', month: 'short', timeZoneName: 'short' })

/** The server's time in the zone of this screen, to the second: a clock that stands is a wall that stands. */
function Clock() {
  const now = useServerNow(1_000)
  const zone = useTimeZone()
  return (
    // Read out every second it would drown everything else.
    <time className={styles['time']} dateTime={new Date(now).toISOString()} aria-hidden="true">
      <b>{clock(zone).format(now)}</b>
      <span>{day(zone).format(now)}</span>
    </time>
  )
}
