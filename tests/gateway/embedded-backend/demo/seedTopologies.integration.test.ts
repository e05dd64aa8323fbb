import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'

import { seedTopology } from '../../../../gateway/src/embedded-backend/demo/seedTopologies.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database?.stop())

describe('topologies that the product brings', () => {
  const bring = (id: string, text: string) =>
    seedTopology(database.pool, { id, name: id, namespace: 'self', spec: { type: 'Product', text } })
  const textOf = async (id: string): Promise<string | undefined> => {
    const { rows } = await database.pool.query<{ text: string }>(
      `select spec ->> 'text' as text from topologies where id = $1 and deleted_at is null`,
      [id],
    )
    return rows[0]?.text
  }

  it('follow it until someone edits them', async () => {
    const id = '01980000-0000-7000-8000-0000000000f1'
    for (const text of ['one', 'two', 'three', 'three']) {
      await bring(id, text)
      expect(await textOf(id)).toBe(text)
    }
    await database.pool.query(`update topologies set spec = spec || '{"text": "mine"}' where id = $1`, [id])
    await bring(id, 'four')
    expect(await textOf(id)).toBe('mine')
  })

  it('stay deleted', async () => {
    const id = '01980000-0000-7000-8000-0000000000f2'
    await bring(id, 'one')
    await database.pool.query('update topologies set deleted_at = now() where id = $1', [id])
    await bring(id, 'two')
    expect(await textOf(id)).toBeUndefined()
  })

  it('are not brought where someone has the name', async () => {
    const id = '01980000-0000-7000-8000-0000000000f3'
    await database.pool.query(`insert into topologies (name, namespace, spec) values ($1, 'self', '{}')`, [id])
    await bring(id, 'one')
    expect(await textOf(id)).toBeUndefined()
  })
})
