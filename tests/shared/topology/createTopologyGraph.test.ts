import {
  type Component,
  type ComponentRow,
  ComponentSchema,
  createTopologyGraph,
  cutTopology,
  type NodePart,
  type TopologyGraph,
  type TopologyNode,
  toComponentHealth,
} from '@watchroom/shared/topology'
import { describe, expect, it } from 'vitest'

import { createRandom } from '../../support/random.ts'

const part = (kind: NodePart['kind'], id: string, word: string, since: string | null = null): NodePart => ({
  kind,
  id,
  name: `${kind} ${id}`,
  health: toComponentHealth(word),
  since,
  ...(kind === 'check' ? { status: word } : {}),
})
const checks = (id: string, words: readonly string[]): NodePart[] =>
  words.map((word, index) => part('check', `${id} ${index}`, word))
const leaf = (id: string, changed: Partial<TopologyNode> = {}): TopologyNode => ({
  id,
  parentId: null,
  linkedTo: [],
  health: 'unknown',
  status: '',
  parts: [],
  incidents: {},
  ...changed,
})
const silent = (): never => {
  throw new Error('no expression is there')
}
const graphOf = (...nodes: TopologyNode[]) => createTopologyGraph(nodes, silent)

describe('health rolls up', () => {
  it('is the worst of its own, of its checks, its config items and its children', () => {
    const graph = graphOf(
      leaf('root', { health: 'healthy' }),
      leaf('a', { parentId: 'root', parts: checks('a', ['healthy', 'unhealthy']) }),
      leaf('b', { parentId: 'root', parts: [part('config', 'c', 'warning'), part('config', 'd', 'healthy')] }),
    )
    expect(['root', 'a', 'b'].map((id) => graph.get(id)?.health)).toEqual(['unhealthy', 'unhealthy', 'warning'])
  })

  it('is unknown where nothing is known, and known siblings decide over unknown ones', () => {
    const graph = graphOf(
      leaf('root'),
      leaf('a', { parentId: 'root' }),
      leaf('b', { parentId: 'root', health: 'healthy' }),
      leaf('alone'),
    )
    expect(graph.get('root')).toMatchObject({ health: 'healthy', summary: { healthy: 1, unknown: 1 } })
    expect(graph.get('alone')?.health).toBe('unknown')
  })

  it('counts a leaf by its health, by its status only where that is one of the four words', () => {
    const graph = graphOf(
      leaf('root'),
      leaf('a', { parentId: 'root', health: 'healthy', status: 'unhealthy' }),
      leaf('b', { parentId: 'root', status: 'info' }),
      leaf('c', { parentId: 'root', status: 'Running' }),
    )
    expect(graph.get('root')?.summary).toMatchObject({ healthy: 1, info: 1, unknown: 1, unhealthy: 0, warning: 0 })
  })

  it('counts a child with good and bad parts as one warning, and adds up its checks, incidents and insights', () => {
    const graph = graphOf(
      leaf('root', { incidents: { availability: { high: 1 } } }),
      leaf('mixed', { parentId: 'root' }),
      leaf('good', { parentId: 'mixed', health: 'healthy', parts: checks('good', ['healthy', 'healthy']) }),
      leaf('bad', {
        parentId: 'mixed',
        parts: checks('bad', ['unhealthy', 'healthy']),
        incidents: { availability: { high: 2, low: 1 } },
      }),
    )
    expect(graph.get('root')?.summary).toEqual({
      healthy: 0,
      unhealthy: 0,
      warning: 1,
      mixed: 1,
      info: 0,
      unknown: 0,
      incidents: { availability: { high: 3, low: 1 } },
      insights: {},
      checks: { healthy: 3, unhealthy: 1 },
    })
  })

  it('counts a check and the insights of an item once, however many of what is below have them', () => {
    const disk = part('check', 'disk', 'healthy')
    const item: NodePart = { ...part('config', 'item', 'healthy'), insights: { security: { high: 2 } } }
    const shared = (word: string): TopologyNode =>
      leaf('shared', { parentId: 'right', linkedTo: ['left'], parts: checks('shared', [word]) })
    const graph = graphOf(
      leaf('root', { parts: [disk] }),
      leaf('left', { parentId: 'root', parts: [disk, item] }),
      leaf('right', { parentId: 'root', parts: [disk] }),
      leaf('leaf', { parentId: 'right', parts: [item, ...checks('leaf', ['unhealthy'])] }),
      shared('healthy'),
    )
    const counted = (id: string) => graph.get(id)?.summary.checks
    expect(['root', 'left', 'right'].map(counted)).toEqual([
      { healthy: 2, unhealthy: 1 },
      { healthy: 2 },
      { healthy: 2, unhealthy: 1 },
    ])
    expect(graph.get('root')?.summary.insights).toEqual({ security: { high: 2 } })

    expect(graph.set([shared('warning')])).toEqual(new Set(['shared', 'left', 'right', 'root']))
    expect(counted('root')).toEqual({ healthy: 1, unhealthy: 1, warning: 1 })
  })

  it('counts another check in the place of one anew, where it is one of those above already', () => {
    const deep = (id: string): TopologyNode =>
      leaf('deep', { parentId: 'middle', parts: [part('check', id, 'healthy')] })
    const graph = graphOf(
      leaf('root', { parts: [part('check', 'disk', 'healthy')] }),
      leaf('middle', { parentId: 'root' }),
      deep('own'),
    )
    expect(graph.get('root')?.summary.checks).toEqual({ healthy: 2 })
    expect(graph.set([deep('disk')])).toContain('root')
    expect(graph.get('root')?.summary.checks).toEqual({ healthy: 1 })
  })

  it('counts an open incident once, however much of what is below is evidence in it', () => {
    const evidence = (id: string, parentId: string, openIncidents: string[], linkedTo: string[] = []): TopologyNode =>
      leaf(id, {
        parentId,
        linkedTo,
        openIncidents,
        incidents: { availability: { high: openIncidents.length } },
      })
    const graph = graphOf(
      leaf('root'),
      leaf('left', { parentId: 'root' }),
      evidence('a', 'left', ['storm', 'leak']),
      evidence('b', 'left', ['storm']),
      evidence('shared', 'root', ['storm'], ['left']),
      leaf('quiet', { parentId: 'root' }),
    )
    const counted = (id: string) => graph.get(id)?.summary.open_incidents
    expect(['root', 'left', 'a', 'b', 'quiet'].map(counted)).toEqual([2, 2, 2, 1, undefined])
    expect(graph.get('root')?.summary.incidents).toEqual({ availability: { high: 5 } })

    graph.set([evidence('a', 'left', ['storm'])])
    expect(['root', 'left', 'a'].map(counted)).toEqual([1, 1, 1])
  })

  it('says why an expression that says no health says nothing', () => {
    const saying = (text: string) =>
      createTopologyGraph([leaf('root', { healthExpr: 'h' })], () => ({ text })).get('root')
    expect(saying('degraded')).toMatchObject({
      health: 'unknown',
      problem: 'healthExpr: “degraded” is none of unhealthy, warning, healthy, unknown',
    })
    expect(saying('Unhealthy')?.problem).toBeUndefined()
    expect(saying('unknown')?.problem).toBeUndefined()
  })

  it('tells warnings that are unhealthy in part from others, however far below', () => {
    const graph = graphOf(
      leaf('root'),
      leaf('group', { parentId: 'root' }),
      leaf('mixed', { parentId: 'group' }),
      leaf('good', { parentId: 'mixed', health: 'healthy' }),
      leaf('bad', { parentId: 'mixed', health: 'unhealthy' }),
      leaf('slow', { parentId: 'group', health: 'warning' }),
    )
    expect(graph.get('mixed')?.summary).toMatchObject({ unhealthy: 1, warning: 0, mixed: 0 })
    expect(graph.get('group')?.summary).toMatchObject({ unhealthy: 0, warning: 2, mixed: 1 })
    expect(graph.get('root')).toMatchObject({ health: 'unhealthy', summary: { unhealthy: 0, warning: 2, mixed: 1 } })
  })

  it('lets expressions decide, over what the component would be without them', () => {
    const asked: unknown[] = []
    const graph = createTopologyGraph(
      [leaf('root', { healthExpr: 'h', statusExpr: 's' }), leaf('a', { parentId: 'root', health: 'unhealthy' })],
      (expression, { self, summary }) => {
        asked.push([expression, self.health, summary.unhealthy])
        return expression === 'h' ? { text: 'healthy' } : { problem: 'out of its time' }
      },
    )
    expect(asked).toEqual([
      ['h', 'unhealthy', 1],
      ['s', 'unhealthy', 1],
    ])
    expect(graph.get('root')).toMatchObject({
      health: 'healthy',
      status: 'unknown',
      problem: 'statusExpr: out of its time',
    })
  })

  it('ends in circles, and counts what two share in both', () => {
    const graph = graphOf(
      leaf('a', { parentId: 'c' }),
      leaf('b', { parentId: 'a' }),
      leaf('c', { parentId: 'b', health: 'unhealthy' }),
      leaf('left', { linkedTo: ['left'] }),
      leaf('right'),
      leaf('shared', { parentId: 'left', linkedTo: ['right'], health: 'warning' }),
    )
    expect(graph.get('left')?.summary.warning).toBe(1)
    expect(graph.get('right')?.summary.warning).toBe(1)
    expect(['a', 'b', 'c'].some((id) => graph.get(id)?.health === 'unhealthy')).toBe(true)
  })

  it('says what became different, ancestors included, and asks no expression again that sees the same', () => {
    let asked = 0
    const graph = createTopologyGraph(
      [
        leaf('root', { healthExpr: 'h' }),
        leaf('a', { parentId: 'root', health: 'healthy' }),
        leaf('b', { parentId: 'root', health: 'healthy' }),
        leaf('far', { health: 'healthy' }),
      ],
      (_expression, { self }) => {
        asked += 1
        return { text: self.health }
      },
    )
    asked = 0
    expect([...graph.set([leaf('far', { health: 'healthy' })])]).toEqual([])
    expect(asked).toBe(0)
    expect(new Set(graph.set([leaf('a', { parentId: 'root', health: 'unhealthy' })]))).toEqual(new Set(['a', 'root']))
    expect(asked).toBe(1)
    expect(graph.get('root')?.health).toBe('unhealthy')
    expect(graph.delete(['a'])).toEqual(new Set(['a', 'root']))
    expect(graph.get('root')?.health).toBe('healthy')
  })
})

describe('because', () => {
  const LEAVES = [
    leaf('root'),
    leaf('near', { parentId: 'root', parts: [part('check', 'late', 'unhealthy', '2026-01-02')] }),
    leaf('a', { parentId: 'root' }),
    leaf('b', { parentId: 'a', linkedTo: ['root'], parts: [part('config', 'early', 'unhealthy', '2026-01-01')] }),
    leaf('c', { parentId: 'b', health: 'warning', parts: [part('check', 'fine', 'healthy', '2026-01-03')] }),
  ]

  it('names what failed first, by the shortest way, and only what is as bad', () => {
    const graph = graphOf(...LEAVES)
    expect(graph.get('root')?.because).toEqual([
      { kind: 'config', id: 'early', name: 'config early', since: '2026-01-01', path: ['b'] },
      { kind: 'check', id: 'late', name: 'check late', since: '2026-01-02', path: ['near'] },
    ])
    expect(graph.get('c')?.because).toEqual([{ kind: 'component', id: 'c', since: null, path: [] }])
  })

  it('says nothing of what is well, and is not longer than a card has room for', () => {
    expect(graphOf(leaf('a', { health: 'healthy' })).get('a')?.because).toEqual([])
    const many = Array.from({ length: 9 }, (_, index) =>
      part('check', `c${index}`, 'unhealthy', `2026-01-0${9 - index}`),
    )
    expect(
      graphOf(leaf('a', { parts: many }))
        .get('a')
        ?.because.map(({ id }) => id),
    ).toEqual(['c8', 'c7', 'c6'])
  })

  it('names the expression where nothing else is bad, and what made it bad where something is', () => {
    const graph = createTopologyGraph(
      [
        leaf('harsh', { healthExpr: 'h', health: 'healthy' }),
        leaf('mild', { healthExpr: 'h', parts: [part('check', 'c', 'unhealthy')] }),
      ],
      () => ({ text: 'warning' }),
    )
    expect(graph.get('harsh')?.because).toMatchObject([{ kind: 'expression', id: 'harsh' }])
    expect(graph.get('mild')?.because).toMatchObject([{ kind: 'check', id: 'c' }])
  })

  it('follows what changes below: another one that fails at the same count wakes those above', () => {
    const one = (id: string, word: string): TopologyNode =>
      leaf(id, { parentId: 'root', parts: [part('config', id, word)] })
    const graph = graphOf(leaf('root'), one('a', 'unhealthy'), one('b', 'healthy'))
    expect(graph.set([one('a', 'healthy'), one('b', 'unhealthy')])).toContain('root')
    expect(graph.get('root')?.because).toMatchObject([{ id: 'b', path: ['b'] }])
  })
})

/** The rules again, read from the top, without any memory. */
function rollUpNaively(nodes: ReadonlyMap<string, TopologyNode>, childrenOf: ReadonlyMap<string, readonly string[]>) {
  const order = ['unhealthy', 'warning', 'healthy', 'unknown']
  const worst = (words: readonly string[]): string =>
    words.map((word) => toComponentHealth(word)).toSorted((a, b) => order.indexOf(a) - order.indexOf(b))[0]!
  const ownHealthOf = (id: string): string => {
    const { health, parts } = nodes.get(id)!
    return worst([health, ...parts.map((one) => one.health)])
  }
  const healths = new Map<string, string>()
  const healthOf = (id: string): string => {
    const known = healths.get(id)
    if (known !== undefined) return known
    const health = worst([ownHealthOf(id), ...(childrenOf.get(id) ?? []).map((child) => healthOf(child))])
    healths.set(id, health)
    return health
  }
  type Counts = Record<'healthy' | 'unhealthy' | 'warning' | 'mixed' | 'info' | 'unknown', number>
  const countsOf = (id: string): Counts => {
    const counts: Counts = { healthy: 0, unhealthy: 0, warning: 0, mixed: 0, info: 0, unknown: 0 }
    const children = childrenOf.get(id) ?? []
    if (children.length === 0) {
      const status = nodes.get(id)?.status ?? ''
      const word = healthOf(id) !== 'unknown' || !(status in counts) ? healthOf(id) : status
      counts[word as keyof Counts] += 1
      return counts
    }
    for (const childId of children) {
      const child = countsOf(childId)
      const own = ownHealthOf(childId)
      if (child.healthy > 0 && child.unhealthy > 0) {
        counts.warning += 1
        counts.mixed += 1
      } else if (child.unhealthy > 0 || own === 'unhealthy') counts.unhealthy += 1
      else if (own === 'warning' && child.warning === 0) counts.warning += 1
      else if (child.healthy > 0) counts.healthy += 1
      else if (child.warning === 0 && child.info === 0 && child.unknown > 0) counts.unknown += 1
      counts.warning += child.warning
      counts.mixed += child.mixed
      counts.info += child.info
    }
    return counts
  }
  /** Every way down to something that is as bad, and the shortest of each. */
  const reasonsOf = (id: string): string[] => {
    const health = healthOf(id)
    if (health !== 'unhealthy' && health !== 'warning') return []
    const found = new Map<string, { since: string; path: number; id: string; kind: string }>()
    const add = (kind: string, of: string, since: string | null | undefined, path: number): void => {
      const key = JSON.stringify([of, kind])
      const known = found.get(key)
      const next = { since: since ?? 'never', path, id: of, kind }
      if (!known || next.since < known.since || (next.since === known.since && path < known.path)) found.set(key, next)
    }
    // Level by level, so that whoever is met is met by the shortest way.
    const levelOf = new Map([[id, 0]])
    for (const [at, level] of levelOf) {
      const { health: given, parts, since } = nodes.get(at)!
      for (const one of parts) if (one.health === health) add(one.kind, one.id, one.since, level)
      if (given === health) add('component', at, since, level)
      for (const child of childrenOf.get(at) ?? []) {
        if (healthOf(child) === health && !levelOf.has(child)) levelOf.set(child, level + 1)
      }
    }
    const keyOf = ({ since, path, id: of, kind }: { since: string; path: number; id: string; kind: string }): string =>
      JSON.stringify([since, path, of, kind])
    return [...found.values()].map(keyOf).toSorted().slice(0, 3)
  }
  const checks = new Map<string, ReadonlySet<string>>()
  const checksOf = (id: string): ReadonlySet<string> => {
    const known = checks.get(id)
    if (known !== undefined) return known
    const found = new Set(nodes.get(id)!.parts.flatMap((one) => (one.kind === 'check' ? [one.id] : [])))
    for (const child of childrenOf.get(id) ?? []) for (const one of checksOf(child)) found.add(one)
    checks.set(id, found)
    return found
  }
  return new Map(
    [...nodes.keys()].map((id) => [
      id,
      { health: healthOf(id), ...countsOf(id), checks: checksOf(id).size, because: reasonsOf(id) },
    ]),
  )
}

const ROW = (({ components: _, summary: __, children: ___, parents: ____, because: _____, ...row }) => row)(
  ComponentSchema.parse({ id: '' }),
)

/** Cards with all levels below them, and a list; without hidden components and with them. */
function cutAll(
  nodes: ReadonlyMap<string, TopologyNode>,
  rows: ReadonlyMap<string, ComponentRow>,
  graph: TopologyGraph,
) {
  const there = new Map([...nodes.keys()].toSorted().flatMap((id) => (rows.has(id) ? [[id, rows.get(id)!]] : [])))
  const query = { depth: 9, sortBy: 'status', sortOrder: 'desc' } as const
  const cut = (changed: object) =>
    cutTopology({ rows: there, graph, teams: new Map() }, { ...query, ...changed }).components ?? []
  return { all: cut({}), seen: cut({ showHidden: false }), list: cut({ flatten: true }) }
}

const idsIn = (components: readonly Component[]): string[] =>
  components.flatMap(({ id, components: inner }) => [id, ...idsIn(inner ?? [])])

const SEEDS = 1_000

it.each([0, 1, 2, 3, 4])(
  'is the same however it came about, and what the rules say: thousand %i of estates',
  (thousand) => {
    const wrong: object[] = []
    for (let seed = thousand * SEEDS; seed < (thousand + 1) * SEEDS; seed += 1) {
      const random = createRandom(seed)
      const below = (limit: number): number => Math.floor(random() * limit)
      const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)]!
      const ids = Array.from({ length: 2 + below(9) }, (_, index) => `n${index}`)
      const anyParts = (id: string): NodePart[] =>
        Array.from({ length: random() < 0.5 ? below(4) : 0 }, (_, index) => ({
          ...part(
            pick(['check', 'config'] as const),
            // One check may stand for several components.
            random() < 0.2 ? 'shared' : `${id}-${index}`,
            pick(['healthy', 'unhealthy', 'warning']),
            pick([null, '2026-01-01', '2026-01-02', '2026-01-03']),
          ),
          ...(random() < 0.2
            ? { insights: { [pick(['cost', 'security'])]: { [pick(['low', 'high'])]: 1 + below(2) } } }
            : {}),
        }))
      const anyNode = (id: string): TopologyNode =>
        leaf(id, {
          parentId: random() < 0.7 ? pick(ids) : null,
          linkedTo: random() < 0.3 ? [pick(ids)] : [],
          health: pick(['unhealthy', 'warning', 'healthy', 'unknown', 'unknown']),
          status: pick(['', 'info', 'warning', 'Running']),
          parts: anyParts(id),
        })
      const toOtherPart = (one: NodePart): NodePart => {
        const word = pick(['healthy', 'unhealthy', 'warning'])
        return { ...one, health: toComponentHealth(word), ...(one.kind === 'check' ? { status: word } : {}) }
      }
      const nodes = new Map(ids.map((id) => [id, anyNode(id)]))
      const graph = createTopologyGraph(nodes.values(), silent)
      const anyRow = (id: string): ComponentRow => ({ ...ROW, id, name: pick(['a', 'b']), hidden: random() < 0.3 })
      const rows = new Map(ids.map((id) => [id, anyRow(id)]))
      for (let step = 0; step < 6; step += 1) {
        const id = pick(ids)
        // Most of what happens in an estate changes what is known, not how it hangs together.
        const toOther = (one: string): TopologyNode => {
          const [before, drawn] = [nodes.get(one), anyNode(one)]
          if (before === undefined || random() < 0.4) return drawn
          const { parentId, linkedTo, parts } = before
          return { ...drawn, parentId, linkedTo, parts: random() < 0.5 ? parts.map(toOtherPart) : drawn.parts }
        }
        if (random() < 0.2) {
          nodes.delete(id)
          graph.delete([id])
        } else {
          const others = [id, ...(random() < 0.3 ? [pick(ids)] : [])].map(toOther)
          for (const other of others) nodes.set(other.id, other)
          graph.set(others)
        }
        if (random() < 0.3) rows.set(id, anyRow(id))
        if (random() < 0.2) cutAll(nodes, rows, graph)
      }
      const anew = createTopologyGraph([...nodes.values()].toReversed(), silent)
      const byRules = rollUpNaively(nodes, anew.edges.childrenOf)
      const incremental = [...nodes.keys()].map((id) => [id, graph.get(id)])
      const full = [...nodes.keys()].map((id) => [id, anew.get(id)])
      // Comparing texts first makes five thousand estates a matter of a second.
      if (JSON.stringify(incremental) !== JSON.stringify(full)) wrong.push({ seed, incremental, full })
      const drawn = cutAll(nodes, rows, graph)
      const drawnAnew = cutAll(nodes, new Map([...rows].map(([id, row]) => [id, { ...row }])), anew)
      if (JSON.stringify(drawn) !== JSON.stringify(drawnAnew)) wrong.push({ seed, drawn, drawnAnew })
      // Hidden ones are not shown to who does not ask for them, and count all the same; what is gone is nowhere.
      const isHidden = (id: string): boolean => rows.get(id)?.hidden === true
      const summaries = new Map(drawn.list.map((one) => [one.id, JSON.stringify([one.health, one.summary])]))
      const isWrong =
        idsIn(drawn.seen).some((id) => isHidden(id) || !nodes.has(id)) ||
        new Set(idsIn(drawn.all)).size !== nodes.size ||
        drawn.seen.some((one) => summaries.get(one.id) !== JSON.stringify([one.health, one.summary]))
      if (isWrong) wrong.push({ seed, drawn })
      const counted = new Map(
        [...nodes.keys()].map((id) => {
          const { health, summary, because } = graph.get(id)!
          const { incidents: _, insights: __, checks: byWord, ...counts } = summary
          const checks = Object.values(byWord).reduce((all, count) => all + count, 0)
          const reasons = because.map(({ since, path, id: of, kind }) =>
            JSON.stringify([since ?? 'never', path.length, of, kind]),
          )
          return [id, { health, ...counts, checks, because: reasons }]
        }),
      )
      if (JSON.stringify([...counted]) !== JSON.stringify([...byRules])) wrong.push({ seed, counted, byRules })
    }
    expect(wrong).toEqual([])
  },
)
