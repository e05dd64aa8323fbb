import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { FakeClock } from '#support/fakeClock.ts'

import { isWorthRetrying } from '../../../web/src/api/queryClient.ts'
import { createRequest, errorText, RequestError } from '../../../web/src/api/request.ts'

const Schema = z.object({ id: z.number() })

function setUp(answer: (url: string, init: RequestInit) => Promise<Response>, isOnline = true) {
  const clock = new FakeClock()
  const sent: { url: string; init: RequestInit }[] = []
  let ended = 0
  const client = createRequest({
    fetch: (url, init) => {
      sent.push({ url, init })
      return answer(url, init)
    },
    clock,
    isOnline: () => isOnline,
    onSessionEnded: () => {
      ended += 1
    },
  })
  return { ...client, clock, sent, ended: () => ended }
}

const json = (body: unknown, init?: ResponseInit): Promise<Response> => Promise.resolve(Response.json(body, init))

/** Never answers; gives up as the browser does when it is aborted. */
const silence = (_url: string, init: RequestInit): Promise<Response> =>
  new Promise((_resolve, reject) => {
    init.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
  })

async function failureOf(promise: Promise<unknown>): Promise<RequestError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof RequestError)) throw new Error(`expected a RequestError, got ${String(error)}`)
  return error
}

describe('request', () => {
  it('sends JSON, asks for the representation back, and parses the answer', async () => {
    const { request, sent } = setUp(() => json({ id: 7, more: true }))
    const row = await request('/api/db/things', { method: 'POST', body: { name: 'a' }, schema: Schema })
    expect(row).toEqual({ id: 7 })
    expect(sent[0]?.url).toBe('/api/db/things')
    expect(sent[0]?.init).toMatchObject({
      method: 'POST',
      body: '{"name":"a"}',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        prefer: 'return=representation',
      },
    })
  })

  it('says that the answer cannot be read when it has another shape', async () => {
    const { request } = setUp(() => json({ id: 'seven' }))
    const error = await failureOf(request('/x', { schema: Schema }))
    expect(error).toMatchObject({ failure: 'unreadable', status: 200 })
  })

  it('reads an empty answer as undefined', async () => {
    const { request } = setUp(() => Promise.resolve(new Response(null, { status: 204 })))
    await expect(request('/x', { schema: z.undefined() })).resolves.toBeUndefined()
  })

  it.each([
    { online: true, failure: 'network', text: 'Network Error. Please try again.' },
    { online: false, failure: 'offline', text: 'No internet connection. Please try again.' },
  ])('says "$text" when no answer comes and online is $online', async ({ online, failure, text }) => {
    const { request } = setUp(() => Promise.reject(new TypeError('Failed to fetch')), online)
    const error = await failureOf(request('/x', { schema: Schema }))
    expect(error).toMatchObject({ failure, status: 0, message: text })
  })

  it('gives up after its time, aborts the request, and leaves no timer', async () => {
    const { request, clock, sent } = setUp(silence)
    const failing = failureOf(request('/x', { schema: Schema, timeoutMs: 1000 }))
    await clock.advance(999)
    expect(sent[0]?.init.signal?.aborted).toBe(false)
    await clock.advance(1)
    expect(await failing).toMatchObject({ failure: 'timeout', message: 'Request timed out. Please try again.' })
    expect(sent[0]?.init.signal?.aborted).toBe(true)
    expect(clock.pending).toBe(0)
  })

  it("passes the caller's own abort through unchanged", async () => {
    const { request, clock } = setUp(silence)
    const abort = new AbortController()
    const failing = request('/x', { schema: Schema, signal: abort.signal })
    abort.abort()
    await expect(failing).rejects.toMatchObject({ name: 'AbortError' })
    expect(clock.pending).toBe(0)
  })

  it('does not start what was aborted before', async () => {
    const { request } = setUp((_url, init) =>
      init.signal?.aborted ? Promise.reject(new DOMException('aborted', 'AbortError')) : json({ id: 1 }),
    )
    const abort = new AbortController()
    abort.abort()
    await expect(request('/x', { schema: Schema, signal: abort.signal })).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('tells that the session has ended on 401, and still fails', async () => {
    const { request, ended } = setUp(() => Promise.resolve(new Response('Session Expired', { status: 401 })))
    const error = await failureOf(request('/x', { schema: Schema }))
    expect(error).toMatchObject({ failure: 'http', status: 401, message: 'Session Expired' })
    expect(ended()).toBe(1)
  })

  it('leaves a 401 to a caller that asks for it', async () => {
    const { request, ended } = setUp(() => json({ error: { code: 401, message: 'No session' } }, { status: 401 }))
    await failureOf(request('/x', { schema: Schema, unauthorized: 'caller' }))
    expect(ended()).toBe(0)
  })

  it('keeps the body of a refusal for callers that know its shape', async () => {
    const { request } = setUp(() => json({ id: 'flow', ui: {} }, { status: 400 }))
    const error = await failureOf(request('/x', { schema: Schema }))
    expect(error.body).toEqual({ id: 'flow', ui: {} })
  })
})

describe('requestPage', () => {
  it.each([
    { range: '0-1/137', total: 137 },
    { range: '*/0', total: 0 },
    { range: '0-1/*', total: 2 },
    { range: null, total: 2 },
  ])('reads the total of content-range $range as $total', async ({ range, total }) => {
    const rows = total === 0 ? [] : [{ id: 1 }, { id: 2 }]
    const { requestPage, sent } = setUp(() => json(rows, range === null ? {} : { headers: { 'content-range': range } }))
    const page = await requestPage('/x', { schema: Schema })
    expect(page).toEqual({ rows, total })
    expect(sent[0]?.init.headers).toMatchObject({ prefer: 'count=exact' })
  })
})

describe('errorText', () => {
  it('shows the message, or a sentence when there is none', () => {
    expect(errorText(new Error('No'))).toBe('No')
    expect(errorText(new Error(''))).toBe('Something went wrong')
    expect(errorText('a string')).toBe('Something went wrong')
  })
})

describe('isWorthRetrying', () => {
  const lost = new RequestError('network', { details: { message: 'x' } })
  const late = new RequestError('timeout', { details: { message: 'x' } })
  const refused = new RequestError('http', { status: 500, details: { message: 'x' } })
  const busy = new RequestError('http', { status: 429, details: { message: 'x' } })

  it('retries a lost or late answer and "too many" three times, and a refusal never', () => {
    expect([0, 1, 2, 3].map((failures) => isWorthRetrying(failures, lost))).toEqual([true, true, true, false])
    expect(isWorthRetrying(0, late)).toBe(true)
    expect([2, 3].map((failures) => isWorthRetrying(failures, busy))).toEqual([true, false])
    expect(isWorthRetrying(0, refused)).toBe(false)
    expect(isWorthRetrying(0, new Error('bug'))).toBe(false)
  })
})
