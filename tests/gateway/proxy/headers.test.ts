import { describe, expect, it } from 'vitest'

import { toBackendHeaders, toClientHeaders } from '../../../gateway/src/proxy/headers.ts'

const caller = { address: '192.0.2.1', host: 'watch.test', protocol: 'https', requestId: 'r-1' }
const rules = { isCookieWanted: (name: string) => name === 'ory_kratos_session', authorization: 'basic' } as const

describe('toBackendHeaders', () => {
  it('passes what is the caller’s and says itself who the caller is', () => {
    const headers = { accept: 'application/json', prefer: 'count=exact', 'x-session-token': 't', host: 'watch.test' }
    expect(toBackendHeaders({ ...caller, headers }, rules)).toEqual({
      accept: 'application/json',
      prefer: 'count=exact',
      'x-session-token': 't',
      'x-forwarded-for': '192.0.2.1',
      'x-forwarded-host': 'watch.test',
      'x-forwarded-proto': 'https',
      'x-forwarded-scheme': 'https',
      'x-request-id': 'r-1',
    })
  })

  it('drops what ends at this hop, what connection names, and what only we may say', () => {
    const headers = {
      connection: 'keep-alive, X-Secret-Hop',
      'x-secret-hop': '1',
      'keep-alive': 'timeout=5',
      te: 'trailers',
      'transfer-encoding': 'chunked',
      upgrade: 'h2c',
      expect: '100-continue',
      'content-length': '5',
      forwarded: 'for=1.2.3.4',
      'x-forwarded-for': '1.2.3.4',
      'x-forwarded-prefix': '/x',
      'x-real-ip': '1.2.3.4',
      'x-scheme': 'http',
      'x-watchroom-actor': 'someone-else',
      'x-watchroom-role': 'admin',
    }
    const sent = toBackendHeaders({ ...caller, headers }, rules)
    expect(Object.keys(sent).toSorted()).toEqual([
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
      'x-forwarded-scheme',
      'x-request-id',
    ])
    expect(sent['x-forwarded-for']).toBe('192.0.2.1')
  })

  it('lets the session cookie through and no other', () => {
    const headers = { cookie: 'theme=dark; ory_kratos_session=s=1=; other_ory_kratos_session=x; ory_kratos_session=' }
    expect(toBackendHeaders({ ...caller, headers }, rules).cookie).toBe('ory_kratos_session=s=1=')
    expect(toBackendHeaders({ ...caller, headers: { cookie: 'theme=dark' } }, rules)).not.toHaveProperty('cookie')
  })

  it('lets Basic through, and other schemes only where a path has credentials of its own', () => {
    const bearer = { authorization: 'Bearer stolen-service-token' }
    expect(toBackendHeaders({ ...caller, headers: bearer }, rules)).not.toHaveProperty('authorization')
    expect(toBackendHeaders({ ...caller, headers: bearer }, { ...rules, authorization: 'any' }).authorization).toBe(
      bearer.authorization,
    )
    expect(toBackendHeaders({ ...caller, headers: { authorization: 'Basic eA==' } }, rules).authorization).toBe(
      'Basic eA==',
    )
    expect(
      toBackendHeaders({ ...caller, headers: { authorization: 'Basic eA==' } }, { ...rules, authorization: 'none' }),
    ).not.toHaveProperty('authorization')
  })
})

describe('toClientHeaders', () => {
  const answer = {
    'content-type': 'application/json',
    'content-range': '0-9/100',
    'set-cookie': ['a=1', 'b=2'],
    server: 'postgrest',
    'x-powered-by': 'x',
    'www-authenticate': 'Basic',
    'access-control-allow-origin': '*',
    'x-rbac-subject': 's',
    'content-security-policy': 'default-src *',
    connection: 'close',
  }

  it('passes the answer’s own headers and stores nothing unless the backend says so', () => {
    expect(toClientHeaders(answer, { keepCookies: false })).toEqual({
      'cache-control': 'no-store',
      'content-type': 'application/json',
      'content-range': '0-9/100',
    })
    expect(toClientHeaders({ 'cache-control': 'max-age=5' }, { keepCookies: false })['cache-control']).toBe('max-age=5')
  })

  it('passes cookies of the identity service', () => {
    expect(toClientHeaders(answer, { keepCookies: true })['set-cookie']).toEqual(['a=1', 'b=2'])
  })
})
