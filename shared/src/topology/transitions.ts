import { z } from 'zod'

import { COMPONENT_HEALTHS, type ComponentHealth, toComponentHealth } from './componentHealth.ts'
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
  /** How long it took, in whole minutes: where one burst follows another they are one. */
  readonly minutes: number
}

/** What came together below the cards of a page in the last minutes, on all levels; null for those who are not told. */
export const RecordedBurstsSchema = z.object({
  bursts: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        minutes: z.number(),
        transitions: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            at: z.number(),
            from: z.enum(COMPONENT_HEALTHS),
            to: z.enum(COMPONENT_HEALTHS),
          }),
        ),
      }),
    )
    .nullable(),
})

/** How long a burst took, in words. */
export const toSpanText = ({ minutes }: Pick<Burst, 'minutes'>): string =>
  `within ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`

/** A component, and what is directly below it. */
export type BurstRow = Pick<ShownComponent, 'id' | 'name' | 'text' | 'is_top' | 'shown'>

/** Folds what came together, by what of the page it is below. What one of its parts made of a component is no change beside that one. */
export function toBursts(rows: readonly BurstRow[], transitions: readonly HealthTransition[]): Burst[] {
  if (transitions.length < BURST) return []
  const byId = new Map(rows.map((row) => [row.id, row]))
  return rows.flatMap((top) => {
    if (!top.is_top) return []
    const below = idsBelow(top, byId)
    const inside = transitions.filter(({ id }) => below.has(id))
    if (inside.length < BURST) return []
    const known = inside.filter((one) => !isFirstVerdict(one))
    const together = withinBursts(withoutEchoes(known, byId))
    const [first, last] = [together[0], together.at(-1)]
    if (first === undefined || last === undefined) return []
    const minutes = Math.max(1, Math.ceil((last.at - first.at) / BURST_MS))
    return [{ id: top.id, name: top.text || top.name, transitions: together, minutes }]
  })
}

function idsBelow(top: BurstRow, byId: ReadonlyMap<string, BurstRow>): Set<string> {
  const below = new Set<string>()
  const open = [...top.shown]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === top.id || below.has(id)) continue
    below.add(id)
    open.push(...(byId.get(id)?.shown ?? []))
  }
  return below
}

/** What turns out well was not known before: on a first start that is everything. */
const isFirstVerdict = ({ from, to }: HealthTransition): boolean => from === 'unknown' && to === 'healthy'

/** Without those that only show what one below them became: a chain of ten levels is one change. */
function withoutEchoes(
  transitions: readonly HealthTransition[],
  byId: ReadonlyMap<string, BurstRow>,
): readonly HealthTransition[] {
  const ofId = new Map<string, HealthTransition[]>()
  for (const one of transitions) ofId.set(one.id, [...(ofId.get(one.id) ?? []), one])
  const isEcho = (one: HealthTransition): boolean => {
    const row = byId.get(one.id)
    const below = row === undefined ? [] : [...idsBelow(row, byId)]
    return below.some((id) => ofId.get(id)?.some((other) => isOfOne(other, one)))
  }
  return transitions.filter((one) => !isEcho(one))
}

/** What fails makes worse what it is in; what recovers takes from it what it was because of it. */
const isOfOne = (part: HealthTransition, whole: HealthTransition): boolean =>
  Math.abs(part.at - whole.at) <= BURST_MS && (part.to === whole.to || part.from === whole.from)

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
