// One body for every error: what clients written for the backend read, and nothing about its inside.
import { ApiErrorSchema } from '@watchroom/shared/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { FakeBackend } from '#support/fakeBackend.ts'
import { type RunningGateway, startGateway } from '#support/gateway.ts'

let backend: FakeBackend
let gateway: RunningGateway
let headers: Readonly<Record<string, string>>

beforeAll(async () => {
  backend = await FakeBackend.start()
  gateway = await startGateway({ backend })
  headers = (await gateway.signInAs('admin')).headers
})

afterAll(async () => {
  await gateway.stop()
  await backend.stop()
})

const INSIDE = { stacktrace: 'main.go:17', context: { dsn: 'postgres://u:secret@db' } }

describe('an error of the backend', () => {
  it('keeps every key but those that tell about its inside', async () => {
    backend.json('POST /playbook/run', { error: 'no such parameter', trace: 't1', tags: { a: 1 }, ...INSIDE }, 400)
    const response = await fetch(`${gateway.url}/api/playbook/run`, { method: 'POST', headers, body: '{}' })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      error: 'no such parameter',
      message: 'no such parameter',
      code: 'PROXY_BACKEND_REFUSED',
      trace: 't1',
      tags: { a: 1 },
      requestId: response.headers.get('x-request-id'),
      kind: 'PROXY_BACKEND_REFUSED',
    })
  })

  it('is a text in `error` whatever the backend put there', async () => {
    for (const [body, error] of [
      [{ error: { message: 'nested' } }, 'nested'],
      [{ error: ['a', 'list'] }, 'The backend refused the request'],
      [{ message: 'of PostgREST', code: 'PGRST100', details: null, hint: 'try again' }, 'of PostgREST'],
      [[1, 2], 'The backend refused the request'],
    ] as const) {
      backend.json('GET /db/checks', body, 400)
      const answer = ApiErrorSchema.parse(await (await fetch(`${gateway.url}/api/db/checks`, { headers })).json())
      expect(answer.error).toBe(error)
    }
  })

  it('of a duplicate is 409, and says when to come back where the backend does', async () => {
    backend.json('POST /auth/invite_user', { error: 'User already exists', message: 'Error creating user' }, 500)
    const duplicate = await fetch(`${gateway.url}/api/auth/invite_user`, { method: 'POST', headers, body: '{}' })
    expect(duplicate.status).toBe(409)
    expect(await duplicate.json()).toMatchObject({ error: 'User already exists', message: 'Error creating user' })
    backend.on('GET /db/checks', (_request, response) => void response.writeHead(503, { 'retry-after': '7' }).end())
    const busy = await fetch(`${gateway.url}/api/db/checks`, { headers })
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '7'])
  })
})

describe('an error for an agent', () => {
  const agent = { authorization: `Basic ${Buffer.from('token:x').toString('base64')}` }
  beforeAll(() => backend.json('GET /auth/whoami', { payload: { user: { id: 'agent', name: 'edge', email: '' } } }))
  const push = (): Promise<Response> =>
    fetch(`${gateway.url}/upstream/push`, { method: 'POST', headers: agent, body: '{}' })

  it('passes as it came', async () => {
    const body = '{"error":"missing parents",  "data":"{\\"ids\\":[1]}"}'
    backend.on('POST /upstream/push', (_request, response) => {
      response.writeHead(409, { 'content-type': 'application/json; charset=UTF-8' }).end(body)
    })
    const response = await push()
    expect([response.status, await response.text()]).toEqual([409, body])
    expect(response.headers.get('content-type')).toBe('application/json; charset=UTF-8')
    backend.on('POST /upstream/push', (_request, response) => void response.writeHead(401).end('Unauthorized'))
    expect(await (await push()).text()).toBe('Unauthorized')
  })

  it('names every row, however many, and nothing of the inside', async () => {
    const ids = Array.from({ length: 5_000 }, (_, id) => `00000000-0000-4000-8000-${id}`)
    backend.json('POST /upstream/push', { error: 'missing parents', data: JSON.stringify({ ids }), ...INSIDE }, 409)
    expect(await (await push()).json()).toEqual({ error: 'missing parents', data: JSON.stringify({ ids }) })
  })
})

describe('a program', () => {
  it('brings its session as a bearer too, and the backend reads it where it always does', async () => {
    const authorization = 'Bearer session-viewer'
    const response = await fetch(`${gateway.url}/api/canary/about`, { headers: { authorization } })
    expect(response.status).toBe(200)
    const [received] = backend.received('GET /canary/about')
    expect(received?.headers).toMatchObject({ 'x-session-token': 'session-viewer' })
    expect(received?.headers.authorization).toBeUndefined()
    const whoAmI = await fetch(`${gateway.url}/api/kratos/sessions/whoami`, { headers: { authorization } })
    expect(whoAmI.status).toBe(200)
    const wrong = await fetch(`${gateway.url}/api/canary/about`, { headers: { authorization: 'Bearer made-up' } })
    expect(wrong.status).toBe(401)
  })

  it('may name JSON and send nothing', async () => {
    const json = { ...headers, 'content-type': 'application/json' }
    const run = await fetch(`${gateway.url}/api/canary/run/check/1`, { method: 'POST', headers: json })
    expect(run.status).toBe(200)
    const board = await fetch(`${gateway.url}/api/gateway/wall/boards`, { method: 'POST', headers: json })
    expect(await board.json()).toMatchObject({ kind: expect.not.stringMatching('REQUEST_INVALID') as string })
  })
})
