import { describe, expect, it } from 'vitest'

import { DURATION_CHOICES, tryParseDurationFilter } from '../../../../web/src/features/check-panel/durationFilter.ts'

describe('tryParseDurationFilter', () => {
  it.each([
    ['100ms', 100],
    ['0ms', 0],
    ['1s', 1_000],
    ['30s', 30_000],
    ['1.5s', 1_500],
    ['1.1s', 1_100],
    ['0.1ms', 1],
    [' 250 MS ', 250],
  ])('reads %j as %d ms', (text, durationMs) => {
    expect(tryParseDurationFilter(text)).toEqual({ ok: true, value: durationMs })
  })

  it.each(['', '5', '1m', '2h', '-1s', '1s500ms', 's', 'fast', '1e3ms', '1,5s', `${'9'.repeat(10)}s`])(
    'refuses %j in the words of the specification',
    (text) => {
      expect(tryParseDurationFilter(text)).toEqual({
        ok: false,
        error: 'duration is allowed only in milli seconds & seconds',
      })
    },
  )

  it('reads each of its own choices', () => {
    expect(DURATION_CHOICES).toEqual(['100ms', '500ms', '1s', '5s', '10s', '30s'])
    expect(DURATION_CHOICES.every((choice) => tryParseDurationFilter(choice).ok)).toBe(true)
  })
})
