// `POST /logs` as the real server was seen to answer it (server samples), and what ours says beyond that.
import { randomUUID } from 'node:crypto'

import { ROLES, type Role } from '@watchroom/shared/access'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { createLogComponents } from '#support/logComponents.ts'

let backend: TestBackend
const sessions = new Map<Role, Record<string, string>>()
let shop: string
let quiet: string

const ask = async (body: unknown, headers = sessions.get('viewer') ?? {}) => {
  const answer = await backend.call('/logs', { method: 'POST', headers, body })
  return { status: answer.status, text: answer.text, json: () => answer.json() as never }
}

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  for (const role of ROLES) {
    const { email, password } = await backend.createPerson(role)
    sessions.set(role, await backend.signIn(email, password))
  }
  ;[shop = '', quiet = ''] = await createLogComponents(backend, [
    { name: 'shop', selectors: [{ name: 'access' }, { name: 'nobody holds these', type: `none ${randomUUID()}` }] },
    { name: 'quiet', selectors: null },
  ])
})
afterAll(() => backend?.stop())

describe('POST /logs', () => {
  it.each([
    ['no component', {}, { error: 'ID field is required', message: 'Component ID is required' }],
    ['an id that is none', { id: 'shop' }, { error: 'ID field is required', message: 'Component ID is required' }],
    ['a time that is none', { start: 'yesterdayish' }, { error: 'start: not a time: yesterdayish' }],
    ['an end that is none', { end: 'soon' }, { error: 'end: not a time: soon' }],
    ['a range that ends before it begins', { start: 'now', end: 'now-1h' }, { error: 'start: must not be after end' }],
    ['too many lines', { limit: 1_001 }, { error: expect.stringMatching(/^limit: /) as string }],
    ['a query beyond all bounds', { query: 'x'.repeat(1_001) }, { error: expect.stringMatching(/^query: /) as string }],
    [
      'a selector that is not there',
      { name: 'errors' },
      { error: 'Log selector was not found', message: 'available log selectors: access, nobody holds these' },
    ],
  ])('names the field of %s', async (_what, body, error) => {
    const whole = 'error' in error && error.error === 'ID field is required' ? body : { id: shop, ...body }
    const answer = await ask(whole)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.json()).toMatchObject(error)
  })

  it('says which component is not there, and which has no log', async () => {
    const unknown = await ask({ id: NIL_UUID })
    expect(unknown.status).toBe(404)
    expect(unknown.json()).toEqual({ error: 'record not found', message: `Failed to get component[id=${NIL_UUID}]` })
    const silent = await ask({ id: quiet })
    expect(silent.status).toBe(400)
    expect(silent.json()).toEqual({ error: 'Log selector was not found', message: 'available log selectors: none' })
  })

  it.each(ROLES)('answers a %s, with no keys where there are no lines', async (role) => {
    const answer = await ask({ id: shop, name: 'nobody holds these' }, sessions.get(role))
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: '{}' })
  })

  it('answers nobody who is not signed in, and no agent', async () => {
    expect((await backend.call('/logs', { method: 'POST', body: { id: shop } })).status).toBe(401)
    const made = await backend.callAsService('/agent/generate', { method: 'POST', body: { name: 'edge' } })
    const { access_token: token } = made.json() as { access_token: string }
    expect((await ask({ id: shop }, { authorization: `Bearer ${token}` })).status).toBe(403)
  })
})
