// Rows of a closed table do not travel as part of an open one, whatever stands behind the gateway.
import { ApiErrorSchema } from '@watchroom/shared/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { FakeBackend } from '#support/fakeBackend.ts'
import { type RunningGateway, startGateway } from '#support/gateway.ts'

let backend: FakeBackend
/** Nobody signs in: the gateway speaks with its own credential, to which nothing is closed. */
let open: RunningGateway
let gateway: RunningGateway

beforeAll(async () => {
  backend = await FakeBackend.start()
  open = await startGateway({ backend, env: { WATCHROOM_AUTH: 'none' } })
  gateway = await startGateway({ backend })
})

afterAll(async () => {
  await open.stop()
  await gateway.stop()
  await backend.stop()
})

const kindOf = async (response: Response): Promise<string> => ApiErrorSchema.parse(await response.json()).kind
/** Calls that people made: the gateway's own pollers name no caller. */
const passedOn = (route: string): string[] =>
  backend.received(route).flatMap(({ url, headers }) => (headers['x-forwarded-for'] === undefined ? [] : [url]))

const CLOSED = [
  'people?select=id,connections(password)',
  'people?select=c:connections!connections_created_by_fkey(*)',
  'people?select=connections_created_by_fkey(password)',
  'people?select=...connections(password)',
  'teams?select=created_by(connections(password))',
  'people?select=id&select=connections(password)',
  'people?id=eq.1;select=connections(password)',
  'people?sel%65ct=%63onnections(password)',
  'people?select.filter=connections(password)',
  'people?select=labels-%3E%3E%22a,connections(password),b%22',
  'rpc/lookup_component_names?select=connections(password)',
  'incidents?select=*,access_tokens(value)',
  'people?select=identities(*)&identities.limit=1',
]

describe('an embed of a closed table', () => {
  it.each(CLOSED)('never reaches the backend: %s', async (path) => {
    for (const method of ['GET', 'POST']) {
      const response = await fetch(`${open.url}/api/db/${path}`, {
        method,
        ...(method === 'POST' ? { body: '{}' } : {}),
      })
      expect([400, 403]).toContain(response.status)
      expect(await kindOf(response)).toMatch(/^(?:PROXY_(?:EMBED|SELECT)_|ACCESS_DENIED)/)
    }
    expect(backend.requests.filter(({ url }) => url.includes('onnections(password)'))).toEqual([])
  })

  it('is refused by the name of the table', async () => {
    const response = await fetch(`${open.url}/api/db/people?select=connections_created_by_fkey(*)`)
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({
      kind: 'PROXY_EMBED_DENIED',
      message: 'You do not have permission to read connections',
    })
  })

  it('asks for the caller’s own role', async () => {
    const path = '/api/db/people?select=id,connections(name)'
    for (const [role, status] of [
      ['admin', 200],
      ['editor', 403],
      ['viewer', 403],
    ] as const) {
      const { headers } = await gateway.signInAs(role)
      expect((await fetch(gateway.url + path, { headers })).status, role).toBe(status)
    }
  })

  it.each([
    ['five deep', 'a:people(b:teams(c:people(d:teams(e:people(id)))))'],
    ['many', Array.from({ length: 17 }, (_, index) => `a${index}:teams(id)`).join(',')],
  ])('of an open one is refused when there are too many: %s', async (_name, select) => {
    const response = await fetch(`${open.url}/api/db/people?select=${select}`)
    expect([response.status, await kindOf(response)]).toEqual([400, 'PROXY_SELECT_TOO_LARGE'])
  })

  it('of open ones passes byte by byte', async () => {
    const query = '?&select=*, hypotheses(*,created_by(id,name)),"commander":commander_id(id))&&order=id'
    await fetch(`${open.url}/api/db/incidents${encodeURI(query)}`)
    expect(passedOn('GET /db/incidents')).toEqual([`/db/incidents${encodeURI(query)}`])
  })
})

describe('a change without a filter', () => {
  const change = (method: string, query: string): Promise<Response> =>
    fetch(`${open.url}/api/db/incidents${query}`, { method })

  it.each(['PATCH', 'DELETE'])('is refused before anything reaches the backend: %s', async (method) => {
    for (const query of ['', '?', '?select=id', '?limit=1', '?hypotheses.id=eq.1']) {
      const response = await change(method, query)
      expect([response.status, await kindOf(response)]).toEqual([400, 'PROXY_ROWS_NOT_NAMED'])
    }
    expect(passedOn(`${method} /db/incidents`)).toEqual([])
    expect((await change(method, '?id=eq.1')).status).toBe(200)
  })
})
