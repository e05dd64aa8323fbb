// Times in lists of events: to the second, below a divider for each day while the list is in the order of time.
import { useCallback } from 'react'

import { useTimeZone } from '../../preferences/timeZone.ts'
import { useServerNow } from '../clock.tsx'
import { parseMoment } from '../formatTime.ts'
import { Tip } from '../Tip.tsx'
import { useExactTime } from '../useExactTime.ts'
import { createZonedFormat } from '../zonedFormat.ts'
import { DASH } from './Cell.tsx'
import type { TableColumn } from './column.ts'
import type { RowGroup } from './TableGrid.tsx'

import styles from './eventTimes.module.css'

const DAY_MS = 86_400_000
/** A day ends while someone reads. */
const TICK_MS = 60_000

/** `00:28:44` */
const clock = createZonedFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
/** `Thu, Nov 26, 2026` */
const longDay = createZonedFormat({ weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' })
/** `Nov 26` */
const shortDay = createZonedFormat({ month: 'short', day: '2-digit' })
const zoneName = createZonedFormat({ timeZoneName: 'short' })

type At = string | null | undefined

interface EventTimeProps {
  readonly at: At
  /** No divider says which day it was. */
  readonly hasDay: boolean
}

/** To the second; the whole with its zone on hover. */
export function EventTime({ at, hasDay }: EventTimeProps) {
  const zone = useTimeZone()
  const toExact = useExactTime()
  const moment = parseMoment(at)
  if (Number.isNaN(moment)) return DASH
  const time = clock(zone).format(moment)
  return (
    <Tip content={() => toExact(moment)}>
      <time dateTime={new Date(moment).toISOString()}>
        {hasDay ? `${shortDay(zone).format(moment)}, ${time}` : time}
      </time>
    </Tip>
  )
}

/** `00:28:44`, and `Nov 26, 00:28:44` */
const TIME_PX = 92
const DAY_AND_TIME_PX = 148

/** @param hasDay the list is in another order than that of time */
export const eventTimeColumn = <Row,>(
  column: Pick<TableColumn<Row>, 'key' | 'title' | 'isSortable' | 'isHiddenAtFirst'>,
  at: (row: Row) => At,
  hasDay = false,
): TableColumn<Row> => ({
  ...column,
  kind: 'time',
  width: hasDay ? DAY_AND_TIME_PX : TIME_PX,
  value: at,
  render: (row) => <EventTime at={at(row)} hasDay={hasDay} />,
})

/** A divider for each day. @param at the same function always */
export function useDays<Row>(at: (row: Row) => At): (row: Row) => RowGroup {
  const zone = useTimeZone()
  const now = useServerNow(TICK_MS)
  const today = longDay(zone).format(now)
  const yesterday = longDay(zone).format(now - DAY_MS)
  return useCallback(
    (row) => {
      const moment = parseMoment(at(row))
      if (Number.isNaN(moment)) return { key: '', title: 'At no known time' }
      const day = longDay(zone).format(moment)
      const word = day === today ? 'Today, ' : day === yesterday ? 'Yesterday, ' : ''
      return { key: day, title: word + day }
    },
    [at, zone, today, yesterday],
  )
}

/** Whose clock the times of a page are of, once on it. */
export function ZoneLabel() {
  const zone = useTimeZone()
  const parts = zoneName(zone).formatToParts(useServerNow(TICK_MS))
  return (
    <span className="wr-muted">
      <span className={styles['words']}>Times in </span>
      {parts.find(({ type }) => type === 'timeZoneName')?.value}
    </span>
  )
}
