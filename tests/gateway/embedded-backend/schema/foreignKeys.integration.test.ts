import { FOREIGN_KEYS } from '@watchroom/shared/access'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

it('lists every foreign key of the database API: an embed that follows another one would go unjudged', async () => {
  const { rows } = await database.pool.query<{ line: string }>(`
    select format('%s.%s > %s by %s', conrelid::regclass, attname, confrelid::regclass, conname) as line
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where contype = 'f' and connamespace = 'public'::regnamespace`)
  const known = Object.entries(FOREIGN_KEYS).flatMap(([table, keys]) =>
    keys.map(
      ([column, target, constraint]) => `${table}.${column} > ${target} by ${constraint ?? `${table}_${column}_fkey`}`,
    ),
  )
  expect(known.toSorted()).toEqual(rows.map(({ line }) => line).toSorted())
})
