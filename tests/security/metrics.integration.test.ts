// Measurements tell how a team works and what it runs: nobody reads them because they happen to be on this machine. Checks do.
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'

import { eventually } from '#support/eventually.ts'
import { FakeBackend } from '#support/fakeBackend.ts'
import { type RunningGateway, startGateway } from '#support/gateway.ts'
import { openRawLive } from '#support/rawLive.ts'

const TOKEN = 'token-of-the-collector'

let backend: FakeBackend
let gateway: RunningGateway
let withToken: RunningGateway

beforeAll(async () => {
  backend = await FakeBackend.start()
  gateway = await startGateway({ backend })
  withToken = await startGateway({ backend, env: { WATCHROOM_METRICS_TOKEN: TOKEN } })
})

afterAll(async () => {
  await gateway?.stop()
  await withToken?.stop()
  await backend?.stop()
})

const statusOf = async (at: RunningGateway, headers: Record<string, string> = {}): Promise<number> =>
  (await fetch(`${at.url}/metrics`, { headers })).status

it('shows measurements to administrators alone, from this machine too', async () => {
  expect(await statusOf(gateway)).toBe(401)
  expect(await statusOf(gateway, { 'x-forwarded-for': '127.0.0.1' })).toBe(401)
  expect(await statusOf(gateway, { ...(await gateway.signInAs('editor')).headers })).toBe(403)
  expect(await statusOf(gateway, { ...(await gateway.signInAs('admin')).headers })).toBe(200)
})

it('shows them to whoever brings the token, where there is one', async () => {
  const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })
  expect(await statusOf(withToken, bearer(TOKEN))).toBe(200)
  expect(await statusOf(withToken, bearer(TOKEN.slice(1)))).toBe(401)
  expect(await statusOf(withToken)).toBe(401)
  // Without a token of its own the gateway compares with nothing.
  for (const token of ['undefined', 'null', TOKEN]) expect(await statusOf(gateway, bearer(token))).toBe(401)
})

it('takes the token for nothing else', async () => {
  const answer = await fetch(`${withToken.url}/api/auth/whoami`, { headers: { authorization: `Bearer ${TOKEN}` } })
  expect(answer.status).toBe(401)
})

it('shows them to nobody without the token, where people do not sign in', async () => {
  const open = await startGateway({ backend, env: { WATCHROOM_AUTH: 'none' } })
  try {
    expect(await statusOf(open)).toBe(403)
  } finally {
    await open.stop()
  }
})

it('counts topics by name, and says no id that somebody looks at', async () => {
  const { headers } = await gateway.signInAs('admin')
  const live = openRawLive(gateway.url, headers)
  onTestFinished(() => live.close())
  const id = '5f1c0f4e-0000-4000-8000-00000000c0de'
  live.subscribe('playbookRun', { id })
  await eventually(async () => {
    const text = await (await fetch(`${gateway.url}/metrics`, { headers })).text()
    expect(text).toContain('watchroom_open_topics{topic="playbookRun"} 1')
    expect(text).not.toContain(id)
  })
})
