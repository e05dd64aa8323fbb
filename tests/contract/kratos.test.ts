// What a real Kratos 1.3.1 was seen to answer, exchange by exchange: status, ids, states, names of nodes, cookies. Where ours
// differs on purpose the test says so; ADR 19 says why.
import { generate } from 'otplib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { startEmbeddedBackend, type TestBackend, type TestPerson } from '#support/embeddedBackend.ts'
import {
  errorOf,
  KratosBrowser,
  mailsTo,
  messageIdsOf,
  nodesOf,
  queryBackend,
  remarksOf,
  setProperty,
  textOf,
  toFlow,
  valueOf,
} from '#support/kratosBrowser.ts'

let backend: TestBackend
let person: TestPerson

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  person = await backend.createPerson('responder')
})
afterAll(() => backend?.stop())

const browse = (): KratosBrowser => new KratosBrowser(backend)

async function signedIn(who: TestPerson = person): Promise<KratosBrowser> {
  const browser = browse()
  const answer = await browser.signIn(who.email, who.password)
  expect(answer.status).toBe(200)
  return browser
}

const LOGIN = [
  'default csrf_token [hidden]',
  'default identifier [text]',
  'password password [password]',
  'password method [submit]',
]
const PROFILE = [
  'profile traits.email [email]',
  'profile traits.name.first [text]',
  'profile traits.name.last [text]',
  'profile method [submit]',
]
const PASSWORD = ['password password [password]', 'password method [submit]']

describe('sessions', () => {
  it('whoami: 401 without one, and who it is with one', async () => {
    const without = await browse().call('/sessions/whoami')
    expect([without.status, errorOf(without).error]).toMatchObject([401, { code: 401, status: 'Unauthorized' }])
    const browser = await signedIn()
    expect(await browser.session()).toMatchObject({
      active: true,
      authenticator_assurance_level: 'aal1',
      authentication_methods: [{ method: 'password', aal: 'aal1' }],
      identity: {
        traits: { email: person.email },
        verifiable_addresses: [{ value: person.email, verified: false, via: 'email' }],
        recovery_addresses: [{ value: person.email, via: 'email' }],
      },
    })
  })

  it('others: a list without this one, and how many ended', async () => {
    const who = await backend.createPerson('viewer')
    const browser = await signedIn(who)
    expect((await browser.call('/sessions')).json()).toEqual([])
    await signedIn(who)
    await signedIn(who)
    expect((await browser.call('/sessions')).json()).toHaveLength(2)
    const ended = await browser.call('/sessions', { method: 'DELETE' })
    expect([ended.status, ended.json()]).toEqual([200, { count: 2 }])
  })

  it('logout: a token, 204, and 401 afterwards', async () => {
    const browser = await signedIn()
    const { logout_token: token } = (await browser.call('/self-service/logout/browser')).json() as {
      logout_token: string
    }
    const out = await browser.call(`/self-service/logout?token=${token}`)
    expect([out.status, browser.lastCookies]).toEqual([204, ['ory_kratos_session']])
    const again = await browser.call('/self-service/logout/browser')
    expect([again.status, errorOf(again).error.id]).toEqual([401, 'session_inactive'])
    // Kratos sets the cookie against forgery here, ours with the next form.
    expect(browser.lastCookies).toEqual([])
  })
})

describe('login', () => {
  it('starts with a form and the anti-forgery cookie', async () => {
    const browser = browse()
    const flow = await browser.start('login', '?return_to=/health')
    expect(browser.lastCookies).toEqual(['csrf_token_watchroom'])
    expect(nodesOf(flow)).toEqual(LOGIN)
    expect(flow).toMatchObject({
      type: 'browser',
      state: 'choose_method',
      refresh: false,
      requested_aal: 'aal1',
      return_to: '/health',
    })
    expect(toFlow(await browser.call(`/self-service/login/flows?id=${flow.id}`)).id).toBe(flow.id)
  })

  it('refuses a foreign return_to with 400', async () => {
    const answer = await browse().call('/self-service/login/browser?return_to=https://evil.example/')
    expect([answer.status, errorOf(answer).error.id]).toEqual([400, 'self_service_flow_return_to_forbidden'])
  })

  it('answers a wrong password and an unknown address alike, and names what is missing', async () => {
    const wrong = await browse().signIn(person.email, 'not it at all')
    const unknown = await browse().signIn('nobody@example.org', 'not it at all')
    for (const answer of [wrong, unknown]) {
      expect([answer.status, messageIdsOf(toFlow(answer))]).toEqual([400, [4_000_006]])
    }
    const empty = await browse().signIn('', '')
    expect([empty.status, remarksOf(toFlow(empty))]).toEqual([400, ['identifier: 4000002', 'password: 4000002']])
  })

  it('refuses a wrong anti-forgery token, and a form without the cookie', async () => {
    const browser = browse()
    const flow = await browser.start('login')
    const values = { method: 'password', identifier: person.email, password: person.password }
    const wrong = await browser.submit('login', flow, { ...values, csrf_token: 'made-up' })
    expect([wrong.status, errorOf(wrong).error.id]).toEqual([403, 'security_csrf_violation'])
    browser.cookies.clear()
    const without = await browser.submit('login', flow, values)
    expect([without.status, errorOf(without).error.id]).toEqual([403, 'security_csrf_violation'])
  })

  it('opens a session, with both cookies set anew', async () => {
    const browser = browse()
    const answer = await browser.signIn(person.email, person.password)
    expect(answer.status).toBe(200)
    // The third one is ours: it exempts a known browser from waiting.
    expect(browser.lastCookies).toEqual(['ory_kratos_device', 'csrf_token_watchroom', 'ory_kratos_session'])
    expect(answer.json()).toMatchObject({ session: { active: true, identity: { id: person.id } } })
  })

  it('says that someone is signed in, unless a confirmation is asked for', async () => {
    const browser = await signedIn()
    const again = await browser.call('/self-service/login/browser')
    expect([again.status, errorOf(again).error]).toMatchObject([
      400,
      { id: 'session_already_available', message: 'you are already logged in' },
    ])
    const refresh = await browser.start('login', '?refresh=true')
    expect([refresh.refresh, messageIdsOf(refresh), valueOf(refresh, 'identifier')]).toEqual([
      true,
      [1_010_003],
      person.email,
    ])
    expect(nodesOf(refresh)).toEqual(['default csrf_token [hidden]', 'default identifier [hidden]', ...LOGIN.slice(2)])
  })

  it('answers 404 to an unknown flow, and 410 with the next one to an expired one', async () => {
    const browser = browse()
    const unknown = await browser.call('/self-service/login/flows?id=00000000-0000-4000-8000-000000000000')
    expect([unknown.status, errorOf(unknown).error.message]).toEqual([404, 'Unable to locate the resource'])
    const flow = await browser.start('login')
    await queryBackend(
      backend,
      `update watchroom_identity.flows set expires_at = now() - interval '1 s' where id = $1`,
      [flow.id],
    )
    const values = { method: 'password', identifier: person.email, password: person.password }
    const expired = await browser.submit('login', flow, values)
    expect([expired.status, errorOf(expired).error.id]).toEqual([410, 'self_service_flow_expired'])
    const next = toFlow(await browser.call(`/self-service/login/flows?id=${errorOf(expired).use_flow_id}`))
    expect((await browser.submit('login', next, values)).status).toBe(200)
    expect((await browser.call('/self-service/errors?id=00000000-0000-4000-8000-000000000000')).status).toBe(404)
  })

  it('replaces an expired confirmation by one of the same person', async () => {
    const browser = await signedIn()
    const confirmation = await browser.start('login', '?refresh=true')
    await queryBackend(
      backend,
      `update watchroom_identity.flows set expires_at = now() - interval '1 s' where id = $1`,
      [confirmation.id],
    )
    const expired = await browser.call(`/self-service/login/flows?id=${confirmation.id}`)
    expect(expired.status).toBe(410)
    const next = toFlow(await browser.call(`/self-service/login/flows?id=${errorOf(expired).use_flow_id}`))
    expect([next.refresh, valueOf(next, 'identifier')]).toEqual([true, person.email])
  })

  it('gives programs a token, which they send in a header and end by DELETE', async () => {
    const flow = toFlow(await backend.call('/kratos/self-service/login/api'))
    expect([flow.type, nodesOf(flow)]).toEqual(['api', LOGIN])
    const answer = await backend.call(`/kratos/self-service/login?flow=${flow.id}`, {
      method: 'POST',
      body: { method: 'password', identifier: person.email, password: person.password },
    })
    const { session_token: token } = answer.json() as { session_token: string }
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

describe('settings', () => {
  it('starts with every section, and saves a profile and a password', async () => {
    const who = await backend.createPerson('viewer')
    const browser = await signedIn(who)
    const flow = await browser.start('settings')
    expect(flow.state).toBe('show_form')
    // Keys need an address with a name, and a script of Kratos's own is not sent.
    expect(nodesOf(flow)).toEqual([
      'default csrf_token [hidden]',
      ...PROFILE,
      ...PASSWORD,
      'lookup_secret lookup_secret_regenerate [submit]',
      'totp #totp_qr',
      'totp #totp_secret_key',
      'totp totp_code [text]',
      'totp method [submit]',
    ])
    const traits = { email: who.email, name: { first: 'Samantha', last: 'Ple' } }
    const profile = await browser.submit('settings', flow, { method: 'profile', traits })
    expect([profile.status, toFlow(profile).state, messageIdsOf(toFlow(profile))]).toEqual([
      200,
      'success',
      [1_050_001],
    ])
    // Kratos sets the cookie of the session again here and below; nothing about it has changed.
    expect(browser.lastCookies).toEqual([])
    const bad = await browser.submit('settings', flow, { method: 'profile', traits: { ...traits, email: 'nope' } })
    expect([bad.status, remarksOf(toFlow(bad))]).toEqual([400, ['traits.email: 4000001']])
    const password = await browser.submit('settings', flow, { method: 'password', password: 'another fine sentence' })
    expect([password.status, messageIdsOf(toFlow(password)), browser.lastCookies]).toEqual([200, [1_050_001], []])
    expect((await browse().signIn(who.email, 'another fine sentence')).status).toBe(200)
  })

  it('asks for a sign-in once the last one is a while ago', async () => {
    const who = await backend.createPerson('viewer')
    const browser = await signedIn(who)
    const flow = await browser.start('settings')
    await queryBackend(
      backend,
      `update watchroom_identity.sessions set authenticated_at = now() - interval '16 minutes' where identity_id = $1`,
      [who.id],
    )
    const answer = await browser.submit('settings', flow, { method: 'password', password: 'another fine sentence' })
    expect([answer.status, errorOf(answer).error.id]).toEqual([403, 'session_refresh_required'])
    expect(errorOf(answer).redirect_browser_to).toBe(
      `/api/.ory/self-service/login/browser?refresh=true&return_to=${encodeURIComponent(`/profile-settings?flow=${flow.id}`)}`,
    )
    const traits = { email: 'else@example.org', name: { first: 'Samantha', last: 'Ple' } }
    const typed = await browser.submit('settings', flow, { method: 'profile', traits })
    expect([typed.status, errorOf(typed).error.id]).toEqual([403, 'session_refresh_required'])
    const refresh = await browser.start('login', '?refresh=true')
    await browser.submit('login', refresh, { method: 'password', password: who.password })
    const kept = toFlow(await browser.call(`/self-service/settings/flows?id=${flow.id}`))
    expect([valueOf(kept, 'traits.email'), valueOf(kept, 'traits.name.first')]).toEqual([
      'else@example.org',
      'Samantha',
    ])
    expect(
      (await browser.submit('settings', kept, { method: 'password', password: 'another fine sentence' })).status,
    ).toBe(200)
  })
})

describe('second factors', () => {
  it('are set up, asked for by 422 and 403, and given', async () => {
    const who = await backend.createPerson('viewer')
    const browser = await signedIn(who)
    let flow = await browser.start('settings')
    const secret = textOf(flow, 'totp_secret_key')
    const wrong = await browser.submit('settings', flow, { method: 'totp', totp_code: '000000' })
    expect([wrong.status, toFlow(wrong).state, remarksOf(toFlow(wrong))]).toEqual([
      400,
      'show_form',
      ['totp_code: 4000008'],
    ])
    const on = await browser.submit('settings', flow, { method: 'totp', totp_code: await generate({ secret }) })
    expect([on.status, messageIdsOf(toFlow(on)), browser.lastCookies]).toEqual([200, [1_050_001], []])
    expect(nodesOf(toFlow(on)).slice(-1)).toEqual(['totp totp_unlink [submit]'])

    const made = await browser.submit('settings', flow, { lookup_secret_regenerate: true })
    expect([made.status, toFlow(made).state]).toEqual([200, 'show_form'])
    expect(nodesOf(toFlow(made)).filter((node) => node.startsWith('lookup'))).toEqual([
      'lookup_secret #lookup_secret_codes',
      'lookup_secret lookup_secret_confirm [submit]',
    ])
    const codes = textOf(toFlow(made), 'lookup_secret_codes').split(', ')
    expect(new Set(codes).size).toBe(12)
    const confirmed = await browser.submit('settings', flow, { lookup_secret_confirm: true })
    flow = toFlow(confirmed)
    expect([confirmed.status, messageIdsOf(flow), browser.lastCookies]).toEqual([200, [1_050_001], []])
    expect(nodesOf(flow).filter((node) => node.startsWith('lookup'))).toEqual([
      'lookup_secret lookup_secret_reveal [submit]',
      'lookup_secret lookup_secret_disable [submit]',
    ])
    expect(await browser.session()).toMatchObject({
      authenticator_assurance_level: 'aal2',
      authentication_methods: [{ method: 'password' }, { method: 'totp' }, { method: 'lookup_secret' }],
    })

    const next = browse()
    const first = await next.signIn(who.email, who.password)
    expect([first.status, errorOf(first).error.id]).toEqual([422, 'browser_location_change_required'])
    expect(errorOf(first).redirect_browser_to).toBe('/api/.ory/self-service/login/browser?aal=aal2')
    expect(next.lastCookies).toContain('ory_kratos_session')
    for (const path of ['/sessions/whoami', '/self-service/settings/browser']) {
      const refused = await next.call(path)
      expect([refused.status, errorOf(refused).error.id]).toEqual([403, 'session_aal2_required'])
      expect(errorOf(refused).redirect_browser_to).toMatch(/^\/api\/\.ory\/self-service\/login\/browser\?aal=aal2/)
    }
    const second = await next.start('login', '?aal=aal2')
    expect([second.requested_aal, messageIdsOf(second)]).toEqual(['aal2', [1_010_004]])
    expect(nodesOf(second)).toEqual([
      'default csrf_token [hidden]',
      'totp totp_code [text]',
      'totp method [submit]',
      'lookup_secret lookup_secret [text]',
      'lookup_secret method [submit]',
    ])
    const refused = await next.submit('login', second, { method: 'totp', totp_code: '123456' })
    // Kratos says what is wrong in the place of what is asked for, ours says both.
    expect([refused.status, messageIdsOf(toFlow(refused))]).toEqual([400, [1_010_004, 4_000_008]])
    // The code that set it up was used: a backup code it is.
    const given = await next.submit('login', second, { method: 'lookup_secret', lookup_secret: codes[0] })
    expect(given.status).toBe(200)
    expect(await next.session()).toMatchObject({
      authenticator_assurance_level: 'aal2',
      authentication_methods: [{ method: 'password' }, { method: 'lookup_secret' }],
    })
  })

  it('take the next code of the app: a session of both, its cookie set anew', async () => {
    const who = await backend.createPerson('viewer')
    const settings = await signedIn(who)
    const flow = await settings.start('settings')
    const secret = textOf(flow, 'totp_secret_key')
    const code = await generate({ secret })
    expect((await settings.submit('settings', flow, { method: 'totp', totp_code: code })).status).toBe(200)

    const browser = browse()
    await browser.signIn(who.email, who.password)
    const second = await browser.start('login', '?aal=aal2')
    const used = await browser.submit('login', second, { method: 'totp', totp_code: code })
    expect([used.status, messageIdsOf(toFlow(used))]).toEqual([400, [1_010_004, 4_000_008]])
    // An app may be half a minute ahead.
    const next = await generate({ secret, epoch: Math.floor(Date.now() / 1_000) + 30 })
    const given = await browser.submit('login', second, { method: 'totp', totp_code: next })
    expect([given.status, browser.lastCookies]).toEqual([200, ['csrf_token_watchroom', 'ory_kratos_session']])
    const session = {
      authenticator_assurance_level: 'aal2',
      authentication_methods: [
        { method: 'password', aal: 'aal1' },
        { method: 'totp', aal: 'aal2' },
      ],
    }
    expect(given.json()).toMatchObject({ session })
    expect(await browser.session()).toMatchObject(session)
  })
})

describe.each(['recovery', 'verification'] as const)('%s', (kind) => {
  it('by code: asked, wrong', async () => {
    const who = await backend.createPerson('viewer')
    const browser = browse()
    const flow = await browser.start(kind)
    expect(browser.lastCookies).toEqual(['csrf_token_watchroom'])
    expect([flow.state, flow.active, nodesOf(flow)]).toEqual([
      'choose_method',
      'code',
      ['default csrf_token [hidden]', 'code email [email]', 'code method [submit]'],
    ])
    const asked = await browser.submit(kind, flow, { method: 'code', email: who.email })
    expect([asked.status, toFlow(asked).state, messageIdsOf(toFlow(asked))]).toEqual([
      200,
      'sent_email',
      [kind === 'recovery' ? 1_060_003 : 1_080_003],
    ])
    expect(nodesOf(toFlow(asked))).toEqual([
      'default csrf_token [hidden]',
      'code code [text]',
      'code method [hidden]',
      'code method [submit]',
      'code email [submit]',
    ])
    const code = (await mailsTo(backend, who.email)).at(-1)?.data.code ?? ''
    const wrong = await browser.submit(kind, flow, { method: 'code', code: code === '000000' ? '000001' : '000000' })
    expect([wrong.status, messageIdsOf(toFlow(wrong))]).toEqual([200, [kind === 'recovery' ? 4_060_006 : 4_070_006]])
  })

  it('by link: asked, made up, opened', async () => {
    const who = await backend.createPerson('viewer')
    await setProperty(backend, `identity.${kind}.use`, 'link')
    try {
      const browser = browse()
      const flow = await browser.start(kind, '?return_to=/health')
      expect([flow.active, nodesOf(flow)]).toEqual([
        'link',
        ['default csrf_token [hidden]', 'link email [email]', 'link method [submit]'],
      ])
      const sent = kind === 'recovery' ? 1_060_002 : 1_080_001
      for (const email of [who.email, 'nobody@example.org']) {
        const asked = await browser.submit(kind, flow, { method: 'link', email })
        expect([asked.status, toFlow(asked).state, messageIdsOf(toFlow(asked))]).toEqual([200, 'sent_email', [sent]])
        expect(nodesOf(toFlow(asked))).toEqual(nodesOf(flow))
      }
      await browser.submit(kind, flow, { method: 'link', email: who.email })
      const madeUp = await browser.navigate(`/self-service/${kind}?flow=${flow.id}&token=made-up`)
      expect([madeUp.status, madeUp.headers['location']]).toEqual([303, expect.stringMatching(`^/${kind}\\?flow=`)])
      // Kratos sets the cookie against forgery anew; ours is good for the next form.
      expect(browser.lastCookies).toEqual([])

      const url = new URL((await mailsTo(backend, who.email)).at(-1)?.data.url ?? '')
      const opened = browse()
      const answer = await opened.navigate(url.pathname.replace('/api/.ory', '') + url.search)
      expect(answer.status).toBe(303)
      expect(answer.headers['location']).toMatch(
        kind === 'recovery' ? /^\/profile-settings\?flow=/ : /^\/verification\?flow=/,
      )
      expect(opened.cookies.has('ory_kratos_session')).toBe(kind === 'recovery')
      const id = String(answer.headers['location']).split('=')[1]
      const shown = await opened.call(`/self-service/${kind === 'recovery' ? 'settings' : kind}/flows?id=${id}`)
      expect(toFlow(shown).return_to).toBe('/health')
    } finally {
      await setProperty(backend, `identity.${kind}.use`, 'code')
    }
  })
})

describe('the right code', () => {
  /** A form that waits for a code, and the code. */
  async function askForCode(kind: 'recovery' | 'verification') {
    const who = await backend.createPerson('viewer')
    const browser = browse()
    const flow = await browser.start(kind)
    await browser.submit(kind, flow, { method: 'code', email: who.email })
    return { browser, flow, code: (await mailsTo(backend, who.email)).at(-1)?.data.code }
  }

  it('of a recovery leads to the settings, signed in, with 422', async () => {
    const { browser, flow, code } = await askForCode('recovery')
    const right = await browser.submit('recovery', flow, { method: 'code', code })
    expect([right.status, errorOf(right).error.id]).toEqual([422, 'browser_location_change_required'])
    expect(browser.lastCookies).toEqual(['csrf_token_watchroom', 'ory_kratos_session'])
    const page = errorOf(right).redirect_browser_to ?? ''
    expect(page).toMatch(/^\/profile-settings\?flow=[\w-]{36}$/)
    const settings = toFlow(await browser.call(`/self-service/settings/flows?id=${page.split('=')[1]}`))
    expect(messageIdsOf(settings)).toEqual([1_060_001])
    const session = await browser.session()
    expect(session.authentication_methods).toMatchObject([{ method: 'code_recovery', aal: 'aal1' }])
    expect(session.identity.verifiable_addresses).toMatchObject([{ verified: true }])
  })

  it('of a verification ends it', async () => {
    const { browser, flow, code } = await askForCode('verification')
    const right = await browser.submit('verification', flow, { method: 'code', code })
    expect([right.status, toFlow(right).state, messageIdsOf(toFlow(right))]).toEqual([
      200,
      'passed_challenge',
      [1_080_002],
    ])
  })
})

describe('registration', () => {
  beforeAll(() => setProperty(backend, 'identity.registration', 'open'))
  afterAll(() => setProperty(backend, 'identity.registration', 'off'))

  const traits = (email: string) => ({ email, name: { first: 'Sam', last: 'Ple' } })

  it('starts with who one is, and refuses passwords as Kratos does', async () => {
    const browser = browse()
    const flow = await browser.start('registration')
    expect([flow.state, nodesOf(flow)]).toEqual([
      'choose_method',
      [
        'default traits.email [email]',
        'default traits.name.first [text]',
        'default traits.name.last [text]',
        'default csrf_token [hidden]',
        'profile method [submit]',
      ],
    ])
    const submit = (password: string, who: unknown = traits('sam.ple@example.org')) =>
      browser.submit('registration', flow, { method: 'password', password, traits: who })
    for (const [password, id] of [
      ['sam.ple@example.org', 4_000_031],
      ['short', 4_000_032],
      ['iloveyou1', 4_000_034],
    ] as const) {
      const answer = await submit(password)
      expect([answer.status, remarksOf(toFlow(answer))]).toEqual([400, [`password: ${id}`]])
    }
    for (const values of [{ method: 'profile' }, { method: 'password', password: 'a sentence to remember' }]) {
      const answer = await browser.submit('registration', flow, { ...values, traits: { name: { first: 'Sam' } } })
      expect([answer.status, remarksOf(toFlow(answer))]).toEqual([400, ['traits.email: 4000002']])
    }
    const signedInAlready = await (await signedIn()).call('/self-service/registration/browser')
    expect([signedInAlready.status, errorOf(signedInAlready).error.id]).toEqual([400, 'session_already_available'])
  })

  /** Both steps, as far as the code. */
  async function askFor(email: string) {
    const browser = browse()
    const flow = await browser.start('registration')
    const profile = await browser.submit('registration', flow, { method: 'profile', traits: traits(email) })
    expect([profile.status, nodesOf(toFlow(profile)).slice(4)]).toEqual([
      400,
      ['password password [password]', 'password method [submit]', 'profile screen [submit]'],
    ])
    const asked = await browser.submit('registration', flow, {
      method: 'password',
      password: 'a sentence to remember',
      traits: traits(email),
    })
    const form = toFlow(asked)
    return { browser, flow, seen: [asked.status, form.state, messageIdsOf(form), nodesOf(form)] }
  }

  it('proves the address before there is an account, and then opens a session', async () => {
    const email = 'new.person@example.org'
    const { browser, flow } = await askFor(email)
    const code = (await mailsTo(backend, email)).at(-1)?.data.code
    const done = await browser.submit('registration', flow, { method: 'code', code })
    expect([done.status, browser.lastCookies]).toEqual([200, ['csrf_token_watchroom', 'ory_kratos_session']])
    expect(done.json()).toMatchObject({
      session: { identity: { traits: traits(email), verifiable_addresses: [{ verified: true }] } },
    })
  })

  const expire = (flow: { id: string }) =>
    queryBackend(backend, `update watchroom_identity.flows set expires_at = now() - interval '1 s' where id = $1`, [
      flow.id,
    ])

  it('is offered by the form of a sign-in, with where the person was going', async () => {
    const flow = await browse().start('login', '?return_to=%2Fhealth')
    expect(nodesOf(flow)).toEqual([...LOGIN, 'default #create_account'])
    expect(flow.ui.nodes.at(-1)?.attributes).toMatchObject({ href: '/registration?return_to=%2Fhealth' })
    await setProperty(backend, 'identity.registration', 'invitation')
    onTestFinished(() => setProperty(backend, 'identity.registration', 'open'))
    expect(nodesOf(await browse().start('login'))).toEqual(LOGIN)
    await setProperty(backend, 'identity.registration', 'open')
    const confirming = await (await signedIn()).start('login', '?refresh=true')
    expect(nodesOf(confirming)).not.toContain('default #create_account')
  })

  it('asks again who may register when an expired form is replaced', async () => {
    const invited = await backend.callAsService('/auth/invite_user', {
      method: 'POST',
      body: { firstName: 'In', lastName: 'Vited', email: 'in.vited@example.org', role: 'viewer' },
    })
    const token = new URL((invited.json() as { link: string }).link).searchParams.get('token') ?? ''
    await setProperty(backend, 'identity.registration', 'invitation')
    onTestFinished(() => setProperty(backend, 'identity.registration', 'open'))
    const browser = browse()
    const flow = await browser.start('registration', `?invitation=${token}`)
    await expire(flow)
    const values = { method: 'password', password: 'a sentence to remember' }
    const stranger = await browse().call(`/self-service/registration/flows?id=${flow.id}`)
    expect([stranger.status, errorOf(stranger).error.message]).toEqual([403, 'The requested action was forbidden'])
    const expired = await browser.submit('registration', flow, { ...values, traits: traits('someone@else.example') })
    expect(expired.status).toBe(410)
    const next = toFlow(await browser.call(`/self-service/registration/flows?id=${errorOf(expired).use_flow_id}`))
    expect(valueOf(next, 'traits.email')).toBe('in.vited@example.org')
    const done = await browser.submit('registration', next, { ...values, traits: traits('someone@else.example') })
    expect(done.json()).toMatchObject({ session: { identity: { traits: { email: 'in.vited@example.org' } } } })
    expect(await mailsTo(backend, 'someone@else.example')).toEqual([])
  })

  it.each([
    ['off', 404],
    ['invitation', 403],
  ])('takes no form that was begun before it was set to "%s"', async (mode, status) => {
    onTestFinished(() => setProperty(backend, 'identity.registration', 'open'))
    const email = `late-${mode}@example.org`
    const { browser, flow } = await askFor(email)
    const code = (await mailsTo(backend, email)).at(-1)?.data.code
    await setProperty(backend, 'identity.registration', mode)
    const late = await browser.submit('registration', flow, { method: 'code', code })
    await expire(flow)
    const renewed = await browser.call(`/self-service/registration/flows?id=${flow.id}`)
    expect([late.status, renewed.status]).toEqual([status, status])
  })

  it('says the same of an address that is taken, and sends it nothing', async () => {
    const free = await askFor('another.person@example.org')
    const taken = await askFor(person.email)
    expect(taken.seen).toEqual(free.seen)
    expect(await mailsTo(backend, person.email)).toEqual([])
  })
})
