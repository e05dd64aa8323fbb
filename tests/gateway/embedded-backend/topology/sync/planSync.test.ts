import { describe, expect, it } from 'vitest'

import {
  planSync,
  type StoredNode,
  type SyncPlan,
  type WantedNode,
} from '../../../../../gateway/src/embedded-backend/topology/sync/planSync.ts'
import { createRandom } from '../../../../support/random.ts'

interface Tree {
  readonly [name: string]: Tree
}

/** Names are types, too, before a colon: `Pod:web`. A `?` marks one whose lookup failed. */
function toWanted(tree: Tree, parent: number | null = null, all: WantedNode[] = []): WantedNode[] {
  for (const [label, below] of Object.entries(tree)) {
    const [, type, name = '', failed] = /^(?:(.*):)?([^?]*)(\?)?$/.exec(label) ?? []
    all.push({ parent, type: type ?? null, name, hash: 'same', isComplete: failed === undefined })
    toWanted(below, all.length - 1, all)
  }
  return all
}

/** What is stored after a plan was carried out; ids are numbers in the order in which they were made. */
function createStore() {
  let next = 0
  let stored: StoredNode[] = []
  const sync = (wanted: readonly WantedNode[]): SyncPlan => {
    const plan = planSync(wanted, stored, () => `${++next}`)
    const placed = plan.placed.map(({ change: _, ...place }, index): StoredNode => ({
      ...place,
      type: wanted[index]?.type ?? null,
      name: wanted[index]?.name ?? '',
      hash: wanted[index]?.hash ?? null,
      isDeleted: false,
    }))
    const byId = new Map([...plan.replaced, ...placed].map((node) => [node.id, node]))
    const rest = stored
      .filter(({ id }) => !placed.some((node) => node.id === id))
      .map((node) => ({
        ...node,
        ...byId.get(node.id),
        ...(plan.displaced.includes(node.id) && { parentId: null }),
        isDeleted: node.isDeleted || plan.deleted.includes(node.id),
      }))
    stored = [...rest, ...placed]
    return plan
  }
  return { sync, stored: () => stored }
}

const changes = ({ placed }: SyncPlan): string[] => placed.map(({ id, change }) => `${id} ${change}`)

describe('a sync', () => {
  it('changes nothing where nothing changed', () => {
    const store = createStore()
    const tree = toWanted({ shop: { web: { pod: {} }, db: {} } })
    expect(store.sync(tree).placed.map(({ id, path, isLeaf }) => [id, path, isLeaf])).toEqual([
      ['1', '', false],
      ['2', '1', false],
      ['3', '1.2', true],
      ['4', '1', true],
    ])
    const again = store.sync(tree)
    expect(changes(again)).toEqual(['1 unchanged', '2 unchanged', '3 unchanged', '4 unchanged'])
    expect([again.deleted, again.replaced, again.displaced]).toEqual([[], [], []])
  })

  it('keeps the id of what moved, and of all below it', () => {
    const store = createStore()
    store.sync(toWanted({ shop: { web: { pod: {} } }, other: {} }))
    const plan = store.sync(toWanted({ shop: {}, other: { web: { pod: {} } } }))
    expect(changes(plan)).toEqual(['1 changed', '4 changed', '2 moved', '3 changed'])
    expect(plan.placed.at(-1)?.path).toBe('4.2')
    expect(plan.deleted).toEqual([])
  })

  it('keeps the id of the only one of its type and name that moved', () => {
    const store = createStore()
    store.sync(toWanted({ a: { api: {} }, b: { api: {} }, c: {} }))
    expect(changes(store.sync(toWanted({ a: {}, b: { api: {} }, c: { api: {} } })))).toEqual([
      '1 changed',
      '3 unchanged',
      '4 unchanged',
      '5 changed',
      '2 moved',
    ])
  })

  it('takes two that moved for others: nobody knows which is which', () => {
    const store = createStore()
    store.sync(toWanted({ a: { api: {} }, b: { api: {} } }))
    const plan = store.sync(toWanted({ c: { api: {} }, d: { api: {} } }))
    expect(changes(plan)).toEqual(['5 new', '6 new', '7 new', '8 new'])
    expect(plan.deleted).toEqual(['1', '2', '3', '4'])
  })

  it('deletes what vanished, and takes it back when it returns, with what was below it', () => {
    const store = createStore()
    store.sync(toWanted({ a: { b: { c: {} } } }))
    expect(store.sync(toWanted({ a: {} })).deleted).toEqual(['2', '3'])
    expect(changes(store.sync(toWanted({ a: { b: { c: {} } } })))).toEqual(['1 changed', '2 returned', '3 returned'])
  })

  it('makes room where one moves to the place of one that was deleted', () => {
    const store = createStore()
    store.sync(toWanted({ a: { x: {} }, b: { x: {} } }))
    store.sync(toWanted({ a: { x: {} }, b: {} }))
    const plan = store.sync(toWanted({ a: {}, b: { x: {} } }))
    expect(changes(plan)).toEqual(['1 changed', '3 changed', '2 moved'])
    expect(plan.displaced).toEqual(['4'])
  })

  it('tells types apart', () => {
    const store = createStore()
    store.sync(toWanted({ 'Pod:web': {}, 'Service:web': {} }))
    expect(changes(store.sync(toWanted({ 'Service:web': {} })))).toEqual(['2 unchanged'])
  })

  it('deletes and moves nothing below a lookup that failed', () => {
    const store = createStore()
    store.sync(toWanted({ pods: { one: { inner: {} }, two: {} }, side: {} }))
    const plan = store.sync(toWanted({ 'pods?': { two: {} }, side: { one: {} } }))
    expect(changes(plan)).toEqual(['1 unchanged', '4 unchanged', '5 changed', '6 new'])
    expect([plan.deleted, plan.replaced]).toEqual([[], []])
  })

  it('places anew what is kept below a component that moved', () => {
    const store = createStore()
    store.sync(toWanted({ pods: { one: {} }, side: {} }))
    const plan = store.sync(toWanted({ side: { 'pods?': {} } }))
    expect(plan.deleted).toEqual([])
    expect(plan.replaced).toEqual([{ id: '2', parentId: '1', path: '3.1', isLeaf: true }])
    expect(plan.placed.at(-1)).toMatchObject({ id: '1', change: 'moved', isLeaf: false })
  })

  it('leaves a sound tree whatever came before: of any trees one after the other', () => {
    for (let seed = 1; seed <= 250; seed++) {
      const random = createRandom(seed)
      const store = createStore()
      for (let round = 0; round < 6; round++) {
        const wanted = buildWanted(random)
        const plan = store.sync(wanted)
        const live = store.stored().filter(({ isDeleted }) => !isDeleted)
        const ids = new Set(live.map(({ id }) => id))
        const wrong = live.filter(({ parentId }) => parentId !== null && !ids.has(parentId))
        expect([seed, round, ids.size, wrong]).toEqual([seed, round, live.length, []])
        // What was asked for is there, below what it was asked for.
        const parents = plan.placed.map(({ parentId }) => parentId)
        const asked = wanted.map(({ parent }) => (parent === null ? null : (plan.placed[parent]?.id ?? 'none')))
        expect([seed, round, parents]).toEqual([seed, round, asked])
        // No two rows in one place, deleted ones among them: the database would refuse that.
        const places = store
          .stored()
          .flatMap(({ type, name, parentId }) => (parentId === null ? [] : [`${type} ${name} ${parentId}`]))
        expect([seed, round, places.length]).toEqual([seed, round, new Set(places).size])
        expect([seed, round, changes(store.sync(wanted)).filter((change) => !change.endsWith(' unchanged'))]).toEqual([
          seed,
          round,
          [],
        ])
      }
    }
  })
})

function buildWanted(random: () => number): WantedNode[] {
  const wanted: WantedNode[] = []
  const taken = new Set<string>()
  for (let index = 0; index < 12; index++) {
    const parent = wanted.length === 0 || random() < 0.3 ? null : Math.floor(random() * wanted.length)
    const name = 'abcd'[Math.floor(random() * 4)] ?? ''
    if (taken.has(`${parent} ${name}`)) continue
    taken.add(`${parent} ${name}`)
    wanted.push({ parent, type: 'T', name, hash: 'same', isComplete: random() > 0.1 })
  }
  return wanted
}
