import type { CheckSchedule } from '@watchroom/shared/health/check-types'
import { Cron } from 'croner'

/** When something runs. Pure: it knows neither the clock nor what happened before. */
export interface Schedule {
  /** Two schedules with the same text are the same schedule. */
  readonly text: string
  /** Usual distance of two runs, in milliseconds. */
  readonly periodMs: number
  /**
   * First moment after `after`, in milliseconds since the epoch; null when there is none.
   *
   * @param phase in [0, 1): where in its period a check runs, so that checks of one schedule do not all run at once
   */
  next(after: number, phase: number): number | null
  /** Phase of a check that is known to run at `at`; null when the moment does not tell. */
  phaseOf(at: number): number | null
}

/** Cron users expect the minute they wrote: runs are spread over a tenth of the period, and never over more than this. */
const MAX_CRON_SPREAD_MS = 2_000
const DAY_MS = 86_400_000

/** A run every `periodMs`, counted from the epoch, so that the rhythm survives restarts. */
export function everySchedule(periodMs: number): Schedule {
  return {
    text: `@every ${periodMs}ms`,
    periodMs,
    next: (after, phase) => {
      const offset = Math.floor(phase * periodMs)
      return (Math.floor((after - offset) / periodMs) + 1) * periodMs + offset
    },
    phaseOf: (at) => (at % periodMs) / periodMs,
  }
}

/**
 * Cron text with five fields, or six with leading seconds, in UTC: no hour is missing or comes twice.
 *
 * @throws Error when the text is no cron expression
 */
export function cronSchedule(expression: string): Schedule {
  const cron = new Cron(expression, { timezone: 'UTC' })
  const [first, second] = cron.nextRuns(2)
  const periodMs = first && second ? second.getTime() - first.getTime() : DAY_MS
  const spreadMs = Math.min(MAX_CRON_SPREAD_MS, periodMs / 10)
  return {
    text: expression,
    periodMs,
    next: (after, phase) => {
      const offset = Math.floor(phase * spreadMs)
      const at = cron.nextRun(new Date(after - offset))
      return at ? at.getTime() + offset : null
    },
    phaseOf: () => null,
  }
}

/** A canary's schedule as the scheduler wants it. */
export function toSchedule(schedule: CheckSchedule): Schedule {
  return schedule.kind === 'interval' ? everySchedule(schedule.intervalMs) : cronSchedule(schedule.expression)
}
