import { parseTimestamp } from '@watchroom/shared/time'
import { describe, expect, it } from 'vitest'

describe('parseTimestamp', () => {
  const noon = Date.UTC(2026, 7, 30, 12)

  it.each([
    ['2026-08-30T12:00:00Z', noon],
    ['2026-08-30T14:00:00+02:00', noon],
    ['2026-08-30T12:00:00+00', noon],
    ['2026-08-30 12:00:00', noon],
    ['2026-08-30T12:00:00.25', noon + 250],
    ['2026-08-30T12:00:00.123456', noon + 123],
    ['2026-08-30', Date.UTC(2026, 7, 30)],
  ])('reads %s', (text, at) => {
    expect(parseTimestamp(text)).toBe(at)
  })

  it.each([null, undefined, '', 'yesterday', '2026-13-45T00:00:00Z'])('has no moment for %s', (text) => {
    expect(parseTimestamp(text)).toBeNull()
  })
})
