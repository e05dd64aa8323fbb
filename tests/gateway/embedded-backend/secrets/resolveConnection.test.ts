import { type AnyCheckSpec, tryParseCheckSpec } from '@watchroom/shared/health/check-types'
import { describe, expect, it } from 'vitest'

import {
  type OpenConnection,
  resolveConnection,
  tryParseConnection,
} from '../../../../gateway/src/embedded-backend/secrets/resolveConnection.ts'

const connection = (more: Partial<OpenConnection> = {}): OpenConnection => ({
  url: 'https://shop.example/base',
  username: 'ada',
  password: 'p@ss/word',
  certificate: null,
  properties: new Map([['region', 'eu']]),
  insecureTls: false,
  ...more,
})

function check(type: string, spec: Record<string, unknown>): AnyCheckSpec {
  const parsed = tryParseCheckSpec(type, { connection: 'connection://prod/shop', ...spec })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error))
  return parsed.value
}

const resolve = (type: string, spec: Record<string, unknown> = {}, more: Partial<OpenConnection> = {}): unknown => {
  const resolved = resolveConnection(check(type, spec), connection(more))
  return resolved.ok ? resolved.value.spec : resolved.error
}

describe('tryParseConnection', () => {
  it.each([
    ['connection://prod/shop', { namespace: 'prod', name: 'shop' }],
    ['connection://shop', { namespace: 'default', name: 'shop' }],
    ['postgres://prod/shop', null],
    ['connection://a/b/c', null],
    [undefined, null],
  ])('reads %s', (text, expected) => expect(tryParseConnection(text)).toEqual(expected))
})

describe('an http check', () => {
  it('takes address and credentials, and may say more of the path', () => {
    expect(resolve('http')).toEqual({ url: 'https://shop.example/base', username: 'ada', password: 'p@ss/word' })
    expect(resolve('http', { url: '$(url)/health?region=$(properties.region)' })).toMatchObject({
      url: 'https://shop.example/base/health?region=eu',
    })
    expect(
      resolve('http', { url: 'https://shop.example/other', headers: { X: '$(username) $(nobody)' } }),
    ).toMatchObject({
      url: 'https://shop.example/other',
      headers: [{ name: 'X', value: 'ada $(nobody)' }],
    })
  })

  it('takes the credentials out of an address that has them', () => {
    const url = 'https://$(username):$(password)@shop.example/'
    expect(resolve('http', {}, { url })).toEqual({
      url: 'https://shop.example/',
      username: 'ada',
      password: 'p@ss/word',
    })
    expect(resolve('http', {}, { url: 'https://bob:x%40@shop.example/', username: null, password: null })).toEqual({
      url: 'https://shop.example/',
      username: 'bob',
      password: 'x@',
    })
  })

  it.each<[Record<string, unknown>, Partial<OpenConnection>?]>([
    [{ url: 'https://evil.example/' }],
    [{ url: 'http://shop.example/' }],
    [{ url: 'https://shop.example:8443/' }],
    [{ url: 'https://shop.example@evil.example/' }],
    [{ url: '$(url)@evil.example/' }, { url: 'https://shop.example' }],
    [{ url: '$(url).evil.example/' }, { url: 'https://shop.example' }],
  ])('goes nowhere else with them: %j', (spec, more = {}) =>
    expect(resolve('http', spec, more)).toBe(
      'url: this is not the address of the connection, and its credentials go nowhere else',
    ),
  )

  it('asks for no other site there, and leaves the care for certificates to the connection', () => {
    expect(resolve('http', { headers: { Host: 'evil.example' } })).toBe('headers.Host: not together with a connection')
    expect(resolve('http', { insecureSkipVerify: true })).not.toHaveProperty('insecureSkipVerify')
    expect(resolve('http', {}, { insecureTls: true })).toHaveProperty('insecureSkipVerify', true)
  })

  it('says what is wrong with a connection without address', () =>
    expect(resolve('http', {}, { url: null })).toBe('connection: it has no address'))
})

describe('checks of databases', () => {
  it('take the address with what it leaves open, encoded', () => {
    expect(resolve('postgres', {}, { url: 'postgres://$(username):$(password)@db:5432/x' })).toMatchObject({
      url: 'postgres://ada:p%40ss%2Fword@db:5432/x',
      username: 'ada',
    })
    expect(resolve('redis', { tls: false }, { url: 'rediss://cache' })).toEqual({
      addr: 'cache:6379',
      tls: true,
      username: 'ada',
      password: 'p@ss/word',
    })
    expect(resolve('redis', {}, { url: 'cache:6380', username: null, password: null })).toEqual({ addr: 'cache:6380' })
  })

  it('refuse an address of another kind', () => expect(resolve('postgres')).toBe('connection: it has no address'))
})
