// How related items become a graph whose crowds are folded (backend reference, 10.7).
import type { RelatedConfig } from '@watchroom/shared/catalog'

/** Items of one type below one parent from which on they are a group. */
const GROUP_FROM = 3
/** Groups that are open at first. */
const OPEN_UP_TO = 3

export type GraphNode =
  | {
      readonly kind: 'config'
      readonly id: string
      readonly config: RelatedConfig
      readonly children: readonly string[]
    }
  | {
      readonly kind: 'group'
      readonly id: string
      readonly type: string
      readonly children: readonly string[]
      readonly isOpenAtFirst: boolean
    }

export type Graph = ReadonlyMap<string, GraphNode>

export function toGraph(rows: readonly RelatedConfig[]): Graph {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const parents = rows.map((config) => {
    const loaded = [...new Set(config.related_ids ?? [])].filter((id) => id !== config.id && byId.has(id))
    return { config, ...fold(config.id, loaded, byId) }
  })
  const groups = mergeGroups(parents.flatMap((parent) => parent.groups))
  const graph = new Map<string, GraphNode>()
  for (const { config, single, groups: own } of parents) {
    const merged = own.map(({ id }) => groups.idOf.get(id) ?? id)
    graph.set(config.id, { kind: 'config', id: config.id, config, children: [...single, ...new Set(merged)] })
  }
  for (const group of groups.merged) graph.set(group.id, group)
  return graph
}

interface Group {
  readonly id: string
  readonly type: string
  readonly children: readonly string[]
}

/** Children of one parent: those that stand alone, and groups of three and more of a type. */
function fold(parent: string, children: readonly string[], byId: ReadonlyMap<string, RelatedConfig>) {
  const types = new Map<string, string[]>()
  for (const id of children) {
    const type = byId.get(id)?.type ?? ''
    const ids = types.get(type)
    if (ids) ids.push(id)
    else types.set(type, [id])
  }
  const single: string[] = []
  const groups: Group[] = []
  for (const [type, ids] of types) {
    if (ids.length >= GROUP_FROM) groups.push({ id: `${parent}-${type}-intermediary`, type, children: ids })
    else single.push(...ids)
  }
  return { single, groups }
}

/** Groups of the same items are one, which all their parents point to. */
function mergeGroups(groups: readonly Group[]) {
  const same = new Map<string, Group[]>()
  for (const group of groups) {
    const key = group.children.toSorted().join()
    same.set(key, [...(same.get(key) ?? []), group])
  }
  const idOf = new Map<string, string>()
  const merged = Array.from(same.values(), (equal): GraphNode => {
    const id = equal.map((group) => group.id).join('-combined-with-')
    for (const group of equal) idOf.set(group.id, id)
    const { type = '', children = [] } = equal[0] ?? {}
    return { kind: 'group', id, type, children, isOpenAtFirst: children.length <= OPEN_UP_TO }
  })
  return { idOf, merged }
}
