import { ROLES, type Role } from '@watchroom/shared/access'
import { toPeople } from '@watchroom/shared/people'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import {
  type BackendAnswer,
  type BackendCall,
  startEmbeddedBackend,
  TEST_ADMIN,
  type TestBackend,
  type TestPerson,
} from '#support/embeddedBackend.ts'
import { KratosBrowser, setProperty, toFlow, valueOf } from '#support/kratosBrowser.ts'
import { type MailServer, startMailServer } from '#support/mailServer.ts'

let mailServer: MailServer
let backend: TestBackend
let admin: { id: string; headers: Record<string, string> }
const people = new Map<Role, TestPerson & { headers: Record<string, string> }>()

beforeAll(async () => {
  mailServer = await startMailServer()
  backend = await startEmbeddedBackend({ smtpUrl: mailServer.url, properties: { 'logs.disable': 'true' } })
  const headers = await backend.signIn(TEST_ADMIN.email, TEST_ADMIN.password)
  admin = { id: await idOf(TEST_ADMIN.email), headers }
  for (const role of ROLES) {
    const person = await backend.createPerson(role)
    people.set(role, { ...person, headers: await backend.signIn(person.email, person.password) })
  }
})

afterAll(async () => {
  await backend.stop()
  await mailServer.close()
})

async function query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: backend.databaseUrl })
  await client.connect()
  try {
    return (await client.query(text, values)).rows as Row[]
  } finally {
    await client.end()
  }
}

async function idOf(email: string): Promise<string> {
  const rows = await query<{ id: string }>(
    `select id from watchroom_identity.identities where traits ->> 'email' = $1`,
    [email],
  )
  return rows[0]?.id ?? ''
}

const as = (role: Role, path: string, call: BackendCall = {}): Promise<BackendAnswer> =>
  backend.call(path, { ...call, headers: { ...call.headers, ...people.get(role)?.headers } })
const asAdmin = (path: string, body?: unknown, method = 'POST'): Promise<BackendAnswer> =>
  backend.call(path, { method, headers: admin.headers, ...(body === undefined ? {} : { body }) })

async function personOf(id: string) {
  const identities = (await asAdmin('/db/identities', undefined, 'GET')).json() as unknown[]
  const roles = (await asAdmin('/db/people_roles', undefined, 'GET')).json() as unknown[]
  return toPeople(identities, roles).people.find((person) => person.id === id)
}

let invited = 0
async function invite(role: Role = 'responder'): Promise<{ id: string; email: string; link: string }> {
  const email = `invited-${++invited}@example.org`
  const answer = await asAdmin('/auth/invite_user', { firstName: 'Ina', lastName: 'Vited', email, role })
  expect(answer.status, answer.text).toBe(200)
  return { id: await idOf(email), email, link: (answer.json() as { link: string }).link }
}

/** Of the identity service. */
const pathOf = (link: string): string => new URL(link).pathname.replace('/api/kratos', '') + new URL(link).search

/** What a person does with an invitation. @returns where that leads, and the browser that is signed in now */
async function follow(link: string): Promise<{ browser: KratosBrowser; remarks: string[]; leadsTo: string }> {
  const browser = new KratosBrowser(backend)
  const page = String((await browser.navigate(pathOf(link))).headers['location'])
  const id = /^\/login\?flow=(.+)$/.exec(page)?.[1] ?? ''
  const flow = toFlow(await browser.call(`/self-service/login/flows?id=${id}`))
  const remarks = flow.ui.messages.map(({ text }) => text)
  const answer = await browser.submit('login', flow, { method: 'link' })
  const moved = answer.status === 422 ? (answer.json() as { redirect_browser_to: string }).redirect_browser_to : ''
  return { browser, remarks, leadsTo: moved }
}

const SPENT = 'The sign-in link is invalid or has already been used.'

describe('POST /auth/invite_user', () => {
  it('makes an account with the role, and mails the same one-time link that it answers', async () => {
    const { id, email, link } = await invite()
    await expect.poll(() => mailServer.mails.find(({ recipients }) => recipients[0] === email)?.text).toContain(link)
    expect(await personOf(id)).toMatchObject({ email, firstName: 'Ina', role: 'responder', state: 'invited' })
    const first = await follow(link)
    expect(first.remarks).toEqual([`You are invited as ${email}. Continue to sign in: the link works once.`])
    expect(first.leadsTo).toMatch(/^\/profile-settings\?flow=/)
    expect((await first.browser.session()).identity.traits).toMatchObject({ email })
    expect((await follow(link)).remarks).toEqual([SPENT])
  })

  it('mails a link that nobody uses up who only looks what it leads to', async () => {
    const { link } = await invite()
    for (let robots = 0; robots < 2; robots++) {
      const robot = new KratosBrowser(backend)
      await robot.navigate(pathOf(link))
      expect(robot.cookies.has('ory_kratos_session')).toBe(false)
    }
    const late = new KratosBrowser(backend)
    const page = String((await late.navigate(pathOf(link))).headers['location'])
    const id = page.replace('/login?flow=', '')
    const flow = toFlow(await late.call(`/self-service/login/flows?id=${id}`))
    expect((await follow(link)).leadsTo).toMatch(/^\/profile-settings/)
    const answer = await late.submit('login', flow, { method: 'link' })
    expect([answer.status, toFlow(answer).ui.messages.map(({ text }) => text)]).toEqual([400, [SPENT]])
    expect(late.cookies.has('ory_kratos_session')).toBe(false)
  })

  it('says that the address has an account, whatever its case', async () => {
    const { email } = await invite()
    const again = { firstName: 'A', lastName: 'B', email: email.toUpperCase(), role: 'viewer' }
    const answer = await asAdmin('/auth/invite_user', again)
    expect([answer.status, answer.json()]).toEqual([
      409,
      { error: 'User already exists', message: 'Error creating user' },
    ])
  })

  it.each([
    { email: 'nobody' },
    { email: 'a@b.org\r\nBcc: c@d.org' },
    { firstName: '' },
    { lastName: 'x\r\ny' },
    { role: 'emperor' },
  ])('refuses what is no person: %j', async (wrong) => {
    const body = { firstName: 'A', lastName: 'B', email: 'a@example.org', role: 'viewer', ...wrong }
    expect((await asAdmin('/auth/invite_user', body)).status).toBe(400)
  })

  it.each(['invitation', 'open'])('leads to a form for the account itself where registration is "%s"', async (mode) => {
    await setProperty(backend, 'identity.registration', mode)
    onTestFinished(() => setProperty(backend, 'identity.registration', 'off'))
    const { email, link } = await invite()
    const browser = new KratosBrowser(backend)
    const page = String((await browser.navigate(pathOf(link))).headers['location'])
    const id = /^\/registration\?flow=(.+)$/.exec(page)?.[1] ?? ''
    const flow = toFlow(await browser.call(`/self-service/registration/flows?id=${id}`))
    // Whose invitation it is cannot be changed by typing, and the form says so.
    const traits = { email: 'someone@else.example', name: { first: 'Ina', last: 'Vited' } }
    expect(flow.ui.nodes).toContainEqual(
      expect.objectContaining({
        attributes: expect.objectContaining({ name: 'traits.email', value: email, disabled: true }) as unknown,
        messages: [expect.objectContaining({ type: 'info', text: expect.stringContaining('invitation') as string })],
      }),
    )
    const chosen = toFlow(await browser.submit('registration', flow, { method: 'profile', traits }))
    expect(valueOf(chosen, 'traits.email')).toBe(email)
    const done = await browser.submit('registration', flow, {
      method: 'password',
      password: 'a sentence to remember',
      traits,
    })
    expect(done.status, done.text).toBe(200)
    expect((await browser.session()).identity.traits).toMatchObject({ email })
    expect(await personOf(await idOf(email))).toMatchObject({ role: 'responder', state: 'active' })

    // Whoever is signed in makes no other account: they are asked first whether they want to go on as someone else.
    const other = await invite()
    const asks = String((await browser.navigate(pathOf(other.link))).headers['location'])
    expect(asks).toMatch(/^\/login\?flow=/)
  })

  it('ends the former link when someone is invited again, and invites nobody who has a password', async () => {
    const { id, link } = await invite()
    const answer = await asAdmin(`/auth/${id}/invite`)
    expect(answer.status).toBe(200)
    expect((await follow(link)).remarks).toEqual([SPENT])
    const known = people.get('viewer')?.id ?? ''
    expect((await asAdmin(`/auth/${known}/invite`)).status).toBe(409)
  })
})

describe('too many mails that wait for the mail server', () => {
  it('refuse what would send one more, with words, whether an address is known or not', async () => {
    const known = people.get('viewer')?.email ?? ''
    const mark = 'wait@example.org'
    onTestFinished(() =>
      query('delete from watchroom_internal.mails where recipient = $1', [mark]).then(() => undefined),
    )
    await query(
      `insert into watchroom_internal.mails (recipient, template, data)
       select $1, 'recovery_code', '{"code":"1","minutes":1}' from generate_series(1, 5000)`,
      [mark],
    )
    const words = 'Too many mails wait for the mail server. Try again later.'
    const body = { firstName: 'Ina', lastName: 'Vited', email: 'late@example.org', role: 'viewer' }
    const invitation = await asAdmin('/auth/invite_user', body)
    expect([invitation.status, invitation.json()]).toEqual([503, { error: words }])
    expect(await idOf('late@example.org')).toBe('')
    for (const email of [known, 'nobody@example.org']) {
      const browser = new KratosBrowser(backend)
      const answer = await browser.submit('recovery', await browser.start('recovery'), { method: 'code', email })
      expect([answer.status, answer.headers['retry-after'], answer.json()]).toEqual([
        503,
        '60',
        { error: { code: 503, status: 'Service Unavailable', reason: words, message: words } },
      ])
    }
  })
})

describe('an invitation to a wrong address', () => {
  it('ends when the address is corrected, and goes to the right one', async () => {
    const { id, email, link } = await invite('editor')
    const right = `right-${email}`
    expect((await asAdmin('/people/update', { id, email: email.toUpperCase() })).status).toBe(200)
    expect((await asAdmin('/people/update', { id, email: right })).status).toBe(200)
    expect((await follow(link)).remarks).toEqual([SPENT])
    const mailsOf = (address: string) => mailServer.mails.filter(({ recipients }) => recipients[0] === address)
    await expect.poll(() => mailsOf(right)).toHaveLength(1)
    expect(mailsOf(email)).toHaveLength(1)
    const anew = /https?:\S+/.exec(mailsOf(right)[0]?.text ?? '')?.[0] ?? ''
    expect((await follow(anew)).leadsTo).toMatch(/^\/profile-settings/)
  })
})

describe('roles', () => {
  it('are exactly those that an administrator gives', async () => {
    const { id } = await invite('editor')
    const answer = await asAdmin(`/rbac/${id}/update_role`, { roles: ['viewer'] })
    expect([answer.status, answer.json()]).toEqual([200, { message: 'Role updated successfully' }])
    expect((await personOf(id))?.role).toBe('viewer')
    expect((await asAdmin(`/rbac/${id}/update_role`, { roles: ['emperor'] })).status).toBe(400)
    expect((await asAdmin(`/rbac/${crypto.randomUUID()}/update_role`, { roles: ['viewer'] })).status).toBe(404)
  })

  it('are listed with what they may', async () => {
    const policy = (await asAdmin('/rbac/dump', undefined, 'GET')).json()
    expect(policy).toContainEqual({ subject: 'viewer', object: 'incident', action: 'read' })
    expect(policy).not.toContainEqual({ subject: 'viewer', object: 'incident', action: 'update' })
    expect(policy).toContainEqual({ subject: 'editor', object: 'playbooks', action: 'run' })
  })
})

describe('POST /people/update', () => {
  it('changes name, address, role and state, and answers the traits', async () => {
    const { id } = await invite('viewer')
    const email = `renamed-${invited}@example.org`
    const body = { id, firstName: 'New', LASTNAME: 'Name', email, role: 'commander', active: false }
    const answer = await asAdmin('/people/update', body)
    expect([answer.status, answer.json()]).toEqual([200, { email, name: { first: 'New', last: 'Name' } }])
    expect(await personOf(id)).toMatchObject({ email, firstName: 'New', role: 'commander', state: 'inactive' })
    expect((await asAdmin('/people/update_state', { id, active: true })).status).toBe(200)
    expect((await personOf(id))?.state).toBe('invited')
  })

  it('confirms an address that someone said themselves, and keeps who did; a change of name or role does not', async () => {
    const { id, email, password } = await backend.createPerson('responder')
    const browser = new KratosBrowser(backend)
    await browser.signIn(email, password)
    const say = async (said: string): Promise<void> => {
      const traits = { email: said, name: { first: 'Sam', last: 'Said' } }
      const answer = await browser.submit('settings', await browser.start('settings'), { method: 'profile', traits })
      expect(answer.status, answer.text).toBe(200)
    }
    const isUnproved = async () => (await personOf(id))?.isAddressUnproved
    const confirm = (said: string) => asAdmin(`/people/${id}/confirm_address`, { email: said })
    expect(await isUnproved()).toBe(false)
    await say('said@example.org')
    expect(await isUnproved()).toBe(true)
    expect((await asAdmin('/people/update', { id, email: 'said@example.org', role: 'editor' })).status).toBe(200)
    expect(await isUnproved()).toBe(true)
    // Another one than was seen.
    expect((await confirm('boss@example.org')).status).toBe(409)
    expect((await confirm('Said@example.org')).status).toBe(200)
    expect(await isUnproved()).toBe(false)
    const row = await query('select metadata_public from identities where id = $1', [id])
    expect(row).toMatchObject([
      { metadata_public: { address_confirmed_by: admin.id, address_confirmed_at: expect.any(String) } },
    ])
    // Of this address alone.
    await say('other@example.org')
    expect(await isUnproved()).toBe(true)
    expect(await query('select metadata_public from identities where id = $1', [id])).toMatchObject([
      { metadata_public: { address_confirmed_by: null, address_confirmed_at: null } },
    ])
    expect((await asAdmin(`/people/${crypto.randomUUID()}/confirm_address`, { email })).status).toBe(404)
  })

  it('refuses an address that someone else has, and someone who does not exist', async () => {
    const { id } = await invite()
    expect((await asAdmin('/people/update', { id, email: TEST_ADMIN.email })).status).toBe(409)
    const unknown = crypto.randomUUID()
    const answer = await asAdmin('/people/update', { id: unknown, firstName: 'x' })
    expect([answer.status, answer.json()]).toEqual([404, { error: `person ${unknown} not found` }])
    expect((await asAdmin('/people/update', { id: 'nope' })).status).toBe(400)
  })
})

describe('DELETE /people/{id}', () => {
  it('ends account, roles and tokens, keeps the row for histories, and frees the address', async () => {
    const { id, email, password } = await backend.createPerson('editor')
    const headers = await backend.signIn(email, password)
    const made = await backend.call('/auth/tokens', {
      method: 'POST',
      headers,
      body: { name: 'ci', role: null, days: null },
    })
    const { access_token: token } = made.json() as { access_token: string }
    expect((await asAdmin(`/people/${id}`, undefined, 'DELETE')).status).toBe(204)
    expect((await backend.call('/properties', { headers })).status).toBe(401)
    expect((await backend.call('/properties', { headers: basic(token) })).status).toBe(401)
    expect(await query('select deleted_at is not null as gone from people where id = $1', [id])).toEqual([
      { gone: true },
    ])
    const again = await asAdmin('/auth/invite_user', { firstName: 'A', lastName: 'B', email, role: 'viewer' })
    expect(again.status).toBe(200)
    expect((await asAdmin(`/people/${id}`, undefined, 'DELETE')).status).toBe(404)
  })
})

describe('what nobody may', () => {
  it('lets administrators alone manage people', async () => {
    const victim = people.get('viewer')?.id ?? ''
    const calls: [string, string, unknown?][] = [
      ['POST', '/auth/invite_user', { firstName: 'A', lastName: 'B', email: 'x@example.org', role: 'admin' }],
      ['POST', `/auth/${victim}/invite`],
      ['POST', `/rbac/${victim}/update_role`, { roles: ['admin'] }],
      ['GET', '/rbac/dump'],
      ['POST', '/people/update', { id: victim, role: 'admin' }],
      ['POST', '/people/update_state', { id: victim, active: false }],
      ['POST', `/people/${victim}/confirm_address`, { email: 'viewer@test.local' }],
      ['DELETE', `/people/${victim}`],
      ['GET', `/auth/${victim}/sessions`],
      ['DELETE', `/auth/${victim}/sessions`],
      ['GET', '/mail/outbox'],
    ]
    for (const role of ROLES.filter((name) => name !== 'admin')) {
      for (const [method, path, body] of calls) {
        const answer = await as(role, path, { method, ...(body === undefined ? {} : { body }) })
        expect([role, method, path, answer.status]).toEqual([role, method, path, 403])
      }
    }
  })

  it('lets nobody raise, deactivate or delete themselves, by whatever path', async () => {
    const own = admin.id
    for (const [method, path, body] of [
      ['POST', `/rbac/${own}/update_role`, { roles: ['viewer'] }],
      ['POST', '/people/update', { id: own, role: 'viewer' }],
      ['POST', '/people/update', { id: own, active: false }],
      ['POST', '/people/update_state', { id: own, active: false }],
      ['POST', `/auth/${own}/update_state`, { state: 'inactive' }],
      ['DELETE', `/people/${own}`, undefined],
    ] as const) {
      expect([path, (await asAdmin(path, body, method)).status]).toEqual([path, 403])
    }
    expect((await asAdmin('/people/update', { id: own, firstName: 'Admin', role: 'admin', active: true })).status).toBe(
      200,
    )
  })

  it('never takes the last administrator away, also not by two who take each other', async () => {
    const others = await query<{ id: string }>(
      `select v0 as id from casbin_rule where ptype = 'g' and v1 = 'admin' and v0 <> $1`,
      [admin.id],
    )
    const take = (path: string, body: unknown) => backend.callAsService(path, { method: 'POST', body })
    for (const { id } of others) await take(`/rbac/${id}/update_role`, { roles: ['viewer'] })
    const answers = [
      await take(`/rbac/${admin.id}/update_role`, { roles: ['viewer'] }),
      await take('/people/update_state', { id: admin.id, active: false }),
      await backend.callAsService(`/people/${admin.id}`, { method: 'DELETE' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
    expect(answers[0]?.json()).toEqual({ error: 'The last administrator cannot be taken away.' })
    expect(await personOf(admin.id)).toMatchObject({ role: 'admin', state: 'active' })
    const second = others[0]?.id ?? ''
    await take(`/rbac/${second}/update_role`, { roles: ['admin'] })
    const both = await Promise.all([admin.id, second].map((id) => take('/people/update_state', { id, active: false })))
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    await take('/people/update_state', { id: admin.id, active: true })
    await take('/people/update_state', { id: second, active: true })
    admin.headers = await backend.signIn(TEST_ADMIN.email, TEST_ADMIN.password)
  })

  it('lets nobody say through the table who someone is', async () => {
    const victim = people.get('viewer')?.id ?? ''
    for (const change of [
      { name: 'Someone else' },
      { email: 'x@example.org' },
      { type: 'agent' },
      { deleted_at: 'now()' },
    ]) {
      const answer = await asAdmin(`/db/people?id=eq.${victim}`, change, 'PATCH')
      expect([change, answer.status]).toEqual([change, 400])
    }
    expect((await asAdmin(`/db/people?id=eq.${victim}`, undefined, 'DELETE')).status).toBe(400)
    expect((await asAdmin(`/db/people?id=eq.${victim}`, { title: 'On call' }, 'PATCH')).status).toBe(204)
    expect((await as('editor', `/db/people?id=eq.${victim}`, { method: 'PATCH', body: { title: 'x' } })).status).toBe(
      403,
    )
  })
})

const basic = (token: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`token:${token}`).toString('base64')}`,
})

async function makeToken(role: Role, body: object): Promise<BackendAnswer> {
  return as(role, '/auth/tokens', { method: 'POST', body: { role: null, days: null, ...body } })
}

describe('access tokens', () => {
  it('speak for their owner, are listed without the token, say when they were used, and end when revoked', async () => {
    const made = (await makeToken('editor', { name: 'deploy', days: 30 })).json() as {
      id: string
      access_token: string
    }
    const headers = basic(made.access_token)
    expect((await backend.call('/auth/whoami', { headers })).json()).toMatchObject({
      payload: { user: { id: people.get('editor')?.id }, roles: ['editor'] },
    })
    const [listed] = (await as('editor', '/auth/tokens')).json() as Record<string, unknown>[]
    expect(listed).toEqual({
      id: made.id,
      name: 'deploy',
      role: null,
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
      lastUsedAt: expect.any(String),
    })
    expect((await as('responder', `/auth/tokens/${made.id}`, { method: 'DELETE' })).status).toBe(404)
    expect((await as('editor', `/auth/tokens/${made.id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await backend.call('/properties', { headers })).status).toBe(401)
  })

  it('never do more than their owner, now or later', async () => {
    expect((await makeToken('responder', { name: 'too much', role: 'editor' })).status).toBe(403)
    const { id, email, password } = await backend.createPerson('editor')
    const owner = await backend.signIn(email, password)
    const post = async (name: string, role: Role | null) =>
      (
        (
          await backend.call('/auth/tokens', { method: 'POST', headers: owner, body: { name, role, days: 1 } })
        ).json() as { access_token: string }
      ).access_token
    const [full, less] = [await post('full', null), await post('less', 'viewer')]
    const write = (token: string) =>
      backend.call('/db/properties?name=eq.nothing', { method: 'DELETE', headers: basic(token) })
    expect((await write(full)).status).toBe(204)
    expect((await write(less)).status).toBe(403)
    await asAdmin(`/rbac/${id}/update_role`, { roles: ['viewer'] })
    expect((await write(full)).status).toBe(403)
    await asAdmin('/people/update_state', { id, active: false })
    expect((await write(full)).status).toBe(401)
  })

  it('end by their time', async () => {
    const made = (await makeToken('viewer', { name: 'short', days: 1 })).json() as { id: string; access_token: string }
    await query(`update access_tokens set expires_at = now() - interval '1 second' where id = $1`, [made.id])
    const { status, text } = await backend.call('/properties', { headers: basic(made.access_token) })
    expect({ status, text }).toEqual({ status: 401, text: 'access token has expired' })
  })

  it('make no tokens, have a name of their own, and cannot be counted without end', async () => {
    const made = (await makeToken('commander', { name: 'first' })).json() as { access_token: string }
    const byToken = await backend.call('/auth/tokens', {
      method: 'POST',
      headers: basic(made.access_token),
      body: { name: 'second', role: null, days: null },
    })
    expect(byToken.status).toBe(403)
    expect((await makeToken('commander', { name: 'first' })).status).toBe(409)
    expect((await makeToken('commander', { name: ' ' })).status).toBe(400)
    await query(
      `insert into access_tokens (name, value, person_id) select 'n' || n, 'v' || n, $1 from generate_series(1, 49) n`,
      [people.get('commander')?.id],
    )
    expect((await makeToken('commander', { name: 'one too many' })).status).toBe(409)
  })
})

describe('GET /properties', () => {
  it('lists local flags as such, which win over those of the database', async () => {
    await asAdmin('/db/properties', { name: 'logs.disable', value: 'false' })
    await asAdmin('/db/properties', { name: 'agents.disable', value: 'true' })
    const flags = (await as('viewer', '/properties')).json() as { name: string; value: string; source: string }[]
    expect(flags.filter(({ name }) => /^(logs|agents)\./.test(name))).toMatchObject([
      { name: 'logs.disable', value: 'true', source: 'local' },
      { name: 'agents.disable', value: 'true', source: 'db' },
    ])
  })
})
