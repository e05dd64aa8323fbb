import { useMemo } from 'react'

import { useTimeZone } from '../../preferences/timeZone.ts'
import { parseMoment } from '../formatTime.ts'
import type { LogLine } from './createLogLines.ts'

/**
 * Times of lines, to the thousandth: programs print faster than seconds. With the day where they are of several, or of one that is
 * long ago.
 */
export function useLineTime(lines: readonly LogLine[], hasDay: boolean): (at: string | null) => string | null {
  const zone = useTimeZone()
  const withDay = hasDay || dayOf(lines[0]) !== dayOf(lines.at(-1))
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(undefined, {
      ...(withDay ? { year: 'numeric', month: '2-digit', day: '2-digit' } : {}),
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 3,
      hourCycle: 'h23',
      ...(zone === 'UTC' ? { timeZone: 'UTC' } : {}),
    })
    return (at) => {
      const moment = parseMoment(at)
      return Number.isNaN(moment) ? null : format.format(moment)
    }
  }, [withDay, zone])
}

const dayOf = (line: LogLine | undefined): string | undefined => line?.at?.slice(0, 10)
