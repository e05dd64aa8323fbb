// Where a cloud tells machines their own credentials: nothing that an editor writes asks there and shows the answer.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { TryChecksResponseSchema } from '@watchroom/shared/health'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { eventually } from '#support/eventually.ts'

import { createNetwork } from '../../gateway/src/embedded-backend/outbound/createNetwork.ts'
import { fetchVia } from '../../gateway/src/embedded-backend/outbound/fetchVia.ts'
import { createKeySetVerifier } from '../../gateway/src/platform/createTokenVerifier.ts'

const REFUSED = 'leads to the metadata of a cloud, where connections may not go'
const METADATA = 'http://169.254.169.254/latest/meta-data/iam/security-credentials/'

let backend: TestBackend
let target: Server
/** An inside host, which redirects to wherever its path says. */
let inside: string
let headers: Record<string, string>

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  const { email, password } = await backend.createPerson('editor')
  headers = await backend.signIn(email, password)
  target = createServer(({ url = '/' }, response) => {
    if (url === '/') response.end('well')
    else response.writeHead(302, { location: decodeURIComponent(url.slice(1)) }).end()
  })
  await once(target.listen(0, '127.0.0.1'), 'listening')
  inside = `http://localhost:${(target.address() as AddressInfo).port}/`
})
afterAll(async () => {
  target?.close()
  await backend?.stop()
})

const tryCheck = (url: string): Promise<string | null> => tryCheckOf('http', { url })

async function tryCheckOf(type: string, fields: object): Promise<string | null> {
  const body = { spec: { schedule: '@every 1h', [type]: [{ name: 'asked', ...fields }] } }
  const answer = await backend.call('/canary/api/try', { method: 'POST', body, headers })
  const [check] = TryChecksResponseSchema.parse(answer.json()).checks
  expect(check).toBeDefined()
  return check?.error ?? null
}

let count = 0
async function runStep(step: object): Promise<{ status: string; error: string | null }> {
  const made = await backend.call('/db/playbooks', {
    method: 'POST',
    headers: { ...headers, prefer: 'return=representation' },
    body: { name: `ask-${(count += 1)}`, title: 'Ask', source: 'UI', spec: { actions: [{ name: 'ask', ...step }] } },
  })
  const [playbook] = made.json() as { id: string }[]
  const started = await backend.call('/playbook/run', { method: 'POST', headers, body: { id: playbook?.id } })
  expect(started.status, started.text).toBe(201)
  const path = `/db/playbook_run_actions?playbook_run_id=eq.${(started.json() as { run_id: string }).run_id}`
  return eventually(
    async () => {
      const [action] = (await backend.callAsService(path)).json() as { status: string; error: string | null }[]
      if (action === undefined || !['completed', 'failed'].includes(action.status)) throw new Error('not done yet')
      return action
    },
    { timeout: 20_000, interval: 50 },
  )
}

describe.each([
  ['by its address', () => METADATA],
  ['by a number in another form', () => 'http://0xa9fea9fe/latest'],
  ['through IPv6', () => 'http://[::ffff:169.254.169.254]/latest'],
  ['through a network that translates addresses', () => 'http://[64:ff9b:1::a9fe:a9fe]/latest'],
  ['by a redirect', () => inside + encodeURIComponent(METADATA)],
])('the metadata of a cloud, %s', (_, toUrl) => {
  it('is asked by no check', async () => {
    expect(await tryCheck(toUrl())).toContain(REFUSED)
  })

  it('is asked by no step of a playbook', async () => {
    expect(await runStep({ http: { url: toUrl() } })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining(REFUSED),
    })
  })
})

describe('the metadata of a cloud, by another protocol', () => {
  it.each([
    ['tcp', { endpoint: '169.254.169.254:80' }],
    ['tcp', { endpoint: '169.254.169.254:443', tls: true }],
    ['postgres', { url: 'postgres://u:p@169.254.169.254:80/x' }],
    ['redis', { addr: '169.254.169.254:80' }],
    ['redis', { addr: '[fd00:ec2::254]:80', tls: true }],
  ])('is asked by no %s check: %j', async (type, fields) => {
    expect(await tryCheckOf(type, fields)).toContain(REFUSED)
  })

  it('is asked by no webhook for the keys of its callers', async () => {
    const keys = createKeySetVerifier(fetchVia(createNetwork()))
    const [head, body] = [{ alg: 'RS256', kid: 'k' }, { exp: 9_999_999_999 }].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    await expect(keys.isSigned(`${head}.${body}.AAAA`, METADATA)).rejects.toThrow(REFUSED)
  })
})

describe('a step that asks a database', () => {
  it('asks none there', async () => {
    expect(await runStep({ sql: { url: 'postgres://169.254.169.254/x', query: 'select 1' } })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining(REFUSED),
    })
  })
})

describe('an inside host', () => {
  it('is asked as before, by checks and steps', async () => {
    expect(await tryCheck(inside)).toBeNull()
    expect(await tryCheck(inside + encodeURIComponent(inside))).toBeNull()
    expect(await runStep({ http: { url: inside } })).toMatchObject({ status: 'completed', error: null })
  })
})
