import {
  type ComponentRow,
  ComponentSchema,
  createTopologyGraph,
  cutRows,
  cutTopology,
  type DrawnPage,
  type Estate,
  type NodePart,
  SHOWN_CARDS,
  SHOWN_LEVELS,
  type ShownComponent,
  toComponentHealth,
  type TopologyNode,
  toShownComponents,
} from '@watchroom/shared/topology'
import { describe, expect, it } from 'vitest'

import { createRandom } from '../../support/random.ts'

const toRow = (id: string, name: string, isHidden = false): ComponentRow => {
  const { components: _, summary: __, because: ___, ...row } = ComponentSchema.parse({ id, name, hidden: isHidden })
  return { ...row, created_at: '2026-01-01', updated_at: '2026-01-01' }
}
const toCheck = (id: string, word: string): NodePart => ({
  kind: 'check',
  id,
  name: id,
  health: toComponentHealth(word),
  since: null,
  status: word,
})
const toNode = (id: string, parentId: string | null, changed: Partial<TopologyNode> = {}): TopologyNode => ({
  id,
  parentId,
  linkedTo: [],
  health: 'unknown',
  status: '',
  parts: [toCheck(`of ${id}`, 'healthy')],
  incidents: {},
  ...changed,
})

function createWorld(nodes: readonly TopologyNode[]) {
  const rows = new Map(nodes.map(({ id }) => [id, toRow(id, id)]))
  const graph = createTopologyGraph(nodes, () => ({ problem: 'none' }))
  const estate: Estate = { rows, graph, teams: new Map() }
  return { rows, graph, estate }
}

/** By the way of the tree, as the gateway reads a backend that knows no rows. */
function readTree(estate: Estate, id: string): ShownComponent[] {
  const page = { depth: SHOWN_LEVELS, limit: SHOWN_CARDS, sortBy: 'status', sortOrder: 'desc' } as const
  return toShownComponents(id, cutTopology(estate, { ...page, ...(id === '' ? {} : { id }) }))
}

/** In one order, and without what is said to be nothing. */
const toText = (rows: Iterable<ShownComponent>): string =>
  JSON.stringify(
    [...rows]
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map((row) =>
        Object.fromEntries(
          Object.entries(row)
            .filter(([, value]) => value != null)
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        ),
      ),
  )

describe('cutRows', () => {
  it('keeps the rows that are as they were, and draws those above what changed', () => {
    const { graph, estate } = createWorld([
      toNode('a', null),
      toNode('a.a', 'a'),
      toNode('a.a.a', 'a.a'),
      toNode('b', null),
      toNode('b.a', 'b'),
    ])
    const before = cutRows(estate, '', null)
    graph.set([toNode('a.a.a', 'a.a', { parts: [toCheck('of a.a.a', 'unhealthy')] })])
    const after = cutRows(estate, '', before)
    const isKept = (id: string): boolean => after.rows.get(id) === before.rows.get(id)
    expect(['a', 'a.a', 'a.a.a', 'b', 'b.a'].map((id) => isKept(id))).toEqual([false, false, false, true, true])
    expect(after.rows.get('a')?.because).toMatchObject([{ id: 'of a.a.a', path: [{ id: 'a.a' }, { id: 'a.a.a' }] }])
    expect(cutRows(estate, 'a.a', null).rows.has('b')).toBe(false)
    expect(cutRows(estate, 'gone', null).rows.size).toBe(0)
  })

  it('carries no more than a page does, and takes in what has become one of the worst', () => {
    const tops = Array.from({ length: SHOWN_CARDS + 5 }, (_, index) => `top ${100 + index}`)
    const { graph, estate } = createWorld(tops.map((id) => toNode(id, null)))
    const before = cutRows(estate, '', null)
    expect(before.rows.size).toBe(SHOWN_CARDS + 1)
    expect(before.rows.get('')?.more).toBe(5)
    const last = tops.at(-1)!
    graph.set([toNode(last, null, { parts: [toCheck(`of ${last}`, 'unhealthy')] })])
    const after = cutRows(estate, '', before)
    expect(after.rows.has(last)).toBe(true)
    expect(after.rows.size).toBe(SHOWN_CARDS + 1)
    expect(toText(after.rows.values())).toBe(toText(readTree(estate, '')))
  })

  it('is the same as by the way of the tree, however the page came about', () => {
    for (let seed = 0; seed < 1_500; seed += 1) {
      const random = createRandom(seed)
      const below = (limit: number): number => Math.floor(random() * limit)
      const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)]!
      // Some estates are wider than a card lists.
      const ids = Array.from({ length: seed % 50 === 0 ? 120 : 2 + below(10) }, (_, index) => `n${index}`)
      const anyNode = (id: string): TopologyNode =>
        toNode(id, random() < 0.8 ? pick(seed % 50 === 0 ? ids.slice(0, 3) : ids) : null, {
          linkedTo: random() < 0.2 ? [pick(ids)] : [],
          parts: [toCheck(`of ${id}`, pick(['healthy', 'unhealthy', 'warning']))],
        })
      const nodes = new Map(ids.map((id) => [id, anyNode(id)]))
      const { rows, graph, estate } = createWorld([...nodes.values()])
      const pages = ['', pick(ids), pick(ids)]
      const drawn = new Map<string, DrawnPage>()
      for (let step = 0; step < 6; step += 1) {
        const id = pick(ids)
        const before = nodes.get(id)
        let isOther = false
        if (random() < 0.1) {
          for (const each of [nodes, rows]) each.delete(id)
          graph.delete([id])
          isOther = true
        } else {
          const isMoved = before === undefined || random() < 0.1
          const isRenamed = before === undefined || random() < 0.1
          const node = isMoved ? anyNode(id) : { ...anyNode(id), parentId: before.parentId, linkedTo: before.linkedTo }
          nodes.set(id, node)
          rows.set(id, toRow(id, isRenamed ? pick(['x', 'y', id]) : rows.get(id)!.name, random() < 0.2))
          graph.set([node])
          isOther = isMoved || isRenamed
        }
        for (const page of pages) {
          if (isOther) drawn.delete(page)
          else if (random() < 0.3) continue
          drawn.set(page, cutRows(estate, page, drawn.get(page) ?? null))
        }
      }
      for (const page of pages) {
        const rowsNow = cutRows(estate, page, drawn.get(page) ?? null).rows
        expect(toText(rowsNow.values()), `seed ${seed}, page ${page}`).toBe(toText(readTree(estate, page)))
      }
    }
  })
})
