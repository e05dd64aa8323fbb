import { CLOSE_CODES } from '@watchroom/shared/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

import { CookieBrowser } from '#support/cookieBrowser.ts'
import { startEmptyTestDatabase, type TestDatabase } from '#support/database.ts'
import { eventually } from '#support/eventually.ts'
import type { FakeBackend } from '#support/fakeBackend.ts'
import {
  type HostedGateway,
  type HostedGatewayOptions,
  personId,
  startHostedBackend,
  startHostedGateway,
} from '#support/hostedGateway.ts'
import { buildSummary } from '#support/liveGateway.ts'
import { CLIENT_ID, type OidcProvider, startOidcProvider } from '#support/oidcProvider.ts'
import { openRawLive, type RawLive, settled } from '#support/rawLive.ts'

const SUMMARY = 'GET /canary/api/summary'
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

let provider: OidcProvider
let database: TestDatabase

beforeAll(async () => {
  database = await startEmptyTestDatabase()
  provider = await startOidcProvider()
})
afterAll(async () => {
  await provider.stop()
  const { rows } = await database.pool.query<{ datname: string }>(
    `select datname from pg_database where datname ~ '^watchroom_[0-9a-f]{24}$'`,
  )
  for (const { datname } of rows) await database.pool.query(`drop database ${datname} with (force)`)
  await database.stop()
})
beforeEach(() => {
  provider.people.clear()
  provider.people.set('ada', { email: 'ada@example.test', name: 'Ada', organizations: ['acme', 'globex'] })
  provider.people.set('bob', { email: 'bob@example.test', name: 'Bob', organizations: ['globex'] })
  provider.tokenLifeS = 3_600
})

async function openBackend(name: string): Promise<FakeBackend> {
  const backend = await startHostedBackend(name)
  onTestFinished(() => backend.stop())
  backend.json(SUMMARY, { checks_summary: [...buildSummary(1, () => ({ id: personId(name) }))] })
  return backend
}

async function openHosted(options: Partial<HostedGatewayOptions> = {}): Promise<HostedGateway> {
  const gateway = await startHostedGateway({ provider, databaseUrl: database.databaseUrl, ...options })
  onTestFinished(() => gateway.stop())
  provider.serve(gateway.url)
  return gateway
}

/** One organization, one backend. */
async function openOne(options: Partial<HostedGatewayOptions> = {}) {
  const backend = await openBackend('one')
  return { backend, hosted: await openHosted({ ...options, env: { BACKEND_URL: backend.url, ...options.env } }) }
}

/** Acme and Globex. */
async function openTwo(options: Partial<HostedGatewayOptions> = {}) {
  const [acme, globex] = await Promise.all([openBackend('acme'), openBackend('globex')])
  const organizations = [
    { id: 'acme', name: 'Acme', backendUrl: acme.url },
    { id: 'globex', name: 'Globex', backendUrl: globex.url },
  ]
  const hosted = await openHosted({
    ...options,
    env: {
      WATCHROOM_OIDC_ORGANIZATIONS_CLAIM: 'organizations',
      WATCHROOM_ORGANIZATIONS: JSON.stringify(organizations),
      ...options.env,
    },
  })
  return { acme, globex, hosted }
}

const choose = (hosted: HostedGateway, browser: CookieBrowser, id: string) =>
  hosted.ask(browser, '/gateway/hosted/organization', { method: 'POST', body: JSON.stringify({ id }) })

const whoAmI = (hosted: HostedGateway, browser: CookieBrowser) => hosted.ask(browser, '/api/auth/whoami')

function openLive(hosted: HostedGateway, browser: CookieBrowser): RawLive {
  const live = openRawLive(hosted.url, hosted.headers(browser))
  onTestFinished(() => live.close())
  return live
}

/** A form as the provider posts it. */
const logOutBehind = (hosted: HostedGateway, token: string): Promise<Response> =>
  fetch(`${hosted.url}/gateway/hosted/back-channel-logout`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: token }).toString(),
  })

const now = (): number => Math.floor(Date.now() / 1_000)

describe('signing in', () => {
  it('sends people to the provider with PKCE, state and nonce, and lets them in when they come back', async () => {
    const { backend, hosted } = await openOne()
    const browser = new CookieBrowser()
    const sent = await browser.visit(`${hosted.url}/gateway/hosted/sign-in?return_to=/health`)
    const asked = new URL(sent.location ?? '').searchParams
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      client_id: CLIENT_ID,
      code_challenge_method: 'S256',
      redirect_uri: `${hosted.url}/gateway/hosted/callback`,
    })
    expect(
      [asked.get('state'), asked.get('nonce'), asked.get('code_challenge')].every((one) => one && one.length >= 43),
    ).toBe(true)

    await hosted.signIn('ada', browser)
    expect(await whoAmI(hosted, browser)).toMatchObject({
      status: 200,
      body: { payload: { user: { id: personId('ada'), name: 'Ada' } } },
    })
    expect(await hosted.ask(browser, '/api/.ory/sessions/whoami')).toMatchObject({
      status: 200,
      body: { active: true, identity: { traits: { email: 'ada@example.test' } } },
    })
    expect(backend.received('GET /auth/whoami').every(({ headers }) => headers.cookie === undefined)).toBe(true)
  })

  it('keeps every token out of the browser', async () => {
    const { backend, hosted } = await openOne()
    const browser = await hosted.signIn('ada')
    await whoAmI(hosted, browser)
    const bearer = backend.received('GET /auth/whoami').at(-1)?.headers.authorization?.slice('Bearer '.length) ?? ''
    expect(bearer.split('.')).toHaveLength(3)
    expect(browser.header(hosted.url)).not.toContain(bearer)
    const { rows } = await database.pool.query('select * from watchroom.hosted_session')
    expect(JSON.stringify(rows)).not.toContain(bearer)
    expect(JSON.stringify(rows)).not.toContain(browser.cookies(hosted.url).get('watchroom_session') ?? 'none')
  })

  it('leads a page without a session to the provider, and to nobody else', async () => {
    const { hosted } = await openOne()
    const nobody = new CookieBrowser()
    expect((await whoAmI(hosted, nobody)).status).toBe(401)
    expect((await hosted.ask(nobody, '/api/.ory/sessions/whoami')).status).toBe(401)
    expect(await hosted.ask(nobody, '/api/.ory/self-service/login/browser?return_to=%2Fhealth')).toMatchObject({
      status: 422,
      body: {
        error: { id: 'browser_location_change_required' },
        redirect_browser_to: '/gateway/hosted/sign-in?return_to=%2Fhealth',
      },
    })
    // There is no password to guess here.
    expect(
      (await hosted.ask(nobody, '/api/.ory/self-service/login?flow=x', { method: 'POST', body: '{}' })).status,
    ).toBe(404)
    expect(
      (await hosted.ask(nobody, '/api/kratos/self-service/login?flow=x', { method: 'POST', body: '{}' })).status,
    ).toBe(404)
  })

  it.each([
    '//evil.test',
    'https://evil.test/',
    '/\\evil.test',
    '/\t/evil.test',
    'javascript:alert(1)',
    '%2F%2Fevil.test',
  ])('never sends anyone to %s', async (target) => {
    const { hosted } = await openOne()
    const browser = new CookieBrowser()
    provider.signsIn = 'ada'
    const start = `${hosted.url}/gateway/hosted/sign-in?return_to=${encodeURIComponent(target)}`
    const visit = await browser.follow(
      start,
      (next) => !next.startsWith(provider.issuer) && !next.includes('/gateway/hosted/'),
    )
    expect(new URL(visit.location ?? '').origin).toBe(hosted.url)
    expect(new URL(visit.location ?? '').pathname).toBe('/')
  })

  it.each([
    'another state',
    'no cookie',
    'a cookie with another nonce',
    'a cookie with another verifier',
    'another issuer',
    'a code of someone else',
  ])('refuses an answer with %s', async (fault) => {
    const { hosted } = await openOne()
    const browser = new CookieBrowser()
    provider.signsIn = 'ada'
    const isBack = (next: string): boolean => next.startsWith(`${hosted.url}/gateway/hosted/callback`)
    const back = new URL((await browser.follow(`${hosted.url}/gateway/hosted/sign-in`, isBack)).location ?? '')
    const jar = browser.cookies(hosted.url)
    const [name, value] = [...jar][0] ?? ['', '']
    const parts = value.split('.')
    const swap = (at: number): unknown =>
      jar.set(name, parts.map((part, index) => (index === at ? `${part.slice(0, -4)}AAAA` : part)).join('.'))
    if (fault === 'another state') back.searchParams.set('state', `${back.searchParams.get('state')?.slice(0, -1)}_`)
    else if (fault === 'no cookie') jar.clear()
    else if (fault === 'a cookie with another nonce') swap(1)
    else if (fault === 'a cookie with another verifier') swap(2)
    else if (fault === 'another issuer') back.searchParams.set('iss', 'https://evil.test')
    else {
      const other = new CookieBrowser()
      provider.signsIn = 'bob'
      const others = new URL((await other.follow(`${hosted.url}/gateway/hosted/sign-in`, isBack)).location ?? '')
      back.searchParams.set('code', others.searchParams.get('code') ?? '')
    }
    const visit = await browser.visit(back.href)
    expect(visit.location).toBe(`${hosted.url}/error?error_code=HOSTED_SIGN_IN_REFUSED`)
    expect(jar.has('watchroom_session')).toBe(false)
  })

  it('takes an answer once', async () => {
    const { hosted } = await openOne()
    const browser = new CookieBrowser()
    provider.signsIn = 'ada'
    const isBack = (next: string): boolean => next.startsWith(`${hosted.url}/gateway/hosted/callback`)
    const back = (await browser.follow(`${hosted.url}/gateway/hosted/sign-in`, isBack)).location ?? ''
    const attempt = [...browser.cookies(hosted.url)]
    expect((await browser.visit(back)).location).toBe(`${hosted.url}/`)
    const thief = new CookieBrowser()
    for (const [name, value] of attempt) thief.cookies(hosted.url).set(name, value)
    expect((await thief.visit(back)).location).toContain('/error?')
  })

  it('gives a new session to whoever comes with one, and ends the former', async () => {
    const { hosted } = await openOne()
    const browser = await hosted.signIn('ada')
    const planted = new CookieBrowser()
    const secret = browser.cookies(hosted.url).get('watchroom_session') ?? ''
    planted.cookies(hosted.url).set('watchroom_session', secret)
    await hosted.signIn('bob', planted)
    expect(planted.cookies(hosted.url).get('watchroom_session')).not.toBe(secret)
    await eventually(async () => expect((await whoAmI(hosted, browser)).status).toBe(401))
    expect(await whoAmI(hosted, planted)).toMatchObject({ body: { payload: { user: { id: personId('bob') } } } })
  })

  it('says on a page of its own that the provider refused, or is away', async () => {
    const { hosted } = await openOne()
    const browser = new CookieBrowser()
    provider.signsIn = null
    const refused = await browser.follow(`${hosted.url}/gateway/hosted/sign-in`, (next) => next.includes('/error?'))
    expect(refused.location).toBe(`${hosted.url}/error?error_code=HOSTED_SIGN_IN_REFUSED`)

    const away = await openOne({ env: { WATCHROOM_OIDC_ISSUER: 'http://127.0.0.1:9' } })
    const visit = await browser.visit(`${away.hosted.url}/gateway/hosted/sign-in`)
    expect(visit.location).toBe(`${away.hosted.url}/error?error_code=HOSTED_PROVIDER_UNAVAILABLE`)
  })

  it('is a public client where no secret is set', async () => {
    const { hosted } = await openOne({ env: { WATCHROOM_OIDC_CLIENT_SECRET: '' } })
    provider.serve(hosted.url, { isPublicClient: true })
    expect((await whoAmI(hosted, await hosted.signIn('ada'))).status).toBe(200)
  })

  it('trusts the keys that the provider shows now', async () => {
    const { hosted } = await openOne()
    await hosted.signIn('ada')
    await provider.rotateKeys()
    provider.serve(hosted.url)
    // Between two looks at the keys.
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect((await whoAmI(hosted, await hosted.signIn('bob'))).status).toBe(200)
  })
})

describe('a session', () => {
  it('is nothing but its whole cookie', async () => {
    const { hosted } = await openOne()
    const browser = await hosted.signIn('ada')
    const jar = browser.cookies(hosted.url)
    const secret = jar.get('watchroom_session') ?? ''
    const tries = [
      `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`,
      '',
      `${secret}; watchroom_session=x`,
      `x; watchroom_session=${secret}`,
    ]
    for (const value of tries) {
      jar.set('watchroom_session', value)
      expect((await whoAmI(hosted, browser)).status, value).toBe(401)
    }
    jar.set('watchroom_session', secret)
    expect((await whoAmI(hosted, browser)).status).toBe(200)
  })

  it('is not carried by headers in which the gateway carries it inside', async () => {
    const { backend, hosted } = await openOne()
    const browser = await hosted.signIn('ada')
    await whoAmI(hosted, browser)
    const bearer = backend.received('GET /auth/whoami').at(-1)?.headers.authorization ?? ''
    for (const headers of [
      { authorization: bearer },
      { 'x-session-token': bearer.slice('Bearer '.length) },
      { cookie: 'ory_kratos_session=made-up' },
      { cookie: '__Host-watchroom_session=made-up' },
    ] as Record<string, string>[]) {
      expect((await fetch(`${hosted.url}/api/auth/whoami`, { headers })).status).toBe(401)
    }
  })

  it('leaves a webhook the credential that it brings', async () => {
    const { backend, hosted } = await openOne()
    const authorization = 'Bearer signed-elsewhere'
    const called = await fetch(`${hosted.url}/api/playbook/webhook/deploy`, {
      method: 'POST',
      headers: { authorization },
    })
    expect(called.status).toBe(200)
    expect(backend.received('POST /playbook/webhook/deploy')[0]?.headers.authorization).toBe(authorization)
  })

  it('lets no page of another site change anything', async () => {
    const { hosted } = await openOne()
    const browser = await hosted.signIn('ada')
    const foreign = { origin: 'https://evil.test' }
    for (const path of ['/gateway/hosted/sign-out', '/gateway/hosted/organization', '/api/db/canaries']) {
      expect((await hosted.ask(browser, path, { method: 'POST', body: '{}', headers: foreign })).status, path).toBe(403)
    }
    expect((await whoAmI(hosted, browser)).status).toBe(200)
    const live = openRawLive(hosted.url, { ...hosted.headers(browser), ...foreign })
    onTestFinished(() => live.close())
    await eventually(() => expect(live.endedAt()).not.toBeNull())
  })

  it('is refreshed before its token ends, once however many ask', async () => {
    const { backend, hosted } = await openOne()
    provider.tokenLifeS = 31
    const browser = await hosted.signIn('ada')
    await whoAmI(hosted, browser)
    const first = backend.received('GET /auth/whoami').at(-1)?.headers.authorization
    const before = provider.refreshes()
    provider.tokenLifeS = 3_600
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    const answers = await Promise.all(Array.from({ length: 20 }, () => whoAmI(hosted, browser)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(provider.refreshes() - before).toBe(1)
    expect(backend.received('GET /auth/whoami').at(-1)?.headers.authorization).not.toBe(first)
  })

  it('is one for all gateways, which refresh it once', async () => {
    const { backend, hosted } = await openOne()
    const other = await startHostedGateway({
      provider,
      databaseUrl: database.databaseUrl,
      env: { BACKEND_URL: backend.url },
    })
    onTestFinished(() => other.stop())
    provider.tokenLifeS = 29
    const browser = await hosted.signIn('ada')
    provider.tokenLifeS = 3_600
    const secret = browser.cookies(hosted.url).get('watchroom_session') ?? ''
    browser.cookies(other.url).set('watchroom_session', secret)
    const before = provider.refreshes()
    const answers = await Promise.all([hosted, other, hosted, other].map((one) => whoAmI(one, browser)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(provider.refreshes() - before).toBe(1)

    const live = openLive(other, browser)
    await settled(live.subscribe('checks', {}))
    await hosted.ask(browser, '/gateway/hosted/sign-out', { method: 'POST', body: '{}' })
    await eventually(() => expect(live.endedAt()).not.toBeNull())
    expect(live.received()).toContain(String(CLOSE_CODES.loginNeeded.code))
  })

  it('ends when nobody used it for as long as the operator says, and not while someone does', async () => {
    const { hosted } = await openOne({ env: { WATCHROOM_SESSION_IDLE: '5m' } })
    provider.people.set('idle', { email: 'idle@example.test', name: 'Idle' })
    const browser = await hosted.signIn('idle')
    const unusedFor = (time: string) =>
      database.pool.query(
        `update watchroom.hosted_session set used_at = now() - $1::interval where subject = 'idle' returning used_at`,
        [time],
      )
    await unusedFor('4 minutes')
    // The row is read once a second, and the use noted with it.
    await eventually(async () => {
      expect((await whoAmI(hosted, browser)).status).toBe(200)
      const { rows } = await database.pool.query<{ isFresh: boolean }>(
        `select used_at > now() - interval '1 minute' as "isFresh" from watchroom.hosted_session where subject = 'idle'`,
      )
      expect(rows).toEqual([{ isFresh: true }])
    })
    await unusedFor('6 minutes')
    await eventually(async () => expect((await whoAmI(hosted, browser)).status).toBe(401))
    // What has ended is used no more.
    expect((await unusedFor('6 minutes')).rowCount).toBe(1)
    expect((await whoAmI(hosted, browser)).status).toBe(401)
  })

  it('ends when the provider refuses to go on with it', async () => {
    const { hosted } = await openOne()
    provider.tokenLifeS = 29
    const browser = await hosted.signIn('ada')
    provider.people.delete('ada')
    await eventually(async () => expect((await whoAmI(hosted, browser)).status).toBe(401))
  })

  it('outlasts a provider that is away, as long as its token holds', async () => {
    const { hosted } = await openOne()
    provider.tokenLifeS = 20
    const browser = await hosted.signIn('ada')
    provider.pause()
    onTestFinished(() => provider.resume())
    expect((await whoAmI(hosted, browser)).status).toBe(200)
  })
})

describe('signing out', () => {
  it('ends the session here, closes its sockets, and ends the provider’s own', async () => {
    const { hosted } = await openOne()
    const browser = await hosted.signIn('ada')
    const thief = new CookieBrowser()
    for (const [name, value] of browser.cookies(hosted.url)) thief.cookies(hosted.url).set(name, value)
    const live = openLive(hosted, browser)
    const checks = live.subscribe('checks', {})
    await settled(checks)
    expect(checks.state()).toBe('open')
    const answer = await hosted.ask(browser, '/gateway/hosted/sign-out', {
      method: 'POST',
      body: JSON.stringify({ return_to: '/health?checkId=1' }),
    })
    const location = new URL((answer.body as { location: string }).location)
    expect(location.origin).toBe(provider.issuer)
    expect(location.searchParams.get('post_logout_redirect_uri')).toBe(`${hosted.url}/gateway/hosted/signed-out`)
    await eventually(() => expect(live.endedAt()).not.toBeNull())
    expect((await whoAmI(hosted, thief)).status).toBe(401)
    expect(browser.cookies(hosted.url).has('watchroom_session')).toBe(false)

    // The provider asks again, and sends back.
    const form = await browser.visit(location.href)
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(form.text)?.[1] ?? ''
    const done = await browser.visit(`${provider.issuer}/session/end/confirm`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ xsrf, logout: 'yes' }).toString(),
    })
    const back = await browser.visit(done.location ?? '')
    expect(back.location).toBe(`${hosted.url}/login?return_to=%2Fhealth%3FcheckId%3D1`)
  })

  it('never leads from the provider to another site', async () => {
    const { hosted } = await openOne()
    const visit = await new CookieBrowser().visit(`${hosted.url}/gateway/hosted/signed-out?state=//evil.test`)
    expect(visit.location).toBe(`${hosted.url}/login?return_to=%2F`)
  })

  it('follows the provider’s word behind the scenes, and closes sockets', async () => {
    const { hosted } = await openOne()
    const [ada, bob] = [await hosted.signIn('ada'), await hosted.signIn('bob')]
    const live = openLive(hosted, ada)
    await settled(live.subscribe('checks', {}))
    const claims = {
      iss: provider.issuer,
      aud: CLIENT_ID,
      iat: now(),
      exp: now() + 60,
      jti: crypto.randomUUID(),
      sub: 'ada',
      events: { [EVENT]: {} },
    }
    const token = await provider.sign(claims)
    expect((await logOutBehind(hosted, token)).status).toBe(200)
    await eventually(() => expect(live.endedAt()).not.toBeNull())
    await eventually(async () => expect((await whoAmI(hosted, ada)).status).toBe(401))
    expect((await whoAmI(hosted, bob)).status).toBe(200)
    expect((await logOutBehind(hosted, token)).status).toBe(400)
  })

  it('hears that word from the provider itself when someone signs out elsewhere', async () => {
    const { hosted } = await openOne()
    const browser = await hosted.signIn('ada')
    const elsewhere = await browser.visit(`${provider.issuer}/session/end`)
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(elsewhere.text)?.[1] ?? ''
    await browser.visit(`${provider.issuer}/session/end/confirm`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ xsrf, logout: 'yes' }).toString(),
    })
    await eventually(async () => expect((await whoAmI(hosted, browser)).status).toBe(401))
  })

  it('takes no such word from anyone else', async () => {
    const { hosted } = await openOne()
    const browser = await hosted.signIn('ada')
    const right = {
      iss: provider.issuer,
      aud: CLIENT_ID,
      iat: now(),
      exp: now() + 60,
      sub: 'ada',
      events: { [EVENT]: {} },
    }
    const tokens = await Promise.all([
      provider.sign({ ...right, jti: '1' }, { isForeignKey: true }),
      provider.sign({ ...right, jti: '2', iss: 'https://evil.test' }),
      provider.sign({ ...right, jti: '3', aud: 'another' }),
      provider.sign({ ...right, jti: '4', exp: now() - 60 }),
      provider.sign({ ...right, jti: '5', nonce: 'of an ID token' }),
      provider.sign({ ...right, jti: '6', events: {} }),
      provider.sign({ ...right, jti: '7', sub: undefined }),
      Promise.resolve(
        `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(right)).toString('base64url')}.`,
      ),
      Promise.resolve('nonsense'),
    ])
    for (const token of tokens) expect((await logOutBehind(hosted, token)).status, token).toBe(400)
    expect((await whoAmI(hosted, browser)).status).toBe(200)
  })

  it('follows the provider’s page in a frame, for the session that it names', async () => {
    const { hosted } = await openOne()
    const browser = await hosted.signIn('ada')
    const { rows } = await database.pool.query<{ sid: string }>(
      `select provider_session as sid from watchroom.hosted_session where subject = 'ada' order by used_at desc limit 1`,
    )
    const frame = (search: Record<string, string>): Promise<Response> =>
      fetch(`${hosted.url}/gateway/hosted/front-channel-logout?${new URLSearchParams(search).toString()}`)
    const sid = rows[0]?.sid ?? ''
    expect(sid).not.toBe('')
    expect((await frame({ iss: 'https://evil.test', sid })).status).toBe(400)
    expect((await frame({ iss: provider.issuer })).status).toBe(400)
    expect((await frame({ iss: provider.issuer, sid: '\0' })).status).toBe(400)
    expect((await frame({ iss: provider.issuer, sid: 'another' })).status).toBe(200)
    expect((await whoAmI(hosted, browser)).status).toBe(200)
    expect((await frame({ iss: provider.issuer, sid })).status).toBe(200)
    await eventually(async () => expect((await whoAmI(hosted, browser)).status).toBe(401))
  })
})

describe('several organizations', () => {
  it('asks who belongs to several which one it shall be, and takes whoever belongs to one there', async () => {
    const { acme, globex, hosted } = await openTwo()
    const ada = await hosted.signIn('ada').catch((error: unknown) => error)
    expect(ada).toBeInstanceOf(CookieBrowser)
    const browser = ada as CookieBrowser
    expect((await whoAmI(hosted, browser)).status).toBe(401)
    expect(await hosted.ask(browser, '/api/.ory/sessions/whoami')).toMatchObject({
      status: 422,
      body: { redirect_browser_to: '/organizations' },
    })
    expect(await hosted.ask(browser, '/gateway/hosted/organizations')).toEqual({
      status: 200,
      body: {
        organizations: [
          { id: 'acme', name: 'Acme', isChosen: false, isReady: true },
          { id: 'globex', name: 'Globex', isChosen: false, isReady: true },
        ],
      },
    })
    expect((await choose(hosted, browser, 'acme')).status).toBe(204)
    expect((await whoAmI(hosted, browser)).status).toBe(200)
    expect(acme.received('GET /auth/whoami').length).toBeGreaterThan(0)
    expect(globex.requests).toEqual([])

    const bob = await hosted.signIn('bob')
    expect((await whoAmI(hosted, bob)).status).toBe(200)
    expect(globex.received('GET /auth/whoami').length).toBeGreaterThan(0)
  })

  it('shows each the rows of its own backend, on the API and live, at the same moment', async () => {
    const { hosted } = await openTwo()
    const [ada, bob] = [await hosted.signIn('ada'), await hosted.signIn('bob')]
    await choose(hosted, ada, 'acme')
    const [ofAda, ofBob] = await Promise.all([ada, bob].map((one) => hosted.ask(one, '/api/db/people?select=id,name')))
    expect(ofAda?.body).toEqual([{ id: personId('acme'), name: 'acme' }])
    expect(ofBob?.body).toEqual([{ id: personId('globex'), name: 'globex' }])

    const [liveAda, liveBob] = [openLive(hosted, ada), openLive(hosted, bob)]
    const [rowsAda, rowsBob] = [liveAda.subscribe('checks', {}), liveBob.subscribe('checks', {})]
    await eventually(() => expect([rowsAda.ids(), rowsBob.ids()]).toEqual([[personId('acme')], [personId('globex')]]))
    expect(liveAda.received()).not.toContain(personId('globex'))
    expect(liveBob.received()).not.toContain(personId('acme'))
  })

  it('keeps documents of the same name in databases of their own', async () => {
    const { hosted } = await openTwo()
    const [ada, bob] = [await hosted.signIn('ada'), await hosted.signIn('bob')]
    await choose(hosted, ada, 'acme')
    await Promise.all([whoAmI(hosted, ada), whoAmI(hosted, bob)])
    await eventually(async () => {
      const { rowCount } = await database.pool.query(
        `select from pg_database where datname ~ '^watchroom_[0-9a-f]{24}$'`,
      )
      expect(rowCount).toBe(2)
    })
  })

  it('ends what runs under the former organization when someone switches', async () => {
    const { acme, hosted } = await openTwo()
    const ada = await hosted.signIn('ada')
    await choose(hosted, ada, 'acme')
    const former = new CookieBrowser()
    for (const [name, value] of ada.cookies(hosted.url)) former.cookies(hosted.url).set(name, value)
    const live = openLive(hosted, ada)
    await eventually(() => expect(live.subscribe('checks', {}).state()).toBe('waiting'))
    await choose(hosted, ada, 'globex')
    await eventually(() => expect(live.endedAt()).not.toBeNull())
    expect((await whoAmI(hosted, former)).status).toBe(401)
    // What looks at everything of a backend goes on for a while.
    const before = acme.received('GET /db/people').length
    expect((await hosted.ask(ada, '/api/db/people?select=id')).body).toEqual([
      { id: personId('globex'), name: 'globex' },
    ])
    expect(acme.received('GET /db/people')).toHaveLength(before)
  })

  it('answers a page of the former organization with nothing of the new one', async () => {
    const { hosted } = await openTwo()
    const ada = await hosted.signIn('ada')
    await choose(hosted, ada, 'acme')
    const tag = ada.cookies(hosted.url).get('watchroom_organization') ?? ''
    expect(tag).toMatch(/^[0-9a-f]{16}$/)
    const headers = { 'x-watchroom-organization': tag }
    expect((await hosted.ask(ada, '/api/auth/whoami', { headers })).status).toBe(200)
    await choose(hosted, ada, 'globex')
    expect(await hosted.ask(ada, '/api/auth/whoami', { headers })).toMatchObject({
      status: 401,
      body: { code: 'HOSTED_OTHER_ORGANIZATION' },
    })
    expect(await hosted.ask(ada, '/api/.ory/self-service/login/browser?return_to=/health', { headers })).toMatchObject({
      status: 422,
      body: { redirect_browser_to: '/health' },
    })
    const socket = new WebSocket(
      `${hosted.url.replace('http', 'ws')}/collab/incident/018f0000-0000-7000-8000-000000000040?organization=${tag}`,
      {
        headers: hosted.headers(ada),
      },
    )
    const code = await new Promise((resolve) => {
      socket.on('close', resolve)
      socket.on('error', () => undefined)
    })
    expect(code).toBe(CLOSE_CODES.loginNeeded.code)
  })

  it('lets nobody into an organization that they do not belong to, or belong to no more', async () => {
    const { acme, hosted } = await openTwo()
    const bob = await hosted.signIn('bob')
    expect(await choose(hosted, bob, 'acme')).toMatchObject({
      status: 403,
      body: { code: 'HOSTED_ORGANIZATION_REFUSED' },
    })
    expect(acme.requests).toEqual([])

    provider.tokenLifeS = 31
    const ada = await hosted.signIn('ada')
    await choose(hosted, ada, 'acme')
    expect((await whoAmI(hosted, ada)).status).toBe(200)
    const live = openLive(hosted, ada)
    await settled(live.subscribe('checks', {}))
    provider.people.set('ada', { email: 'ada@example.test', name: 'Ada', organizations: ['globex'] })
    await eventually(async () => expect((await whoAmI(hosted, ada)).status).toBe(401))
    await eventually(() => expect(live.endedAt()).not.toBeNull())
    expect(await hosted.ask(ada, '/gateway/hosted/organizations')).toMatchObject({
      body: { organizations: [{ id: 'globex', isChosen: false }] },
    })
  })

  it('says that an organization has no backend yet', async () => {
    const { hosted } = await openTwo()
    provider.people.set('cy', {
      email: 'cy@example.test',
      name: 'Cy',
      organizations: [{ id: 'initech', name: 'Initech' }],
    })
    const cy = await hosted.signIn('cy')
    expect(await whoAmI(hosted, cy)).toMatchObject({
      status: 503,
      body: { code: 'HOSTED_PROVISIONING', error: 'Please wait, instance provisioning in-progress ...' },
    })
    expect((await hosted.ask(cy, '/api/.ory/sessions/whoami')).status).toBe(200)
  })

  it('takes the address of a backend from the claim only where the operator named its host', async () => {
    const backend = await openBackend('initech')
    provider.people.set('cy', { email: '', name: 'Cy', organizations: [{ id: 'initech', backend_url: backend.url }] })
    const { hosted } = await openTwo()
    expect((await whoAmI(hosted, await hosted.signIn('cy'))).status).toBe(503)
    expect(backend.requests).toEqual([])
    const named = await openTwo({ env: { WATCHROOM_OIDC_BACKEND_HOSTS: '127.0.0.1' } })
    expect((await whoAmI(named.hosted, await named.hosted.signIn('cy'))).status).toBe(200)
  })

  it('ends the gateway of an organization that nobody uses, and makes it again', async () => {
    const { hosted } = await openTwo({ organizationSettings: { max: 1, idleMs: 60_000 } })
    const [ada, bob] = [await hosted.signIn('ada'), await hosted.signIn('bob')]
    await choose(hosted, ada, 'acme')
    expect((await whoAmI(hosted, ada)).status).toBe(200)
    // Makes room.
    expect((await whoAmI(hosted, bob)).status).toBe(200)
    expect((await whoAmI(hosted, ada)).status).toBe(200)
    const live = openLive(hosted, ada)
    await settled(live.subscribe('checks', {}))
    // Someone is there.
    expect(await whoAmI(hosted, bob)).toMatchObject({ status: 503, body: { code: 'HOSTED_ORGANIZATIONS_FULL' } })
  })
})
