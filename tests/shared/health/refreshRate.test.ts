import { isRateDisabled, REFRESH_RATES, toAllowedRate, toRefreshMs } from '@watchroom/shared/health'
import { rangeKeyMs } from '@watchroom/shared/time'
import { describe, expect, it } from 'vitest'

const disabledFor = (range: Parameters<typeof rangeKeyMs>[0]) =>
  REFRESH_RATES.filter((rate) => isRateDisabled(rate, rangeKeyMs(range)))

describe('refresh rates', () => {
  it('are those of the specification', () => {
    expect(REFRESH_RATES).toEqual(['None', '15s', '30s', '60s', '2m', '3m', '5m', '10m', '15m'])
    expect(REFRESH_RATES.map(toRefreshMs)).toEqual([
      null,
      15_000,
      30_000,
      60_000,
      120_000,
      180_000,
      300_000,
      600_000,
      900_000,
    ])
  })

  it('are all allowed below an hour, from an hour on without 15s and 30s, from three hours on without 2m and 3m too', () => {
    expect(disabledFor('15m')).toEqual([])
    expect(disabledFor('1h')).toEqual(['15s', '30s'])
    expect(disabledFor('2h')).toEqual(['15s', '30s'])
    expect(disabledFor('3h')).toEqual(['15s', '30s', '2m', '3m'])
    expect(disabledFor('5y')).toEqual(['15s', '30s', '2m', '3m'])
  })

  it('fall back to the next slower one that is allowed', () => {
    expect(toAllowedRate('15s', rangeKeyMs('1h'))).toBe('60s')
    expect(toAllowedRate('30s', rangeKeyMs('15m'))).toBe('30s')
    expect(toAllowedRate('2m', rangeKeyMs('3h'))).toBe('5m')
    expect(toAllowedRate('None', rangeKeyMs('3h'))).toBe('None')
  })
})
