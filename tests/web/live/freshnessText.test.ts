import { describe, expect, it } from 'vitest'

import {
  formatAge,
  formatStopwatch,
  formatTimeOfDay,
  type FreshnessFacts,
  freshnessAnnouncement,
  freshnessText,
} from '../../../web/src/live/freshnessText.ts'

const asOf = new Date(2026, 0, 2, 10, 31, 7).getTime()
const facts = (overrides: Partial<FreshnessFacts>): FreshnessFacts => ({
  state: 'live',
  via: 'socket',
  asOf,
  ageMs: 300,
  downMs: null,
  hasRows: true,
  zone: 'local',
  ...overrides,
})

describe('freshnessText', () => {
  it.each([
    [facts({}), 'Live'],
    [facts({ state: 'delayed', ageMs: 12_345 }), 'Delayed 12 s'],
    [facts({ state: 'delayed', ageMs: 134_000 }), 'Delayed 02:14'],
    [facts({ state: 'offline', downMs: 134_000 }), 'Disconnected 02:14, data from 10:31:07'],
    [facts({ state: 'offline', via: 'polling', downMs: 8_000 }), 'Polling 00:08, data from 10:31:07'],
    [
      facts({ state: 'offline', asOf: null, via: null, downMs: 8_000, hasRows: false }),
      'Disconnected 00:08, no data yet',
    ],
    [
      facts({ state: 'offline', asOf: null, via: null, downMs: 8_000 }),
      'Disconnected 00:08, data from an earlier visit',
    ],
    [facts({ state: 'loading', asOf: null, ageMs: null }), 'Loading'],
    [facts({ state: 'denied' }), 'No access'],
    [facts({ state: 'failed', asOf: null, hasRows: false }), 'No data'],
    [facts({ state: 'failed', asOf: null }), 'Not loaded, data from an earlier visit'],
  ])('says %j as %s', (given, text) => {
    expect(freshnessText(given)).toBe(text)
  })

  it.each([
    [0, '0.0 s'],
    [-50, '0.0 s'],
    [9_940, '9.9 s'],
    [9_960, '9 s'],
    [59_999, '59 s'],
    [60_000, '01:00'],
    [3_734_000, '1:02:14'],
  ])('says an age of %d ms as %s', (ageMs, text) => {
    expect(formatAge(ageMs)).toBe(text)
  })

  it('says long times with hours, and moments to the second', () => {
    expect(formatStopwatch(36_000_000)).toBe('10:00:00')
    expect(formatTimeOfDay(asOf, 'local')).toBe('10:31:07')
    expect(formatTimeOfDay(Date.UTC(2026, 0, 2, 22, 5, 9), 'UTC')).toBe('22:05:09')
  })

  it('announces states, not ages', () => {
    expect(freshnessAnnouncement('delayed', 'socket')).toBe('Data is delayed.')
    expect(freshnessAnnouncement('offline', 'socket')).not.toBe(freshnessAnnouncement('offline', 'polling'))
  })
})
