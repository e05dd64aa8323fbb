// Attacks on the flows of the identity service: who has an account, whose form it is, where one is led, and guessing.
import type * as Argon2 from '@node-rs/argon2'
import { generate } from 'otplib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

import { type CountedIdentity, startCountedIdentity } from '#support/countedIdentity.ts'
import {
  type BackendAnswer,
  startEmbeddedBackend,
  TEST_ADMIN,
  type TestBackend,
  type TestPerson,
} from '#support/embeddedBackend.ts'
import { HOSTILE_ADDRESSES } from '#support/hostileAddresses.ts'
import {
  errorOf,
  KratosBrowser,
  mailsTo,
  messageIdsOf,
  nodesOf,
  queryBackend,
  setProperty,
  textOf,
  toFlow,
} from '#support/kratosBrowser.ts'

let backend: TestBackend
let person: TestPerson
let networks = 0

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  person = await backend.createPerson('viewer')
  await setProperty(backend, 'identity.registration', 'open')
  counted = await startCountedIdentity(backend, work)
})
afterAll(async () => {
  await counted?.stop()
  await backend?.stop()
})

/** From an address of its own, so that no limit is shared. */
const browse = (at: Pick<TestBackend, 'call'> = backend): KratosBrowser =>
  new KratosBrowser(at, { 'x-forwarded-for': `10.${(networks >> 8) & 255}.${networks++ & 255}.1` })

async function signedIn(who: TestPerson): Promise<KratosBrowser> {
  const browser = browse()
  expect((await browser.signIn(who.email, who.password)).status).toBe(200)
  return browser
}

const FORMS = [
  ['login', (email: string) => ({ method: 'password', identifier: email, password: 'not the password' })],
  ['recovery', (email: string) => ({ method: 'code', email })],
  ['verification', (email: string) => ({ method: 'code', email })],
  [
    'registration',
    (email: string) => ({ method: 'password', password: 'a sentence to remember', traits: { email, name: {} } }),
  ],
] as const

/** What a person and a script see of an answer, but for what names the address itself. */
const seen = (answer: BackendAnswer, email: string): unknown => {
  const flow = toFlow(answer)
  const { id, issued_at: _, expires_at: __, request_url: ___, ...rest } = flow
  return JSON.parse(
    JSON.stringify([answer.status, rest])
      .replaceAll(id, 'flow')
      .replaceAll(email, 'address')
      .replaceAll(/"csrf_token".*?"value":"[^"]*"/g, ''),
  ) as unknown
}

/** Statements and hashes of what is answered in this process. */
const work: string[] = []
let counted: CountedIdentity

// Files of one worker share what they read: what another one read before knows of no count.
vi.hoisted(() => vi.resetModules())
vi.mock('@node-rs/argon2', async (importOriginal) => {
  const original = await importOriginal<typeof Argon2>()
  return {
    ...original,
    hash: (...values: Parameters<typeof original.hash>) => {
      work.push('hash')
      return original.hash(...values)
    },
    verify: (...values: Parameters<typeof original.verify>) => {
      work.push('verify')
      return original.verify(...values)
    },
  }
})

/** Of a form that is sent: the clock of a busy machine tells nothing, this does (`npm run bench identity` has the time). */
async function workOf(kind: (typeof FORMS)[number][0], values: Record<string, unknown>): Promise<string[]> {
  const browser = browse(counted)
  const flow = await browser.start(kind)
  counted.takeWork()
  await browser.submit(kind, flow, values)
  // A mail that nobody gets is written as well, and taken back by the same commit.
  return counted.takeWork().map((each) => each.replace(/^(?:release|rollback to)(?= savepoint mail$)/, 'end of'))
}

describe('a name and a password', () => {
  it('cost the same work whether there is such an account or not, at first and again', async () => {
    const known = await backend.createPerson('viewer')
    const worked = []
    for (const email of [known.email, 'none-basic@test.local']) {
      const ask = async (): Promise<string[]> => {
        counted.takeWork()
        await counted.callAs(email, 'not the password')
        return counted.takeWork()
      }
      worked.push([await ask(), await ask()])
    }
    expect(worked[0]).toEqual(worked[1])
    expect(worked[0]?.flat()).toContain('verify')
  })
})

describe.each(FORMS)('%s', (kind, valuesOf) => {
  it('says the same of an address that has an account and of one that has none', async () => {
    const known = await backend.createPerson('viewer')
    const answers = []
    for (const email of [known.email, `nobody-${kind}@test.local`]) {
      const browser = browse()
      const flow = await browser.start(kind)
      const answer = await browser.submit(kind, flow, valuesOf(email))
      const nodes = toFlow(answer).ui.nodes.filter(
        ({ attributes }) => !('name' in attributes && attributes.name === 'csrf_token'),
      )
      answers.push([
        seen({ ...answer, json: () => ({ ...toFlow(answer), ui: { ...toFlow(answer).ui, nodes } }) }, email),
        browser.lastCookies,
      ])
    }
    expect(answers[1]).toEqual(answers[0])
  })

  it('does the same work for an address that has an account as for one that has none', async () => {
    const known = await backend.createPerson('viewer')
    const done = await workOf(kind, valuesOf(known.email))
    expect(done.length).toBeGreaterThan(3)
    // A mail that is on its way slows down what is answered meanwhile: the answer comes later, whether there is one or not.
    expect(done.at(-1) === 'wait').toBe(kind !== 'login')
    expect(await workOf(kind, valuesOf(`none-${kind}@test.local`))).toEqual(done)
  })

  it('belongs to the browser that started it', async () => {
    const flow = await browse().start(kind)
    const victim = browse()
    await victim.start(kind)
    const answer = await victim.submit(kind, flow, valuesOf(person.email))
    expect([answer.status, errorOf(answer).error.id]).toEqual([403, 'security_csrf_violation'])
    const read = await victim.call(`/self-service/${kind}/flows?id=${flow.id}`)
    expect([read.status, errorOf(read).error.id]).toEqual([403, 'security_csrf_violation'])
  })
})

describe('return_to', () => {
  it('is refused in each of 50 hostile forms, at the start of a flow and at the end of a session', async () => {
    expect(HOSTILE_ADDRESSES.length).toBeGreaterThanOrEqual(50)
    const browser = new KratosBrowser(backend, { 'x-forwarded-host': 'watch.example', 'x-forwarded-proto': 'http' })
    for (const target of HOSTILE_ADDRESSES) {
      for (const path of ['login/browser', 'recovery/browser', 'verification/browser', 'logout']) {
        const answer = await browser.call(`/self-service/${path}?return_to=${encodeURIComponent(target)}`)
        expect([target, path, answer.status, errorOf(answer).error.id]).toEqual([
          target,
          path,
          400,
          'self_service_flow_return_to_forbidden',
        ])
      }
    }
  })

  it('is a path of this site, also where it names the site itself', async () => {
    const browser = new KratosBrowser(backend, { 'x-forwarded-host': 'watch.example', 'x-forwarded-proto': 'http' })
    for (const target of ['/health?a=b', 'http://watch.example/health?a=b']) {
      const flow = await browser.start('login', `?return_to=${encodeURIComponent(target)}`)
      expect(flow.return_to).toBe('/health?a=b')
    }
  })
})

describe('sessions', () => {
  it('are opened under a token of their own, whatever token a browser had', async () => {
    const browser = browse()
    browser.cookies.set('ory_kratos_session', 'planted')
    await browser.signIn(person.email, person.password)
    expect(browser.cookies.get('ory_kratos_session')).not.toBe('planted')
    const before = browser.cookies.get('ory_kratos_session') ?? ''
    const refresh = await browser.start('login', '?refresh=true')
    await browser.submit('login', refresh, { method: 'password', password: person.password })
    const old = await backend.call('/kratos/sessions/whoami', { headers: { cookie: `ory_kratos_session=${before}` } })
    expect(old.status).toBe(401)
  })

  it('are worth nothing without the second factor, by cookie, header or password', async () => {
    const who = await backend.createPerson('viewer')
    const own = await signedIn(who)
    const flow = await own.start('settings')
    await own.submit('settings', flow, {
      method: 'totp',
      totp_code: await generate({ secret: textOf(flow, 'totp_secret_key') }),
    })
    const half = browse()
    expect((await half.signIn(who.email, who.password)).status).toBe(422)
    const token = half.cookies.get('ory_kratos_session') ?? ''
    const basic = `Basic ${Buffer.from(`${who.email}:${who.password}`).toString('base64')}`
    for (const headers of [
      { cookie: `ory_kratos_session=${token}` },
      { 'x-session-token': token },
      { authorization: `Bearer ${token}` },
      { authorization: basic },
    ]) {
      expect((await backend.call('/auth/whoami', { headers })).status).toBe(401)
    }
    expect((await own.call('/sessions/whoami')).status).toBe(200)
  })

  it('end everywhere else when the password changes', async () => {
    const who = await backend.createPerson('viewer')
    const [own, other] = [await signedIn(who), await signedIn(who)]
    const flow = await own.start('settings')
    const saved = await own.submit('settings', flow, { method: 'password', password: 'another fine sentence' })
    expect(saved.status).toBe(200)
    expect((await own.call('/sessions/whoami')).status).toBe(200)
    expect((await other.call('/sessions/whoami')).status).toBe(401)
  })

  it('do not change the settings of someone else', async () => {
    const [mine, theirs] = [await signedIn(person), await signedIn(await backend.createPerson('viewer'))]
    const flow = await theirs.start('settings')
    mine.cookies.set('csrf_token_watchroom', theirs.cookies.get('csrf_token_watchroom') ?? '')
    const answer = await mine.submit('settings', flow, { method: 'password', password: 'another fine sentence' })
    expect([answer.status, errorOf(answer).error.id]).toEqual([403, 'security_identity_mismatch'])
    const read = await mine.call(`/self-service/settings/flows?id=${flow.id}`)
    expect([read.status, errorOf(read).error.id]).toEqual([403, 'security_identity_mismatch'])
    const nobody = await browse().call(`/self-service/settings/flows?id=${flow.id}`)
    expect([nobody.status, errorOf(nobody).error.id]).toEqual([401, 'session_inactive'])
  })

  it('send a form again only once its owner has seen it in that browser', async () => {
    const who = await backend.createPerson('viewer')
    const [here, there] = [await signedIn(who), await signedIn(who)]
    const flow = await here.start('settings')
    const values = { method: 'profile', traits: { email: who.email, name: { first: 'Samantha', last: 'Ple' } } }
    const blind = await there.submit('settings', flow, values)
    expect([blind.status, errorOf(blind).error.id]).toEqual([403, 'security_csrf_violation'])
    const seen = toFlow(await there.call(`/self-service/settings/flows?id=${flow.id}`))
    expect((await there.submit('settings', seen, values)).status).toBe(200)
    const former = await here.submit('settings', flow, values)
    expect([former.status, errorOf(former).error.id]).toEqual([403, 'security_csrf_violation'])
  })

  it('are not used by forms of programs, which any page could send', async () => {
    const browser = await signedIn(person)
    const answer = await browser.call('/self-service/settings/api')
    expect([answer.status, errorOf(answer).error.id]).toEqual([401, 'session_inactive'])
  })
})

describe('forms that anybody may begin', () => {
  it('are so many for one address, explanations of refused ones among them, and as many for the next', async () => {
    const from = (address: string) => new KratosBrowser(backend, { 'x-forwarded-for': address })
    const flooder = from('203.0.113.77')
    const ways = [
      () => flooder.call('/self-service/login/api'),
      () => flooder.call('/self-service/verification/api'),
      () => flooder.navigate('/self-service/verification'),
    ]
    const refused = new Map<number, BackendAnswer>()
    let begun = 0
    for (let round = 0; round < 40 && refused.size < ways.length; round++) {
      const answers = await Promise.all(Array.from({ length: 10 }).flatMap(() => ways.map((way) => way())))
      answers.forEach((answer, n) => {
        if (answer.status === 429) refused.set(n % ways.length, answer)
        else begun++
      })
    }
    expect(begun).toBeGreaterThanOrEqual(600)
    for (const way of ways.keys()) {
      const answer = refused.get(way)
      expect(answer && errorOf(answer).error.reason, `way ${way}`).toBe(
        'Too many forms were begun from your address. Try again in a moment.',
      )
      expect(Number(answer?.headers['retry-after'])).toBeGreaterThan(0)
    }
    expect((await from('203.0.113.78').call('/self-service/login/api')).status).toBe(200)
  }, 90_000)
})

describe('guessing', () => {
  it('a code ends after five tries, also when they come at once, and the sixth right one is refused', async () => {
    const who = await backend.createPerson('viewer')
    const browser = browse()
    const flow = await browser.start('recovery')
    await browser.submit('recovery', flow, { method: 'code', email: who.email })
    const code = (await mailsTo(backend, who.email)).at(-1)?.data.code ?? ''
    expect(code).toMatch(/^[0-9]{8}$/)
    const wrong = Array.from({ length: 12 }, (_, n) => String(n).padStart(8, '0')).filter((guess) => guess !== code)
    const answers = await Promise.all(
      wrong.map((guess) => browser.submit('recovery', flow, { method: 'code', code: guess })),
    )
    const ids = answers.flatMap((answer) => messageIdsOf(toFlow(answer)))
    expect(ids.filter((id) => id === 4_060_006).length).toBeLessThanOrEqual(5)
    const right = await browser.submit('recovery', flow, { method: 'code', code })
    // Neither the settings nor a session: the form asks for the address again.
    expect([200, 400]).toContain(right.status)
    expect(browser.cookies.has('ory_kratos_session')).toBe(false)
  })

  it('fills nobody’s inbox, and waits are the same for addresses without an account', async () => {
    const who = await backend.createPerson('viewer')
    for (const email of [who.email, 'nobody-at-all@test.local']) {
      const statuses = []
      for (let n = 0; n < 7; n++) {
        const browser = browse()
        const flow = await browser.start('recovery')
        statuses.push((await browser.submit('recovery', flow, { method: 'code', email })).status)
      }
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    }
    expect(await mailsTo(backend, who.email)).toHaveLength(5)
  })

  it('second factors slows down whoever has the password, over all sessions', async () => {
    const who = await backend.createPerson('viewer')
    const own = await signedIn(who)
    const flow = await own.start('settings')
    await own.submit('settings', flow, {
      method: 'totp',
      totp_code: await generate({ secret: textOf(flow, 'totp_secret_key') }),
    })
    const statuses = []
    for (let n = 0; n < 7; n++) {
      const browser = browse()
      await browser.signIn(who.email, who.password)
      const second = await browser.start('login', '?aal=aal2')
      statuses.push((await browser.submit('login', second, { method: 'totp', totp_code: '000000' })).status)
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429])
  })

  it('a code of an app works once', async () => {
    const who = await backend.createPerson('viewer')
    const own = await signedIn(who)
    const flow = await own.start('settings')
    const code = await generate({ secret: textOf(flow, 'totp_secret_key') })
    await own.submit('settings', flow, { method: 'totp', totp_code: code })
    const browser = browse()
    await browser.signIn(who.email, who.password)
    const second = await browser.start('login', '?aal=aal2')
    expect((await browser.submit('login', second, { method: 'totp', totp_code: code })).status).toBe(400)
  })
})

describe('links', () => {
  it('work once, and looking at one does not use it up', async () => {
    const who = await backend.createPerson('viewer')
    await setProperty(backend, 'identity.recovery.use', 'link')
    const asking = browse()
    await asking.submit('recovery', await asking.start('recovery'), { method: 'link', email: who.email })
    await setProperty(backend, 'identity.recovery.use', 'code')
    const url = new URL((await mailsTo(backend, who.email)).at(-1)?.data.url ?? '')
    const path = url.pathname.replace('/api/.ory', '') + url.search
    await browse().call(path, { method: 'HEAD' })
    const opened = browse()
    expect((await opened.navigate(path)).headers['location']).toMatch(/^\/profile-settings/)
    const again = browse()
    expect((await again.navigate(path)).headers['location']).toMatch(/^\/recovery/)
    expect(again.cookies.has('ory_kratos_session')).toBe(false)
  })
})

describe('who may come in', () => {
  const NAME = 'identity.verification.use'

  it('is no flag that an editor writes', async () => {
    await setProperty(backend, NAME, 'code')
    const editor = await backend.createPerson('editor')
    const headers = await backend.signIn(editor.email, editor.password)
    const write = async (method: string, path: string, body?: unknown): Promise<number> =>
      (await backend.call(`/db/properties${path}`, { method, headers, ...(body === undefined ? {} : { body }) })).status
    expect(await write('POST', '', { name: 'shop.colour', value: 'red' })).toBe(201)
    expect([
      await write('POST', '', { name: 'identity.registration.other', value: 'open' }),
      await write('PATCH', `?name=eq.${NAME}`, { value: 'link' }),
      await write('PATCH', '?name=eq.shop.colour', { name: 'identity.recovery.other' }),
      await write('DELETE', `?name=eq.${NAME}`),
    ]).toEqual([403, 403, 403, 403])
    const admin = await backend.signIn(TEST_ADMIN.email, TEST_ADMIN.password)
    const changed = await backend.call(`/db/properties?name=eq.${NAME}`, {
      method: 'PATCH',
      headers: admin,
      body: { value: 'code' },
    })
    expect(changed.status).toBe(204)
  })

  it('is what the configuration says, whatever the database says', async () => {
    const fixed = await startEmbeddedBackend({ properties: { 'identity.registration': 'off' } })
    onTestFinished(() => fixed.stop())
    await setProperty(fixed, 'identity.registration', 'open')
    expect((await browse(fixed).call('/self-service/registration/api')).status).toBe(404)
    expect(nodesOf(await browse(fixed).start('registration'))).toEqual(['default csrf_token [hidden]'])
  })
})

describe('stored', () => {
  it('are neither codes, nor secrets of apps, nor backup codes', async () => {
    const who = await backend.createPerson('viewer')
    const own = await signedIn(who)
    const flow = await own.start('settings')
    const secret = textOf(flow, 'totp_secret_key')
    await own.submit('settings', flow, { method: 'totp', totp_code: await generate({ secret }) })
    const made = toFlow(await own.submit('settings', flow, { lookup_secret_regenerate: true }))
    const codes = textOf(made, 'lookup_secret_codes').split(', ')
    await own.submit('settings', flow, { lookup_secret_confirm: true })
    expect(nodesOf(made).length).toBeGreaterThan(0)
    const [row] = await queryBackend<{ text: string }>(
      backend,
      `select (select string_agg(credentials::text, ' ') from watchroom_identity.credentials)
         || (select string_agg(flows::text, ' ') from watchroom_identity.flows) as text`,
    )
    for (const text of [secret, ...codes]) expect(row?.text).not.toContain(text)
  })
})
