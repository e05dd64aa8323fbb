import { randomBytes } from 'node:crypto'

import { expect, it } from 'vitest'

import { createSeal } from '../../../gateway/src/platform/createSeal.ts'

it('opens what it sealed, never in the same words twice', () => {
  const key = createSeal(randomBytes(40))
  const [first, second] = [key.seal('JBSWY3DPEHPK3PXP'), key.seal('JBSWY3DPEHPK3PXP')]
  expect(first).not.toBe(second)
  expect([key.open(first), key.open(second)]).toEqual(['JBSWY3DPEHPK3PXP', 'JBSWY3DPEHPK3PXP'])
  expect(first).not.toContain('JBSWY3DP')
})

it('opens nothing that was altered, or sealed with another key', () => {
  const secret = randomBytes(40)
  const sealed = createSeal(secret).seal('a secret')
  const bytes = Buffer.from(sealed, 'base64url')
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  expect(() => createSeal(secret).open(bytes.toString('base64url'))).toThrow(/authenticate/)
  expect(() => createSeal(randomBytes(40)).open(sealed)).toThrow(/authenticate/)
})

it('stores short secrets so that only who has the key can try them', () => {
  const secret = randomBytes(40)
  expect(createSeal(secret).mac('123456')).toBe(createSeal(secret).mac('123456'))
  expect(createSeal(randomBytes(40)).mac('123456')).not.toBe(createSeal(secret).mac('123456'))
})
