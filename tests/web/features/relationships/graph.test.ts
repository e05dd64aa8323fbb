import { RelatedConfigSchema } from '@watchroom/shared/catalog'
import { describe, expect, it } from 'vitest'

import { drawEdges } from '../../../../web/src/features/relationships/graph/drawEdges.ts'
import { CARD, layOut } from '../../../../web/src/features/relationships/graph/layout.ts'
import { nextNode } from '../../../../web/src/features/relationships/graph/nextNode.ts'
import { toGraph } from '../../../../web/src/features/relationships/graph/toGraph.ts'
import { findCover, toVisibleGraph } from '../../../../web/src/features/relationships/graph/visibleGraph.ts'

const row = (id: string, type: string, related: readonly string[] = []) =>
  RelatedConfigSchema.parse({ id, name: id, type, related_ids: related })
const many = (count: number, type: string, prefix: string) =>
  Array.from({ length: count }, (_, index) => row(`${prefix}${index}`, type))
const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)
const see = (rows: Parameters<typeof toGraph>[0], options: Partial<Parameters<typeof toVisibleGraph>[1]> = {}) =>
  toVisibleGraph(toGraph(rows), { rootId: 'root', toggled: new Map(), limit: 500, kept: null, ...options })

describe('[third specification 9] collapse of the relationship graph', () => {
  it('groups three and more items of one type below a parent, and leaves two alone', () => {
    const pods = many(3, 'Pod', 'pod')
    const disks = many(2, 'Disk', 'disk')
    const graph = toGraph([row('root', 'Node', [...ids(pods), ...ids(disks)]), ...pods, ...disks])
    expect(graph.get('root')?.children).toEqual(['disk0', 'disk1', 'root-Pod-intermediary'])
    expect(graph.get('root-Pod-intermediary')).toMatchObject({ kind: 'group', type: 'Pod', children: ids(pods) })
  })

  it('leaves out what is not loaded, and an item that is related to itself', () => {
    const graph = toGraph([row('root', 'Node', ['root', 'gone', 'pod0']), row('pod0', 'Pod')])
    expect(graph.get('root')?.children).toEqual(['pod0'])
  })

  it('makes one group of groups with the same items, which both parents lead to', () => {
    const pods = many(4, 'Pod', 'pod')
    const graph = toGraph([row('a', 'Service', ids(pods)), row('b', 'Service', ids(pods.toReversed())), ...pods])
    const merged = 'a-Pod-intermediary-combined-with-b-Pod-intermediary'
    expect([graph.get('a')?.children, graph.get('b')?.children]).toEqual([[merged], [merged]])
    expect(graph.get('a-Pod-intermediary')).toBeUndefined()
  })

  it('opens groups of three, closes larger ones, and does what someone asks for', () => {
    const [three, four] = [many(3, 'Pod', 'pod'), many(4, 'Disk', 'disk')]
    const rows = [row('root', 'Node', [...ids(three), ...ids(four)]), ...three, ...four]
    expect(ids(see(rows).nodes)).toEqual(['root', 'root-Pod-intermediary', 'root-Disk-intermediary', ...ids(three)])
    const toggled = new Map([
      ['root-Pod-intermediary', false],
      ['root-Disk-intermediary', true],
    ])
    expect(ids(see(rows, { toggled }).nodes)).toEqual([
      'root',
      'root-Pod-intermediary',
      'root-Disk-intermediary',
      ...ids(four),
    ])
  })

  it('shows the item itself always, and rings that nothing leads to', () => {
    const siblings = many(5, 'Pod', 'pod')
    const rows = [
      row('parent', 'Node', ['root', ...ids(siblings)]),
      row('root', 'Pod', ['x']),
      row('x', 'Disk', ['y']),
      row('y', 'Volume', ['root']),
      ...siblings,
      row('ring1', 'A', ['ring2']),
      row('ring2', 'B', ['ring1']),
    ]
    expect(new Set(ids(see(rows).nodes))).toEqual(
      new Set(['root', 'x', 'y', 'parent', 'parent-Pod-intermediary', 'ring1', 'ring2']),
    )
  })

  it('draws the nearest up to a limit and says how many it leaves out; what is looked at stays', () => {
    const chain = Array.from({ length: 20 }, (_, at) => row(at === 0 ? 'root' : `n${at}`, `T${at}`, [`n${at + 1}`]))
    const visible = see(chain, { limit: 5 })
    expect(ids(visible.nodes)).toEqual(['root', 'n1', 'n2', 'n3', 'n4'])
    expect(visible.hidden).toBe(15)
    expect(visible.edges).toHaveLength(4)
    expect(ids(see(chain, { limit: 5, kept: 'n18' }).nodes)).toEqual(['root', 'n1', 'n2', 'n3', 'n18'])
  })

  it('finds the groups that hide something, one within another', () => {
    const pods = many(6, 'Pod', 'pod')
    const nodes = Array.from({ length: 4 }, (_, at) => row(`node${at}`, 'Node', at === 2 ? ids(pods) : []))
    const rows = [row('root', 'Cluster', ids(nodes)), ...nodes, ...pods]
    const visible = new Set(ids(see(rows).nodes))
    expect(visible).toEqual(new Set(['root', 'root-Node-intermediary']))
    const cover = findCover(toGraph(rows), 'pod3', visible)
    expect(cover).toEqual(['node2-Pod-intermediary', 'root-Node-intermediary'])
    expect(findCover(toGraph(rows), 'root', visible)).toEqual([])
    expect(ids(see(rows, { toggled: new Map(cover.map((id) => [id, true])) }).nodes)).toContain('pod3')
  })

  it('stays bounded with 10,000 children', () => {
    const pods = many(10_000, 'Pod', 'pod')
    const rows = [row('root', 'Node', ids(pods)), ...pods]
    expect(see(rows).nodes).toHaveLength(2)
    const open = see(rows, { toggled: new Map([['root-Pod-intermediary', true]]) })
    expect([open.nodes.length, open.hidden]).toEqual([500, 9_502])
  })
})

describe('layout of the relationship graph', () => {
  const ask = { ids: ['a', 'b', 'c'], edges: [['a', 'b'] as const, ['a', 'c'] as const] }

  it('has ranks 120 and cards 100 pixels apart, in either direction', () => {
    const [a, b, c] = layOut({ ...ask, direction: 'LR' }).places
    expect((b?.x ?? 0) - (a?.x ?? 0)).toBe(CARD.width + 120)
    expect(Math.abs((c?.y ?? 0) - (b?.y ?? 0))).toBe(CARD.height + 100)
    const [top, below, beside] = layOut({ ...ask, direction: 'TB' }).places
    expect((below?.y ?? 0) - (top?.y ?? 0)).toBe(CARD.height + 120)
    expect(Math.abs((beside?.x ?? 0) - (below?.x ?? 0))).toBe(CARD.width + 100)
  })

  it('leads arrow keys along the edges and across a rank', () => {
    const { places } = layOut({ ...ask, direction: 'LR' })
    const nodes = ask.ids.map((id, at) => ({ id, place: places[at] ?? { x: 0, y: 0 } }))
    const go = (from: string, key: string) => nextNode({ key, from, nodes, edges: ask.edges, direction: 'LR' })
    const upper = (nodes[1]?.place.y ?? 0) < (nodes[2]?.place.y ?? 0) ? ['b', 'c'] : ['c', 'b']
    expect(ask.ids).toContain(go('a', 'ArrowRight'))
    expect(go(upper[0] ?? '', 'ArrowDown')).toBe(upper[1])
    expect(go(upper[0] ?? '', 'ArrowUp')).toBeNull()
    expect(go('b', 'ArrowLeft')).toBe('a')
    expect(go('a', 'x')).toBeNull()
  })

  it('draws edges from the end of one card to the beginning of another', () => {
    const edges = [
      [
        { x: 0, y: 0 },
        { x: 400, y: 200 },
      ] as const,
    ]
    expect(drawEdges(edges, { direction: 'LR', edges: 'bezier' }).lines).toBe('M240 42C320 42 320 242 400 242')
    expect(drawEdges(edges, { direction: 'TB', edges: 'bezier' }).lines).toMatch(/^M120 84C.* 520 200$/)
    expect(drawEdges(edges, { direction: 'LR', edges: 'smoothstep' }).lines).toBe(
      'M240 42L308 42Q320 42 320 54L320 230Q320 242 332 242L400 242',
    )
    expect(drawEdges([], { direction: 'LR', edges: 'bezier' }).lines).toBe('')
  })
})
