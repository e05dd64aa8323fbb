// What is secret is in no log, whatever is asked of the product: the program itself, at its most talkative, with its real backend.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { generate } from 'otplib'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { TEST_ADMIN } from '#support/embeddedBackend.ts'
import { textOf, toFlow } from '#support/kratosBrowser.ts'
import { type MailServer, startMailServer } from '#support/mailServer.ts'
import { copyPreparedData } from '#support/preparedData.ts'
import { until } from '#support/processes.ts'
import { programArguments } from '#support/programs.ts'

let directory: string
let mailServer: MailServer
let program: ChildProcess
let url: string
let output = ''

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'watchroom-logs-'))
  copyPreparedData(directory)
  mailServer = await startMailServer()
  program = spawn(process.execPath, [...programArguments('main'), '--profile', 'empty'], {
    env: {
      PATH: process.env.PATH ?? '',
      WATCHROOM_LOG_LEVEL: 'trace',
      WATCHROOM_PORT: '0',
      WATCHROOM_DATA: directory,
      WATCHROOM_ADMIN_EMAIL: TEST_ADMIN.email,
      WATCHROOM_ADMIN_PASSWORD: TEST_ADMIN.password,
      WATCHROOM_SMTP_URL: mailServer.url.replace('://', '://watch:p%40ss@'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [program.stdout, program.stderr]) stream?.on('data', (chunk) => (output += String(chunk)))
  await until(() => /is ready: \S+/.test(output), { maxMs: 60_000, what: 'the product is ready' })
  url = /is ready: (\S+)/.exec(output)?.[1] ?? ''
}, 90_000)

afterAll(async () => {
  await end()
  await mailServer.close()
  rmSync(directory, { recursive: true, force: true })
})

async function end(): Promise<void> {
  if (program.exitCode !== null) return
  const gone = once(program, 'exit')
  program.kill('SIGTERM')
  await gone
}

interface Answer {
  readonly status: number
  readonly cookies: string[]
  json(): unknown
}

async function call(path: string, { body, ...init }: { method?: string; headers?: object; body?: unknown } = {}) {
  const response = await fetch(`${url}/api${path}`, {
    redirect: 'manual',
    ...init,
    headers: { accept: 'application/json', 'content-type': 'application/json', origin: url, ...init.headers },
    ...(body === undefined ? {} : { method: init.method ?? 'POST', body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const cookies = response.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '')
  return { status: response.status, cookies, json: (): unknown => JSON.parse(text) } satisfies Answer
}

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})

async function submit(kind: string, flowId: string, body: object, headers: object = {}): Promise<Answer> {
  return call(`/.ory/self-service/${kind}?flow=${flowId}`, { body, headers })
}

const startFlow = async (kind: string, headers: object = {}) =>
  toFlow({ ...(await call(`/.ory/self-service/${kind}/api`, { headers })), headers: {}, text: '' })

it('hold no password, session, token, code, link or credential', async () => {
  const secrets = new Map<string, string>([
    ['password of the administrator', TEST_ADMIN.password],
    ['wrong password', 'a-guess-that-someone-made'],
    ['password of the mail server', 'p@ss'],
    ['password of a connection', 'credential-of-a-connection'],
    ['token in an unknown address', 'token-in-an-unknown-address'],
  ])
  const secret = (name: string): string => secrets.get(name) ?? ''
  const keep = (name: string, value: string | undefined): string => {
    expect(value, name).toMatch(/.{6}/)
    secrets.set(name, value ?? '')
    return value ?? ''
  }

  const login = async (password: string) =>
    submit('login', (await startFlow('login')).id, { method: 'password', identifier: TEST_ADMIN.email, password })
  expect((await login(secret('wrong password'))).status).toBe(400)
  const { session_token: session } = (await login(TEST_ADMIN.password)).json() as { session_token: string }
  keep('session', session)
  const admin = { 'x-session-token': session }
  for (const headers of [
    admin,
    { cookie: `ory_kratos_session=${session}` },
    basic(TEST_ADMIN.email, TEST_ADMIN.password),
  ]) {
    expect((await call('/auth/whoami', { headers })).status).toBe(200)
  }
  expect((await call('/auth/whoami', { headers: basic(TEST_ADMIN.email, secret('wrong password')) })).status).toBe(401)

  const person = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@test.local', role: 'viewer' }
  const { link } = (await call('/auth/invite_user', { body: person, headers: admin })).json() as { link: string }
  keep('invitation', new URL(link).searchParams.get('token') ?? '')
  await call(new URL(link).href.split('/api')[1] ?? '', { headers: { accept: 'text/html' } })
  const invited = await call(`/.ory/self-service/login/api?invitation=${secret('invitation')}`)
  const opened = await submit('login', toFlow({ ...invited, headers: {}, text: '' }).id, { method: 'link' })
  keep('session of a link', (opened.json() as { session_token: string }).session_token)

  const recovery = await startFlow('recovery')
  await submit('recovery', recovery.id, { method: 'code', email: person.email })
  const mails = () => mailServer.mails.filter(({ recipients }) => recipients.includes(person.email))
  await until(() => mails().length === 2, { maxMs: 20_000, what: 'both mails are there' })
  const code = keep(
    'recovery code',
    mails()
      .map(({ text }) => /\b\d{8}\b/.exec(text)?.[0])
      .find((found) => found),
  )
  await submit('recovery', recovery.id, { method: 'code', code })

  const settings = await startFlow('settings', admin)
  const totp = keep('secret of an app', textOf(settings, 'totp_secret_key'))
  await submit('settings', settings.id, { method: 'totp', totp_code: await generate({ secret: totp }) }, admin)
  const made = await submit('settings', settings.id, { method: 'lookup_secret', lookup_secret_regenerate: true }, admin)
  const [backup] = textOf(toFlow({ ...made, headers: {}, text: '' }), 'lookup_secret_codes').split(', ')
  keep('backup code', backup)

  const newToken = { name: 'ci', role: null, days: 1 }
  const { access_token: token } = (await call('/auth/tokens', { body: newToken, headers: admin })).json() as {
    access_token: string
  }
  keep('access token', token)
  expect((await call('/auth/whoami', { headers: basic('token', token) })).status).toBe(200)
  const { access_token: agent } = (
    await call('/agent/generate', { body: { name: 'edge' }, headers: admin })
  ).json() as {
    access_token: string
  }
  expect((await call('/upstream/ping', { headers: basic('token', keep('token of an agent', agent)) })).status).toBe(200)

  const connection = { name: 'orders', type: 'postgres', password: secret('password of a connection') }
  const statuses = []
  for (let n = 0; n < 2; n++)
    statuses.push((await call('/db/connections', { body: connection, headers: admin })).status)
  expect(statuses).toEqual([201, 409])
  expect((await call(`/nowhere?token=${secret('token in an unknown address')}`, { headers: admin })).status).toBe(404)

  await end()
  // It did say what it was asked.
  expect(output).toContain('/self-service/login')
  expect(output.split('\n').length).toBeGreaterThan(50)
  const written = [...secrets].filter(
    ([, value]) => output.includes(value) || output.includes(encodeURIComponent(value)),
  )
  expect(written.map(([name]) => name)).toEqual([])
}, 90_000)
