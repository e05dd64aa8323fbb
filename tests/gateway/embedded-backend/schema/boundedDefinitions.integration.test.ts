import { afterAll, beforeAll, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'

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
