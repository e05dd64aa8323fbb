import { tryParseSchedule } from '@watchroom/shared/health/check-types'
import { describe, expect, it } from 'vitest'

import { SCHEDULES, toChoice } from '../../../../web/src/ui/form/schedules.ts'

describe('schedules', () => {
  it('offers the schedules of the specification', () => {
    expect(SCHEDULES.map(({ value }) => value)).toEqual([
      '@every 30s',
      '@every 1m',
      '@every 5m',
      '@every 15m',
      '@every 30m',
      '@hourly',
      '@every 2h',
      '@every 4h',
      '@every 6h',
      '@every 8h',
      '@daily',
      '@weekly',
    ])
  })

  it('offers nothing that the scheduler does not read', () => {
    expect(SCHEDULES.filter(({ value }) => tryParseSchedule(value) === null)).toEqual([])
  })

  it.each([
    [{}, 'default'],
    [{ interval: 0 }, 'default'],
    [{ interval: 45 }, 'interval'],
    [{ schedule: '@hourly', interval: 45 }, '@hourly'],
    [{ schedule: '*/5 * * * *' }, 'custom'],
    [{ schedule: null, interval: '' }, 'default'],
    [{ schedule: 7 }, 'custom'],
  ])('reads %j as %s', (spec, choice) => {
    expect(toChoice(spec)).toBe(choice)
  })
})
