// Ended means ended: whatever ends a session ends its open sockets, both kinds, without waiting for the next look at them.
import { randomUUID } from 'node:crypto'

import { CLOSE_CODES } from '@watchroom/shared/protocol'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

import { startEmbeddedBackend, TEST_ADMIN, type TestBackend, type TestPerson } from '#support/embeddedBackend.ts'
import { eventually } from '#support/eventually.ts'
import { type RunningGateway, startGateway, toGatewayBackend } from '#support/gateway.ts'

import { systemClock } from '../../gateway/src/platform/clock.ts'
import { createLiveClient, type LiveClient } from '../../web/src/live/createLiveClient.ts'
import { createOpenSocket, inflateRaw } from '../../web/src/live/openSocket.ts'

let backend: TestBackend
let gateway: RunningGateway
let incidentId: string
let admin: Record<string, string>

/** Sockets are looked at again after 19 s at the earliest: who ends within this was told. */
const TOLD_MS = 20_000

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  gateway = await startGateway({ backend: toGatewayBackend(backend) })
  admin = await backend.signIn(TEST_ADMIN.email, TEST_ADMIN.password)
  const author = await backend.createPerson('responder')
  const people = { created_by: author.id, commander_id: author.id, communicator_id: author.id }
  const answer = await backend.callAsService('/db/incidents', {
    method: 'POST',
    headers: { prefer: 'return=representation' },
    body: {
      title: 'Labels are late',
      description: '',
      severity: 'high',
      type: 'availability',
      status: 'open',
      ...people,
    },
  })
  incidentId = (answer.json() as { id: string }[])[0]?.id ?? ''
})

afterAll(async () => {
  await gateway?.stop()
  await backend?.stop()
})

async function execute(text: string, values: unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: backend.databaseUrl })
  await client.connect()
  try {
    await client.query(text, values)
  } finally {
    await client.end()
  }
}

interface OpenPage {
  readonly live: LiveClient
  /** Code with which the document's socket was closed; null while it is open. */
  readonly documentCode: () => number | null
}

/** What an open page of an incident holds: a live socket and the document's. */
async function openPage(headers: Record<string, string>): Promise<OpenPage> {
  const own = { ...headers, origin: gateway.url }
  const live = createLiveClient({
    clock: systemClock,
    random: Math.random,
    inflate: inflateRaw,
    openSocket: createOpenSocket(gateway.url, own),
  })
  let code: number | null = null
  const document = new WebSocket(`${gateway.url.replace('http', 'ws')}/collab/incident/${incidentId}`, { headers: own })
  document.on('close', (given) => (code = given))
  onTestFinished(() => {
    live.close()
    document.terminate()
  })
  await eventually(
    () => {
      expect(live.link().kind).toBe('open')
      expect(document.readyState).toBe(WebSocket.OPEN)
    },
    { timeout: TOLD_MS },
  )
  return { live, documentCode: () => code }
}

const expectEnded = (page: OpenPage): Promise<void> =>
  eventually(
    () => {
      expect(page.live.link()).toMatchObject({ kind: 'ended', reaction: 'signIn', code: CLOSE_CODES.loginNeeded.code })
      expect(page.documentCode()).toBe(CLOSE_CODES.loginNeeded.code)
    },
    { timeout: TOLD_MS },
  )

function expectOpen(page: OpenPage): void {
  expect(page.live.link().kind).toBe('open')
  expect(page.documentCode()).toBeNull()
}

const call = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${gateway.url}/api${path}`, init)

const cookieOf = (session: { 'x-session-token': string }): Record<string, string> => ({
  cookie: `ory_kratos_session=${session['x-session-token']}`,
})

async function createSignedIn(): Promise<{ person: TestPerson; session: { 'x-session-token': string } }> {
  const person = await backend.createPerson('responder')
  return { person, session: await backend.signIn(person.email, person.password) }
}

interface Case {
  readonly person: TestPerson
  readonly session: { 'x-session-token': string }
}

const WAYS: readonly [string, (ended: Case) => Promise<unknown>][] = [
  [
    'an administrator deactivates the person',
    async ({ person }) => {
      const body = JSON.stringify({ state: 'inactive' })
      const headers = { ...admin, 'content-type': 'application/json' }
      expect((await call(`/auth/${person.id}/update_state`, { method: 'POST', headers, body })).status).toBe(200)
    },
  ],
  [
    'the person is deactivated in the database',
    ({ person }) => execute(`update watchroom_identity.identities set state = 'inactive' where id = $1`, [person.id]),
  ],
  [
    'the person is deleted in the database',
    ({ person }) => execute('delete from watchroom_identity.identities where id = $1', [person.id]),
  ],
  [
    'an administrator ends all sessions of the person',
    async ({ person }) => {
      const answer = await call(`/auth/${person.id}/sessions`, { method: 'DELETE', headers: admin })
      expect(await answer.json()).toEqual({ count: 1 })
    },
  ],
  [
    'the person ends all others from another session',
    async ({ person }) => {
      const headers = await backend.signIn(person.email, person.password)
      expect(await (await call('/.ory/sessions', { method: 'DELETE', headers })).json()).toEqual({ count: 1 })
    },
  ],
  [
    'the session is deleted in the database',
    ({ person }) => execute('delete from watchroom_identity.sessions where identity_id = $1', [person.id]),
  ],
  [
    'the session is made inactive in the database',
    ({ person }) =>
      execute('update watchroom_identity.sessions set active = false where identity_id = $1', [person.id]),
  ],
  [
    'the person signs out in the browser',
    async ({ session }) => {
      const headers = { ...cookieOf(session), accept: 'application/json' }
      const { logout_token: token } = (await (await call('/.ory/self-service/logout/browser', { headers })).json()) as {
        logout_token: string
      }
      expect((await call(`/.ory/self-service/logout?token=${token}`, { headers })).status).toBe(204)
    },
  ],
  [
    'a program signs out, without any header of the session',
    async ({ session }) => {
      const body = JSON.stringify({ session_token: session['x-session-token'] })
      const headers = { 'content-type': 'application/json' }
      expect((await call('/.ory/self-service/logout/api', { method: 'DELETE', headers, body })).status).toBe(204)
    },
  ],
  [
    'the time of the session is over',
    // The gateway hears of the new end, and ends the sockets by its own clock.
    ({ person }) =>
      execute(`update watchroom_identity.sessions set expires_at = now() + interval '1 s' where identity_id = $1`, [
        person.id,
      ]),
  ],
]

describe('an open page', () => {
  it.each(WAYS)('[LIVE-52] [COLLAB-40] ends when %s', async (_name, end) => {
    const { person, session } = await createSignedIn()
    const other = await createSignedIn()
    const [page, otherPage] = await Promise.all([openPage(cookieOf(session)), openPage(cookieOf(other.session))])
    await end({ person, session })
    await expectEnded(page)
    expect((await call('/auth/whoami', { headers: session })).status).toBe(401)
    expectOpen(otherPage)
  })

  it('ends with its own session only, when a person ends one of several', async () => {
    const { person, session } = await createSignedIn()
    const own = await backend.signIn(person.email, person.password)
    const [page, ownPage] = await Promise.all([openPage(cookieOf(session)), openPage(cookieOf(own))])
    const listed = (await (await call('/.ory/sessions', { headers: own })).json()) as { id: string; active: boolean }[]
    expect(listed).toMatchObject([{ active: true, identity: { id: person.id }, devices: [{ user_agent: '' }] }])
    const path = `/.ory/sessions/${listed[0]?.id}`
    expect((await call(path, { method: 'DELETE', headers: own })).status).toBe(204)
    await expectEnded(page)
    expectOpen(ownPage)
    expect((await call(path, { method: 'DELETE', headers: own })).status).toBe(404)
  })

  it('of a program with e-mail and password ends when the password is another', async () => {
    const person = await backend.createPerson('responder')
    const basic = `Basic ${Buffer.from(`${person.email}:${person.password}`).toString('base64')}`
    const document = new WebSocket(`${gateway.url.replace('http', 'ws')}/collab/incident/${incidentId}`, {
      headers: { authorization: basic },
    })
    onTestFinished(() => document.terminate())
    await eventually(() => expect(document.readyState).toBe(WebSocket.OPEN), { timeout: TOLD_MS })
    const closed = new Promise<number>((resolve) => {
      document.on('close', resolve)
    })
    const other = await backend.createPerson('viewer')
    await execute(
      `update watchroom_identity.identities set password_hash = other.password_hash
       from watchroom_identity.identities other where identities.id = $1 and other.id = $2`,
      [person.id, other.id],
    )
    expect(await closed).toBe(CLOSE_CODES.loginNeeded.code)
  })
})

describe('a socket of a script', () => {
  it('[LIVE-52] [COLLAB-40] ends when its access token does', async () => {
    const { person, session } = await createSignedIn()
    const made = await backend.call('/auth/tokens', {
      method: 'POST',
      headers: session,
      body: { name: 'wall', role: null, days: 1 },
    })
    const { id, access_token: token } = made.json() as { id: string; access_token: string }
    const headers = { authorization: `Basic ${Buffer.from(`token:${token}`).toString('base64')}` }
    const page = await openPage(headers)
    await execute(`update access_tokens set expires_at = now() + interval '1 s' where id = $1`, [id])
    // The gateway asks again who that is, hears of the end, and ends the sockets by its own clock.
    const body = JSON.stringify({ roles: ['commander'] })
    const json = { ...admin, 'content-type': 'application/json' }
    expect((await call(`/rbac/${person.id}/update_role`, { method: 'POST', headers: json, body })).status).toBe(200)
    await expectEnded(page)
    expect((await call('/auth/whoami', { headers })).status).toBe(401)
  })
})

describe('100 open pages', () => {
  /** A new person with the password of this one: to hash a hundred takes longer than to end them. */
  async function createLike(like: TestPerson, n: number): Promise<TestPerson> {
    const email = `page-${n}@test.local`
    const client = new Client({ connectionString: backend.databaseUrl })
    await client.connect()
    const { rows } = await client.query<{ id: string }>(
      `insert into watchroom_identity.identities (traits, password_hash)
       select $1::jsonb, password_hash from watchroom_identity.identities where id = $2 returning id`,
      [JSON.stringify({ email }), like.id],
    )
    await client.end()
    return { ...like, email, id: rows[0]?.id ?? '' }
  }

  it('[LIVE-52] are told within a second as a rule, by whatever way their sessions end, and never found by a later look', async () => {
    const like = await backend.createPerson('responder')
    const durations: number[] = []
    // The last one waits for a moment of its own.
    const ways = WAYS.slice(0, -1)
    for (let n = 0; n < 100; n++) {
      const person = await createLike(like, n)
      const session = await backend.signIn(person.email, person.password)
      const live = createLiveClient({
        clock: systemClock,
        random: Math.random,
        inflate: inflateRaw,
        openSocket: createOpenSocket(gateway.url, { ...cookieOf(session), origin: gateway.url }),
      })
      onTestFinished(() => live.close())
      await eventually(() => expect(live.link().kind).toBe('open'), { timeout: TOLD_MS })
      const ended = new Promise<number>((resolve) => {
        live.onLink(() => {
          if (live.link().kind === 'ended') resolve(performance.now())
        })
      })
      const startedAt = performance.now()
      await ways[n % ways.length]?.[1]({ person, session })
      durations.push((await ended) - startedAt)
    }
    const sorted = durations.toSorted((a, b) => a - b)
    const [median, p99] = [sorted[49] ?? Number.NaN, sorted[98] ?? Number.NaN]
    // oxlint-disable-next-line no-console -- the figure is what this test is for
    console.info(`from the end of a session to its socket: median ${median.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`)
    // A busy machine may be late now and then, and never as late as a look.
    expect(median).toBeLessThan(1_000)
    expect(sorted.at(-1)).toBeLessThan(TOLD_MS)
  }, 180_000)
})

describe('sessions', () => {
  it('end when nobody used them for long', async () => {
    const { person, session } = await createSignedIn()
    await execute(
      `update watchroom_identity.sessions set last_used_at = now() - interval '73 h' where identity_id = $1`,
      [person.id],
    )
    expect((await backend.call('/kratos/sessions/whoami', { headers: session })).status).toBe(401)
  })

  it('live on when they are used', async () => {
    const { person, session } = await createSignedIn()
    const age = `update watchroom_identity.sessions set last_used_at = now() - interval '71 h' where identity_id = $1`
    for (let use = 0; use < 3; use++) {
      await execute(age, [person.id])
      expect((await backend.call('/kratos/sessions/whoami', { headers: session })).status).toBe(200)
    }
    const client = new Client({ connectionString: backend.databaseUrl })
    await client.connect()
    const { rows } = await client.query<{ isRecent: boolean }>(
      `select last_used_at > now() - interval '1 min' as "isRecent" from watchroom_identity.sessions where identity_id = $1`,
      [person.id],
    )
    await client.end()
    expect(rows).toEqual([{ isRecent: true }])
  })

  it('of others are nobody’s business: they are neither listed nor ended', async () => {
    const [ana, bo] = await Promise.all([createSignedIn(), createSignedIn()])
    const { id } = (await (await call('/.ory/sessions/whoami', { headers: bo.session })).json()) as { id: string }
    expect(await (await call('/.ory/sessions', { headers: ana.session })).json()).toEqual([])
    for (const sessionId of [id, randomUUID(), 'nonsense']) {
      const answer = await call(`/.ory/sessions/${sessionId}`, { method: 'DELETE', headers: ana.session })
      expect(answer.status).toBe(404)
    }
    expect(await (await call('/.ory/sessions', { method: 'DELETE', headers: ana.session })).json()).toEqual({
      count: 0,
    })
    expect((await call('/auth/whoami', { headers: bo.session })).status).toBe(200)
  })

  it('of others are ended, and people deactivated, by administrators alone', async () => {
    const { person, session } = await createSignedIn()
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ state: 'inactive' })
    for (const credential of [session, {}]) {
      const own = { ...headers, ...credential }
      const expected = credential === session ? 403 : 401
      expect((await call(`/auth/${person.id}/sessions`, { method: 'DELETE', headers: own })).status).toBe(expected)
      expect((await call(`/auth/${person.id}/update_state`, { method: 'POST', headers: own, body })).status).toBe(
        expected,
      )
    }
    expect((await call('/auth/whoami', { headers: session })).status).toBe(200)
    const asAdmin = { ...headers, ...admin }
    for (const [id, status] of [
      [randomUUID(), 404],
      ['nonsense', 404],
    ] as const) {
      expect((await call(`/auth/${id}/update_state`, { method: 'POST', headers: asAdmin, body })).status).toBe(status)
    }
    const wrong = JSON.stringify({ state: 'gone' })
    expect(
      (await call(`/auth/${person.id}/update_state`, { method: 'POST', headers: asAdmin, body: wrong })).status,
    ).toBe(400)
  })
})
