import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { type Flow, FlowSchema, IdentityErrorSchema, SessionSchema, SignedInSchema } from '@watchroom/shared/identity'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { KratosBrowser, nodesOf, setProperty } from '#support/kratosBrowser.ts'

import {
  type BackendAnswer,
  type BackendCall,
  startEmbeddedBackend,
  TEST_ADMIN,
  type TestBackend,
  type TestPerson,
} from '../../../support/embeddedBackend.ts'

let backend: TestBackend
let person: TestPerson

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  person = await backend.createPerson('responder')
})

afterAll(() => backend.stop())

async function execute(text: string, values: unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: backend.databaseUrl })
  await client.connect()
  try {
    await client.query(text, values)
  } finally {
    await client.end()
  }
}

/** A browser: keeps cookies, and asks for JSON as the web client does unless told otherwise. */
class Browser {
  readonly cookies = new Map<string, string>()
  /** `set-cookie` lines of the last answer. */
  lastCookies: string[] = []

  async call(path: string, { headers, ...call }: BackendCall = {}): Promise<BackendAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await backend.call(path, { ...call, headers: { ...(cookie === '' ? {} : { cookie }), ...headers } })
    this.lastCookies = [answer.headers['set-cookie'] ?? []].flat()
    for (const line of this.lastCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/Max-Age=0/.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return answer
  }

  navigate(path: string, call: BackendCall = {}): Promise<BackendAnswer> {
    return this.call(path, { ...call, headers: { ...call.headers, accept: 'text/html,application/xhtml+xml' } })
  }

  async startLogin(query = ''): Promise<Flow> {
    return FlowSchema.parse((await this.call(`/kratos/self-service/login/browser${query}`)).json())
  }

  submit(flow: Flow, values: Record<string, string>): Promise<BackendAnswer> {
    return this.call(`/kratos/self-service/login?flow=${flow.id}`, {
      method: 'POST',
      body: { csrf_token: valueOf(flow, 'csrf_token'), method: 'password', ...values },
    })
  }

  async signIn(identifier = person.email, password = person.password): Promise<BackendAnswer> {
    return this.submit(await this.startLogin(), { identifier, password })
  }
}

function nodeOf(flow: Flow, name: string) {
  const node = flow.ui.nodes.find(({ attributes }) => 'name' in attributes && attributes.name === name)
  if (!node) throw new Error(`no node ${name}`)
  return node
}

function valueOf(flow: Flow, name: string): string {
  const { attributes } = nodeOf(flow, name)
  return 'value' in attributes ? String(attributes.value ?? '') : ''
}

const errorOf = (answer: BackendAnswer) => IdentityErrorSchema.parse(answer.json())

describe('a browser sign-in', () => {
  it('offers a form with an anti-forgery token, e-mail, password and a submit', async () => {
    const browser = new Browser()
    const flow = await browser.startLogin('?return_to=/health?labels=a')
    expect(flow.ui.nodes.map((node) => [node.group, 'name' in node.attributes && node.attributes.name])).toEqual([
      ['default', 'csrf_token'],
      ['default', 'identifier'],
      ['password', 'password'],
      ['password', 'method'],
    ])
    expect(flow.return_to).toBe('/health?labels=a')
    expect(Date.parse(flow.expires_at ?? '') - Date.now()).toBeGreaterThan(9 * 60_000)
    expect(browser.lastCookies.join()).toMatch(
      /^csrf_token_watchroom=[\w-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
    )
  })

  it('sets a session cookie that nothing but the server reads, for 336 hours', async () => {
    const browser = new Browser()
    const answer = await browser.signIn()
    expect(answer.status).toBe(200)
    expect(SignedInSchema.parse(answer.json()).session.identity).toMatchObject({
      id: person.id,
      traits: { email: person.email },
    })
    expect(browser.lastCookies.join()).toMatch(
      /^ory_kratos_device=[\w-]{43}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax,csrf_token_watchroom=[\w-]{43}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax,ory_kratos_session=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/,
    )
    const session = SessionSchema.parse((await browser.call('/kratos/sessions/whoami')).json())
    expect(session).toMatchObject({ active: true, authenticator_assurance_level: 'aal1', identity: { id: person.id } })
    expect((Date.parse(session.expires_at ?? '') - Date.now()) / 3_600_000).toBeCloseTo(336, 0)
  })

  it('marks cookies secure behind TLS', async () => {
    const browser = new Browser()
    await browser.call('/kratos/self-service/login/browser', { headers: { 'x-forwarded-proto': 'https' } })
    expect(browser.lastCookies.join()).toMatch(/; Secure$/)
  })

  it('stores neither the token nor the password', async () => {
    const browser = new Browser()
    await browser.signIn()
    const client = new Client({ connectionString: backend.databaseUrl })
    await client.connect()
    const { rows } = await client.query<{ text: string }>(
      `select coalesce(string_agg(sessions::text, ' '), '') || coalesce((select string_agg(identities::text, ' ') from watchroom_identity.identities), '') as text from watchroom_identity.sessions`,
    )
    await client.end()
    expect(rows[0]?.text).not.toContain(browser.cookies.get('ory_kratos_session'))
    expect(rows[0]?.text).not.toContain(person.password)
    expect(rows[0]?.text).toContain('$argon2id$')
  })

  it('replaces the session that the browser had', async () => {
    const browser = new Browser()
    await browser.signIn()
    const before = browser.cookies.get('ory_kratos_session') ?? ''
    const refresh = await browser.startLogin('?refresh=true')
    expect(refresh.refresh).toBe(true)
    await browser.submit(refresh, { identifier: person.email, password: person.password })
    expect(browser.cookies.get('ory_kratos_session')).not.toBe(before)
    const old = await backend.call('/kratos/sessions/whoami', { headers: { cookie: `ory_kratos_session=${before}` } })
    expect(old.status).toBe(401)
  })

  it('redirects a navigating browser to the form and back', async () => {
    const browser = new Browser()
    const start = await browser.navigate('/kratos/self-service/login/browser?return_to=/agents')
    expect(start.status).toBe(303)
    const id = /^\/login\?flow=([\w-]+)$/.exec(String(start.headers['location']))?.[1] ?? ''
    const flow = FlowSchema.parse((await browser.call(`/kratos/self-service/login/flows?id=${id}`)).json())
    const form = new URLSearchParams({
      csrf_token: valueOf(flow, 'csrf_token'),
      method: 'password',
      identifier: person.email,
      password: person.password,
    })
    const done = await browser.navigate(`/kratos/self-service/login?flow=${id}`, {
      method: 'POST',
      body: form.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([done.status, done.headers['location']]).toEqual([303, '/agents'])
    const again = await browser.navigate('/kratos/self-service/login/browser?return_to=/agents')
    expect([again.status, again.headers['location']]).toEqual([303, '/agents'])
  })
})

describe('a refused sign-in', () => {
  it('answers 400 with the form, its message, and what was typed except the password', async () => {
    const browser = new Browser()
    const answer = await browser.signIn(person.email, 'wrong')
    expect(answer.status).toBe(400)
    const flow = FlowSchema.parse(answer.json())
    expect(flow.ui.messages).toMatchObject([{ id: 4_000_006, type: 'error' }])
    expect(valueOf(flow, 'identifier')).toBe(person.email)
    expect(answer.text).not.toContain('wrong')
    // A reload shows the same form.
    const read = await browser.call(`/kratos/self-service/login/flows?id=${flow.id}`)
    expect(FlowSchema.parse(read.json()).ui.messages).toHaveLength(1)
  })

  it('says the same to an unknown e-mail address', async () => {
    const unknown = await new Browser().signIn('nobody@test.local', 'wrong')
    const known = await new Browser().signIn(person.email, 'wrong')
    const messagesOf = (answer: BackendAnswer) => FlowSchema.parse(answer.json()).ui.messages
    expect(unknown.status).toBe(known.status)
    expect(messagesOf(unknown)).toEqual(messagesOf(known))
  })

  it('names the fields that are missing', async () => {
    const browser = new Browser()
    const answer = await browser.submit(await browser.startLogin(), { identifier: '', password: '' })
    expect(answer.status).toBe(400)
    const flow = FlowSchema.parse(answer.json())
    expect(nodeOf(flow, 'identifier').messages).toMatchObject([
      { id: 4_000_002, text: 'Property identifier is missing.' },
    ])
    expect(nodeOf(flow, 'password').messages).toMatchObject([{ id: 4_000_002 }])
  })

  it('makes a guesser wait wherever they are, and lets in whose browser or address the account knows', async () => {
    const target = await backend.createPerson('viewer')
    const attempt = async (password: string, address: string, browser = new Browser()) => {
      const flow = await browser.startLogin()
      return browser.call(`/kratos/self-service/login?flow=${flow.id}`, {
        method: 'POST',
        headers: { 'x-forwarded-for': address },
        body: { csrf_token: valueOf(flow, 'csrf_token'), method: 'password', identifier: target.email, password },
      })
    }
    const own = new Browser()
    expect((await attempt(target.password, '198.51.100.1', own)).status).toBe(200)
    await own.call('/kratos/self-service/logout/api', {
      method: 'DELETE',
      body: { session_token: own.cookies.get('ory_kratos_session') },
    })
    for (let guess = 0; guess < 5; guess++) await attempt(`guess ${guess}`, `192.0.2.${guess}`)
    const refused = await attempt(target.password, '192.0.2.9')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(FlowSchema.parse(refused.json()).ui.messages[0]?.text).toMatch(
      /^Too many failed attempts\. Try again in \d+ seconds\.$/,
    )
    expect((await attempt(target.password, '192.0.2.9', own)).status).toBe(200)
    expect((await attempt(target.password, '198.51.100.1')).status).toBe(200)
  })

  it('tells a person whose account is switched off, once the password is right', async () => {
    const target = await backend.createPerson('viewer')
    await execute(`update watchroom_identity.identities set state = 'inactive' where id = $1`, [target.id])
    const answer = await new Browser().signIn(target.email, target.password)
    expect(FlowSchema.parse(answer.json()).ui.messages[0]?.text).toMatch(/switched off/)
    const wrong = await new Browser().signIn(target.email, 'wrong')
    expect(FlowSchema.parse(wrong.json()).ui.messages).toMatchObject([{ id: 4_000_006 }])
  })

  it('refuses a form without the right anti-forgery token', async () => {
    const browser = new Browser()
    const flow = await browser.startLogin()
    const values = { identifier: person.email, password: person.password }
    const answer = await browser.submit(flow, { ...values, csrf_token: 'made-up' })
    expect([answer.status, errorOf(answer).error.id]).toEqual([403, 'security_csrf_violation'])
  })

  it('refuses a form that was made in another browser', async () => {
    const flow = await new Browser().startLogin()
    const victim = new Browser()
    await victim.startLogin()
    const answer = await victim.submit(flow, { identifier: person.email, password: person.password })
    expect([answer.status, errorOf(answer).error.id]).toEqual([403, 'security_csrf_violation'])
    expect(victim.cookies.has('ory_kratos_session')).toBe(false)
  })

  it('answers 410 with a replacement when the form has expired', async () => {
    const browser = new Browser()
    const flow = await browser.startLogin('?return_to=/agents')
    await execute(`update watchroom_identity.flows set expires_at = now() - interval '1 minute' where id = $1`, [
      flow.id,
    ])
    const answer = await browser.submit(flow, { identifier: person.email, password: person.password })
    expect(answer.status).toBe(410)
    const error = errorOf(answer)
    expect(error.error.id).toBe('self_service_flow_expired')
    const next = await browser.call(`/kratos/self-service/login/flows?id=${error.use_flow_id}`)
    expect(FlowSchema.parse(next.json()).return_to).toBe('/agents')
    const navigated = await browser.navigate(`/kratos/self-service/login/flows?id=${flow.id}`)
    expect(String(navigated.headers['location'])).toMatch(/^\/login\?flow=/)
  })

  it('answers 404 to an unknown form and to one that was already used', async () => {
    const browser = new Browser()
    for (const id of ['nonsense', '', '00000000-0000-4000-8000-000000000000']) {
      expect((await browser.call(`/kratos/self-service/login/flows?id=${id}`)).status).toBe(404)
    }
    const flow = await browser.startLogin()
    await browser.submit(flow, { identifier: person.email, password: person.password })
    expect((await browser.submit(flow, { identifier: person.email, password: person.password })).status).toBe(404)
  })

  it('allows only paths of this site as return_to', async () => {
    for (const to of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/a\\b',
      'health',
      '/a%0ab',
      'javascript:1',
    ]) {
      const answer = await new Browser().call(
        `/kratos/self-service/login/browser?return_to=${to.startsWith('/a%') ? to : encodeURIComponent(to)}`,
      )
      expect([to, answer.status, errorOf(answer).error.id]).toEqual([to, 400, 'self_service_flow_return_to_forbidden'])
    }
  })

  it('says that a session is already there, unless a confirmation is asked for', async () => {
    const browser = new Browser()
    await browser.signIn()
    const answer = await browser.call('/kratos/self-service/login/browser')
    expect([answer.status, errorOf(answer).error.id]).toEqual([400, 'session_already_available'])
  })

  it('reads no body over 16 KiB and no broken JSON', async () => {
    const browser = new Browser()
    const flow = await browser.startLogin()
    const big = await browser.submit(flow, { identifier: person.email, password: 'x'.repeat(20_000) })
    expect(big.status).toBe(413)
    const broken = await browser.call(`/kratos/self-service/login?flow=${flow.id}`, {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json' },
    })
    expect(broken.status).toBe(400)
  })
})

describe('an api sign-in', () => {
  it('gives a token for the header, without cookies', async () => {
    const flow = FlowSchema.parse((await backend.call('/kratos/self-service/login/api')).json())
    expect(valueOf(flow, 'csrf_token')).toBe('')
    const answer = await backend.call(`/kratos/self-service/login?flow=${flow.id}`, {
      method: 'POST',
      body: { method: 'password', identifier: person.email, password: person.password },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers['set-cookie']).toBeUndefined()
    const token = SignedInSchema.parse(answer.json()).session_token ?? ''
    const headers = { 'x-session-token': token }
    expect((await backend.call('/kratos/sessions/whoami', { headers })).status).toBe(200)
    const out = await backend.call('/kratos/self-service/logout/api', {
      method: 'DELETE',
      body: { session_token: token },
    })
    expect(out.status).toBe(204)
    expect((await backend.call('/kratos/sessions/whoami', { headers })).status).toBe(401)
  })
})

describe('whoami', () => {
  it('answers 401 in the identity service’s shape without a session, and once it has expired', async () => {
    expect(errorOf(await backend.call('/kratos/sessions/whoami')).error).toMatchObject({
      code: 401,
      status: 'Unauthorized',
    })
    const browser = new Browser()
    await browser.signIn()
    await execute(
      `update watchroom_identity.sessions set expires_at = now() - interval '1 second' where identity_id = $1`,
      [person.id],
    )
    expect((await browser.call('/kratos/sessions/whoami')).status).toBe(401)
  })
})

describe('a logout', () => {
  it('ends the session and the cookie', async () => {
    const browser = new Browser()
    await browser.signIn()
    const token = browser.cookies.get('ory_kratos_session') ?? ''
    const { logout_token: logoutToken, logout_url: url } = (
      await browser.call('/kratos/self-service/logout/browser')
    ).json() as { logout_token: string; logout_url: string }
    expect(url).toBe(`/api/.ory/self-service/logout?token=${logoutToken}`)
    const answer = await browser.call(`/kratos/self-service/logout?token=${logoutToken}`)
    expect(answer.status).toBe(204)
    expect(browser.cookies.has('ory_kratos_session')).toBe(false)
    const after = await backend.call('/kratos/sessions/whoami', { headers: { cookie: `ory_kratos_session=${token}` } })
    expect(after.status).toBe(401)
  })

  it('cannot be forced by another page', async () => {
    const browser = new Browser()
    await browser.signIn()
    const answer = await browser.call('/kratos/self-service/logout?token=made-up')
    expect([answer.status, errorOf(answer).error.id]).toEqual([403, 'security_csrf_violation'])
    expect((await browser.call('/kratos/sessions/whoami')).status).toBe(200)
  })

  it('needs a session to start, and sends a navigating browser to the sign-in page', async () => {
    const browser = new Browser()
    const answer = await browser.call('/kratos/self-service/logout/browser')
    expect([answer.status, errorOf(answer).error.id]).toEqual([401, 'session_inactive'])
    const done = await browser.navigate('/kratos/self-service/logout?token=x')
    expect([done.status, done.headers['location']]).toEqual([303, '/login'])
  })
})

describe('the sign-in link of a start', () => {
  it('signs the administrator in once', async () => {
    const path = backend.ready.signInPath ?? ''
    const browser = new Browser()
    const answer = await browser.navigate(path)
    expect([answer.status, answer.headers['location']]).toEqual([303, '/'])
    const session = SessionSchema.parse((await browser.call('/kratos/sessions/whoami')).json())
    expect(session.identity.traits.email).toBe(TEST_ADMIN.email)
    expect(session.authentication_methods?.[0]?.method).toBe('link_recovery')

    const second = new Browser()
    const refused = await second.navigate(path)
    const id = /^\/login\?flow=(.+)$/.exec(String(refused.headers['location']))?.[1]
    const flow = FlowSchema.parse((await second.call(`/kratos/self-service/login/flows?id=${id}`)).json())
    expect(flow.ui.messages).toMatchObject([{ id: 4_060_004 }])
    expect(second.cookies.has('ory_kratos_session')).toBe(false)
  })

  it('is not accepted after 15 minutes', async () => {
    const { createHash } = await import('node:crypto')
    await execute(
      `insert into watchroom_identity.sign_in_links (token_hash, identity_id, expires_at) values ($1, $2, now() - interval '1 second')`,
      [createHash('sha256').update('old-token').digest(), person.id],
    )
    const answer = await new Browser().navigate('/kratos/self-service/recovery?token=old-token')
    expect(String(answer.headers['location'])).toMatch(/^\/login\?flow=/)
  })
})

describe('flows that are not offered', () => {
  it('answer 404 as JSON, and lead a navigating browser to the error page', async () => {
    for (const path of ['registration/api', 'methods/oidc/callback']) {
      expect((await backend.call(`/kratos/self-service/${path}`)).status).toBe(404)
    }
    const browser = new Browser()
    const answer = await browser.navigate('/kratos/self-service/registration/browser')
    const id = /^\/error\?id=(.+)$/.exec(String(answer.headers['location']))?.[1]
    const error = await browser.call(`/kratos/self-service/errors?id=${id}`)
    expect(error.json()).toMatchObject({ id, error: { code: 404, reason: expect.any(String) as string } })
    expect((await browser.call('/kratos/self-service/errors?id=nonsense')).status).toBe(404)
  })

  it.each([
    ['off', '', 404, /made by administrators here/],
    ['invitation', '', 403, /made by invitation here/],
    ['invitation', '?invitation=used', 403, /already been used/],
  ])(
    'are a form that says why it is empty for a page, which had to ask (%s%s)',
    async (mode, query, status, reason) => {
      await setProperty(backend, 'identity.registration', mode)
      onTestFinished(() => setProperty(backend, 'identity.registration', 'off'))
      const browser = new KratosBrowser(backend)
      const flow = await browser.start('registration', query)
      expect(nodesOf(flow)).toEqual(['default csrf_token [hidden]'])
      expect(flow.ui.messages).toMatchObject([{ type: 'info', text: expect.stringMatching(reason) as string }])
      const traits = { email: 'stranger@example.org', name: { first: 'Stran', last: 'Ger' } }
      const sent = await browser.submit('registration', flow, {
        method: 'password',
        password: 'a fine sentence',
        traits,
      })
      expect(sent.status).toBe(status)
    },
  )
})

describe('the first start', () => {
  it('keeps a password that was given out of the first-admin file, which only this user may read', () => {
    const file = join(backend.dataDirectory, 'first-admin')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ email: TEST_ADMIN.email })
    expect(backend.ready.firstAdmin).toEqual({ email: TEST_ADMIN.email })
  })
})
