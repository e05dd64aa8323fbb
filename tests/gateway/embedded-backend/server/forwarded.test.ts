import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'

import {
  forwardedAddress,
  forwardedBlock,
  isForwardedSecure,
} from '../../../../gateway/src/embedded-backend/server/forwarded.ts'

const call = (headers: Record<string, string>): FastifyRequest => ({ headers }) as unknown as FastifyRequest

it.each([
  [{}, null, 'local'],
  [{ 'x-forwarded-for': '192.0.2.1' }, '192.0.2.1', '192.0.2.1'],
  [{ 'x-forwarded-for': '192.0.2.1, 10.0.0.1' }, '192.0.2.1', '192.0.2.1'],
  [{ 'x-forwarded-for': '2001:db8::7' }, '2001:db8::7', '2001:db8:0:0::/64'],
])('reads who the gateway calls for: %j', (headers, address, block) => {
  const request = call(headers)
  expect([forwardedAddress(request), forwardedBlock(request)]).toEqual([address, block])
})

it('reads whether the browser speaks TLS', () => {
  expect([isForwardedSecure(call({ 'x-forwarded-proto': 'https' })), isForwardedSecure(call({}))]).toEqual([
    true,
    false,
  ])
})
