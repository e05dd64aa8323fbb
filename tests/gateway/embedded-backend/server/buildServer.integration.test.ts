import { dirname } from 'node:path'

import type { Role } from '@watchroom/shared/access'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import {
  type BackendCall,
  startEmbeddedBackend,
  type TestBackend,
  type TestPerson,
} from '../../../support/embeddedBackend.ts'
import { processesNaming, signalProcess, until } from '../../../support/processes.ts'

let backend: TestBackend
const people = new Map<Role, TestPerson & { headers: Record<string, string> }>()

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  for (const role of ['admin', 'editor', 'commander', 'responder', 'viewer'] as const) {
    const person = await backend.createPerson(role)
    people.set(role, { ...person, headers: await backend.signIn(person.email, person.password) })
  }
})

afterAll(() => backend.stop())

const person = (role: Role) => {
  const found = people.get(role)
  if (!found) throw new Error(`no ${role}`)
  return found
}

const callAs = (role: Role, path: string, call: BackendCall = {}) =>
  backend.call(path, { ...call, headers: { ...call.headers, ...person(role).headers } })

async function execute(text: string, values: unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: backend.databaseUrl })
  await client.connect()
  try {
    await client.query(text, values)
  } finally {
    await client.end()
  }
}

describe('who', () => {
  it('answers /health to everyone', async () => {
    const answer = await backend.call('/health')
    expect([answer.status, answer.text]).toEqual([200, 'OK'])
  })

  it('refuses everything else without a credential, in the backend’s own words', async () => {
    for (const path of ['/db/people', '/auth/whoami', '/properties', '/db/rpc/uuid_to_ulid']) {
      const answer = await backend.call(path)
      expect([path, answer.status, answer.text]).toEqual([path, 401, 'Authorization Error'])
    }
  })

  it('accepts the session as a header and as a cookie', async () => {
    const { 'x-session-token': token } = await backend.signIn(person('editor').email, person('editor').password)
    for (const headers of [{ 'x-session-token': token }, { cookie: `theme=dark; ory_kratos_session=${token}` }]) {
      const answer = await backend.call('/auth/whoami', { headers })
      expect(answer.json()).toMatchObject({
        message: 'success',
        payload: { user: { id: person('editor').id, email: person('editor').email }, roles: ['editor'] },
      })
    }
  })

  it('calls an unknown session expired', async () => {
    const answer = await backend.call('/properties', { headers: { cookie: 'ory_kratos_session=made-up' } })
    expect([answer.status, answer.text]).toEqual([401, 'Session Expired'])
  })

  it('accepts e-mail and password as HTTP Basic, again and again, until the password changes', async () => {
    const { id, email, password } = await backend.createPerson('viewer')
    const headers = { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` }
    const wrong = { authorization: `Basic ${Buffer.from(`${email}:wrong`).toString('base64')}` }
    expect((await backend.call('/properties', { headers })).status).toBe(200)
    expect((await backend.call('/properties', { headers })).status).toBe(200)
    expect((await backend.call('/properties', { headers: wrong })).status).toBe(401)
    await execute(`update watchroom_identity.identities set password_hash = null where id = $1`, [id])
    expect((await backend.call('/properties', { headers })).status).toBe(401)
  })

  it('refuses a malformed Basic header', async () => {
    const headers = { authorization: `Basic ${Buffer.from('no colon').toString('base64')}` }
    const answer = await backend.call('/properties', { headers })
    expect([answer.status, answer.text]).toEqual([401, 'Authorization Error'])
  })

  it('gives the service token an administrator’s rights, and nothing to another token', async () => {
    expect((await backend.callAsService('/db/connections')).status).toBe(200)
    const headers = { authorization: `Bearer ${backend.serviceToken.slice(0, -1)}x` }
    expect((await backend.call('/db/connections', { headers })).status).toBe(401)
    // The service is nobody in particular.
    expect((await backend.callAsService('/auth/whoami')).status).toBe(500)
  })

  it('ends the session of a person who is switched off', async () => {
    const { id, email, password } = await backend.createPerson('editor')
    const headers = await backend.signIn(email, password)
    expect((await backend.call('/properties', { headers })).status).toBe(200)
    await execute(`update watchroom_identity.identities set state = 'inactive' where id = $1`, [id])
    expect((await backend.call('/properties', { headers })).status).toBe(401)
    expect((await backend.call('/kratos/sessions/whoami', { headers })).status).toBe(401)
  })
})

describe('whether', () => {
  it('answers 404 without a body for a table that is not part of the API', async () => {
    for (const path of ['/db/pg_authid', '/db/nonsense', '/db/', '/db/people/', '/db/%70eople', '/db/rpc/pg_sleep']) {
      const answer = await callAs('admin', path)
      expect([path, answer.status, answer.text]).toEqual([path, 404, ''])
    }
  })

  it('answers 404 for a path that is not part of the API', async () => {
    expect((await callAs('admin', '/nonsense')).status).toBe(404)
  })

  it('lets nobody touch credentials', async () => {
    for (const path of ['/db/casbin_rule', '/db/access_tokens']) {
      const answer = await callAs('admin', path)
      expect([path, answer.status, answer.text]).toEqual([path, 403, 'unauthorized. Access Denied'])
    }
  })

  it('follows the access matrix for reading and writing', async () => {
    expect((await callAs('viewer', '/db/canaries')).status).toBe(200)
    expect((await callAs('viewer', '/db/connections')).status).toBe(403)
    const body = { name: 'flag', value: 'on' }
    expect((await callAs('viewer', '/db/properties', { method: 'POST', body })).status).toBe(403)
    expect((await callAs('responder', '/db/properties', { method: 'POST', body })).status).toBe(403)
    const written = await callAs('editor', '/db/properties', {
      method: 'POST',
      body,
      headers: { prefer: 'return=representation' },
    })
    expect(written.status).toBe(201)
    expect(written.json()).toMatchObject([{ name: 'flag', value: 'on' }])
    expect((await callAs('editor', '/properties')).json()).toEqual([
      { name: 'flag', value: 'on', source: 'db', type: '', description: '' },
    ])
  })

  it('takes a role away at once', async () => {
    const { id, email, password } = await backend.createPerson('admin')
    const headers = await backend.signIn(email, password)
    expect((await backend.call('/db/connections', { headers })).status).toBe(200)
    await execute(`update casbin_rule set v1 = 'viewer' where v0 = $1`, [id])
    expect((await backend.call('/db/connections', { headers })).status).toBe(403)
  })

  it('keeps the database from following an embed that the role may not read', async () => {
    const answer = await callAs('viewer', '/db/people?select=name,access_tokens(value)')
    expect(answer.status).toBeGreaterThanOrEqual(400)
  })
})

describe('/db', () => {
  it('passes totals, ranges and PostgREST errors on', async () => {
    const counted = await callAs('admin', '/db/people?select=id&limit=1', { headers: { prefer: 'count=exact' } })
    expect(counted.status).toBe(206)
    expect(counted.headers['content-range']).toMatch(/^0-0\/\d+$/)
    const broken = await callAs('admin', '/db/people?select=nonsense')
    expect([broken.status, broken.json()]).toEqual([400, expect.objectContaining({ code: '42703' })])
  })

  it('rewrites .filter parameters', async () => {
    const answer = await callAs('admin', '/db/people?select=name&name.filter=Sys*')
    expect(answer.json()).toEqual([{ name: 'System' }])
    const before = await callAs('admin', '/db/people?select=name&created_at.filter=now-1d')
    expect(before.json()).toEqual([])
  })

  it('explains a filter that cannot be read', async () => {
    const answer = await callAs('admin', '/db/people?created_at.filter=yesterday')
    expect([answer.status, answer.json()]).toEqual([
      400,
      { error: 'created_at.filter=yesterday is not a filter', message: 'Bad filter' },
    ])
  })

  it('refuses bodies over 16 MiB', async () => {
    // Only announced: the answer comes before the body would, and closes the connection under whoever still writes.
    const answer = await callAs('admin', '/db/properties', {
      method: 'POST',
      body: '[',
      headers: { 'content-type': 'application/json', 'content-length': String(16 * 1_048_576 + 1) },
    })
    expect(answer.status).toBe(413)
  })

  it('lets a read wait while PostgREST is started again', async () => {
    const found = processesNaming(dirname(backend.socketPath)).filter(({ command }) => /\/postgrest\s*$/.test(command))
    for (const { pid } of found) signalProcess(pid, 'SIGKILL')
    const answer = await callAs('viewer', '/db/people?select=name&name=eq.System')
    expect([found.length > 0, answer.status, answer.json()]).toEqual([true, 200, [{ name: 'System' }]])
  })

  it('answers 503 and asks to try again while PostgreSQL is started again, then works as before', async () => {
    const statuses = new Set<number>()
    signalProcess(await postmasterPid(), 'SIGKILL')
    await until(async () => {
      const answer = await callAs('viewer', '/db/people?select=name&name=eq.System')
      statuses.add(answer.status)
      return answer.status === 200
    })
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
  })
})

/** As the database itself names it. */
async function postmasterPid(): Promise<number> {
  const client = new Client({ connectionString: backend.databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: string }>(
      `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid`,
    )
    return Number(rows[0]?.pid)
  } finally {
    await client.end()
  }
}
