import { useCallback } from 'react'

import { type TimeZoneChoice, useTimeZone } from '../preferences/timeZone.ts'
import { createZonedFormat } from './zonedFormat.ts'

const exact = createZonedFormat({
  year: 'numeric',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
})

/** Exact to the second with its zone, for hover, focus and screen readers. */
export const formatExact = (moment: number, zone: TimeZoneChoice): string => exact(zone).format(moment)

/** In the zone that the person chose in their menu. */
export function useExactTime(): (moment: number) => string {
  const zone = useTimeZone()
  return useCallback((moment) => formatExact(moment, zone), [zone])
}
