import { matchesWordFilter, parseWordFilter } from '../catalog/index.ts'
import { ownValue } from '../kernel/index.ts'
import { type Chosen, type ChosenPage, choosePage } from './choosePage.ts'
import type { Component, TopologyAnswer } from './component.ts'
import { drawComponent, type Estate } from './drawComponent.ts'
import { type ComponentSort, type Sortable, sortComponents, type SortOrder, worstFirst } from './sortComponents.ts'
import { toShownStatus } from './summary.ts'

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
  /** Cards of the page; of what they list as much as fits. Everything, where it is not given. */
  readonly limit?: number
}

/** Which components a page shows, and where. */
export interface ChosenComponents {
  /** All that the page is about, shown or not. */
  readonly meant: readonly string[]
  readonly page: ChosenPage
  /** What stands below the last level, which draws nothing below it but says how much is there; nothing where a page does not say. */
  readonly countParts: (id: string) => Chosen | undefined
  /** In the requested order. */
  readonly inOrder: (ids: readonly string[]) => readonly string[]
  /** Cards are drawn whole, and the one whose page it is. @param level 1 for the top */
  readonly isWhole: (level: number) => boolean
}

export function chooseComponents(estate: Estate, query: TopologyQuery): ChosenComponents {
  const { rows, graph } = estate
  const below = query.id === undefined ? [...rows.keys()] : toSubtree(graph, query.id)
  const meant = below.filter((id) => rows.has(id))
  const isShown = toFilter(estate, query)
  const isList = query.flatten === true
  const isOfOne = query.id !== undefined && !isList
  const inOrder = (ids: readonly string[]): readonly string[] =>
    sortComponents(toSortable(estate, ids), query.sortBy, query.sortOrder).map(({ id }) => id)

  const isOnTop = (id: string): boolean =>
    isList
      ? isShown.itself(id) && isShown.byStatus(id)
      : isRoot(estate, id) && isShown.byKind(id) && isShown.within(id) && isShown.byStatus(id)
  const page = choosePage(
    {
      top: isOfOne ? meant.slice(0, 1) : inOrder(meant.filter(isOnTop)),
      below: (id, level) => {
        const parts = (graph.edges.childrenOf.get(id) ?? []).filter(
          (part) => isShown.byKind(part) && (level > 1 || (isShown.byStatus(part) && isShown.within(part))),
        )
        // Cards are the first in the requested order; what a card lists is always the worst.
        if (isOfOne && level === 1) return inOrder(parts)
        return query.limit === undefined ? parts : worstFirst(toSortable(estate, parts)).map((part) => part.id)
      },
      isHidden: (id) => rows.get(id)?.hidden === true,
      isOfOne,
      depth: isList ? 1 : query.depth,
    },
    query.limit,
  )
  return {
    meant,
    page,
    countParts: (id) => {
      if (query.limit === undefined || isList) return undefined
      const parts = (graph.edges.childrenOf.get(id) ?? []).filter(isShown.byKind)
      const moreHidden = parts.filter((part) => rows.get(part)?.hidden === true).length
      return { ids: [], more: parts.length - moreHidden, moreHidden }
    },
    inOrder,
    isWhole: (level) => level === 1 || (isOfOne && level === 2),
  }
}

/** What one page of the topology shows, of the estate as it is now. */
export function cutTopology(estate: Estate, query: TopologyQuery): TopologyAnswer {
  const { meant, page, countParts, inOrder, isWhole } = chooseComponents(estate, query)
  const draw = (id: string, level: number): Component => {
    const component = drawComponent(estate, id, isWhole(level))
    // What has no parts has no counts of them.
    const parts = level < query.depth ? page.below.get(id) : countParts(id)
    return {
      ...component,
      // Of thousands a page names no more than it carries.
      ...(query.limit !== undefined && component.children && { children: [...(parts?.ids ?? [])] }),
      ...(parts && toRest(parts)),
      ...(parts && parts.ids.length > 0 && { components: inOrder(parts.ids).map((part) => draw(part, level + 1)) }),
    }
  }
  return {
    components: page.top.ids.map((id) => draw(id, 1)),
    ...toRest(page.top),
    ...toChoices(estate, meant),
  }
}

/** Some of the estate, as a list of all has them. */
export const toList = (estate: Estate, ids: Iterable<string>): Component[] =>
  [...ids].filter((id) => estate.rows.has(id)).map((id) => drawComponent(estate, id, true))

/** How much a page leaves out. */
export const toRest = ({ more, moreHidden }: Chosen): Pick<TopologyAnswer, 'more' | 'more_hidden'> => ({
  ...(more > 0 && { more }),
  ...(moreHidden > 0 && { more_hidden: moreHidden }),
})

/** What an order is made of, without all that a component says. */
const toSortable = ({ rows, graph }: Estate, ids: readonly string[]): Sortable[] =>
  ids.flatMap((id) => {
    const row = rows.get(id)
    if (row === undefined) return []
    const { name, text, type, updated_at, properties } = row
    const { health, status } = graph.get(id) ?? row
    return [{ id, name, text, type, updated_at, properties, health, status }]
  })

/** Without a parent in the estate it is a root, whatever parent it names. */
const isRoot = ({ graph }: Estate, id: string): boolean => (graph.edges.parentsOf.get(id)?.length ?? 0) === 0

function toSubtree(graph: Estate['graph'], id: string): string[] {
  const seen = new Set([id])
  for (const next of seen) for (const child of graph.edges.childrenOf.get(next) ?? []) seen.add(child)
  return [...seen]
}

function toFilter({ rows, graph, teams }: Estate, query: TopologyQuery) {
  const status = parseWordFilter(query.status ?? '')
  const unwanted = new Set(status.excluded.map(toShownStatus))
  const wantedStatus = { ...status, included: status.included.map(toShownStatus), excluded: [] }
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
      const words = [rolled.health, toShownStatus(rolled.status)]
      return !words.some((word) => unwanted.has(word)) && words.some((word) => matchesWordFilter(wantedStatus, word))
    },
    itself: (id: string): boolean => byKind(id) && isOwned(id),
    /** A card is there for what is in it, too. */
    within: (id: string): boolean =>
      isOwned(id) || toSubtree(graph, id).some((inner) => byKind(inner) && isOwned(inner)),
  }
}

const compareWords = (a: string, b: string): number => (a < b ? -1 : 1)

/** What the filters of a page offer, each once and in order. */
function toChoices({ rows, graph }: Estate, ids: readonly string[]): Omit<TopologyAnswer, 'components'> {
  const [statuses, teams, types] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const tags = new Map<string, Set<string>>()
  const add = (words: Set<string>, word: string | null | undefined): void => {
    if (word) words.add(word)
  }
  for (const id of ids) {
    const [row, rolled] = [rows.get(id), graph.get(id)]
    add(statuses, rolled && toShownStatus(rolled.status))
    add(statuses, rolled?.health)
    add(types, row?.type)
    for (const name of row?.team_names ?? []) add(teams, name)
    for (const [key, value] of Object.entries(row?.labels ?? {})) {
      tags.set(key, (tags.get(key) ?? new Set()).add(value))
    }
  }
  const sorted = (words: ReadonlySet<string>): string[] => [...words].toSorted(compareWords)
  return {
    healthStatuses: sorted(statuses),
    teams: sorted(teams),
    types: sorted(types),
    tags: Object.fromEntries([...tags].map(([key, values]) => [key, sorted(values)])),
  }
}
