import { ApiErrorSchema } from '@watchroom/shared/protocol'
import { describe, expect, it } from 'vitest'

import { translateError } from '../../../gateway/src/proxy/translateError.ts'

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
    ['an empty body', 404, '', '', 'PROXY_BACKEND_REFUSED', 'The backend refused the request'],
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
  ])('reads the body of %s', (_name, status, contentType, text, code, message) => {
    const translated = translateError({ status, contentType, text }, 'r-1')
    expect(translated.status).toBe(status)
    expect(ApiErrorSchema.parse(translated.body).error).toMatchObject({ code, message, requestId: 'r-1' })
  })

  it('keeps the original body as details', () => {
    const text = '{"code":"23505","message":"duplicate key"}'
    expect(translateError({ status: 409, contentType: json, text }, 'r').body.error.details).toEqual(JSON.parse(text))
    expect(translateError({ status: 401, contentType: 'text/plain', text: 'no' }, 'r').body.error.details).toBe('no')
  })

  it('takes a page of HTML for a broken backend, and shows none of it', () => {
    const page = { contentType: 'text/html', text: '<h1>Bad Gateway</h1>' }
    const failed = translateError({ ...page, status: 502 }, 'r')
    expect(failed).toMatchObject({ status: 502, body: { error: { code: 'PROXY_BACKEND_BAD_ANSWER' } } })
    const refused = translateError({ ...page, status: 404 }, 'r')
    expect(refused).toMatchObject({ status: 404, body: { error: { code: 'PROXY_BACKEND_REFUSED' } } })
    expect(JSON.stringify([failed, refused])).not.toContain('<h1>')
  })

  it('does not show text that is too long for a message', () => {
    const text = 'trace '.repeat(200)
    expect(translateError({ status: 500, contentType: 'text/plain', text }, 'r').body.error.message).toBe(
      'The backend failed to do this',
    )
  })
})
