import { afterAll, beforeAll, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { insertRow } from '#support/insertRow.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

const save = (spec: unknown, labels: unknown = {}) =>
  database.pool.query(`insert into canaries (name, namespace, spec, labels) values ('c', 'x', $1, $2)`, [
    JSON.stringify(spec),
    JSON.stringify(labels),
  ])
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']))

it.each(['config_scrapers', 'incident_rules', 'logging_backends', 'teams', 'topologies'])(
  'refuses with the field what is too much for %s, also as an edit',
  async (table) => {
    const { rows } = await database.pool.query<{ id: string }>('select id from people limit 1')
    const more = {
      ...(['incident_rules', 'teams'].includes(table) && { created_by: rows[0]?.id }),
      ...(table === 'topologies' && { namespace: 'x' }),
    }
    const add = (spec: unknown) => insertRow(database.pool, table, { name: 'bounded', spec, ...more })
    const refusal = (message: RegExp) => ({ code: '23514', message: expect.stringMatching(message) as string })
    const large = { name: 'a', parts: ['x'.repeat(3_000_000)] }
    const deep = { name: 'a', parts: JSON.parse('['.repeat(50) + ']'.repeat(50)) as unknown }
    await expect(add(large)).rejects.toMatchObject(refusal(/^spec\.parts: the definition is larger/))
    await expect(add(deep)).rejects.toMatchObject(refusal(/^spec\.parts: is nested/))
    expect(await add({ name: 'a' })).not.toBe('')
    const edit = database.pool.query(`update ${table} set spec = $1 where name = 'bounded'`, [JSON.stringify(deep)])
    await expect(edit).rejects.toMatchObject(refusal(/^spec\.parts: is nested/))
  },
)

it('takes what people write', async () => {
  expect(await save({ http: [{ url: 'http://a.example' }] }, many(100))).toMatchObject({ rowCount: 1 })
})

it.each([
  ['sixty thousand labels', {}, many(60_000), /^labels: at most 100 are kept, these are 60000$/],
  [
    'a value that is nested too deep',
    { interval: 5, http: JSON.parse('['.repeat(50) + ']'.repeat(50)) as unknown },
    {},
    /^spec\.http: is nested/,
  ],
  [
    'a definition that is too large',
    { interval: 5, tcp: ['x'.repeat(3_000_000)] },
    {},
    /^spec\.tcp: the definition is larger/,
  ],
])('refuses %s with the field', async (_, spec, labels, message) => {
  await expect(save(spec, labels)).rejects.toMatchObject({
    code: '23514',
    message: expect.stringMatching(message) as string,
  })
})
