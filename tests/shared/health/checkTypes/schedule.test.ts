import { tryParseSchedule } from '@watchroom/shared/health/check-types'
import { describe, expect, it } from 'vitest'

describe('tryParseSchedule', () => {
  it.each([
    ['@every 30s', { kind: 'interval', intervalMs: 30_000 }],
    ['@every 1h30m', { kind: 'interval', intervalMs: 5_400_000 }],
    ['@daily', { kind: 'cron', expression: '0 0 * * *' }],
    ['@Hourly', { kind: 'cron', expression: '0 * * * *' }],
    ['*/5 * * * *', { kind: 'cron', expression: '*/5 * * * *' }],
    ['30 */5 8-18 * * mon-fri', { kind: 'cron', expression: '30 */5 8-18 * * mon-fri' }],
    [' 0 4 1,15 jan 7 ', { kind: 'cron', expression: '0 4 1,15 jan 7' }],
    ['0 4 ? * *', { kind: 'cron', expression: '0 4 ? * *' }],
  ])('reads %s', (text, schedule) => {
    expect(tryParseSchedule(text)).toEqual(schedule)
  })

  it.each([
    '',
    '@every',
    '@every 0s',
    '@every 500ms',
    '@every 25d',
    '@every soon',
    '@sometimes',
    '* * * *',
    '* * * * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '* * * * 8',
    '*/0 * * * *',
    '5/2 * * * *',
    '9-5 * * * *',
    '1,,2 * * * *',
    '* * * foo *',
    '1-2-3 * * * *',
    // The one that runs them knows no such steps.
    '*/61 * * * *',
    '* */25 * * *',
    '* * * * */8',
  ])('refuses %j', (text) => {
    expect(tryParseSchedule(text)).toBeNull()
  })
})
