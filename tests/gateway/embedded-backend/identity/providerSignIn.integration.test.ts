// Signing in with an account at another provider, against a certified one: who is let in, who is linked, and what is refused.
import type { FlowKind } from '@watchroom/shared/access'
import type { Flow } from '@watchroom/shared/identity'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { CookieBrowser } from '#support/cookieBrowser.ts'
import {
  type BackendAnswer,
  startEmbeddedBackend,
  TEST_ADMIN,
  type TestBackend,
  type TestPerson,
} from '#support/embeddedBackend.ts'
import {
  errorOf,
  KratosBrowser,
  mailsTo,
  messageIdsOf,
  nodesOf,
  queryBackend,
  setProperty,
  toFlow,
  valueOf,
} from '#support/kratosBrowser.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type OidcProvider,
  SIGN_IN_PROVIDER,
  startOidcProvider,
} from '#support/oidcProvider.ts'

const ORIGIN = 'http://watchroom.test'
const STRAY = 4_900_008

let provider: OidcProvider
let backend: TestBackend
let people = 0

beforeAll(async () => {
  provider = await startOidcProvider()
  provider.serve(ORIGIN)
  backend = await startEmbeddedBackend({
    signInProviders: [
      {
        id: SIGN_IN_PROVIDER,
        label: 'Corp',
        issuer: provider.issuer,
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
      },
      // It answers there, and calls itself otherwise.
      { id: 'alias', issuer: provider.issuer.replace('127.0.0.1', 'localhost'), clientId: CLIENT_ID },
    ],
  })
})
afterAll(async () => {
  await backend?.stop()
  await provider?.stop()
})
beforeEach(() => setProperty(backend, 'identity.registration', 'off'))

const browse = (): KratosBrowser => new KratosBrowser(backend, { 'x-forwarded-host': 'watchroom.test' })

/** Someone whom the provider knows, and who comes next. */
function meet(account: { email?: string; isProved?: boolean; name?: string } = {}): string {
  const subject = `person-${(people += 1)}`
  const { email = `${subject}@corp.test`, isProved = true, name = 'Zoe Ops' } = account
  provider.people.set(subject, { email, name, email_verified: isProved })
  provider.signsIn = subject
  return email
}

/** Where a form sends the browser. */
async function leave(
  browser: KratosBrowser,
  kind: FlowKind = 'login',
  { flow, values = { provider: SIGN_IN_PROVIDER } }: { flow?: Flow; values?: Record<string, string> } = {},
): Promise<URL> {
  const answer = await browser.submit(kind, flow ?? (await browser.start(kind)), values)
  expect([answer.status, errorOf(answer).error.id]).toEqual([422, 'browser_location_change_required'])
  return new URL((answer.json() as { redirect_browser_to: string }).redirect_browser_to)
}

/** What the provider sends the browser back to, as a path of the service. */
async function visitProvider(url: URL): Promise<string> {
  const { location } = await new CookieBrowser().follow(url.href, (next) => next.startsWith(ORIGIN))
  return (location ?? '').replace(`${ORIGIN}/api/.ory`, '')
}

const comeBack = async (browser: KratosBrowser, url: URL): Promise<BackendAnswer> =>
  browser.navigate(await visitProvider(url))

/** The form that the browser is led to. */
async function ledTo(browser: KratosBrowser, kind: FlowKind, answer: BackendAnswer): Promise<Flow> {
  const page = kind === 'settings' ? 'profile-settings' : kind
  const [, id] = new RegExp(`^/${page}\\?flow=([\\w-]+)$`).exec(String(answer.headers['location'])) ?? []
  if (answer.status !== 303 || id === undefined) throw new Error(`not led to ${kind}: ${answer.status} ${answer.text}`)
  return toFlow(await browser.call(`/self-service/${kind}/flows?id=${id}`))
}

async function signedIn(person: TestPerson): Promise<KratosBrowser> {
  const browser = browse()
  expect((await browser.signIn(person.email, person.password)).status).toBe(200)
  return browser
}

/** Someone here with an account there, and a browser that is signed in. */
async function linkSomeone(): Promise<{ person: TestPerson; browser: KratosBrowser; subject: string | null }> {
  const person = await backend.createPerson('responder')
  meet()
  const browser = await signedIn(person)
  const answer = await comeBack(browser, await leave(browser, 'settings', { values: { link: SIGN_IN_PROVIDER } }))
  expect(messageIdsOf(await ledTo(browser, 'settings', answer))).toEqual([1_050_001])
  return { person, browser, subject: provider.signsIn }
}

/** As an administrator invites. @returns the token of the mailed link */
async function invite(email: string): Promise<string> {
  const answer = await backend.call('/auth/invite_user', {
    method: 'POST',
    headers: await backend.signIn(TEST_ADMIN.email, TEST_ADMIN.password),
    body: { firstName: 'Ina', lastName: 'Vited', email, role: 'editor' },
  })
  return new URL((answer.json() as { link: string }).link).searchParams.get('token') ?? ''
}

const isSignedIn = async (browser: KratosBrowser): Promise<boolean> =>
  (await browser.call('/sessions/whoami')).status === 200

describe('what is offered', () => {
  it('names the providers in the forms of browsers, and in none of programs', async () => {
    const browser = browse()
    const login = await browser.start('login')
    expect(nodesOf(login)).toContain('oidc provider [submit]')
    expect(login.ui.nodes.flatMap(({ group, meta }) => (group === 'oidc' ? [meta?.label] : []))).toEqual([
      { id: 1_010_002, text: 'Sign in with Corp', type: 'info' },
      { id: 1_010_002, text: 'Sign in with alias', type: 'info' },
    ])
    const api = await backend.call('/kratos/self-service/login/api')
    expect(nodesOf(toFlow(api)).filter((node) => node.startsWith('oidc'))).toEqual([])
    const refused = await backend.call(`/kratos/self-service/login?flow=${toFlow(api).id}`, {
      method: 'POST',
      body: { provider: SIGN_IN_PROVIDER },
    })
    expect([refused.status, messageIdsOf(toFlow(refused))]).toEqual([400, [4_900_003]])
  })

  it('sends a form with the code flow, PKCE, a state and a nonce, and keeps what belongs to them sealed', async () => {
    const browser = browse()
    const flow = await browser.start('login')
    const url = await leave(browser, 'login', { flow })
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: CLIENT_ID,
      redirect_uri: `${ORIGIN}/api/.ory/self-service/methods/oidc/callback/${SIGN_IN_PROVIDER}`,
      code_challenge_method: 'S256',
      scope: 'openid profile email',
    })
    const [row] = await queryBackend<{ state: string }>(
      backend,
      'select state::text from watchroom_identity.flows where id = $1',
      [flow.id],
    )
    expect(row?.state).not.toContain(url.searchParams.get('nonce'))
    expect(row?.state).not.toContain(url.searchParams.get('state'))
  })

  it('leads a form that a page without scripts sent straight to the provider', async () => {
    const browser = browse()
    const flow = await browser.start('login')
    const answer = await browser.call(`/self-service/login?flow=${flow.id}`, {
      method: 'POST',
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ csrf_token: valueOf(flow, 'csrf_token'), provider: SIGN_IN_PROVIDER }).toString(),
    })
    expect([answer.status, String(answer.headers['location']).startsWith(provider.issuer)]).toEqual([303, true])
  })
})

describe('who is let in', () => {
  it('links an account in the settings, and signs in with it to where someone was going', async () => {
    const { person, subject } = await linkSomeone()
    provider.signsIn = subject
    const browser = browse()
    const flow = await browser.start('login', '?return_to=/health')
    const answer = await comeBack(browser, await leave(browser, 'login', { flow }))
    expect([answer.status, answer.headers['location']]).toEqual([303, '/health'])
    expect(await browser.session()).toMatchObject({
      identity: { id: person.id },
      authenticator_assurance_level: 'aal1',
      authentication_methods: [{ method: 'oidc', aal: 'aal1' }],
    })
  })

  it('asks for the second factor of whoever has one', async () => {
    const { person, subject } = await linkSomeone()
    await queryBackend(
      backend,
      `insert into watchroom_identity.credentials (identity_id, type, config) values ($1, 'lookup_secret', '{}')`,
      [person.id],
    )
    provider.signsIn = subject
    const browser = browse()
    const answer = await comeBack(browser, await leave(browser))
    expect(answer.headers['location']).toContain('/self-service/login/browser?aal=aal2')
    expect((await browser.call('/sessions/whoami')).status).toBe(403)
  })

  it('confirms with the linked account alone who someone is', async () => {
    const { browser, person, subject } = await linkSomeone()
    const session = (await browser.session()).id
    meet()
    const flow = await browser.start('login', '?refresh=true')
    const url = await leave(browser, 'login', { flow })
    expect(url.searchParams.get('prompt')).toBe('login')
    const refused = await ledTo(browser, 'login', await comeBack(browser, url))
    expect(messageIdsOf(refused)).toContain(4_900_010)
    provider.signsIn = subject
    await comeBack(browser, await leave(browser, 'login', { flow }))
    expect((await browser.session()).id).not.toBe(session)
    await queryBackend(backend, 'update watchroom_identity.identities set password_hash = null where id = $1', [
      person.id,
    ])
    // Nobody is asked for a password that they do not have.
    const next = await browser.start('login', '?refresh=true')
    expect(nodesOf(next)).toEqual(['default csrf_token [hidden]', 'oidc provider [submit]'])
  })

  it('refuses whoever is switched off here', async () => {
    const { person, subject } = await linkSomeone()
    await queryBackend(backend, `update watchroom_identity.identities set state = 'inactive' where id = $1`, [
      person.id,
    ])
    provider.signsIn = subject
    const browser = browse()
    const flow = await ledTo(browser, 'login', await comeBack(browser, await leave(browser)))
    expect([messageIdsOf(flow), await isSignedIn(browser)]).toEqual([[4_900_001], false])
  })
})

describe('who is nobody here yet', () => {
  it.each(['off', 'invitation'])('is told what to do where registration is "%s"', async (mode) => {
    await setProperty(backend, 'identity.registration', mode)
    const email = meet()
    const browser = browse()
    const flow = await ledTo(browser, 'login', await comeBack(browser, await leave(browser)))
    expect(flow.ui.messages.map(({ text }) => text)).toEqual([
      'This Corp account is not linked to anyone here. Sign in another way and link it under Your Profile, or ask an administrator for an invitation.',
    ])
    expect(await isSignedIn(browser)).toBe(false)
    expect(await queryBackend(backend, 'select from people where email = $1', [email])).toEqual([])
  })

  it.each(['off', 'open'])('is never taken for whoever has the same address (registration %s)', async (mode) => {
    await setProperty(backend, 'identity.registration', mode)
    const person = await backend.createPerson('admin')
    for (const isProved of [true, false]) {
      meet({ email: person.email.toUpperCase(), isProved })
      const browser = browse()
      const answer = await comeBack(browser, await leave(browser))
      const flow = await ledTo(browser, mode === 'open' ? 'registration' : 'login', answer)
      expect(messageIdsOf(flow)).toEqual([mode === 'off' ? 4_900_005 : isProved ? 4_000_007 : 1_040_005])
      expect(await isSignedIn(browser)).toBe(false)
    }
    const links = await queryBackend(backend, 'select from watchroom_identity.credentials where identity_id = $1', [
      person.id,
    ])
    expect([links, await mailsTo(backend, person.email)]).toEqual([[], []])
  })

  it('becomes a viewer at once where anyone may register and the provider has proved the address', async () => {
    await setProperty(backend, 'identity.registration', 'open')
    const email = meet()
    const browser = browse()
    const answer = await comeBack(browser, await leave(browser))
    expect(answer.headers['location']).toBe('/')
    const { identity } = await browser.session()
    expect(identity).toMatchObject({
      traits: { email, name: { first: 'Zoe Ops' } },
      verifiable_addresses: [{ verified: true }],
    })
    expect(await queryBackend(backend, 'select roles from people_roles where id = $1', [identity.id])).toEqual([
      { roles: ['viewer'] },
    ])
    const again = browse()
    await comeBack(again, await leave(again, 'registration'))
    expect((await again.session()).identity.id).toBe(identity.id)
  })

  it('registers someone whose name at the provider holds a line break, or is longer than names are here', async () => {
    await setProperty(backend, 'identity.registration', 'open')
    for (const [name, first] of [
      ['Zoe\r\nOps\u2028', 'Zoe Ops'],
      ['z'.repeat(150), 'z'.repeat(100)],
    ]) {
      meet({ ...(name !== undefined && { name }) })
      const browser = browse()
      await comeBack(browser, await leave(browser))
      expect((await browser.session()).identity).toMatchObject({ traits: { name: { first } } })
    }
  })

  it('proves an address that the provider has not proved, by a code from a mail', async () => {
    await setProperty(backend, 'identity.registration', 'open')
    const email = meet({ isProved: false })
    const browser = browse()
    const flow = await ledTo(browser, 'registration', await comeBack(browser, await leave(browser)))
    expect([flow.state, await isSignedIn(browser)]).toEqual(['sent_email', false])
    const [mail] = await mailsTo(backend, email)
    const done = await browser.submit('registration', flow, { method: 'code', code: mail?.data.code })
    expect([done.status, (await browser.session()).identity.traits.email]).toEqual([200, email])
    const again = browse()
    await comeBack(again, await leave(again))
    expect(await isSignedIn(again)).toBe(true)
  })

  it('is let in with an invitation, as the person who was invited', async () => {
    await setProperty(backend, 'identity.registration', 'invitation')
    const email = 'ina@harbour.example'
    const token = await invite(email)
    meet()
    const browser = browse()
    const flow = await browser.start('registration', `?invitation=${token}`)
    await comeBack(browser, await leave(browser, 'registration', { flow }))
    const { identity } = await browser.session()
    expect(identity.traits).toEqual({ email, name: { first: 'Ina', last: 'Vited' } })
    await queryBackend(backend, 'delete from watchroom_identity.sessions where identity_id = $1', [identity.id])
    const rows = await queryBackend(
      backend,
      `select metadata_public ->> 'is_invited' as is from identities where id = $1`,
      [identity.id],
    )
    expect(rows).toEqual([{ is: 'false' }])
    const spent = await browse().call(`/self-service/registration/api?invitation=${token}`)
    expect(spent.status).toBe(403)
  })
})

describe('what is refused on the way back', () => {
  it('a return that was used before', async () => {
    const { subject } = await linkSomeone()
    provider.signsIn = subject
    const browser = browse()
    const path = await visitProvider(await leave(browser))
    const cookies = [...browser.cookies]
    await browser.navigate(path)
    expect(await isSignedIn(browser)).toBe(true)
    const replayed = browse()
    for (const [name, value] of cookies) replayed.cookies.set(name, value)
    const flow = await ledTo(replayed, 'login', await replayed.navigate(path))
    expect([messageIdsOf(flow), await isSignedIn(replayed)]).toEqual([[STRAY], false])
  })

  it('a return to another browser, which leaves the first one its own', async () => {
    const { subject } = await linkSomeone()
    provider.signsIn = subject
    const attacker = browse()
    const path = await visitProvider(await leave(attacker))
    const victim = browse()
    await victim.start('login')
    const flow = await ledTo(victim, 'login', await victim.navigate(path))
    expect([messageIdsOf(flow), await isSignedIn(victim)]).toEqual([[STRAY], false])
    // The code is still good, and not kept.
    expect(flow.request_url).toContain('code=[redacted]')
    await attacker.navigate(path)
    expect(await isSignedIn(attacker)).toBe(true)
  })

  it("a stranger's account that someone is led to link", async () => {
    const attacker = await signedIn(await backend.createPerson('viewer'))
    const victim = await signedIn(await backend.createPerson('admin'))
    meet()
    const path = await visitProvider(await leave(attacker, 'settings', { values: { link: SIGN_IN_PROVIDER } }))
    expect(messageIdsOf(await ledTo(victim, 'settings', await victim.navigate(path)))).toEqual([STRAY])
    expect(nodesOf(await victim.start('settings'))).not.toContain('oidc unlink [submit]')
  })

  it.each([
    { what: 'another state', change: (path: string) => path.replace(/(state=login\.[\w-]+\.)[\w-]+/, '$1made-up') },
    { what: 'another issuer', change: (path: string) => path.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.example') },
    { what: 'another code', change: (path: string) => path.replace(/code=[^&]+/, 'code=made-up') },
    { what: 'an error', change: (path: string) => path.replace(/code=[^&]+/, 'error=access_denied') },
  ])('$what', async ({ change }) => {
    const { subject } = await linkSomeone()
    provider.signsIn = subject
    const browser = browse()
    const path = await visitProvider(await leave(browser))
    expect(change(path)).not.toBe(path)
    const flow = await ledTo(browser, 'login', await browser.navigate(change(path)))
    expect([messageIdsOf(flow), await isSignedIn(browser)]).toEqual([[4_900_007], false])
    expect(messageIdsOf(await ledTo(browser, 'login', await browser.navigate(path)))).toEqual([STRAY])
  })

  it('a token that was made for another attempt (nonce), and a code without its verifier', async () => {
    const { subject } = await linkSomeone()
    for (const name of ['nonce', 'code_challenge']) {
      provider.signsIn = subject
      const browser = browse()
      const url = await leave(browser)
      url.searchParams.set(name, 'A'.repeat(43))
      const flow = await ledTo(browser, 'login', await comeBack(browser, url))
      expect([name, messageIdsOf(flow), await isSignedIn(browser)]).toEqual([name, [4_900_007], false])
    }
  })

  it('the answer of one provider at the address of another, and an address of none', async () => {
    const { subject } = await linkSomeone()
    provider.signsIn = subject
    const browser = browse()
    const path = await visitProvider(await leave(browser))
    const flow = await ledTo(browser, 'login', await browser.navigate(path.replace('/corp?', '/alias?')))
    expect([messageIdsOf(flow), await isSignedIn(browser)]).toEqual([[4_900_007], false])
    expect((await browser.call(path.replace('/corp?', '/other?'))).status).toBe(404)
  })

  it('a provider that calls itself otherwise, and one that is away', async () => {
    const browser = browse()
    const flow = await browser.start('login')
    const alias = await browser.submit('login', flow, { provider: 'alias' })
    expect([alias.status, messageIdsOf(toFlow(alias))]).toEqual([400, [4_900_006]])
    const path = await visitProvider(await leave(browser, 'login', { flow }))
    provider.pause()
    const away = await browser.navigate(path)
    provider.resume()
    expect(messageIdsOf(await ledTo(browser, 'login', away))).toEqual([4_900_006])
  })

  it('an attempt that took too long', async () => {
    const browser = browse()
    const flow = await browser.start('login')
    const path = await visitProvider(await leave(browser, 'login', { flow }))
    await queryBackend(backend, 'update watchroom_identity.flows set expires_at = now() where id = $1', [flow.id])
    expect(messageIdsOf(await ledTo(browser, 'login', await browser.navigate(path)))).toEqual([STRAY])
  })
})

describe('linking and unlinking', () => {
  it('asks for a sign-in of a short while ago, before and after the way to the provider', async () => {
    const browser = await signedIn(await backend.createPerson('viewer'))
    const { id } = await browser.session()
    const age = (): Promise<object[]> =>
      queryBackend(
        backend,
        `update watchroom_identity.sessions set authenticated_at = now() - interval '16 minutes' where id = $1`,
        [id],
      )
    meet()
    const url = await leave(browser, 'settings', { values: { link: SIGN_IN_PROVIDER } })
    await age()
    const back = await comeBack(browser, url)
    expect(back.headers['location']).toContain('/self-service/login/browser?refresh=true')
    const flow = await browser.start('settings')
    const refused = await browser.submit('settings', flow, { link: SIGN_IN_PROVIDER })
    expect([refused.status, errorOf(refused).error.id]).toEqual([403, 'session_refresh_required'])
    expect(nodesOf(flow)).not.toContain('oidc unlink [submit]')
  })

  it('refuses an account that is linked to someone else', async () => {
    const { subject } = await linkSomeone()
    const browser = await signedIn(await backend.createPerson('viewer'))
    provider.signsIn = subject
    const back = await comeBack(browser, await leave(browser, 'settings', { values: { link: SIGN_IN_PROVIDER } }))
    expect(messageIdsOf(await ledTo(browser, 'settings', back))).toEqual([4_900_009])
  })

  it('unlinks what is not the last way in, and refuses to remove that', async () => {
    const { person, browser } = await linkSomeone()
    const passkey = `key-${person.id}`
    await queryBackend(backend, 'update watchroom_identity.identities set password_hash = null where id = $1', [
      person.id,
    ])
    const unlink = async () =>
      toFlow(await browser.submit('settings', await browser.start('settings'), { unlink: SIGN_IN_PROVIDER }))
    expect(messageIdsOf(await unlink())).toEqual([4_900_012])
    await queryBackend(
      backend,
      `insert into watchroom_identity.credentials (identity_id, type, identifier, config) values ($1, 'passkey', $2, $3)`,
      [person.id, passkey, JSON.stringify({ name: 'Laptop', publicKey: '', counter: 0 })],
    )
    // Of two that go at once, one stays.
    const flow = await browser.start('settings')
    const answers = await Promise.all([
      browser.submit('settings', flow, { unlink: SIGN_IN_PROVIDER }),
      browser.submit('settings', flow, { passkey_remove: passkey }),
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    expect(
      await queryBackend(backend, 'select from watchroom_identity.credentials where identity_id = $1', [person.id]),
    ).toHaveLength(1)
  })

  it('lets nobody in any more with what was unlinked', async () => {
    const { browser, subject } = await linkSomeone()
    const gone = toFlow(await browser.submit('settings', await browser.start('settings'), { unlink: SIGN_IN_PROVIDER }))
    expect([messageIdsOf(gone), nodesOf(gone).includes('oidc link [submit]')]).toEqual([[1_050_001], true])
    provider.signsIn = subject
    const other = browse()
    expect(messageIdsOf(await ledTo(other, 'login', await comeBack(other, await leave(other))))).toEqual([4_900_005])
  })
})
