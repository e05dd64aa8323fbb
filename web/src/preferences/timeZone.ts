import { useAtomValue } from 'jotai'
import { z } from 'zod'

import { storedAtom } from './storedAtom.ts'

/** Whose clock times are shown on and typed in. */
export const TIME_ZONES = ['local', 'UTC'] as const
export type TimeZoneChoice = (typeof TIME_ZONES)[number]

export const timeZoneAtom = storedAtom<TimeZoneChoice>('timeZone', {
  schema: z.enum(TIME_ZONES),
  version: 1,
  fallback: 'local',
})

/** The zone to give to `resolveTimeRange`. */
export function useTimeZone(): TimeZoneChoice {
  return useAtomValue(timeZoneAtom)
}
