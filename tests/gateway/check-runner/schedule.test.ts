import { tryParseSchedule } from '@watchroom/shared/health/check-types'
import { describe, expect, it } from 'vitest'

import { cronSchedule, everySchedule, type Schedule, toSchedule } from '../../../gateway/src/check-runner/schedule.ts'

const at = (text: string): number => Date.parse(text)
const nextAfter = (schedule: Schedule, text: string, phase = 0): string | null => {
  const next = schedule.next(at(text), phase)
  return next === null ? null : new Date(next).toISOString()
}

describe('an interval', () => {
  const every30s = everySchedule(30_000)

  it('keeps to its grid, whenever it is asked', () => {
    expect(nextAfter(every30s, '2026-01-01T00:00:00.000Z')).toBe('2026-01-01T00:00:30.000Z')
    expect(nextAfter(every30s, '2026-01-01T00:00:29.999Z')).toBe('2026-01-01T00:00:30.000Z')
    expect(nextAfter(every30s, '2026-01-01T00:00:30.000Z')).toBe('2026-01-01T00:01:00.000Z')
  })

  it('shifts its grid by the phase', () => {
    // 0.25 × 30 s = 7.5 s after each half minute
    expect(nextAfter(every30s, '2026-01-01T00:00:00.000Z', 0.25)).toBe('2026-01-01T00:00:07.500Z')
    expect(nextAfter(every30s, '2026-01-01T00:00:07.500Z', 0.25)).toBe('2026-01-01T00:00:37.500Z')
  })

  it('finds its phase again from a planned run', () => {
    const planned = at('2026-01-01T00:00:37.500Z')
    const phase = every30s.phaseOf(planned) ?? Number.NaN
    expect(every30s.next(planned - 1, phase)).toBe(planned)
  })
})

describe('a cron schedule', () => {
  it('reads five and six fields', () => {
    expect(nextAfter(cronSchedule('*/5 * * * *'), '2026-01-01T00:01:00Z')).toBe('2026-01-01T00:05:00.000Z')
    expect(nextAfter(cronSchedule('*/15 * * * * *'), '2026-01-01T00:00:15Z')).toBe('2026-01-01T00:00:30.000Z')
  })

  it('spreads its runs over at most two seconds', () => {
    const hourly = cronSchedule('0 * * * *')
    expect(nextAfter(hourly, '2026-01-01T00:30:00Z', 0.5)).toBe('2026-01-01T01:00:01.000Z')
    expect(nextAfter(hourly, '2026-01-01T01:00:00.500Z', 0.5)).toBe('2026-01-01T01:00:01.000Z')
    expect(nextAfter(hourly, '2026-01-01T01:00:01.000Z', 0.5)).toBe('2026-01-01T02:00:01.000Z')
  })

  it('is in UTC, whatever the zone of the machine does in spring and autumn', () => {
    // In Europe, 29 March 2026 has no 02:30 and 25 October 2026 has it twice; in America it is 8 March and 1 November.
    const nightly = cronSchedule('30 2 * * *')
    for (const day of ['2026-03-08', '2026-03-29', '2026-10-25', '2026-11-01']) {
      expect(nextAfter(nightly, `${day}T00:00:00Z`)).toBe(`${day}T02:30:00.000Z`)
      expect(at(nextAfter(nightly, `${day}T02:30:00Z`) ?? '') - at(`${day}T02:30:00Z`)).toBe(86_400_000)
    }
  })

  it('that never comes true has no next run', () => {
    expect(nextAfter(cronSchedule('0 0 31 2 *'), '2026-01-01T00:00:00Z')).toBeNull()
  })
})

describe('toSchedule', () => {
  it.each([
    ['@every 90s', 90_000],
    ['@hourly', 3_600_000],
    ['@weekly', 7 * 86_400_000],
    ['0 5 * * 1-5', 86_400_000],
    ['*/10 * * * * *', 10_000],
  ])('accepts %s as the canary spec does', (text, periodMs) => {
    const parsed = tryParseSchedule(text)
    if (!parsed) throw new Error('no schedule')
    const { periodMs: actual } = toSchedule(parsed)
    // Monday to Friday: a weekend may lie between the next two runs.
    expect(text === '0 5 * * 1-5' ? Math.min(actual, periodMs) : actual).toBe(periodMs)
  })
})
