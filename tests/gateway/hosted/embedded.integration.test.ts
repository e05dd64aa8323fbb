// A company's own provider before the embedded backend: people are made when they first come, with the roles that a claim says.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readIncident, toDocumentName } from '@watchroom/shared/collab'
import { toPeople } from '@watchroom/shared/people'
import { CLOSE_CODES } from '@watchroom/shared/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Doc } from 'yjs'

import type { CookieBrowser } from '#support/cookieBrowser.ts'
import {
  type BackendAnswer,
  startEmbeddedBackend,
  TEST_ADMIN,
  type TestBackend,
  type TestBackendOptions,
} from '#support/embeddedBackend.ts'
import { type HostedGateway, startHostedGateway } from '#support/hostedGateway.ts'
import { callTable, connectWriter, createIncident, type Writer } from '#support/incidentGateway.ts'
import { queryBackend } from '#support/kratosBrowser.ts'
import { CLIENT_ID, type OidcProvider, startOidcProvider } from '#support/oidcProvider.ts'
import { openRawLive, type RawLive, settled } from '#support/rawLive.ts'

let provider: OidcProvider
let backend: TestBackend

const toRules = (): NonNullable<TestBackendOptions['provider']> => ({
  issuer: provider.issuer,
  audience: CLIENT_ID,
  rolesClaim: 'groups',
  roles: [
    { name: 'sre', role: 'admin' },
    { name: 'staff', role: 'responder' },
  ],
})

const startBackend = (): Promise<TestBackend> =>
  // Organizations have theirs beside it.
  startEmbeddedBackend({ hasTemplates: true, provider: toRules() })

beforeAll(async () => {
  provider = await startOidcProvider()
  provider.serve('http://127.0.0.1:1')
  backend = await startBackend()
})
afterAll(async () => {
  await backend.stop()
  await provider.stop()
})
beforeEach(() => provider.people.clear())

const token = (claims: Record<string, unknown>, options?: { isForeignKey?: boolean }): Promise<string> => {
  const iat = Math.floor(Date.now() / 1_000)
  const standard = { iss: provider.issuer, aud: CLIENT_ID, iat, exp: iat + 60, jti: crypto.randomUUID() }
  return provider.sign({ ...standard, ...claims }, options)
}

const call = async (path: string, bearer: string): Promise<BackendAnswer> =>
  backend.call(path, { headers: { authorization: `Bearer ${bearer}` } })

interface Me {
  payload: { user: { id: string; name: string; email: string }; roles: string[] }
}
const whoAmI = async (bearer: string): Promise<Me['payload']> =>
  ((await call('/auth/whoami', bearer)).json() as Me).payload

describe('a bearer of the provider', () => {
  it('is a person, made at first sight and known again', async () => {
    const first = await whoAmI(
      await token({ sub: 'ada', email: 'ada@corp.test', given_name: 'Ada', family_name: 'Ops', groups: ['staff'] }),
    )
    expect(first).toMatchObject({ user: { name: 'Ada Ops', email: 'ada@corp.test' }, roles: ['responder'] })
    const again = await whoAmI(
      await token({ sub: 'ada', email: 'ada@new.test', name: 'Ada Lovelace', groups: ['staff'] }),
    )
    expect(again.user).toEqual({ ...first.user, name: 'Ada Lovelace', email: 'ada@new.test' })
    const people = await call(
      '/db/people?select=external_id&email=eq.ada@new.test',
      await token({ sub: 'ada', email: 'ada@new.test', groups: ['staff'] }),
    )
    expect(people.json()).toEqual([{ external_id: 'ada' }])
  })

  it('is made once, however many requests come first', async () => {
    const bearer = await token({ sub: 'crowd', email: 'crowd@corp.test' })
    const ids = await Promise.all(Array.from({ length: 10 }, async () => (await whoAmI(bearer)).user.id))
    expect(new Set(ids).size).toBe(1)
  })

  it('has the roles of the claim with each new token, and a viewer’s where it names none that counts', async () => {
    const roles = async (groups: unknown): Promise<string[]> =>
      (await whoAmI(await token({ sub: 'bob', email: 'bob@corp.test', groups }))).roles
    expect(await roles(['others'])).toEqual(['viewer'])
    expect(await roles(['others', 'sre'])).toEqual(['admin'])
    expect(await roles('staff')).toEqual(['responder'])
    // The name of a role is none in a list that the operator wrote.
    expect(await roles(['admin'])).toEqual(['viewer'])
    expect(await roles({ admin: true })).toEqual(['viewer'])
  })

  it('is shown to administrators as someone who has come, with what the provider decides', async () => {
    const rowOf = async (claims: Record<string, unknown>): Promise<unknown> => {
      const { user } = await whoAmI(await token({ sub: 'cleo', email: 'cleo@corp.test', ...claims }))
      const rows = await backend.callAsService(`/db/identities?id=eq.${user.id}`)
      return toPeople(rows.json() as unknown[], []).people[0]
    }
    expect(await rowOf({ groups: ['staff'] })).toMatchObject({ state: 'active', providerDecides: 'profile-and-role' })
    // A token that says nothing of roles leaves them to administrators.
    expect(await rowOf({})).toMatchObject({ state: 'active', providerDecides: 'profile' })
    const admin = await queryBackend<{ id: string }>(
      backend,
      `select id from watchroom_identity.identities where external_id is null limit 1`,
    )
    const local = await backend.callAsService(`/db/identities?id=eq.${admin[0]?.id}`)
    expect(toPeople(local.json() as unknown[], []).people[0]).toMatchObject({ providerDecides: 'nothing' })
  })

  it('writes no more in the database than the role allows', async () => {
    const bearer = await token({ sub: 'viewer', email: 'viewer@corp.test' })
    const answer = await backend.call('/db/canaries', {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: { name: 'x', namespace: 'x', spec: {} },
    })
    expect(answer.status).toBe(403)
  })

  it('takes over an account of the same address only where the provider has proved it, and leaves the last administrator', async () => {
    expect((await call('/auth/whoami', await token({ sub: 'eve', email: TEST_ADMIN.email }))).status).toBe(401)
    expect(
      (await call('/auth/whoami', await token({ sub: 'eve', email: TEST_ADMIN.email, email_verified: false }))).status,
    ).toBe(401)
    // Someone else is an administrator since the test before: take that away first.
    await whoAmI(await token({ sub: 'bob', email: 'bob@corp.test', groups: [] }))
    const boss = await whoAmI(
      await token({ sub: 'boss', email: TEST_ADMIN.email, email_verified: true, groups: ['staff'] }),
    )
    expect(boss.roles).toEqual(['admin'])
    // The account is taken: another subject with the same address is nobody.
    expect(
      (await call('/auth/whoami', await token({ sub: 'eve', email: TEST_ADMIN.email, email_verified: true }))).status,
    ).toBe(401)
  })

  it('takes every way in away from an account whose address was never proved, when the provider’s person takes it over', async () => {
    const thief = await backend.createPerson('viewer')
    const basic = (secret: string, name = thief.email): Record<string, string> => ({
      authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`,
    })
    const made = await backend.call('/auth/tokens', {
      method: 'POST',
      headers: await backend.signIn(thief.email, thief.password),
      body: { name: 'kept', days: null, role: null },
    })
    expect(made.status, made.text).toBe(201)
    const { access_token: secret } = made.json() as { access_token: string }
    const session = await backend.signIn(thief.email, thief.password)
    const ways = [basic(secret, 'token'), basic(thief.password), session]
    const answers = async (): Promise<number[]> =>
      Promise.all(ways.map(async (headers) => (await backend.call('/auth/whoami', { headers })).status))
    expect(await answers()).toEqual([200, 200, 200])
    const chief = await whoAmI(await token({ sub: 'chief', email: thief.email, email_verified: true, groups: ['sre'] }))
    expect(chief).toMatchObject({ user: { id: thief.id }, roles: ['admin'] })
    expect(await answers()).toEqual([401, 401, 401])
  })

  it('approves nothing by an address that the provider has not proved, also one that it says later', async () => {
    const lister = { sub: 'lister', email: 'lister@corp.test', groups: ['sre'], email_verified: true }
    const asLister = { authorization: `Bearer ${await token(lister)}` }
    const approvers = { people: ['captain@corp.test', 'mate@corp.test', lister.email] }
    const spec = { approval: { approvers }, actions: [{ name: 'own', exec: { script: 'true' } }] }
    const made = await backend.call('/db/playbooks', {
      method: 'POST',
      headers: { ...asLister, prefer: 'return=representation' },
      body: { name: 'guarded', title: 'Guarded', source: 'UI', spec },
    })
    expect(made.status, made.text).toBe(201)
    const [playbook] = made.json() as { id: string }[]
    const tokenOf = (email: string, isProved?: boolean): Promise<string> =>
      token({ sub: 'mate', email, ...(isProved === undefined ? {} : { email_verified: isProved }) })
    const mateAs = async (...said: Parameters<typeof tokenOf>): Promise<Record<string, string>> => ({
      authorization: `Bearer ${await tokenOf(...said)}`,
    })
    // The provider says nothing of roles: an administrator gives one.
    const { user } = await whoAmI(await tokenOf('captain@corp.test', false))
    await backend.callAsService(`/rbac/${user.id}/update_role`, { method: 'POST', body: { roles: ['editor'] } })
    const mate = await mateAs('captain@corp.test', false)
    const asked = await backend.call('/playbook/run', { method: 'POST', body: { id: playbook?.id }, headers: mate })
    expect(asked.status, asked.text).toBe(201)
    const path = `/playbook/run/approve/${(asked.json() as { run_id: string }).run_id}`
    const approve = async (headers: Record<string, string>): Promise<number> =>
      (await backend.call(path, { method: 'POST', headers })).status
    expect(await approve(mate)).toBe(403)
    expect(await approve(await mateAs('mate@corp.test'))).toBe(403)
    // The same address, which it knows to be theirs now, and then not any more.
    expect(await approve(await mateAs('mate@corp.test', true))).toBe(200)
    await whoAmI(await tokenOf('mate@corp.test'))
    const row = await backend.callAsService(`/db/identities?id=eq.${user.id}`)
    expect(toPeople(row.json() as unknown[], []).people[0]).toMatchObject({ isAddressUnproved: true })
  })

  it('has a name of one line, however the provider writes it', async () => {
    const { user } = await whoAmI(
      await token({
        sub: 'loud',
        email: 'loud@corp.test',
        given_name: ' Lou\r\n\u2028d ',
        family_name: `${'x'.repeat(99)}😀`,
      }),
    )
    expect(user.name).toBe(`Lou d ${'x'.repeat(99)}`)
  })

  it('is refused when it is not signed by the provider, not for us, or not for now', async () => {
    const right = { sub: 'ada', email: 'ada@corp.test' }
    const unsigned = [{ alg: 'none' }, { ...right, iss: provider.issuer, aud: CLIENT_ID, exp: 9_999_999_999, iat: 1 }]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    const bearers = [
      await token(right, { isForeignKey: true }),
      await token({ ...right, iss: 'https://evil.test' }),
      await token({ ...right, aud: 'another' }),
      await token({ ...right, exp: 1 }),
      await token({ email: 'ada@corp.test' }),
      `${unsigned}.`,
      `${unsigned}.AAAA`,
    ]
    for (const bearer of bearers) expect((await call('/auth/whoami', bearer)).status, bearer).toBe(401)
  })

  it('is nobody once the account is switched off', async () => {
    const bearer = await token({ sub: 'gone', email: 'gone@corp.test' })
    const { user } = await whoAmI(bearer)
    await backend.callAsService(`/auth/${user.id}/update_state`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: { state: 'inactive' },
    })
    expect((await call('/auth/whoami', bearer)).status).toBe(401)
    expect((await call('/auth/whoami', await token({ sub: 'gone', email: 'gone@corp.test' }))).status).toBe(401)
  })

  it('is like anyone else after a start that forgets providers which are not asked any more', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'wr-left-'))
    onTestFinished(() => rmSync(dataDirectory, { recursive: true, force: true }))
    let left = await startEmbeddedBackend({ dataDirectory, provider: toRules() })
    onTestFinished(() => left.stop())
    const decides = async (id: string): Promise<unknown> => {
      const rows = (await left.callAsService(`/db/identities?id=eq.${id}`)).json() as unknown[]
      return toPeople(rows, []).people[0]?.providerDecides
    }
    const post = async (path: string, body: object = {}): Promise<number> =>
      (await left.callAsService(path, { method: 'POST', body })).status
    const bearer = await token({ sub: 'dora', email: 'dora@corp.test', groups: ['staff'] })
    const entered = await left.call('/auth/whoami', { headers: { authorization: `Bearer ${bearer}` } })
    const { id } = (entered.json() as Me).payload.user
    expect([await decides(id), await post(`/auth/${id}/invite`)]).toEqual(['profile-and-role', 409])

    await left.stop()
    left = await startEmbeddedBackend({ dataDirectory, forgetsProviders: true })
    expect(await decides(id)).toBe('nothing')
    const changed = await post('/people/update', { id, email: 'dora@home.test' })
    expect([changed, await post(`/auth/${id}/invite`)]).toEqual([200, 200])
  }, 90_000)
})

describe('the whole way', () => {
  let hosted: HostedGateway
  beforeAll(async () => {
    hosted = await startHostedGateway({
      provider,
      databaseUrl: backend.databaseUrl,
      env: { BACKEND_URL: backend.url, BACKEND_TOKEN: backend.serviceToken },
    })
    provider.serve(hosted.url)
  })
  afterAll(() => hosted.stop())

  it('leads from the sign-in at the provider to rows of the database, and back out', async () => {
    provider.people.set('zoe', { email: 'zoe@corp.test', name: 'Zoe', groups: ['staff'] })
    const browser = await hosted.signIn('zoe')
    onTestFinished(() => provider.people.clear())
    const me = (await hosted.ask(browser, '/api/auth/whoami')).body as Me
    expect(me.payload).toMatchObject({ user: { name: 'Zoe' }, roles: ['responder'] })
    expect(await hosted.ask(browser, `/api/db/people_roles?id=in.(${me.payload.user.id})`)).toMatchObject({
      status: 200,
      body: [{ roles: ['responder'] }],
    })
    expect((await hosted.ask(browser, '/api/db/connections')).status).toBe(403)
    await hosted.ask(browser, '/gateway/hosted/sign-out', { method: 'POST', body: '{}' })
    expect((await hosted.ask(browser, '/api/auth/whoami')).status).toBe(401)
  })
})

describe('two organizations whose backends know an incident by the same id', () => {
  const ids = { id: randomUUID(), rootId: randomUUID() }
  let other: TestBackend
  let hosted: HostedGateway

  beforeAll(async () => {
    other = await startBackend()
    const organizations = Object.entries({ acme: backend, globex: other }).map(([id, each]) => ({
      id,
      backendUrl: each.url,
      backendToken: each.serviceToken,
      backendDatabaseUrl: each.databaseUrl,
    }))
    hosted = await startHostedGateway({
      provider,
      databaseUrl: backend.databaseUrl,
      env: {
        WATCHROOM_OIDC_ORGANIZATIONS_CLAIM: 'organizations',
        WATCHROOM_ORGANIZATIONS: JSON.stringify(organizations),
      },
    })
    provider.serve(hosted.url)
    for (const [organization, side] of Object.entries({ acme: backend, globex: other })) {
      const [author] = await queryBackend<{ id: string }>(side, 'select id from people where email = $1', [
        TEST_ADMIN.email,
      ])
      await createIncident(side, author?.id ?? '', { ...ids, title: secretOf(organization) })
    }
  })
  afterAll(async () => {
    await hosted?.stop()
    await other?.stop()
  })

  interface Side {
    readonly organization: string
    readonly backend: TestBackend
    readonly personId: string
    readonly headers: Record<string, string>
    readonly browser: CookieBrowser
    readonly writer: Writer
    readonly live: RawLive
  }

  const open = async (side: Pick<Side, 'personId' | 'headers'>): Promise<Writer> => {
    const person = { id: side.personId, headers: side.headers }
    const writer = await connectWriter({ url: hosted.url, incidentId: ids.id, person })
    onTestFinished(() => writer.close())
    return writer
  }

  async function enter(organization: string): Promise<Side> {
    const person = { email: `${organization}@corp.test`, name: organization, groups: ['staff'] }
    provider.people.set(organization, { ...person, organizations: [organization] })
    const browser = await hosted.signIn(organization)
    const { user } = ((await hosted.ask(browser, '/api/auth/whoami')).body as Me).payload
    const side = organization === 'acme' ? backend : other
    const headers = hosted.headers(browser)
    const live = openRawLive(hosted.url, headers)
    onTestFinished(() => live.close())
    const who = { personId: user.id, headers }
    return { organization, backend: side, browser, ...who, writer: await open(who), live }
  }

  const secretOf = (organization: string): string => `Secret of ${organization}`
  const storedComments = async ({ backend: side }: Side): Promise<unknown[]> =>
    (await callTable(side, `comments?incident_id=eq.${ids.id}&select=comment`)).map(({ comment }) => comment)
  const commentsIn = (doc: Doc): string[] => readIncident(doc).comments.map(({ body }) => body)

  it('keep documents, presence, topics, answers, rows and logs apart', async () => {
    const acme = await enter('acme')
    const globex = await enter('globex')
    const sides = [acme, globex]
    for (const { organization, writer, live } of sides) {
      expect(readIncident(writer.doc).incident.title).toBe(secretOf(organization))
      writer.edit.addComment({ hypothesisId: ids.rootId, body: organization })
      writer.provider.awareness.setLocalState({ presence: 'active' })
      await settled(live.subscribe('incident', { id: ids.id }))
      await settled(live.subscribe('incidents', {}))
    }
    for (const side of sides) await expect.poll(() => storedComments(side)).toEqual([side.organization])

    for (const side of sides) {
      const another = side === acme ? globex : acme
      // Whoever comes is sent all that a document has.
      const { doc, provider: reader } = await open(side)
      expect([commentsIn(doc), commentsIn(side.writer.doc)]).toEqual([[side.organization], [side.organization]])
      await expect.poll(() => [...reader.awareness.getStates().keys()]).toContain(side.writer.doc.clientID)
      expect([...reader.awareness.getStates().keys()]).not.toContain(another.writer.doc.clientID)

      expect(side.live.received()).toContain(secretOf(side.organization))
      expect(side.live.received()).not.toContain(secretOf(another.organization))
      const asked = await hosted.ask(side.browser, `/api/db/incidents?select=title&id=eq.${ids.id}`)
      expect(asked.body).toEqual([{ title: secretOf(side.organization) }])
      expect(await storedComments(side)).toEqual([side.organization])
    }

    const authors = (await readLogs()).map((rows) => rows.map(({ user_id: id }) => id).join())
    expect(authors.toSorted()).toEqual([acme.personId, globex.personId].toSorted())
  })

  /** Who wrote in the incident's document, by database. */
  async function readLogs(): Promise<{ user_id: string }[][]> {
    const databases = await queryBackend<{ name: string }>(
      backend,
      `select datname as name from pg_database where datname ~ '^watchroom_[0-9a-f]{24}$'`,
    )
    const document = toDocumentName('incident', ids.id)
    return Promise.all(
      databases.map(({ name }) =>
        queryBackend<{ user_id: string }>(
          { databaseUrl: backend.databaseUrl.replace('@/postgres?', `@/${name}?`) },
          'select distinct user_id from watchroom.document_update where document = $1 and user_id is not null',
          [document],
        ),
      ),
    )
  }

  it('lead whoever goes over to the other one to its document, and close the former', async () => {
    provider.people.set('both', {
      email: 'both@corp.test',
      name: 'Both',
      groups: ['staff'],
      organizations: ['acme', 'globex'],
    })
    const browser = await hosted.signIn('both')
    const visit = async (organization: string) => {
      await hosted.ask(browser, '/gateway/hosted/organization', {
        method: 'POST',
        body: JSON.stringify({ id: organization }),
      })
      const { user } = ((await hosted.ask(browser, '/api/auth/whoami')).body as Me).payload
      const writer = await open({ personId: user.id, headers: hosted.headers(browser) })
      expect(readIncident(writer.doc).incident.title).toBe(secretOf(organization))
      return writer
    }
    const former = await visit('acme')
    const latter = await visit('globex')
    await expect.poll(() => former.closeCodes).toContain(CLOSE_CODES.loginNeeded.code)
    latter.edit.addComment({ hypothesisId: ids.rootId, body: 'gone over' })
    await expect
      .poll(() => queryBackend(other, `select comment from comments where comment = 'gone over'`))
      .toHaveLength(1)
    expect(await queryBackend(backend, `select comment from comments where comment = 'gone over'`)).toEqual([])
    expect(commentsIn(former.doc)).not.toContain('gone over')
  })
})
