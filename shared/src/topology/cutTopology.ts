import { matchesWordFilter, parseWordFilter } from '../catalog/index.ts'
import { ownValue } from '../kernel/index.ts'
import type { Cause, Component, TopologyAnswer } from './component.ts'
import type { TopologyGraph } from './createTopologyGraph.ts'
import { type ComponentSort, sortComponents, type SortOrder } from './sortComponents.ts'
import type { ComponentSummary } from './summary.ts'
import type { Reason } from './toBecause.ts'

/** A component as it is stored, with the teams that own it. */
export type ComponentRow = Omit<Component, 'components' | 'summary' | 'children' | 'parents' | 'because'> & {
  readonly team_names?: readonly string[] | null
}

/** What of the estate is asked for (backend reference 6.4). Filters are comma lists with `!` and `*`. */
export interface TopologyQuery {
  readonly id?: string
  readonly status?: string
  readonly type?: string
  /** Name or id. */
  readonly team?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly owner?: string
  readonly agentId?: string
  readonly showHidden?: boolean
  /** Levels, 1 for the first alone. */
  readonly depth: number
  /** A list of all that fit instead of a tree. */
  readonly flatten?: boolean
  readonly sortBy: ComponentSort
  readonly sortOrder: SortOrder
}

export interface Estate {
  readonly rows: ReadonlyMap<string, ComponentRow>
  readonly graph: Pick<TopologyGraph, 'get' | 'edges'>
  /** Names of teams by id. */
  readonly teams: ReadonlyMap<string, string>
}

/** Of levels that a card only lists. */
const LISTED_KEYS = [
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
] as const
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

/** What one page of the topology shows, of the estate as it is now. */
export function cutTopology(estate: Estate, query: TopologyQuery): TopologyAnswer {
  const { rows, graph } = estate
  const below = query.id === undefined ? [...rows.keys()] : toSubtree(graph, query.id)
  const meant = below.flatMap((id) => rows.get(id) ?? [])
  const isShown = toFilter(estate, query)
  const fits = (id: string): boolean => isShown.itself(id) && isShown.byStatus(id)
  const order = (components: Component[]): Component[] => [...sortComponents(components, query.sortBy, query.sortOrder)]

  const draw = (id: string, level: number, isRootOfPage: boolean): Component[] => {
    const row = rows.get(id)
    if (row === undefined) return []
    const isFull = level === 1 || (query.id !== undefined && level === 2)
    const component = toComponent(estate, row, isFull)
    if (level >= query.depth) return [component]
    const children = order(
      (graph.edges.childrenOf.get(id) ?? [])
        .filter((child) => isShown.byKind(child) && (!isRootOfPage || isShown.byStatus(child)))
        .flatMap((child) => draw(child, level + 1, false)),
    )
    return [children.length === 0 ? component : { ...component, components: children }]
  }

  const components = query.flatten
    ? meant.filter(({ id }) => fits(id)).map((row) => toComponent(estate, row, true))
    : query.id === undefined
      ? meant
          .filter(({ id }) => isRoot(estate, id) && isShown.byKind(id) && isShown.within(id) && isShown.byStatus(id))
          .flatMap(({ id }) => draw(id, 1, true))
      : draw(query.id, 1, true)
  return { components: order(components), ...toChoices(meant, graph) }
}

/** Whose parent is not there stands for itself. */
const isRoot = ({ graph }: Estate, id: string): boolean => (graph.edges.parentsOf.get(id)?.length ?? 0) === 0

function toSubtree(graph: Estate['graph'], id: string): string[] {
  const seen = new Set([id])
  for (const next of seen) for (const child of graph.edges.childrenOf.get(next) ?? []) seen.add(child)
  return [...seen]
}

function toFilter({ rows, graph, teams }: Estate, query: TopologyQuery) {
  const status = parseWordFilter(query.status ?? '')
  const type = parseWordFilter(query.type ?? '')
  const team = query.team === undefined ? undefined : (teams.get(query.team) ?? query.team)
  const labels = Object.entries(query.labels ?? {})

  const isOwned = (id: string): boolean => {
    const row = rows.get(id)
    return (
      row !== undefined &&
      (team === undefined || row.team_names?.includes(team) === true) &&
      (query.owner === undefined || row.owner === query.owner) &&
      (query.agentId === undefined || row.agent_id === query.agentId) &&
      labels.every(([key, value]) => ownValue(row.labels ?? {}, key) === value)
    )
  }
  const byKind = (id: string): boolean => {
    const row = rows.get(id)
    return row !== undefined && (query.showHidden !== false || row.hidden !== true) && matchesWordFilter(type, row.type)
  }
  return {
    byKind,
    /** Status or health. */
    byStatus: (id: string): boolean => {
      const rolled = graph.get(id)
      if (rolled === undefined) return false
      if (status.excluded.includes(rolled.health) || status.excluded.includes(rolled.status)) return false
      const wanted = { ...status, excluded: [] }
      return matchesWordFilter(wanted, rolled.health) || matchesWordFilter(wanted, rolled.status)
    },
    itself: (id: string): boolean => byKind(id) && isOwned(id),
    /** A card is there for what is in it, too. */
    within: (id: string): boolean =>
      isOwned(id) || toSubtree(graph, id).some((inner) => byKind(inner) && isOwned(inner)),
  }
}

function toComponent({ rows, graph }: Estate, row: ComponentRow, isFull: boolean): Component {
  const rolled = graph.get(row.id)
  const { team_names: _, ...stored } = row
  const whole = {
    ...stored,
    ...(rolled && {
      health: rolled.health,
      status: rolled.status,
      summary: toShownSummary(rolled.summary),
      because: rolled.because.map((reason) => toCause(rows, reason)),
      ...(rolled.problem === undefined ? {} : { status_reason: rolled.problem }),
    }),
    ...(isFull && {
      children: [...(graph.edges.childrenOf.get(row.id) ?? [])],
      parents: [...(graph.edges.parentsOf.get(row.id) ?? [])],
    }),
  }
  const kept = Object.entries(whole).filter(
    ([key, value]) => (isFull || LISTED_KEYS.some((listed) => listed === key)) && (ALWAYS.has(key) || !isEmpty(value)),
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

const compareWords = (a: unknown, b: unknown): number => (String(a) < String(b) ? -1 : 1)

/** What the filters of a page offer, each once and in order. */
function toChoices(rows: readonly ComponentRow[], graph: Estate['graph']): Omit<TopologyAnswer, 'components'> {
  const sorted = (words: Iterable<string | null | undefined>): string[] =>
    [...new Set(words)].filter((word) => typeof word === 'string' && word !== '').toSorted(compareWords) as string[]
  const tags = new Map<string, Set<string>>()
  for (const { labels } of rows) {
    for (const [key, value] of Object.entries(labels ?? {})) tags.set(key, (tags.get(key) ?? new Set()).add(value))
  }
  return {
    healthStatuses: sorted(rows.flatMap(({ id }) => [graph.get(id)?.status, graph.get(id)?.health])),
    teams: sorted(rows.flatMap(({ team_names: names }) => names ?? [])),
    types: sorted(rows.map(({ type }) => type)),
    tags: Object.fromEntries([...tags].map(([key, values]) => [key, sorted(values)])),
  }
}
