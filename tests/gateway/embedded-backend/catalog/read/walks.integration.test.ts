import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type CatalogRows, createCatalogRows } from '../../../../support/catalogRows.ts'
import { startTestDatabase, type TestDatabase } from '../../../../support/database.ts'
import { createRandom } from '../../../../support/random.ts'

const CHILDREN = 10_000

let database: TestDatabase
let rows: CatalogRows

beforeAll(async () => {
  database = await startTestDatabase()
  rows = createCatalogRows(database.pool)
})
afterAll(() => database?.stop())

/** Ids by distance, as the database finds them. */
async function walk(id: string, direction: string, depth: number, relation = 'both'): Promise<Map<string, number>> {
  const { rows: found } = await database.pool.query<{ id: string; depth: number }>(
    'select id, depth from related_config_ids_recursive($1, $2, $3, $4, $4)',
    [id, direction, depth, relation],
  )
  expect(new Set(found.map((row) => row.id)).size).toBe(found.length)
  return new Map(found.map((row) => [row.id, row.depth]))
}

interface Edge {
  readonly from: string
  readonly to: string
  readonly relation: string
}

/** The same step by step: where it begins is found where an edge leads away from it. */
function walkEdges(edges: readonly Edge[], id: string, direction: string, depth: number): Map<string, number> {
  const found = new Map<string, number>([[id, 0]])
  let border = [id]
  for (let distance = 1; distance <= depth; distance++) {
    const next = edges.flatMap(({ from, to }) => {
      const [near, far] = direction === 'outgoing' ? [from, to] : [to, from]
      return border.includes(near) && !found.has(far) ? [far] : []
    })
    border = [...new Set(next)]
    for (const each of border) found.set(each, distance)
  }
  const hasEdge = edges.some(({ from, to }) => (direction === 'outgoing' ? from : to) === id)
  if (hasEdge) found.set(id, 1)
  else found.delete(id)
  return found
}

describe('the walk over relatives', () => {
  it('finds in any graph what is found step by step, each once, at its smallest distance', async () => {
    const random = createRandom(7)
    const ids = await rows.items(15, (index) => ({ name: `node ${index}` }))
    const any = (): string => ids[Math.floor(random() * ids.length)] ?? ''
    const edges = new Map<string, Edge>()
    for (let index = 0; index < 24; index++) {
      const edge = { from: any(), to: any(), relation: random() < 0.5 ? 'soft' : 'firm' }
      edges.set(`${edge.from} ${edge.to}`, edge)
    }
    for (const { from, to, relation } of edges.values()) await rows.relate(from, to, relation)
    for (const id of ids) {
      for (const [direction, depth] of [
        ['outgoing', 1],
        ['outgoing', 5],
        ['incoming', 3],
      ] as const) {
        const expected = walkEdges([...edges.values()], id, direction, depth)
        expect({ id, direction, depth, found: sort(await walk(id, direction, depth)) }).toEqual({
          id,
          direction,
          depth,
          found: sort(expected),
        })
      }
    }
  })

  it('follows hard relations alone where asked, and none that is deleted', async () => {
    const [root, child, other, gone] = await rows.items(4, (index) => ({ name: `relation ${index}` }))
    if (!root || !child || !other || !gone) throw new Error('items are missing')
    await rows.relate(root, child, 'hard')
    await rows.relate(root, other)
    await rows.relate(root, gone, 'hard')
    await database.pool.query('update config_relationships set deleted_at = now() where related_id = $1', [gone])
    expect([...(await walk(root, 'outgoing', 5, 'hard')).keys()].toSorted()).toEqual([root, child].toSorted())
    expect([...(await walk(root, 'outgoing', 5)).keys()].toSorted()).toEqual([root, child, other].toSorted())
  })

  it('is bounded by 10,000 children that lead back to where it began', { timeout: 30_000 }, async () => {
    const hub = await rows.item('hub')
    const children = await rows.items(CHILDREN, (index) => ({ name: `child ${index}` }))
    await database.pool.query(
      `insert into config_relationships (config_id, related_id, relation)
       select $1::uuid, child, 'uses' from unnest($2::uuid[]) as child
       union all select child, $1::uuid, 'uses' from unnest($2::uuid[]) as child`,
      [hub, children],
    )
    const client = await database.pool.connect()
    try {
      await client.query(`set statement_timeout = '20s'`)
      const { rows: found } = await client.query<{ total: number }>(
        `select count(*)::int as total from related_configs_recursive($1, 'all', false, 10)`,
        [hub],
      )
      expect(found).toEqual([{ total: CHILDREN + 1 }])
    } finally {
      client.release(true)
    }
    expect((await walk(children[0] ?? '', 'outgoing', 10)).size).toBe(CHILDREN + 1)
  })
})

const sort = (found: ReadonlyMap<string, number>): [string, number][] =>
  [...found].toSorted(([a], [b]) => (a < b ? -1 : 1))
