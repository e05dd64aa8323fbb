import { z } from 'zod'

import { COMPONENT_HEALTHS, type ComponentHealth } from '../componentHealth.ts'
import { toEdges } from '../edges.ts'
import type { RecordedEstate, RecordedStructure } from './recorded.ts'

/** Differences of a first look. */
export const SHOWN_DIFFERENCES = 200

const HealthSchema = z.enum(COMPONENT_HEALTHS)

const MomentSchema = z.object({ health: HealthSchema, status: z.string(), reason: z.string().nullable() })

/** A component of either instant, where it stands in the layout that both share. */
export const ComparedComponentSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string().nullable(),
  /** Null where it was not there. */
  from: MomentSchema.nullable(),
  to: MomentSchema.nullable(),
  change: z.enum(['added', 'removed', 'health', 'moved', 'edited', 'same']),
  /** Names from the top down to what it is in, as at the later instant at which it was there. */
  above: z.array(z.string()),
  /** Those below it at either instant that are listed. */
  children: z.array(z.string()),
  /** Those below it that are as they were, with all their parts: they are not listed. */
  unchanged: z.number(),
  /** Those below it that differ, or have parts that do, and are not listed because there are too many. */
  more: z.number(),
  isTop: z.boolean(),
})
export type ComparedComponent = z.infer<typeof ComparedComponentSchema>

export interface EstateDiff {
  readonly components: ComparedComponent[]
  /** How many components differ, listed or not. */
  readonly differences: number
  /** How many of those at the top are not listed. */
  readonly moreTop: number
}

export interface DiffChoice {
  /** Only this component and what is below it. */
  readonly rootId?: string | undefined
  /** Differences that are listed, the most telling first; and of those at the top, as many that are the same. */
  readonly limit: number
}

const CHANGE_ORDER = [
  'removed',
  'added',
  'health',
  'moved',
  'edited',
  'same',
] as const satisfies ComparedComponent['change'][]

/**
 * One layout for two instants: the edges of both, where they differ those of the later one first. Listed are the components that are
 * different, what they are in, and those at the top; no more than someone can look through.
 */
export function toEstateDiff(before: RecordedEstate, after: RecordedEstate, { rootId, limit }: DiffChoice): EstateDiff {
  const union = new Map([...before, ...after])
  const edges = toEdges(
    new Map(
      [...union].map(([id, { structure }]) => {
        const earlier = before.get(id)?.structure
        const linkedTo = new Set([...structure.linked_to, ...(earlier?.linked_to ?? []), earlier?.parent_id])
        const node = {
          parentId: structure.parent_id,
          linkedTo: [...linkedTo].filter((other): other is string => other != null && other !== structure.parent_id),
        }
        return [id, node]
      }),
    ),
  )
  const meant = new Set(rootId === undefined ? union.keys() : union.has(rootId) ? [rootId] : [])
  if (rootId !== undefined) for (const id of meant) for (const child of edges.childrenOf.get(id) ?? []) meant.add(child)

  const toAbove = (id: string): string[] => {
    const above: string[] = []
    for (let next = edges.parentsOf.get(id)?.[0]; next !== undefined; next = edges.parentsOf.get(next)?.[0]) {
      above.unshift(toTitle(union.get(next)?.structure))
    }
    return above
  }
  const compared = [...meant]
    .map((id): ComparedComponent => {
      const [from, to] = [before.get(id), after.get(id)]
      const structure = (to ?? from)?.structure
      return {
        id,
        name: toTitle(structure),
        type: structure?.type ?? null,
        from: from?.state ?? null,
        to: to?.state ?? null,
        change: toChange(from, to),
        above: [],
        children: [...(edges.childrenOf.get(id) ?? [])],
        unchanged: 0,
        more: 0,
        isTop: rootId === undefined ? (edges.parentsOf.get(id)?.length ?? 0) === 0 : id === rootId,
      }
    })
    .toSorted(
      (a, b) =>
        CHANGE_ORDER.indexOf(a.change) - CHANGE_ORDER.indexOf(b.change) ||
        rank(a.to?.health) - rank(b.to?.health) ||
        (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1),
    )
  /** With what they are in. */
  const withAbove = (ids: readonly string[]): ReadonlySet<string> => {
    const found = new Set<string>()
    const add = (id: string): void => {
      if (!meant.has(id) || found.has(id)) return
      found.add(id)
      for (const parent of edges.parentsOf.get(id) ?? []) add(parent)
    }
    for (const id of ids) add(id)
    return found
  }
  const different = compared.filter(({ change }) => change !== 'same').map(({ id }) => id)
  const tops = compared.filter(({ isTop }) => isTop).map(({ id }) => id)
  const touched = withAbove(different)
  const listed = new Set(withAbove(different.slice(0, limit)))
  for (const id of tops.filter((top) => !touched.has(top)).slice(0, limit)) listed.add(id)
  return {
    components: compared
      .filter(({ id }) => listed.has(id))
      .map((one) => {
        const children = one.children.filter((child) => listed.has(child))
        const more = one.children.filter((child) => touched.has(child) && !listed.has(child)).length
        const unchanged = one.children.length - children.length - more
        return { ...one, above: toAbove(one.id), children, unchanged, more }
      }),
    differences: different.length,
    moreTop: tops.filter((id) => !listed.has(id)).length,
  }
}

const rank = (health: ComponentHealth | undefined): number =>
  health === undefined ? -1 : COMPONENT_HEALTHS.indexOf(health)

const toTitle = (structure: RecordedStructure | undefined): string => structure?.text || (structure?.name ?? '')

type Moment = ReturnType<RecordedEstate['get']>

function toChange(from: Moment, to: Moment): ComparedComponent['change'] {
  if (from === undefined) return 'added'
  if (to === undefined) return 'removed'
  if (from.state.health !== to.state.health || from.state.status !== to.state.status) return 'health'
  const isMoved =
    from.structure.parent_id !== to.structure.parent_id ||
    from.structure.linked_to.join() !== to.structure.linked_to.join()
  if (isMoved) return 'moved'
  return JSON.stringify(from.structure) === JSON.stringify(to.structure) ? 'same' : 'edited'
}
