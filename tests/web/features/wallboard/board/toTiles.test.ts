import type { CheckSummary } from '@watchroom/shared/health'
import { describe, expect, it } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { EVERYTHING } from '#support/wallFilter.ts'

import { toTiles, type TileView } from '../../../../../web/src/features/wallboard/board/toTiles.ts'

const CHECKS: TileView = { filter: EVERYTHING, groupBy: 'no-group' }
const GROUPS: TileView = { filter: EVERYTHING, groupBy: 'canary_name' }
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 10, minute)).toISOString()

const titles = (rows: readonly CheckSummary[], view = CHECKS): string[] =>
  toTiles(rows, view).tiles.map(({ title }) => title)

describe('toTiles', () => {
  const rows = [
    buildCheck({ id: 'b', name: 'b', last_transition_time: at(50) }),
    buildCheck({ id: 'old', name: 'failed long ago', status: 'unhealthy', last_transition_time: at(1) }),
    buildCheck({ id: 'u', name: 'never ran', status: null }),
    buildCheck({ id: 'a', name: 'A', last_transition_time: at(2) }),
    buildCheck({ id: 'new', name: 'failed just now', status: 'unhealthy', last_transition_time: at(40) }),
    buildCheck({ id: 's', name: 'silent agent', status: 'healthy', unknown_since: at(31) }),
  ]

  it('puts failing checks first, the newest failure before older ones, then unknown, then healthy by name', () => {
    const expected = ['failed just now', 'failed long ago', 'never ran', 'silent agent', 'A', 'b']
    expect(titles(rows)).toEqual(expected)
    expect(titles(rows.toReversed())).toEqual(expected)
  })

  it('says since when, and of a silent agent since when nobody knows', () => {
    const { tiles } = toTiles(rows, CHECKS)
    const tile = (id: string) => tiles.find((candidate) => candidate.id === id)
    expect(tile('new')).toMatchObject({ health: 'unhealthy', word: 'Unhealthy', since: Date.parse(at(40)) })
    expect(tile('s')).toMatchObject({ health: 'unknown', word: 'Unknown', since: Date.parse(at(31)) })
    expect(tile('u')).toMatchObject({ health: 'unknown', since: null })
  })

  it('counts and shows only what the filter leaves', () => {
    const view: TileView = { ...CHECKS, filter: { ...EVERYTHING, query: 'failed' } }
    const { tiles, counts } = toTiles(rows, view)
    expect(tiles).toHaveLength(2)
    expect(counts).toEqual({ healthy: 0, unhealthy: 2, unknown: 0 })
  })

  it('knows when a newer result should have come: two intervals and a half minute after the last', () => {
    const [tile] = toTiles([buildCheck({ last_runtime: at(0), next_runtime: at(1) })], CHECKS).tiles
    expect(tile?.dueAt).toBe(Date.parse(at(2)) + 30_000)
    const [unplanned] = toTiles([buildCheck({ last_runtime: at(0) })], CHECKS).tiles
    expect(unplanned?.dueAt).toBeNull()
  })

  it('keeps tiles that did not change, and the list when none did', () => {
    const before = toTiles(rows, CHECKS)
    expect(toTiles([...rows], CHECKS, before).tiles).toBe(before.tiles)
    const slower = rows.map((row) => (row.id === 'a' ? { ...row, latency: { p95: 99 } } : row))
    const after = toTiles(slower, CHECKS, before)
    expect(after.tiles.filter((tile, index) => tile !== before.tiles[index]).map(({ id }) => id)).toEqual(['a'])
  })

  it('is as late as the member of a group whose result is due first, and as old as that one', () => {
    const member = (id: string, last: number, next: number) =>
      buildCheck({ id, canary_name: 'jobs', last_runtime: at(last), next_runtime: at(next) })
    const [tile] = toTiles([member('often', 10, 11), member('stuck', 2, 3), member('seldom', 0, 59)], GROUPS).tiles
    expect(tile).toMatchObject({ lastRunAt: Date.parse(at(2)), dueAt: Date.parse(at(4)) + 30_000 })
  })

  it('shows a change where the tile was while the order is held, and moves it afterwards', () => {
    const before = toTiles(rows, CHECKS)
    const failed = rows.map((row) =>
      row.id === 'b' ? { ...row, status: 'unhealthy', last_transition_time: at(59) } : row,
    )
    const held = toTiles(failed, CHECKS, before, true)
    expect(held.tiles.map(({ id }) => id)).toEqual(before.tiles.map(({ id }) => id))
    expect(held.tiles.find(({ id }) => id === 'b')).toMatchObject({ health: 'unhealthy' })
    expect(held.counts.unhealthy).toBe(3)
    expect(toTiles(failed, CHECKS, held).tiles[0]?.id).toBe('b')
    // A tile that came or went leaves no order to hold.
    expect(toTiles(failed.slice(1), CHECKS, held, true).tiles.map(({ id }) => id)).toEqual([
      'new',
      'old',
      'u',
      's',
      'a',
    ])
  })

  it('makes a tile of each group: failing in part before unknown, and a group of one is its check', () => {
    const group = (name: string, ...healths: (string | null)[]): CheckSummary[] =>
      healths.map((status, index) =>
        buildCheck({
          id: `${name}-${index}`,
          canary_name: name,
          status,
          last_transition_time: at(index),
          latency: { p95: 10 * (index + 1) },
        }),
      )
    const all = [
      ...group('fine', 'healthy', 'healthy'),
      ...group('partly', 'healthy', 'unhealthy', 'healthy'),
      ...group('dark', null, 'healthy'),
      ...group('down', 'unhealthy', 'unhealthy'),
      ...group('alone', 'healthy'),
    ]
    const { tiles } = toTiles(all, GROUPS)
    expect(tiles.map(({ title, health, word }) => [title, health, word])).toEqual([
      ['down', 'unhealthy', '0 of 2 passing'],
      ['partly', 'mixed', '2 of 3 passing'],
      ['dark', 'unknown', '1 of 2 unknown'],
      ['alone-0', 'healthy', 'Healthy'],
      ['fine', 'healthy', '2 of 2 passing'],
    ])
    // Since when it fails is the failing member's time; the slowest member gives the latency.
    expect(tiles[1]).toMatchObject({ since: Date.parse(at(1)), latencyMs: 30, place: '3 checks' })
    expect(tiles[1]?.checkIds).toHaveLength(3)
  })
})
