// Turns checks into the tiles of a wall, failing first. Pure. A tile that did not change keeps its identity, so that it does
// not render again.

import {
  type CheckFacts,
  type CheckSummary,
  compareBy,
  type GroupBy,
  groupChecks,
  type HealthCounts,
  countHealth,
  toCheckFacts,
} from '@watchroom/shared/health'
import { parseTimestamp } from '@watchroom/shared/time'
import { matchesFilter, toNamespace, type WallFilter } from '@watchroom/shared/wall'

/** Health of a tile; `mixed` is a group of which some members fail. */
export type TileHealth = 'unhealthy' | 'mixed' | 'unknown' | 'healthy'

export interface Tile {
  readonly id: string
  readonly title: string
  /** Where it belongs: group and namespace of a check, number of checks of a group. */
  readonly place: string
  readonly health: TileHealth
  readonly word: string
  /** Since when it is so; ms since the epoch, as are the other times. */
  readonly since: number | null
  readonly latencyMs: number | null
  readonly lastRunAt: number | null
  /** From then on a newer result should have come. */
  readonly dueAt: number | null
  /** Checks of which it tells. */
  readonly checkIds: readonly string[]
}

export interface TileView {
  readonly filter: WallFilter
  readonly groupBy: GroupBy
}

export interface TileBoard {
  readonly tiles: readonly Tile[]
  /** Over all checks of the board. */
  readonly counts: HealthCounts
}

/** A result that is late by this much more than an interval is missed. */
const LATE_INTERVALS = 2
const LATE_SLACK_MS = 30_000

const RANK: Record<TileHealth, number> = { unhealthy: 0, mixed: 1, unknown: 2, healthy: 3 }
const WORDS: Record<TileHealth, string> = {
  unhealthy: 'Unhealthy',
  mixed: 'Mixed',
  unknown: 'Unknown',
  healthy: 'Healthy',
}

/** Facts by row: rows keep their identity over changes of others. */
const known = new WeakMap<CheckSummary, CheckFacts>()

function factsOf(row: CheckSummary): CheckFacts {
  const facts = known.get(row) ?? toCheckFacts(row)
  known.set(row, facts)
  return facts
}

const byName = compareBy('name', false)

/**
 * @param before what is shown now: tiles that did not change are taken over
 * @param isHeld changes show where the tiles are; they change places with a later call
 */
export function toTiles(
  rows: readonly CheckSummary[],
  view: TileView,
  before?: TileBoard,
  isHeld: boolean = false,
): TileBoard {
  const checks = rows.filter((row) => matchesFilter(row, view.filter)).map(factsOf)
  const earlier = new Map(before?.tiles.map((tile) => [tile.id, tile]))
  const fresh = groupChecks(checks.toSorted(byName), view.groupBy).map((node) => {
    const tile = node.kind === 'check' ? toCheckTile(node.check) : toGroupTile(node.key, node.title, node.checks)
    const same = earlier.get(tile.id)
    return same !== undefined && isSameTile(same, tile) ? same : tile
  })
  const held = isHeld && before !== undefined ? inOrderOf(before.tiles, fresh) : null
  const tiles = held ?? fresh.toSorted(compareTiles)
  const isSame = before?.tiles.length === tiles.length && tiles.every((tile, index) => tile === before.tiles[index])
  const counts = countHealth(checks.map(({ health }) => health))
  return { tiles: isSame ? before.tiles : tiles, counts }
}

/** Null when a tile came or went: then there is no old order to keep. */
function inOrderOf(order: readonly Tile[], tiles: readonly Tile[]): Tile[] | null {
  if (order.length !== tiles.length) return null
  const byId = new Map(tiles.map((tile) => [tile.id, tile]))
  const held = order.flatMap(({ id }) => byId.get(id) ?? [])
  return held.length === tiles.length ? held : null
}

/** Failing first, the newest failure before older ones; what is well keeps its place by name (the sort before is stable). */
function compareTiles(a: Tile, b: Tile): number {
  const byHealth = RANK[a.health] - RANK[b.health]
  if (byHealth !== 0 || RANK[a.health] > RANK.mixed) return byHealth
  return (b.since ?? 0) - (a.since ?? 0)
}

function toCheckTile(check: CheckFacts): Tile {
  const { row, health } = check
  const unknownSince = parseTimestamp(row.unknown_since)
  return {
    id: check.id,
    title: check.title,
    place: [row.canary_name, toNamespace(row)].filter((text) => text !== '' && text !== check.title).join(' · '),
    health,
    word: WORDS[health],
    since: health === 'unknown' ? unknownSince : check.transitionAt,
    latencyMs: check.latencyMs,
    lastRunAt: check.lastRunAt,
    dueAt: toDueAt(check),
    checkIds: [check.id],
  }
}

function toDueAt({ row, lastRunAt }: CheckFacts): number | null {
  const nextRunAt = parseTimestamp(row.next_runtime)
  if (lastRunAt === null || nextRunAt === null || nextRunAt <= lastRunAt) return null
  return lastRunAt + LATE_INTERVALS * (nextRunAt - lastRunAt) + LATE_SLACK_MS
}

function toGroupTile(key: string, title: string, checks: readonly CheckFacts[]): Tile {
  const counts = countHealth(checks.map(({ health }) => health))
  const health = toGroupTileHealth(counts, checks.length)
  const deciding = checks.filter((check) => health === 'healthy' || check.health === toDeciding(health))
  return {
    id: `group:${key}`,
    title,
    place: `${checks.length} checks`,
    health,
    word:
      health === 'unknown'
        ? `${counts.unknown} of ${checks.length} unknown`
        : `${counts.healthy} of ${checks.length} passing`,
    since: greatest(deciding.map(({ transitionAt }) => transitionAt)),
    latencyMs: greatest(checks.map(({ latencyMs }) => latencyMs)),
    lastRunAt: toFirstDue(checks)?.lastRunAt ?? greatest(checks.map(({ lastRunAt }) => lastRunAt)),
    dueAt: least(checks.map(toDueAt)),
    checkIds: checks.map(({ id }) => id),
  }
}

/** A group is as late as its member whose result is due first, and as old as that one's last. */
function toFirstDue(checks: readonly CheckFacts[]): CheckFacts | undefined {
  const first = least(checks.map(toDueAt))
  return first === null ? undefined : checks.find((check) => toDueAt(check) === first)
}

/** One failing member makes a group fail in part; only what nobody knows makes it unknown. */
function toGroupTileHealth({ unhealthy, unknown }: HealthCounts, total: number): TileHealth {
  if (unhealthy === total) return 'unhealthy'
  if (unhealthy > 0) return 'mixed'
  return unknown > 0 ? 'unknown' : 'healthy'
}

const toDeciding = (health: TileHealth): CheckFacts['health'] => (health === 'unknown' ? 'unknown' : 'unhealthy')

function greatest(values: readonly (number | null)[]): number | null {
  return values.reduce((most, value) => (value !== null && (most === null || value > most) ? value : most), null)
}

function least(values: readonly (number | null)[]): number | null {
  return values.reduce((least, value) => (value !== null && (least === null || value < least) ? value : least), null)
}

function isSameTile(a: Tile, b: Tile): boolean {
  return (Object.keys(a) as (keyof Tile)[]).every((key) =>
    key === 'checkIds'
      ? a.checkIds.length === b.checkIds.length && a.checkIds.every((id, index) => id === b.checkIds[index])
      : a[key] === b[key],
  )
}
