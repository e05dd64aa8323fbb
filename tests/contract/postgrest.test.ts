import { type Action, mayUseRoute, type Role, ROLES, TABLE_ACCESS, tableAccess } from '@watchroom/shared/access'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { insertConsoleRows, rows } from '#support/consoleRows.ts'
import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { type PostgrestResponse, startTestPostgrest, type TestPostgrest } from '#support/postgrest.ts'

import { READS } from './postgrest/reads.ts'
import { type WriteCase, WRITES } from './postgrest/writes.ts'

let database: TestDatabase
let postgrest: TestPostgrest

beforeAll(async () => {
  database = await startTestDatabase()
  await insertConsoleRows(database.pool)
  postgrest = await startTestPostgrest(database)
})
afterAll(async () => {
  await postgrest.stop()
  await database.stop()
})

const DENIED = { status: 403, body: { code: '42501' } }

describe.each(ROLES)('reads of the console as %s', (role) => {
  const { allowed, denied } = split(READS, role, 'read')

  it.each(allowed)('answers: $name', async ({ path, first, keys, total }) => {
    const headers = total === undefined ? {} : { prefer: 'count=exact' }
    const response = await postgrest.ask({ role }, { path, headers })
    const answer = summarize(response)
    expect(answer).toMatchObject({
      status: (total ?? 0) > answer.length ? 206 : 200,
      first: first ?? null,
      ...(keys === undefined ? {} : { keys }),
      ...(total === undefined ? {} : { total: String(total) }),
    })
  })

  it.each(denied)('denies: $name', async ({ path }) => {
    expect(await postgrest.ask({ role }, { path })).toMatchObject(DENIED)
  })
})

describe.each(ROLES)('writes of the console as %s', (role) => {
  const { allowed, denied } = split(WRITES, role, 'write')

  it.each(allowed)('stores: $name', async (write) => {
    const { response, answer } = await send(write, role)
    expect(summarize(response)).toMatchObject({ status: write.method === 'POST' ? 201 : 200, first: answer })
  })

  it.each(denied)('denies: $name', async (write) => {
    const { response } = await send(write, role)
    expect(response).toMatchObject(DENIED)
  })
})

describe('access through PostgREST', () => {
  // Written out, not derived: this is the specification's sentence about each role.
  it.each([
    ['admin', []],
    ['editor', ['connection_details', 'connections', 'connections_with_status', 'identities', 'permissions']],
    [
      'commander',
      ['connection_details', 'connections', 'connections_list', 'connections_with_status', 'identities', 'permissions'],
    ],
    [
      'responder',
      ['connection_details', 'connections', 'connections_list', 'connections_with_status', 'identities', 'permissions'],
    ],
    [
      'viewer',
      ['connection_details', 'connections', 'connections_list', 'connections_with_status', 'identities', 'permissions'],
    ],
  ] as const)('hides from %s only %j', async (role, hidden) => {
    const names = Object.entries(TABLE_ACCESS)
      .filter(([name, { read }]) => read !== 'nobody' && !name.startsWith('rpc/'))
      .map(([name]) => name)
    const statuses = await Promise.all(
      names.map(async (name) => ({
        name,
        status: (await postgrest.ask({ role }, { path: `${name}?limit=0` })).status,
      })),
    )
    expect(
      statuses
        .filter(({ status }) => status !== 200)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(hidden)
  })

  it.each([
    ['commander', ['comments', 'evidences', 'hypotheses', 'incident_relationships', 'incidents', 'responders']],
    ['responder', ['comments', 'evidences', 'hypotheses', 'incident_relationships', 'incidents', 'responders']],
    ['viewer', []],
  ] as const)('lets %s delete only from %j', async (role, writable) => {
    const names = Object.keys(TABLE_ACCESS).filter((name) => !name.startsWith('rpc/'))
    const { rows: granted } = await database.pool.query<{ name: string }>(
      `select name from unnest($1::text[]) as name
       where has_table_privilege($2, 'public.' || name, 'insert, update, delete') order by name`,
      [names, `watchroom_${role}`],
    )
    expect(granted.map(({ name }) => name)).toEqual(writable)
  })

  it.each(ROLES)('keeps access tokens and role grants from %s', async (role) => {
    expect(await postgrest.ask({ role }, { path: 'access_tokens' })).toMatchObject(DENIED)
    expect(await postgrest.ask({ role }, { path: 'casbin_rule' })).toMatchObject(DENIED)
    expect(
      await postgrest.ask(
        { role },
        { method: 'POST', path: 'casbin_rule', body: { ptype: 'g', v0: rows.bob, v1: 'admin' } },
      ),
    ).toMatchObject(DENIED)
  })

  it('does not expose the identity service or internal functions', async () => {
    const profile = { 'accept-profile': 'watchroom_identity' }
    expect(await postgrest.ask({ role: 'admin' }, { path: 'sessions', headers: profile })).toMatchObject({
      status: 406,
    })
    expect(await postgrest.ask({ role: 'admin' }, { path: 'sessions' })).toMatchObject({ status: 404 })
    expect(
      await postgrest.ask(
        { role: 'admin' },
        { method: 'POST', path: 'rpc/delete_person', body: { person_id: rows.ada } },
      ),
    ).toMatchObject({ status: 404 })
  })

  it('knows nobody without a token', async () => {
    expect(await postgrest.ask(null, { path: 'people' })).toMatchObject({ status: 401 })
  })

  it('reports a duplicate as a conflict with the name of its index', async () => {
    const body = { component_id: rows.component, config_id: rows.pod, selector_id: 'manual' }
    const response = await postgrest.ask(
      { role: 'editor' },
      { method: 'POST', path: 'config_component_relationships', body },
    )
    expect(response).toMatchObject({
      status: 409,
      body: {
        code: '23505',
        message: expect.stringContaining('config_component_relationships_component_id_config_id_key') as string,
      },
    })
  })

  it.each(['now()', null])('links by hand what a selector links or linked, deleted at %s', async (deletedAt) => {
    const link = { component_id: rows.component, config_id: rows.cluster }
    await database.pool.query(
      `insert into config_component_relationships (component_id, config_id, selector_id, deleted_at)
       values ($1, $2, 'watchroom:1', $3)`,
      [link.component_id, link.config_id, deletedAt],
    )
    const path = 'config_component_relationships'
    const response = await postgrest.ask(
      { role: 'editor' },
      {
        method: 'POST',
        path: `${path}?on_conflict=component_id,config_id`,
        headers: { prefer: 'resolution=merge-duplicates,return=representation' },
        body: { ...link, selector_id: 'manual', deleted_at: null },
      },
    )
    expect(response).toMatchObject({ status: 200, body: [{ ...link, selector_id: 'manual', deleted_at: null }] })
    const which = `component_id=eq.${link.component_id}&config_id=eq.${link.config_id}&selector_id=eq.manual`
    await postgrest.ask({ role: 'editor' }, { method: 'DELETE', path: `${path}?${which}` })
  })

  it('names the editor, not the author, in the history of a status change', async () => {
    const path = `incidents?id=eq.${rows.incident}`
    const caller = { role: 'responder', personId: rows.bob } as const
    await postgrest.ask(caller, { method: 'PATCH', path, body: { status: 'mitigated' } })
    const { body } = await postgrest.ask(caller, {
      path: `incident_histories?incident_id=eq.${rows.incident}&type=eq.incident.status_updated&select=description,created_by(name)`,
    })
    expect(body).toEqual([{ description: 'mitigated', created_by: { name: 'Bob Ops' } }])
  })

  it('gives a row changed in parallel its updated_at', async () => {
    const path = `notifications?id=eq.${rows.notification}`
    const before = await postgrest.ask({ role: 'admin' }, { path })
    const after = await postgrest.ask({ role: 'admin' }, { method: 'PATCH', path, body: { title: 'renamed' } })
    expect(updatedAt(after)).toBeGreaterThan(updatedAt(before))
  })
})

function split<Case extends { path: string }>(cases: readonly Case[], role: Role, action: Action) {
  const isAllowed = ({ path }: Case): boolean => {
    return mayUseRoute(tableAccess(path.split('?')[0] ?? '', action), [role])
  }
  return { allowed: cases.filter((item) => isAllowed(item)), denied: cases.filter((item) => !isAllowed(item)) }
}

function summarize({ status, body, headers }: PostgrestResponse) {
  const list = Array.isArray(body) ? (body as Record<string, unknown>[]) : []
  return {
    status,
    length: list.length,
    first: list[0] ?? null,
    keys: Object.keys(list[0] ?? {}),
    total: headers.get('content-range')?.split('/')[1],
    problem: Array.isArray(body) ? null : body,
  }
}

let sent = 0

/** Prepares the row of a write case, sends the request, and tells what the answer should hold. */
async function send(write: WriteCase, role: Role): Promise<{ response: PostgrestResponse; answer: unknown }> {
  const values: Record<string, string> = { unique: `contract-${role}-${String(++sent)}` }
  const fill = <Value>(value: Value): Value => fillIn(value, values)
  if (write.prepare !== undefined) {
    const prepared = await database.pool.query<{ id?: string }>(fill(write.prepare))
    if (prepared.rows[0]?.id !== undefined) values['id'] = prepared.rows[0].id
  }
  const path = fill(write.path)
  const body = write.wholeRow ? { ...(await loadRow(path)), ...write.wholeRow } : write.body
  // Rows are made in her name, and some are their author's alone.
  const caller = { role, personId: rows.ada }
  const response = await postgrest.ask(caller, { method: write.method, path, body: fill(body) })
  return { response, answer: fill(write.answer) }
}

/** What the form of an administrator would have loaded. */
async function loadRow(path: string): Promise<Record<string, unknown>> {
  const { body } = await postgrest.ask({ role: 'admin' }, { path })
  return (body as Record<string, unknown>[])[0] ?? {}
}

/** Replaces `{unique}` and `{id}` in every text of a value; matchers of the expectations pass untouched. */
function fillIn<Value>(value: Value, values: Readonly<Record<string, string>>): Value {
  if (typeof value === 'string')
    return value.replaceAll(/\{(unique|id)\}/g, (placeholder, name: string) => values[name] ?? placeholder) as Value
  if (Array.isArray(value)) return value.map((item: unknown) => fillIn(item, values)) as Value
  if (value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, fillIn(item as unknown, values)]),
    ) as Value
  return value
}

function updatedAt({ body }: PostgrestResponse): number {
  return Date.parse((body as { updated_at: string }[])[0]?.updated_at ?? '')
}
