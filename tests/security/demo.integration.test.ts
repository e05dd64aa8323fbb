// The demo's accounts: a password of its own in each data directory, shown to nobody but a browser on the same machine.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ROLES } from '@watchroom/shared/access'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { FakeBackend } from '#support/fakeBackend.ts'
import { type RunningGateway, startGateway } from '#support/gateway.ts'
import { rawRequest } from '#support/rawRequest.ts'

import { hashPassword } from '../../gateway/src/embedded-backend/identity/secrets.ts'

/** Of all demos, before each had its own. */
const PUBLISHED = 'watchroom-demo'

describe('the password of the demo', () => {
  let dataDirectory: string
  let backend: TestBackend
  const start = async (options: { demoPassword?: string } = {}): Promise<void> => {
    backend = await startEmbeddedBackend({ profile: 'demo', dataDirectory, ...options })
  }
  const emailOf = (role: string): string => `${role}@demo.watchroom.local`
  const setHash = async (email: string, password: string): Promise<void> => {
    const client = new Client({ connectionString: backend.databaseUrl })
    await client.connect()
    const hash = await hashPassword(password)
    await client.query(`update watchroom_identity.identities set password_hash = $1 where traits ->> 'email' = $2`, [
      hash,
      email,
    ])
    await client.end()
  }

  beforeAll(async () => {
    dataDirectory = mkdtempSync(join(tmpdir(), 'wr-demo-'))
    await start()
  })
  afterAll(async () => {
    await backend?.stop()
    rmSync(dataDirectory, { recursive: true, force: true })
  })

  it('is made for the data directory, kept for its owner alone, and is not the published one', async () => {
    const file = join(dataDirectory, 'demo-password')
    const password = backend.ready.demoPassword ?? ''
    expect(readFileSync(file, 'utf8')).toBe(`${password}\n`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(password).toMatch(/^[\w-]{24}$/)
    for (const role of ROLES) {
      await expect(backend.signIn(emailOf(role), PUBLISHED)).rejects.toThrow(/invalid/)
      const headers = await backend.signIn(emailOf(role), password)
      expect((await backend.call('/auth/whoami', { headers })).json()).toMatchObject({ payload: { roles: [role] } })
    }
  })

  it('replaces the published one in a data directory of an older release', async () => {
    for (const role of ROLES) await setHash(emailOf(role), PUBLISHED)
    await backend.stop()
    rmSync(join(dataDirectory, 'demo-password'))
    await start()
    const password = backend.ready.demoPassword ?? ''
    for (const role of ROLES) {
      await expect(backend.signIn(emailOf(role), PUBLISHED)).rejects.toThrow(/invalid/)
      await backend.signIn(emailOf(role), password)
    }
  }, 90_000)

  it('stays over a restart, and changes with the setting, except for who chose another', async () => {
    const former = backend.ready.demoPassword ?? ''
    await setHash(emailOf('viewer'), 'chosen by the viewer')
    await backend.stop()
    await start()
    expect(backend.ready.demoPassword).toBe(former)
    await backend.stop()
    await start({ demoPassword: 'said by the operator' })
    expect(backend.ready.demoPassword).toBe('said by the operator')
    await backend.signIn(emailOf('editor'), 'said by the operator')
    await expect(backend.signIn(emailOf('editor'), former)).rejects.toThrow(/invalid/)
    await backend.signIn(emailOf('viewer'), 'chosen by the viewer')
  }, 90_000)
})

describe('the sign-in page of the demo', () => {
  let backend: FakeBackend
  let gateway: RunningGateway
  beforeAll(async () => {
    backend = await FakeBackend.start()
    gateway = await startGateway({ backend, deps: { demoPassword: () => 'the password' } })
  })
  afterAll(async () => {
    await gateway?.stop()
    await backend?.stop()
  })

  const ask = async (headers: Record<string, string>): Promise<unknown> => {
    const answer = await fetch(`${gateway.url}/gateway/demo`, { method: 'POST', headers })
    return answer.status === 200 ? await answer.json() : answer.status
  }

  it('offers the accounts to a page of this server on this machine', async () => {
    expect(await ask({ origin: gateway.url })).toMatchObject({ demo: { password: 'the password' } })
  })

  it.each<[string, Record<string, string>]>([
    ['that does not say of which page', {}],
    ['through a proxy that says so', { 'x-forwarded-for': '203.0.113.9' }],
    ['through a proxy that says so in the standard way', { forwarded: 'for=203.0.113.9' }],
    ['through a proxy that names itself', { via: '1.1 proxy' }],
    ['through a proxy that gives the real address', { 'x-real-ip': '203.0.113.9' }],
  ])('offers nothing to a request %s', async (_name, headers) => {
    const origin = _name.includes('proxy') ? { origin: gateway.url } : {}
    expect(await ask({ ...origin, ...headers })).toEqual({ demo: null })
  })

  it('offers nothing to a page of another name, although the proxy before it is silent', async () => {
    const { port } = new URL(gateway.url)
    for (const origin of ['https://watch.example', 'null', `http://127.0.0.1:${Number(port) + 1}`]) {
      expect(await ask({ origin })).not.toMatchObject({ demo: { password: expect.anything() as string } })
    }
    const old = await rawRequest(
      gateway.url,
      `POST /gateway/demo HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${gateway.url}\r\nContent-Length: 0\r\n\r\n`,
    )
    expect(old).not.toContain('the password')
  })

  it('offers nothing where there is no demo', async () => {
    const plain = await startGateway({ backend })
    const answer = await fetch(`${plain.url}/gateway/demo`, { method: 'POST', headers: { origin: plain.url } })
    expect(await answer.json()).toEqual({ demo: null })
    await plain.stop()
  })
})
