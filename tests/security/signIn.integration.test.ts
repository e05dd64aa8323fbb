// Guessed passwords, by form and by HTTP Basic: what they cost, and that nobody else feels them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { eventually } from '#support/eventually.ts'
import { FakeBackend } from '#support/fakeBackend.ts'
import { type RunningGateway, startGateway, toGatewayBackend } from '#support/gateway.ts'

const basicOf = (email: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
})

describe('wrong passwords', () => {
  let backend: TestBackend
  let gateway: RunningGateway

  beforeAll(async () => {
    backend = await startEmbeddedBackend()
    // Callers name their address, as a proxy in front would.
    gateway = await startGateway({ backend: toGatewayBackend(backend), env: { WATCHROOM_TRUSTED_PROXY: '127.0.0.1' } })
  })
  afterAll(async () => {
    await gateway?.stop()
    await backend?.stop()
  })

  const whoAmI = (credential: Record<string, string>, address: string): Promise<Response> =>
    fetch(`${gateway.url}/api/auth/whoami`, { headers: { ...credential, 'x-forwarded-for': address } })

  const attemptForm = async (identifier: string, password: string, address: string): Promise<Response> => {
    const headers = { 'x-forwarded-for': address, accept: 'application/json', 'content-type': 'application/json' }
    const flow = (await (await fetch(`${gateway.url}/api/.ory/self-service/login/api`, { headers })).json()) as {
      id: string
    }
    return fetch(`${gateway.url}/api/.ory/self-service/login?flow=${flow.id}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ method: 'password', identifier, password }),
    })
  }

  it('make everyone but who is known wait, over all addresses and both doors', async () => {
    // An attempt comes back every five seconds: where the machine takes as long, someone else is asked about.
    const { email, password } = await eventually(async () => {
      const target = await backend.createPerson('editor')
      expect((await whoAmI(basicOf(target.email, target.password), '198.51.100.1')).status).toBe(200)
      const guesses = Array.from({ length: 5 }, (_, n) =>
        whoAmI(basicOf(target.email, `guess ${n}`), `192.0.2.${n + 1}`).then(({ status }) => status),
      )
      expect(await Promise.all(guesses)).toEqual([401, 401, 401, 401, 401])
      for (const refused of [
        await whoAmI(basicOf(target.email, 'guess 6'), '192.0.2.6'),
        await attemptForm(target.email, target.password, '192.0.2.8'),
      ]) {
        expect(refused.status).toBe(429)
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      }
      return target
    })
    expect((await whoAmI(basicOf(email, password), '198.51.100.1')).status).toBe(200)
    expect((await attemptForm(email, password, '198.51.100.1')).status).toBe(200)
  }, 60_000)

  it('from one address run out over all accounts, at both doors, and only that address waits', async () => {
    const address = '198.51.100.77'
    const statuses: number[] = []
    // Another account each time: nothing is known but where they come from.
    for (let n = 0; n < 40; n++) {
      const guess =
        n % 2 === 0
          ? whoAmI(basicOf(`sprayed-${n}@test.local`, 'guess'), address)
          : attemptForm(`sprayed-${n}@test.local`, 'guess', address)
      statuses.push((await guess).status)
    }
    expect(statuses.slice(0, 25).every((status) => status !== 429)).toBe(true)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
    // An attempt comes back every two seconds, perhaps just now: a guess takes it. Who was let in is known there: ask about others.
    const { email, password } = await eventually(async () => {
      const target = await backend.createPerson('viewer')
      await whoAmI(basicOf(target.email, 'guess'), address)
      const fromThere = await attemptForm(target.email, target.password, address)
      expect(fromThere.status).toBe(429)
      expect(Number(fromThere.headers.get('retry-after'))).toBeGreaterThan(0)
      return target
    })
    expect((await attemptForm(email, password, '198.51.100.78')).status).toBe(200)
  })

  it('tell nobody by their answers which accounts exist', async () => {
    const answersOf = async (email: string, network: string): Promise<unknown[]> => {
      const answers = []
      for (let n = 0; n < 7; n++) {
        const byBasic = await whoAmI(basicOf(email, `guess ${n}`), `${network}.${n}`)
        const byForm = await attemptForm(email, `guess ${n}`, `${network}.${n + 100}`)
        const form = (await byForm.json()) as { ui: { messages: { id: number }[] } }
        answers.push([byBasic.status, byForm.status, form.ui.messages.map(({ id }) => id)])
      }
      return answers
    }
    // An attempt comes back every five seconds: where the machine takes as long, others are asked about.
    await eventually(async () => {
      const { email } = await backend.createPerson('viewer')
      const real = await answersOf(email, '203.0.113')
      expect(await answersOf(`no-${email}`, '198.18.0')).toEqual(real)
      expect(real.at(0)).toEqual([401, 400, [4_000_006]])
      expect(real.at(-1)).toEqual([429, 429, [4_900_002]])
    })
  }, 60_000)

  it('with made-up names are checked two at a time, while sessions are looked up as ever', async () => {
    const { headers } = await gateway.signInAs('viewer')
    const flood = Array.from({ length: 300 }, (_, n) =>
      whoAmI(basicOf(`made-up-${n}@test.local`, 'x'), `10.${n % 250}.0.1`).then(({ status }) => status),
    )
    const honest = await fetch(`${gateway.url}/api/auth/whoami`, { headers })
    expect(honest.status).toBe(200)
    const statuses = await Promise.all(flood)
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    expect(statuses.filter((status) => status === 401).length).toBeLessThan(200)
  })
})

describe('made-up credentials', () => {
  let backend: FakeBackend
  let gateway: RunningGateway
  beforeAll(async () => {
    backend = await FakeBackend.start()
    gateway = await startGateway({ backend })
    backend.json('GET /auth/whoami', {}, 401)
  })
  afterAll(async () => {
    await gateway?.stop()
    await backend?.stop()
  })

  it('neither reach the backend without end nor push out who is signed in', async () => {
    const { headers } = await gateway.signInAs('viewer')
    const whoAmI = (own: Record<string, string>): Promise<number> =>
      gateway.gateway.access.identify(own, { address: '192.0.2.1' }).then(
        (identity) => (identity ? 200 : 401),
        (error: { status: number }) => error.status,
      )
    expect(await whoAmI(headers)).toBe(200)
    const before = backend.requests.length
    const statuses = await Promise.all([
      ...Array.from({ length: 5_000 }, (_, n) => whoAmI({ 'x-session-token': `made-up-${n}` })),
      ...Array.from({ length: 5_000 }, (_, n) => whoAmI(basicOf(`made-up-${n}`, 'x'))),
    ])
    expect(statuses).toHaveLength(10_000)
    expect(statuses).not.toContain(200)
    // 300 sessions and 30 passwords at once, and what fills again meanwhile.
    const asked = backend.requests.length - before
    expect(asked).toBeGreaterThan(0)
    expect(asked).toBeLessThan(1_000)
    const reached = backend.requests.length
    expect(await whoAmI(headers)).toBe(200)
    expect(backend.requests.length - reached).toBeLessThanOrEqual(2)
  })
})
