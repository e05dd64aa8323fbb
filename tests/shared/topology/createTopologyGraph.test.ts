import { createTopologyGraph, type TopologyNode, toComponentHealth } from '@watchroom/shared/topology'
import { describe, expect, it } from 'vitest'

import { createRandom } from '../../support/random.ts'

const NOTHING = { incidents: {}, insights: {}, checks: {} }
const leaf = (id: string, changed: Partial<TopologyNode> = {}): TopologyNode => ({
  id,
  parentId: null,
  linkedTo: [],
  health: 'unknown',
  status: '',
  configs: [],
  own: NOTHING,
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
      leaf('a', { parentId: 'root', own: { ...NOTHING, checks: { healthy: 3, unhealthy: 1 } } }),
      leaf('b', { parentId: 'root', configs: ['warning', 'healthy'] }),
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
      leaf('root', { own: { ...NOTHING, incidents: { availability: { high: 1 } } } }),
      leaf('mixed', { parentId: 'root' }),
      leaf('good', { parentId: 'mixed', health: 'healthy', own: { ...NOTHING, checks: { healthy: 2 } } }),
      leaf('bad', {
        parentId: 'mixed',
        own: { checks: { unhealthy: 1, healthy: 1 }, incidents: { availability: { high: 2, low: 1 } }, insights: {} },
      }),
    )
    expect(graph.get('root')?.summary).toEqual({
      healthy: 0,
      unhealthy: 0,
      warning: 1,
      info: 0,
      unknown: 0,
      incidents: { availability: { high: 3, low: 1 } },
      insights: {},
      checks: { healthy: 3, unhealthy: 1 },
    })
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

/** The rules once more, read from the top, without any memory. */
function rollUpNaively(nodes: ReadonlyMap<string, TopologyNode>, childrenOf: ReadonlyMap<string, readonly string[]>) {
  const order = ['unhealthy', 'warning', 'healthy', 'unknown']
  const worst = (words: readonly string[]): string =>
    words.map((word) => toComponentHealth(word)).toSorted((a, b) => order.indexOf(a) - order.indexOf(b))[0]!
  const ownHealthOf = (id: string): string => {
    const { health, configs, own } = nodes.get(id)!
    return worst([health, ...configs, ...Object.keys(own.checks)])
  }
  const healthOf = (id: string): string =>
    worst([ownHealthOf(id), ...(childrenOf.get(id) ?? []).map((child) => healthOf(child))])
  type Counts = Record<'healthy' | 'unhealthy' | 'warning' | 'info' | 'unknown', number>
  const countsOf = (id: string): Counts => {
    const counts: Counts = { healthy: 0, unhealthy: 0, warning: 0, info: 0, unknown: 0 }
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
      if (child.healthy > 0 && child.unhealthy > 0) counts.warning += 1
      else if (child.unhealthy > 0 || own === 'unhealthy') counts.unhealthy += 1
      else if (own === 'warning' && child.warning === 0) counts.warning += 1
      else if (child.healthy > 0) counts.healthy += 1
      else if (child.warning === 0 && child.info === 0 && child.unknown > 0) counts.unknown += 1
      counts.warning += child.warning
      counts.info += child.info
    }
    return counts
  }
  return new Map([...nodes.keys()].map((id) => [id, { health: healthOf(id), ...countsOf(id) }]))
}

const SEEDS = 1_000

it.each([0, 1, 2, 3, 4])(
  'is the same however it came about, and what the rules say: thousand %i of estates',
  (part) => {
    const wrong: object[] = []
    for (let seed = part * SEEDS; seed < (part + 1) * SEEDS; seed += 1) {
      const random = createRandom(seed)
      const below = (limit: number): number => Math.floor(random() * limit)
      const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)]!
      const ids = Array.from({ length: 2 + below(9) }, (_, index) => `n${index}`)
      const anyNode = (id: string): TopologyNode =>
        leaf(id, {
          parentId: random() < 0.7 ? pick(ids) : null,
          linkedTo: random() < 0.3 ? [pick(ids)] : [],
          health: pick(['unhealthy', 'warning', 'healthy', 'unknown', 'unknown']),
          status: pick(['', 'info', 'warning', 'Running']),
          configs: random() < 0.2 ? [pick(['unhealthy', 'healthy'])] : [],
          own: { ...NOTHING, checks: random() < 0.3 ? { [pick(['healthy', 'unhealthy'])]: 1 } : {} },
        })
      const nodes = new Map(ids.map((id) => [id, anyNode(id)]))
      const graph = createTopologyGraph(nodes.values(), silent)
      for (let step = 0; step < 6; step += 1) {
        const id = pick(ids)
        const before = nodes.get(id)
        if (random() < 0.2) {
          nodes.delete(id)
          graph.delete([id])
        } else {
          const drawn = anyNode(id)
          // Most of what happens in an estate changes what is known, not how it hangs together.
          const after =
            before !== undefined && random() < 0.6
              ? { ...drawn, parentId: before.parentId, linkedTo: before.linkedTo }
              : drawn
          nodes.set(id, after)
          graph.set([after])
        }
      }
      const anew = createTopologyGraph([...nodes.values()].toReversed(), silent)
      const byRules = rollUpNaively(nodes, anew.edges.childrenOf)
      const incremental = [...nodes.keys()].map((id) => [id, graph.get(id)])
      const full = [...nodes.keys()].map((id) => [id, anew.get(id)])
      // Comparing texts first makes five thousand estates a matter of a second.
      if (JSON.stringify(incremental) !== JSON.stringify(full)) wrong.push({ seed, incremental, full })
      const counted = new Map(
        [...nodes.keys()].map((id) => {
          const { health, summary } = graph.get(id)!
          const { incidents: _, insights: __, checks: ___, ...counts } = summary
          return [id, { health, ...counts }]
        }),
      )
      if (JSON.stringify([...counted]) !== JSON.stringify([...byRules])) wrong.push({ seed, counted, byRules })
    }
    expect(wrong).toEqual([])
  },
)
