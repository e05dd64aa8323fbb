import { expect, it } from 'vitest'

import { createQuota } from '../../../gateway/src/platform/createQuota.ts'

it('lets each name have so many, and takes each place back once', () => {
  const quota = createQuota(2)
  const leave = quota.enter('a')
  expect(quota.enter('a')).not.toBeNull()
  expect(quota.enter('a')).toBeNull()
  expect(quota.enter('b')).not.toBeNull()
  leave?.()
  leave?.()
  expect(quota.count('a')).toBe(1)
  expect(quota.enter('a')).not.toBeNull()
  expect(quota.enter('a')).toBeNull()
})

it('forgets a name that has nothing left', () => {
  const quota = createQuota(1)
  quota.enter('a')?.()
  expect(quota.count('a')).toBe(0)
})
