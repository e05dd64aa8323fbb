import { createTopologyGraph, type Component, cutTopology, type TopologyNode } from '@watchroom/shared/topology'
import {
  InstantSchema,
  toEstateChanges,
  toEstateDiff,
  toPastEstate,
  toRecordedEstate,
} from '@watchroom/shared/topology/history'
import { describe, expect, it } from 'vitest'

import { createRandom } from '../../support/random.ts'

const SEEDS = 1_000
const idOf = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
const component = (index: number, values: Partial<Component> = {}): Component => ({
  id: idOf(index),
  name: `c${index}`,
  health: 'healthy',
  status: '',
  ...values,
})
const estateOf = (...components: Component[]) => toRecordedEstate(components)

describe('a moment that is asked about', () => {
  it.each(['0001-01-01T00:00:00Z', '2026-01-31T12:00:00Z', '9999-12-31T23:59:59.999Z'])('is %s', (text) => {
    expect(InstantSchema.parse(text)).toBe(Date.parse(text))
  })

  it.each(['-271821-04-20T00:00:00Z', '0000-12-31T23:59:59Z', '+010000-01-01T00:00:00Z', 'soon'])(
    'is not %s, which no table holds',
    (text) => expect(InstantSchema.safeParse(text).success).toBe(false),
  )
})

describe('the estate as it was', () => {
  it.each([0, 1, 2, 3, 4])('has the health and the counts of the live one: thousand %i of estates', (thousand) => {
    const wrong: object[] = []
    for (let seed = thousand * SEEDS + 1; seed <= (thousand + 1) * SEEDS; seed++) {
      const random = createRandom(seed)
      const size = 2 + Math.floor(random() * 20)
      const any = (): string => idOf(Math.floor(random() * size))
      const nodes = Array.from({ length: size }, (_, index): TopologyNode => {
        const health = (['healthy', 'unhealthy', 'warning', 'unknown'] as const)[Math.floor(random() * 4)] ?? 'unknown'
        const parentId = random() < 0.8 ? any() : null
        const linkedTo = random() < 0.3 ? [any()] : []
        return { id: idOf(index), parentId, linkedTo, health, status: '', parts: [], incidents: {} }
      })
      const leaves = createTopologyGraph(nodes, () => ({ text: '' })).edges.childrenOf
      // Only leaves have a health of their own: what is above them is theirs.
      const given = nodes.map((node) =>
        (leaves.get(node.id)?.length ?? 0) > 0 ? { ...node, health: 'unknown' as const } : node,
      )
      const graph = createTopologyGraph(given, () => ({ text: '' }))
      const recorded = toRecordedEstate(
        given.map(({ id, parentId, linkedTo }) => ({
          id,
          name: id,
          health: graph.get(id)?.health,
          status: '',
          parent_id: parentId,
          parents: [...linkedTo],
        })),
      )
      const past = toPastEstate(recorded)
      const toKnown = ({ get, edges }: Pick<typeof graph, 'get' | 'edges'>) =>
        nodes.map(({ id }) => [edges.childrenOf.get(id), get(id)?.health, get(id)?.summary])
      const [recalled, live] = [toKnown(past.graph), toKnown(graph)]
      // Comparing texts makes five thousand estates a matter of a second.
      if (JSON.stringify(recalled) !== JSON.stringify(live)) wrong.push({ seed, recalled, live })
    }
    expect(wrong).toEqual([])
  })

  it('is cut into pages like the present one', () => {
    const past = toPastEstate(
      estateOf(component(1), component(2, { parent_id: idOf(1), health: 'warning', hidden: true, type: 'Db' })),
    )
    const query = { depth: 3, sortBy: 'status', sortOrder: 'desc' } as const
    expect(cutTopology(past, query).components).toMatchObject([
      { name: 'c1', summary: { warning: 1 }, components: [{ name: 'c2', hidden: true }] },
    ])
    expect(cutTopology(past, { ...query, type: 'Db', flatten: true }).components).toMatchObject([{ name: 'c2' }])
  })
})

describe('changes between two reads', () => {
  it('are states and structures apart, and null for what is gone', () => {
    const before = estateOf(component(1), component(2), component(3))
    const after = estateOf(component(1, { health: 'unhealthy' }), component(2, { text: 'Two' }), component(4))
    const { states, structures } = toEstateChanges(before, after)
    expect([...states.keys()]).toEqual([idOf(1), idOf(4)])
    expect([...structures].map(([id, structure]) => [id, structure?.text])).toEqual([
      [idOf(2), 'Two'],
      [idOf(4), null],
      [idOf(3), undefined],
    ])
  })

  it('are none where only properties, counts or the order of labels differ', () => {
    const before = estateOf(component(1, { labels: { a: '1', b: '2' }, properties: [{ name: 'cpu', value: 1 }] }))
    const after = estateOf(
      component(1, { labels: { b: '2', a: '1' }, updated_at: '2026-01-01', summary: { healthy: 2 } }),
    )
    const { states, structures } = toEstateChanges(before, after)
    expect([states.size, structures.size]).toEqual([0, 0])
  })

  it('leave out what has no id of a component, and cut what is too long', () => {
    expect(estateOf(component(1, { id: 'x' })).size).toBe(0)
    expect(estateOf(component(1, { status_reason: 'y'.repeat(9_999) })).get(idOf(1))?.state.reason).toHaveLength(500)
  })
})

describe('the difference of two instants', () => {
  const before = estateOf(
    component(1),
    component(2, { parent_id: idOf(1) }),
    component(3, { parent_id: idOf(1) }),
    component(4, { parent_id: idOf(1) }),
    component(5),
  )
  const after = estateOf(
    component(1, { health: 'unhealthy' }),
    component(2, { parent_id: idOf(5) }),
    component(4, { parent_id: idOf(1), owner: 'Ada' }),
    component(5),
    component(6, { parent_id: idOf(5), health: 'warning' }),
    component(7, { parent_id: idOf(5) }),
  )

  it('is removed, added, changed, moved, edited, in this order, on one layout', () => {
    const { components: compared } = toEstateDiff(before, after, { limit: 100 })
    expect(compared.map(({ name, change }) => [name, change])).toEqual([
      ['c3', 'removed'],
      ['c6', 'added'],
      ['c7', 'added'],
      ['c1', 'health'],
      ['c2', 'moved'],
      ['c4', 'edited'],
      ['c5', 'same'],
    ])
    const first = compared.find(({ name }) => name === 'c1')
    expect(first).toMatchObject({ isTop: true, children: [idOf(2), idOf(3), idOf(4)] })
    expect(compared.find(({ name }) => name === 'c5')?.children).toEqual([idOf(2), idOf(6), idOf(7)])
    expect(compared.find(({ name }) => name === 'c3')).toMatchObject({ to: null, above: ['c1'] })
  })

  it('leaves out what is the same, counted, but for those at the top', () => {
    const { components: compared } = toEstateDiff(before, before, { limit: 100 })
    expect(compared.map(({ name, unchanged }) => [name, unchanged])).toEqual([
      ['c1', 3],
      ['c5', 0],
    ])
  })

  it('is of a component and what is below it, where that is asked', () => {
    const { components: compared } = toEstateDiff(before, after, { rootId: idOf(5), limit: 100 })
    expect(compared.map(({ name, isTop }) => [name, isTop])).toEqual([
      ['c6', false],
      ['c7', false],
      ['c2', false],
      ['c5', true],
    ])
    expect(toEstateDiff(before, after, { rootId: idOf(99), limit: 100 }).components).toEqual([])
  })

  it('lists no more than is asked for, with what it is in, and counts the rest', () => {
    const { components, differences, moreTop } = toEstateDiff(before, after, { limit: 2 })
    expect(components.map(({ name, change, more, unchanged }) => [name, change, more, unchanged])).toEqual([
      ['c3', 'removed', 0, 0],
      ['c6', 'added', 0, 0],
      ['c1', 'health', 2, 0],
      ['c5', 'same', 2, 0],
    ])
    expect([differences, moreTop]).toEqual([6, 0])
    const many = estateOf(...Array.from({ length: 9 }, (_, index) => component(index)))
    const one = estateOf(...Array.from({ length: 9 }, (_, index) => component(index, index === 4 ? { text: 'x' } : {})))
    expect(toEstateDiff(many, one, { limit: 2 })).toMatchObject({
      components: [{ name: 'x' }, { name: 'c0' }, { name: 'c1' }],
      differences: 1,
      moreTop: 6,
    })
  })
})
