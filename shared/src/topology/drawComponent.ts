// How the components of an estate are drawn: whole, or as much of each as a card lists.
import type { Cause, Component } from './component.ts'
import type { RolledUp, TopologyGraph } from './createTopologyGraph.ts'
import { type ComponentSummary, toShownStatus } from './summary.ts'
import type { Reason } from './toBecause.ts'

/** A component as it is stored, with the teams that own it. */
export type ComponentRow = Omit<Component, 'components' | 'summary' | 'children' | 'parents' | 'because'> & {
  readonly team_names?: readonly string[] | null
}

export interface Estate {
  readonly rows: ReadonlyMap<string, ComponentRow>
  readonly graph: Pick<TopologyGraph, 'get' | 'edges'>
  /** Names of teams by id. */
  readonly teams: ReadonlyMap<string, string>
}

/** Of levels that a card only lists. */
const LISTED_KEYS: ReadonlySet<string> = new Set([
  'id',
  'name',
  'text',
  'namespace',
  'type',
  'topology_type',
  'icon',
  'labels',
  'status',
  'health',
  'status_reason',
  'is_leaf',
  'hidden',
  'summary',
  'because',
])
/** There also where they are empty, as the peer has it. */
const ALWAYS = new Set([
  'id',
  'name',
  'agent_id',
  'namespace',
  'status',
  'health',
  'description',
  'status_reason',
  'type',
])

interface Drawn {
  readonly rolled: RolledUp | undefined
  readonly edges: TopologyGraph['edges']
  full?: Component
  listed?: Component
}

/** Components as they were drawn last: a page is cut again for each change of one of them. */
const drawn = new WeakMap<ComponentRow, Drawn>()

export function drawComponent(estate: Estate, id: string, isFull: boolean): Component {
  const { rows, graph } = estate
  const row = rows.get(id)
  if (row === undefined) throw new Error('a page shows only what is there')
  const rolled = graph.get(id)
  let known = drawn.get(row)
  if (known?.rolled !== rolled || known?.edges !== graph.edges) {
    known = { rolled, edges: graph.edges }
    drawn.set(row, known)
  }
  const form = isFull ? 'full' : 'listed'
  const component = (known[form] ??= toForm(estate, row, rolled, isFull))
  // Those on the way may have another name by now.
  return rolled === undefined || rolled.because.length === 0
    ? component
    : { ...component, because: rolled.because.map((reason) => toCause(rows, reason)) }
}

function toForm({ graph }: Estate, row: ComponentRow, rolled: RolledUp | undefined, isFull: boolean): Component {
  const { team_names: _, ...stored } = row
  const whole: Readonly<Record<string, unknown>> = {
    ...stored,
    ...(rolled && {
      health: rolled.health,
      status: toShownStatus(rolled.status),
      summary: toShownSummary(rolled.summary),
      ...(rolled.problem === undefined ? {} : { status_reason: rolled.problem }),
    }),
    ...(isFull && {
      children: [...(graph.edges.childrenOf.get(row.id) ?? [])],
      parents: [...(graph.edges.parentsOf.get(row.id) ?? [])],
    }),
  }
  const kept = Object.entries(whole).filter(
    ([key, value]) => (isFull || LISTED_KEYS.has(key)) && (ALWAYS.has(key) || !isEmpty(value)),
  )
  return Object.fromEntries(kept) as unknown as Component
}

function toCause(rows: Estate['rows'], { path, name, ...reason }: Reason): Cause {
  const nameOf = (id: string): string => rows.get(id)?.text || rows.get(id)?.name || id
  return {
    ...reason,
    name: name ?? nameOf(reason.id),
    path: path.map((id) => ({ id, name: nameOf(id) })),
  }
}

/** Without what is nought. */
export const toShownSummary = (summary: ComponentSummary) =>
  Object.fromEntries(Object.entries(summary).filter(([, value]) => !isEmpty(value))) as Partial<ComponentSummary>

function isEmpty(value: unknown): boolean {
  if (value == null || value === '' || value === 0 || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && Object.keys(value).length === 0
}
