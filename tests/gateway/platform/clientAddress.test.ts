import type { IncomingMessage } from 'node:http'

import { fastify } from 'fastify'
import { expect, it } from 'vitest'

import { createKnownHosts } from '../../../gateway/src/platform/knownHosts.ts'

const trusting = (...trustedProxies: string[]) =>
  createKnownHosts({ publicUrls: [], listenHost: '127.0.0.1', trustedProxies })

const buildRequest = (remoteAddress: string, forwarded?: string): IncomingMessage =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage

it('believes nobody who is not trusted', () => {
  const { addressOf } = trusting()
  expect(addressOf(buildRequest('::ffff:192.0.2.1', '198.51.100.1'))).toBe('192.0.2.1')
  expect(trusting('10.0.0.0/8').addressOf(buildRequest('192.0.2.1', '198.51.100.1'))).toBe('192.0.2.1')
})

it('takes the last address that is not a proxy of ours: what stands before it anyone can write', () => {
  const { addressOf } = trusting('127.0.0.1', '10.0.0.0/8', 'fd00::/8')
  expect(addressOf(buildRequest('127.0.0.1', '198.51.100.1'))).toBe('198.51.100.1')
  expect(addressOf(buildRequest('::ffff:127.0.0.1', '203.0.113.7, 198.51.100.1, 10.1.2.3'))).toBe('198.51.100.1')
  expect(addressOf(buildRequest('fd00::1', '2001:db8::1'))).toBe('2001:db8::1')
  expect(addressOf(buildRequest('127.0.0.1'))).toBe('127.0.0.1')
  expect(addressOf(buildRequest('127.0.0.1', 'nonsense'))).toBe('127.0.0.1')
})

it.each([
  [[], '198.51.100.1'],
  [['127.0.0.1'], '198.51.100.1'],
  [['127.0.0.1', '10.0.0.0/8'], '203.0.113.7, 198.51.100.1, 10.1.2.3'],
  [['127.0.0.1', '10.0.0.0/8'], '10.9.9.9, 10.1.2.3'],
  [['127.0.0.1'], undefined],
])('is what requests are judged by as well: %j, %j', async (trusted, forwarded) => {
  const { addressOf, isTrustedProxy } = trusting(...trusted)
  const app = fastify({ trustProxy: (address) => isTrustedProxy(address) })
  app.get('/', (request) => [request.ip, addressOf(request.raw)])
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  const [byFastify, byUs] = (await app.inject({ url: '/', headers, remoteAddress: '127.0.0.1' })).json<string[]>()
  expect(byUs).toBe(byFastify)
  await app.close()
})
