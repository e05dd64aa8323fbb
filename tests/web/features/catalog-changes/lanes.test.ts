import { toWallTime } from '@watchroom/shared/time'
import { describe, expect, it } from 'vitest'

import {
  LANE_COLUMNS,
  stepMark,
  toLanes,
  toTicks,
  zoomWindow,
} from '../../../../web/src/features/catalog-changes/lanes.ts'

const WINDOW = { from: 0, to: 4_000 }
const lanesOf = (moments: readonly (readonly [lane: string, at: number])[]) =>
  toLanes(moments, {
    window: WINDOW,
    momentOf: ([, at]) => at,
    laneOf: ([key]) => ({ key, title: key.toUpperCase() }),
  })

describe('lanes of changes', () => {
  it('hold what is close together as one mark, with its first and last moment', () => {
    const { lanes } = lanesOf([
      ['a', 150],
      ['a', 110],
      ['a', 2_000],
      ['b', 0],
    ])
    expect(lanes.map(({ title, count, marks }) => [title, count, marks.map(({ column }) => column)])).toEqual([
      ['A', 3, [1, 20]],
      ['B', 1, [0]],
    ])
    expect(lanes[0]?.marks[0]).toMatchObject({
      from: 110,
      to: 150,
      items: [
        ['a', 110],
        ['a', 150],
      ],
    })
  })

  it('keep what came after the picture was made at its end', () => {
    expect(lanesOf([['a', 9_000]]).lanes[0]?.marks[0]?.column).toBe(LANE_COLUMNS - 1)
  })

  it('are bounded, whatever there is: the fullest are drawn', () => {
    const rows = Array.from({ length: 2_000 }, (_, n) => [`lane ${n % 50}`, n % 4_000] as const)
    const { lanes, hidden } = lanesOf([...rows, ['lane 49', 1], ['lane 49', 2]])
    expect([lanes.length, hidden, lanes[0]?.key]).toEqual([24, 26, 'lane 49'])
    expect(Math.max(...lanes.map(({ marks }) => marks.length))).toBeLessThanOrEqual(LANE_COLUMNS)
  })

  it('are walked by keys: along a lane, and to the nearest mark of the next', () => {
    const { lanes } = lanesOf([
      ['a', 0],
      ['a', 2_000],
      ['a', 3_900],
      ['b', 100],
      ['b', 3_000],
    ])
    const go = (lane: number, mark: number, key: string) => stepMark(lanes, { lane, mark }, key)
    expect(go(0, 0, 'ArrowRight')).toEqual({ lane: 0, mark: 1 })
    expect(go(0, 0, 'ArrowLeft')).toEqual({ lane: 0, mark: 0 })
    expect(go(0, 0, 'End')).toEqual({ lane: 0, mark: 2 })
    expect(go(0, 2, 'ArrowDown')).toEqual({ lane: 1, mark: 1 })
    expect(go(1, 0, 'ArrowUp')).toEqual({ lane: 0, mark: 0 })
    expect(go(1, 0, 'ArrowDown')).toEqual({ lane: 1, mark: 0 })
    expect(go(0, 0, 'x')).toBeNull()
  })
})

describe('the window of the lanes', () => {
  it('zooms around a moment, which stays in its place', () => {
    expect(zoomWindow({ from: 0, to: 100_000 }, 25_000, 0.5)).toEqual({ from: 12_500, to: 62_500 })
    expect(zoomWindow({ from: 0, to: 100_000 }, 50_000, 2)).toEqual({ from: -50_000, to: 150_000 })
  })

  it('is never shorter than a second', () => {
    expect(zoomWindow({ from: 5_000, to: 5_100 }, 5_050, 0.5)).toEqual({ from: 4_550, to: 5_550 })
  })

  it('has ticks at round times of the clock that is shown, none where its word would be cut off', () => {
    const at = (time: string): number => Date.parse(`2026-01-0${time}:00Z`)
    const ticks = (from: string, to: string, zone = 'UTC'): string[] =>
      toTicks({ from: at(from), to: at(to) }, 8, zone).ticks.map((tick) => new Date(tick).toISOString().slice(8, 16))
    expect(ticks('1T03:48', '3T03:48')).toEqual([
      '01T06:00',
      '01T12:00',
      '01T18:00',
      '02T00:00',
      '02T06:00',
      '02T12:00',
      '02T18:00',
      '03T00:00',
    ])
    expect(ticks('1T03:48', '2T03:48', 'Europe/Berlin')).toEqual([
      '01T05:00',
      '01T08:00',
      '01T11:00',
      '01T14:00',
      '01T17:00',
      '01T20:00',
      '01T23:00',
      '02T02:00',
    ])
    expect(ticks('1T12:00', '1T12:04')).toEqual([
      '01T12:00',
      '01T12:01',
      '01T12:01',
      '01T12:02',
      '01T12:02',
      '01T12:03',
      '01T12:03',
    ])
    expect(toTicks({ from: 0, to: 86_400_000 * 3_650 }, 8, 'UTC').ticks.length).toBeLessThan(12)
  })

  describe('when clocks change within it', () => {
    /** Day and clock of the ticks, as the zone shows them. */
    const clocks = (from: string, to: string, zone: string): string[] =>
      toTicks({ from: Date.parse(from), to: Date.parse(to) }, 8, zone).ticks.map((tick) =>
        new Date(toWallTime(tick, zone)).toISOString().slice(8, 16),
      )

    it('has ticks that are round before and after they go forward', () => {
      expect(clocks('2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z', 'Europe/Berlin')).toEqual([
        '28T18:00',
        '29T00:00',
        '29T06:00',
        '29T12:00',
        '29T18:00',
        '30T00:00',
        '30T06:00',
        '30T12:00',
      ])
    })

    it('has ticks that are round before and after they go back', () => {
      expect(clocks('2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z', 'America/New_York')).toEqual([
        '24T12:00',
        '24T18:00',
        '25T00:00',
        '25T06:00',
        '25T12:00',
        '25T18:00',
        '26T00:00',
        '26T06:00',
      ])
      expect(clocks('2026-10-24T12:00:00Z', '2026-10-28T12:00:00Z', 'Europe/Berlin')).toEqual([
        '25T00:00',
        '25T12:00',
        '26T00:00',
        '26T12:00',
        '27T00:00',
        '27T12:00',
        '28T00:00',
      ])
    })

    it('has days that begin when the clock begins them', () => {
      // In Santiago the clock goes from 23:59:59 to 01:00.
      expect(clocks('2026-09-04T00:00:00Z', '2026-09-08T23:00:00Z', 'America/Santiago')).toEqual([
        '04T00:00',
        '05T00:00',
        '06T01:00',
        '07T00:00',
        '08T00:00',
      ])
    })

    it('shows twice what the clock shows twice', () => {
      expect(clocks('2026-10-25T00:00:00Z', '2026-10-25T02:00:00Z', 'Europe/Berlin')).toEqual([
        '25T02:15',
        '25T02:30',
        '25T02:45',
        '25T02:00',
        '25T02:15',
        '25T02:30',
        '25T02:45',
      ])
      // The window begins in the second such hour.
      expect(clocks('2026-10-25T01:10:00Z', '2026-10-25T01:50:00Z', 'Europe/Berlin')[0]).toBe('25T02:15')
    })

    it('has no tick twice, and none outside, at any length', () => {
      for (const zone of ['Europe/Berlin', 'America/New_York', 'America/Santiago', 'Australia/Lord_Howe']) {
        for (let length = 60_000; length < 86_400_000 * 800; length *= 1.7) {
          for (const change of ['2026-03-29T01:00Z', '2026-04-04T15:00Z', '2026-09-06T04:00Z', '2026-11-01T06:00Z']) {
            const from = Date.parse(change) - Math.round(length / 3)
            const window = { from, to: from + Math.round(length) }
            const { ticks } = toTicks(window, 8, zone)
            expect(ticks).toEqual([...new Set(ticks)].toSorted((a, b) => a - b))
            expect(ticks.length).toBeGreaterThan(0)
            expect(ticks.length).toBeLessThan(11)
            expect(ticks.every((tick) => tick > window.from && tick < window.to)).toBe(true)
          }
        }
      }
    })
  })
})
