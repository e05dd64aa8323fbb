import { expect, it } from 'vitest'

import { isLoopback, plainAddress } from '../../../gateway/src/platform/plainAddress.ts'

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '::ffff:c000:201'],
  ['2001:db8::1', '2001:db8::1'],
])('knows %s as %s', (address, plain) => {
  expect(plainAddress(address)).toBe(plain)
})

it.each(['127.0.0.1', '127.9.8.7', '::ffff:127.0.0.1', '::1', 'localhost'])('counts %s as of this machine', (host) => {
  expect(isLoopback(host)).toBe(true)
})

it.each([
  '',
  '128.0.0.1',
  '127.example.com',
  '::ffff:192.0.2.1',
  '::ffff:127.example.com',
  '::',
  'localhost.example.com',
])('counts %j as of another machine', (host) => {
  expect(isLoopback(host)).toBe(false)
})
