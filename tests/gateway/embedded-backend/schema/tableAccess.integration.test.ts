import { TABLE_ACCESS } from '@watchroom/shared/access'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

it('names every table, view and function of the database API, and nothing else', async () => {
  const { rows } = await database.pool.query<{ name: string }>(`
    select table_name as name from information_schema.tables where table_schema = 'public'
    union
    select 'rpc/' || routine_name from information_schema.routines where routine_schema = 'public'`)
  expect(Object.keys(TABLE_ACCESS).toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
})

it('offers no view for writing', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'VIEW'`,
  )
  expect(rows.filter(({ name }) => TABLE_ACCESS[name]?.write !== 'nobody')).toEqual([])
})

it('lets the login role of PostgREST do nothing before it becomes someone', async () => {
  const { rows } = await database.pool.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
      and (has_table_privilege('watchroom_authenticator', oid, 'select') or has_table_privilege('watchroom_anon', oid, 'select'))`)
  expect(rows).toEqual([])
  const { rows: roles } = await database.pool.query(
    `select rolinherit, rolsuper, rolcreaterole from pg_roles where rolname = 'watchroom_authenticator'`,
  )
  expect(roles).toEqual([{ rolinherit: false, rolsuper: false, rolcreaterole: false }])
})

it.each(['watchroom_identity', 'watchroom_internal', 'watchroom'])(
  'keeps every console role out of %s',
  async (schema) => {
    const { rows } = await database.pool.query<{ role: string }>(
      `select rolname as role from pg_roles
     where rolname like 'watchroom\\_%' and has_schema_privilege(rolname, $1, 'usage')`,
      [schema],
    )
    expect(rows).toEqual([])
  },
)
