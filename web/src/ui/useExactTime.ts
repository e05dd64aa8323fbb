import { useCallback } from 'react'

import { useTimeZone } from '../preferences/timeZone.ts'
import { formatExact } from './formatTime.ts'

/** Exact to the second with its zone: the one that the person chose in their menu. */
export function useExactTime(): (moment: number) => string {
  const zone = useTimeZone()
  return useCallback((moment) => formatExact(moment, zone === 'UTC' ? zone : undefined), [zone])
}
