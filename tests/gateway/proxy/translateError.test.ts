import { ApiErrorSchema } from '@watchroom/shared/protocol'
import { describe, expect, it } from 'vitest'

import { hideInternals, translateError } from '../../../gateway/src/proxy/translateError.ts'

const json = 'application/json; charset=utf-8'

describe('translateError', () => {
  it.each([
    [
      'a handler',
      400,
      json,
      '{"error":"bad selector","message":"Invalid request body"}',
      'PROXY_BACKEND_REFUSED',
      'bad selector',
    ],
    [
      'an empty error',
      500,
      json,
      '{"error":"","message":"Error fetching user"}',
      'PROXY_BACKEND_FAILED',
      'Error fetching user',
    ],
    [
      'PostgREST',
      409,
      json,
      '{"code":"23505","details":"Key","hint":null,"message":"duplicate key"}',
      'PROXY_BACKEND_REFUSED',
      'duplicate key',
    ],
    ['a nested error', 403, json, '{"error":{"code":403,"message":"no"}}', 'PROXY_BACKEND_REFUSED', 'no'],
    ['plain text', 401, 'text/plain', 'Session Expired', 'PROXY_BACKEND_REFUSED', 'Session Expired'],
    ['an empty body', 400, '', '', 'PROXY_BACKEND_REFUSED', 'The backend refused the request'],
    [
      'a row that is gone',
      404,
      json,
      '{"error":"check was not found"}',
      'PROXY_BACKEND_REFUSED',
      'check was not found',
    ],
    ['a table that the backend does not know', 404, '', '', 'PROXY_NOT_OFFERED', 'This backend does not offer this'],
    [
      'a relation that its database does not have',
      404,
      json,
      '{"code":"42P01","details":null,"hint":null,"message":"relation \\"public.identities\\" does not exist"}',
      'PROXY_NOT_OFFERED',
      'This backend does not offer this',
    ],
    [
      'a route that it does not have',
      404,
      json,
      '{"message":"Not Found"}',
      'PROXY_NOT_OFFERED',
      'This backend does not offer this',
    ],
    [
      'a failing playbook',
      500,
      json,
      '{"error":"parameter x is required"}',
      'PROXY_BACKEND_FAILED',
      'parameter x is required',
    ],
    [
      'a database that is away',
      503,
      json,
      '{"code":"PGRST000","message":"no connection"}',
      'PROXY_BACKEND_UNAVAILABLE',
      'no connection',
    ],
    ['half a body', 500, json, '{"error":"cut', 'PROXY_BACKEND_FAILED', '{"error":"cut'],
    ['a list', 400, json, '[1]', 'PROXY_BACKEND_REFUSED', 'The backend refused the request'],
  ])('reads the body of %s', (_name, status, contentType, text, kind, error) => {
    const translated = translateError({ status, contentType, text }, 'r-1')
    expect(translated.status).toBe(status)
    expect(ApiErrorSchema.parse(translated.body)).toMatchObject({ kind, error, requestId: 'r-1' })
  })

  const bodyOf = (status: number, body: unknown) =>
    translateError({ status, contentType: json, text: JSON.stringify(body) }, 'r')

  it('keeps PostgREST’s keys where its clients look for them', () => {
    const said = { code: '23505', message: 'duplicate key', details: 'Key (name)=(…) already exists.', hint: null }
    expect(bodyOf(409, said).body).toEqual({
      ...said,
      error: 'duplicate key',
      requestId: 'r',
      kind: 'PROXY_BACKEND_REFUSED',
    })
  })

  it('passes every key of the backend but what it says about its inside', () => {
    const said = { error: 'no', message: 'why', data: '{"ids":[1]}', trace: 't', time: 'now', requestId: 'theirs' }
    const inside = { stacktrace: 'at main.go:1', context: { password: 'x' } }
    expect(bodyOf(400, { ...said, ...inside }).body).toEqual({
      ...said,
      code: 'PROXY_BACKEND_REFUSED',
      requestId: 'r',
      kind: 'PROXY_BACKEND_REFUSED',
    })
    expect(hideInternals(JSON.stringify({ ...said, ...inside }))).toBe(JSON.stringify(said))
    expect(hideInternals('no JSON, stacktrace')).toBe('no JSON, stacktrace')
    expect(hideInternals('{ "error":  "as it came" }')).toBe('{ "error":  "as it came" }')
  })

  it('makes a text of whatever stands in place of one', () => {
    expect(bodyOf(403, { error: { code: 403, message: 'no' } }).body).toMatchObject({
      error: 'no',
      message: 'no',
      code: 'PROXY_BACKEND_REFUSED',
      details: { code: 403, message: 'no' },
    })
    expect(bodyOf(400, [1]).body).toMatchObject({ error: 'The backend refused the request', details: [1] })
    expect(bodyOf(400, null).body).toMatchObject({ error: 'The backend refused the request' })
    expect(bodyOf(400, { error: 7, message: ['x'], code: 7 }).body).toMatchObject({
      error: 'The backend refused the request',
      message: 'The backend refused the request',
      code: 'PROXY_BACKEND_REFUSED',
    })
    const names = JSON.parse('{"__proto__":{"a":1},"constructor":"c","error":"no"}') as unknown
    expect(bodyOf(400, names).body).toMatchObject({ error: 'no', constructor: 'c' })
  })

  it.each([
    [500, { error: 'User already exists', message: 'Error creating user' }],
    [500, { error: 'there is already an agent named edge', message: 'error generating agent' }],
    [500, { error: 'ERROR: duplicate key value violates unique constraint "a" (SQLSTATE 23505)' }],
    [400, { code: '23505', message: 'x' }],
    [409, { code: '23505', message: 'x' }],
  ])('answers a duplicate that came as %d with 409', (status, said) => {
    expect(bodyOf(status, said)).toMatchObject({ status: 409, body: { ...said, kind: 'PROXY_BACKEND_REFUSED' } })
    expect(bodyOf(403, said).status).toBe(403)
  })

  it('takes a page of HTML for a broken backend, and shows none of it', () => {
    const page = { contentType: 'text/html', text: '<h1>Bad Gateway</h1>' }
    const failed = translateError({ ...page, status: 502 }, 'r')
    expect(failed).toMatchObject({ status: 502, body: { kind: 'PROXY_BACKEND_BAD_ANSWER' } })
    const refused = translateError({ ...page, status: 404 }, 'r')
    expect(refused).toMatchObject({ status: 404, body: { kind: 'PROXY_BACKEND_REFUSED' } })
    expect(JSON.stringify([failed, refused])).not.toContain('<h1>')
  })

  it('names no address inside when the backend reaches nobody there', () => {
    const text =
      '{"message":"remote http://kratos-public:80 unreachable, could not forward: lookup kratos-public on 10.0.0.2:53"}'
    const { status, body } = translateError({ status: 502, contentType: 'application/json', text }, 'r')
    expect([status, body.kind]).toEqual([502, 'PROXY_BACKEND_BAD_ANSWER'])
    expect(JSON.stringify(body)).not.toMatch(/kratos-public|10\.0/)
  })

  it('does not show text that is too long for a message', () => {
    const text = 'trace '.repeat(200)
    expect(translateError({ status: 500, contentType: 'text/plain', text }, 'r').body.error).toBe(
      'The backend failed to do this',
    )
  })
})

describe('an error of a foreign database', () => {
  it('hides rows and values, and a word of a handler stays as it is', () => {
    const text = JSON.stringify({
      code: '23502',
      message: 'null value in column "name" of relation "people" violates not-null constraint',
      details: 'Failing row contains (1, hunter2).',
      hint: null,
    })
    const { body } = translateError({ status: 400, contentType: 'application/json', text }, 'r-1')
    expect(body).toMatchObject({ code: '23502', details: 'Failing row contains (…).' })
    const word = JSON.stringify({ error: 'no', code: 'EINVALID', details: 'Failing row contains (x).' })
    const kept = translateError({ status: 400, contentType: 'application/json', text: word }, 'r-1')
    expect(kept.body).toMatchObject({ code: 'EINVALID', details: 'Failing row contains (x).' })
  })
})
