import type { IncomingMessage } from 'node:http'

import { describe, expect, it } from 'vitest'

import { createKnownHosts, type KnownHostsOptions } from '../../../gateway/src/platform/knownHosts.ts'

interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  readonly rawHeaders?: readonly string[]
  readonly url?: string
  readonly from?: string
}

function hostOf(sent: Sent, options: Partial<KnownHostsOptions> = {}): string | null {
  const headers = sent.headers ?? {}
  const request = {
    headers,
    rawHeaders: sent.rawHeaders ?? Object.entries(headers).flat(),
    url: sent.url ?? '/',
    socket: { remoteAddress: sent.from ?? '127.0.0.1' },
  } as unknown as IncomingMessage
  const hosts = createKnownHosts({ publicUrls: [], listenHost: '127.0.0.1', trustedProxies: [], ...options })
  return hosts.hostOf(request)
}

const isKnown = (host: string, options: Partial<KnownHostsOptions> = {}): boolean =>
  hostOf({ headers: { host } }, options) === host

const PUBLIC = { publicUrls: ['https://watch.example.com', 'http://bücher.example:8080'] }

describe('names', () => {
  it.each([
    'localhost',
    'LocalHost:3000',
    'localhost.',
    '127.0.0.1',
    '127.0.0.1:80',
    '10.1.2.3:',
    '[::1]',
    '[::1]:3000',
  ])('knows %s without being told', (host) => expect(isKnown(host)).toBe(true))

  it.each(['watch.example.com', 'WATCH.example.com.', 'watch.example.com:8443', 'xn--bcher-kva.example'])(
    'knows %s when it is configured',
    (host) => {
      expect(isKnown(host, PUBLIC)).toBe(true)
      expect(isKnown(host)).toBe(false)
    },
  )

  it.each([
    'evil.test',
    'localhost.evil.test',
    'evil.localhost',
    'watch.example.com.evil.test',
    'evil-watch.example.com',
    '127.0.0.1.nip.io',
    '127.0.0.1@evil.test',
    'evil.test:80@127.0.0.1',
    '127.0.0.1,evil.test',
    '127.0.0.1 evil.test',
    '127.0.0.1:evil',
    '2130706433',
    '0x7f.1',
    '127.1',
    '[::1',
    '::1',
    '[127.0.0.1]',
    '[::1%25lo]',
    'localhost..',
    'localhost/',
    'bücher.example',
    'constructor',
    '__proto__',
    '',
  ])('does not know %s', (host) => expect(isKnown(host, PUBLIC)).toBe(false))

  it('knows the name that it listens on', () => {
    expect(isKnown('Panel:3000', { listenHost: 'panel' })).toBe(true)
    expect(isKnown('panel:3000')).toBe(false)
  })
})

describe('what else names a host', () => {
  const host = '127.0.0.1:3000'

  it('is refused when it is said twice, or not at all', () => {
    expect(hostOf({ headers: { host }, rawHeaders: ['Host', host, 'HOST', 'evil.test'] })).toBeNull()
    expect(hostOf({ headers: { host }, rawHeaders: ['Host', host, 'X', 'Host'] })).toBe(host)
    expect(hostOf({})).toBeNull()
  })

  it('counts in the request line', () => {
    expect(hostOf({ headers: { host }, url: 'http://evil.test/api/db/checks' })).toBeNull()
    expect(hostOf({ headers: { host }, url: 'http://127.0.0.1:3000/api/db/checks' })).toBe(host)
    expect(hostOf({ headers: { host: 'evil.test' }, url: 'http://127.0.0.1/' })).toBeNull()
    expect(hostOf({ headers: { host }, url: 'evil.test:80' })).toBeNull()
    expect(hostOf({ headers: { host }, url: 'ftp://127.0.0.1/' })).toBeNull()
    expect(hostOf({ headers: { host }, url: '*' })).toBe(host)
  })

  it('counts in X-Forwarded-Host only when a trusted proxy says it, and there the last word', () => {
    const forwarded = { host: 'gateway:3000', 'x-forwarded-host': 'evil.test, watch.example.com' }
    const trusting = { ...PUBLIC, trustedProxies: ['10.0.0.0/8', 'fd00::/8', '192.168.1.1'] }
    expect(hostOf({ headers: forwarded, from: '10.9.9.9' }, trusting)).toBe('watch.example.com')
    expect(hostOf({ headers: forwarded, from: '::ffff:10.9.9.9' }, trusting)).toBe('watch.example.com')
    expect(hostOf({ headers: forwarded, from: 'fd00::7' }, trusting)).toBe('watch.example.com')
    expect(hostOf({ headers: forwarded, from: '192.168.1.2' }, trusting)).toBeNull()
    expect(hostOf({ headers: { ...forwarded, host }, from: '192.168.1.2' }, trusting)).toBe(host)
    expect(hostOf({ headers: { host, 'x-forwarded-host': 'evil.test' }, from: '10.0.0.1' }, trusting)).toBeNull()
    expect(hostOf({ headers: { host, 'x-forwarded-host': '' }, from: '10.0.0.1' }, trusting)).toBe(host)
  })
})
