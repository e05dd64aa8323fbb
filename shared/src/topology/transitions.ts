import { type ComponentHealth, toComponentHealth } from './componentHealth.ts'
import type { ShownComponent } from './shownComponents.ts'

/** A component that became another one than it was. */
export interface HealthTransition {
  readonly id: string
  readonly name: string
  readonly from: ComponentHealth
  readonly to: ComponentHealth
  /** Milliseconds. */
  readonly at: number
}

/** What became better or worse from one state of a page to the next. What comes or goes was nothing else before. */
export function toTransitions(
  before: readonly ShownComponent[],
  now: readonly ShownComponent[],
  at: number,
): HealthTransition[] {
  if (before === now) return []
  const known = new Map(before.map((row) => [row.id, row]))
  return now.flatMap((row) => {
    const was = known.get(row.id)
    if (was === undefined || was === row) return []
    const [from, to] = [toComponentHealth(was.health), toComponentHealth(row.health)]
    return from === to ? [] : [{ id: row.id, name: row.text || row.name, from, to, at }]
  })
}

/** As many within a minute are one event. */
const BURST = 5
const BURST_MS = 60_000

/** Transitions that came together below one component. */
export interface Burst {
  readonly id: string
  readonly name: string
  /** In the order in which they came. */
  readonly transitions: readonly HealthTransition[]
}

/** Folds what came together, by what of the page it is below. */
export function toBursts(rows: readonly ShownComponent[], transitions: readonly HealthTransition[]): Burst[] {
  if (transitions.length < BURST) return []
  const byId = new Map(rows.map((row) => [row.id, row]))
  return rows.flatMap((top) => {
    if (!top.is_top) return []
    const below = idsBelow(top, byId)
    const together = withinBursts(transitions.filter(({ id }) => below.has(id)))
    return together.length === 0 ? [] : [{ id: top.id, name: top.text || top.name, transitions: together }]
  })
}

function idsBelow(top: ShownComponent, byId: ReadonlyMap<string, ShownComponent>): Set<string> {
  const below = new Set<string>()
  const open = [...top.shown]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === top.id || below.has(id)) continue
    below.add(id)
    open.push(...(byId.get(id)?.shown ?? []))
  }
  return below
}

/** Those that have enough others around them. @param transitions in the order in which they came */
function withinBursts(transitions: readonly HealthTransition[]): HealthTransition[] {
  const kept = new Set<HealthTransition>()
  for (let first = 0; first + BURST <= transitions.length; first += 1) {
    const run = transitions.slice(first, first + BURST)
    const [start, end] = [run[0], run.at(-1)]
    if (start !== undefined && end !== undefined && end.at - start.at <= BURST_MS) for (const one of run) kept.add(one)
  }
  return transitions.filter((one) => kept.has(one))
}
