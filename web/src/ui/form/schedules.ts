/** Schedules of the third specification, section 9, in order of length. */
export const SCHEDULES = [
  { value: '@every 30s', label: 'Every 30 seconds' },
  { value: '@every 1m', label: 'Every minute' },
  { value: '@every 5m', label: 'Every 5 minutes' },
  { value: '@every 15m', label: 'Every 15 minutes' },
  { value: '@every 30m', label: 'Every 30 minutes' },
  { value: '@hourly', label: 'Every hour' },
  { value: '@every 2h', label: 'Every 2 hours' },
  { value: '@every 4h', label: 'Every 4 hours' },
  { value: '@every 6h', label: 'Every 6 hours' },
  { value: '@every 8h', label: 'Every 8 hours' },
  { value: '@daily', label: 'Every day' },
  { value: '@weekly', label: 'Every week' },
] as const

type KnownSchedule = (typeof SCHEDULES)[number]['value']
export type ScheduleChoice = 'default' | 'interval' | 'custom' | KnownSchedule

/** A schedule in words or cron, or seconds between runs: as it is written, whatever that is. */
export interface Schedule {
  readonly schedule?: unknown
  readonly interval?: unknown
}

/** Which choice it stands for; `schedule` wins over `interval`, as it does for the runner. */
export function toChoice({ schedule, interval }: Schedule): ScheduleChoice {
  if (schedule !== undefined && schedule !== null && schedule !== '') {
    return SCHEDULES.find(({ value }) => value === schedule)?.value ?? 'custom'
  }
  return interval === undefined || interval === null || interval === '' || interval === 0 ? 'default' : 'interval'
}
