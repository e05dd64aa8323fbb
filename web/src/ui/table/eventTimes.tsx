// Times in lists of events: to the second, below a divider for each day while the list is in the order of time.
import { useCallback } from 'react'

import { type TimeZoneChoice, useTimeZone } from '../../preferences/timeZone.ts'
import { useServerNow } from '../clock.tsx'
import { parseMoment } from '../formatTime.ts'
import { Tip } from '../Tip.tsx'
import { useExactTime } from '../useExactTime.ts'
import { DASH } from './Cell.tsx'
import type { TableColumn } from './column.ts'
import type { RowGroup } from './TableGrid.tsx'

import styles from './eventTimes.module.css'

const DAY_MS = 86_400_000
/** A day ends while someone reads. */
const TICK_MS = 60_000

// Making a format costs a hundred times what using it costs.
const formats = new Map<string, Intl.DateTimeFormat>()
function formatOf(name: string, zone: TimeZoneChoice, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${name} ${zone}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(undefined, { ...options, ...(zone === 'UTC' && { timeZone: 'UTC' }) })
  formats.set(key, made)
  return made
}

/** `00:28:44` */
const toClock = (moment: number, zone: TimeZoneChoice): string =>
  formatOf('clock', zone, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }).format(moment)

/** `Thu, Nov 26, 2026` */
const toDay = (moment: number, zone: TimeZoneChoice): string =>
  formatOf('day', zone, { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' }).format(moment)

/** `Nov 26` */
const toShortDay = (moment: number, zone: TimeZoneChoice): string =>
  formatOf('short day', zone, { month: 'short', day: '2-digit' }).format(moment)

type At = string | null | undefined

interface EventTimeProps {
  readonly at: At
  /** No divider says which day it was. */
  readonly hasDay: boolean
}

function EventTime({ at, hasDay }: EventTimeProps) {
  const zone = useTimeZone()
  const toExact = useExactTime()
  const moment = parseMoment(at)
  if (Number.isNaN(moment)) return DASH
  const clock = toClock(moment, zone)
  return (
    <Tip content={toExact(moment)}>
      <time dateTime={new Date(moment).toISOString()}>{hasDay ? `${toShortDay(moment, zone)}, ${clock}` : clock}</time>
    </Tip>
  )
}

/** @param hasDay the list is in another order than that of time */
export const eventTimeColumn = <Row,>(
  column: Pick<TableColumn<Row>, 'key' | 'title' | 'isSortable'>,
  at: (row: Row) => At,
  hasDay = false,
): TableColumn<Row> => ({
  ...column,
  kind: 'time',
  value: at,
  render: (row) => <EventTime at={at(row)} hasDay={hasDay} />,
})

/** A divider for each day. @param at the same function always */
export function useDays<Row>(at: (row: Row) => At): (row: Row) => RowGroup {
  const zone = useTimeZone()
  const now = useServerNow(TICK_MS)
  const today = toDay(now, zone)
  const yesterday = toDay(now - DAY_MS, zone)
  return useCallback(
    (row) => {
      const moment = parseMoment(at(row))
      if (Number.isNaN(moment)) return { key: '', title: 'At no known time' }
      const day = toDay(moment, zone)
      const word = day === today ? 'Today, ' : day === yesterday ? 'Yesterday, ' : ''
      return { key: day, title: word + day }
    },
    [at, zone, today, yesterday],
  )
}

/** Whose clock the times of a page are of, once on it. */
export function ZoneLabel() {
  const zone = useTimeZone()
  const parts = formatOf('zone', zone, { timeZoneName: 'short' }).formatToParts(useServerNow(TICK_MS))
  return (
    <span className="wr-muted">
      <span className={styles['words']}>Times in </span>
      {parts.find(({ type }) => type === 'timeZoneName')?.value}
    </span>
  )
}
