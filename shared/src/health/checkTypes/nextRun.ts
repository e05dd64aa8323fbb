import { cronValues, type CheckSchedule } from './schedule.ts'

const SECOND_MS = 1_000
const DAY_MS = 86_400_000
/** 29 February comes again after eight years at the latest. */
const MAX_DAYS = 8 * 366

/**
 * When something that ran last at `lastRunAt` runs next, in milliseconds since the epoch; in UTC where the schedule is a calendar's. Those
 * who run it spread runs by some seconds.
 *
 * @returns null where that never comes
 */
export const nextRun = (schedule: CheckSchedule, lastRunAt: number): number | null =>
  schedule.kind === 'interval' ? lastRunAt + schedule.intervalMs : nextCronRun(schedule.expression, lastRunAt)

function nextCronRun(expression: string, after: number): number | null {
  const [seconds, minutes, hours, days, months, weekdays] = cronValues(expression)
  if (!seconds || !minutes || !hours || !days || !months || !weekdays) return null
  const start = (Math.floor(after / SECOND_MS) + 1) * SECOND_MS
  // Where both are restricted, either of them does.
  const isDay = (date: Date): boolean => {
    const ofMonth = days.has(date.getUTCDate())
    const ofWeek = weekdays.has(date.getUTCDay())
    return days.isRestricted && weekdays.isRestricted ? ofMonth || ofWeek : ofMonth && ofWeek
  }
  const midnight = Math.floor(start / DAY_MS) * DAY_MS
  for (let day = 0; day < MAX_DAYS; day++) {
    const date = new Date(midnight + day * DAY_MS)
    if (!months.has(date.getUTCMonth() + 1) || !isDay(date)) continue
    for (const hour of hours.sorted) {
      for (const minute of minutes.sorted) {
        for (const second of seconds.sorted) {
          const at = date.getTime() + ((hour * 60 + minute) * 60 + second) * SECOND_MS
          if (at >= start) return at
        }
      }
    }
  }
  return null
}
