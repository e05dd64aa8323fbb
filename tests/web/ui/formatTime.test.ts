import { describe, expect, it } from 'vitest'

import { formatAge, parseMoment } from '../../../web/src/ui/formatTime.ts'

const NOW = Date.UTC(2026, 0, 31, 12)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('formatAge', () => {
  it.each([
    { age: 0, text: 'just now' },
    { age: 59_999, text: 'just now' },
    { age: -59_999, text: 'just now' },
    { age: MINUTE, text: '1m ago' },
    { age: HOUR - 1, text: '59m ago' },
    { age: HOUR, text: '1h ago' },
    { age: DAY - 1, text: '23h ago' },
    { age: 3 * DAY, text: '3d ago' },
    { age: 800 * DAY, text: '2y ago' },
    { age: -5 * MINUTE, text: 'in 5m' },
  ])('says "$text" after $age ms', ({ age, text }) => {
    expect(formatAge(NOW - age, NOW)).toBe(text)
  })
})

describe('parseMoment', () => {
  it.each(['2026-01-31T12:00:00Z', '2026-01-31T12:00:00', '2026-01-31T13:00:00.000000+01:00', NOW])(
    'reads %s; a time without a zone is UTC',
    (value) => {
      expect(parseMoment(value)).toBe(NOW)
    },
  )

  it.each([null, undefined, '', 'soon'])('reads %j as no time', (value) => {
    expect(parseMoment(value)).toBeNaN()
  })
})
