import { safeReturnTo } from '@watchroom/shared/kernel'
import { describe, expect, it } from 'vitest'

import { HOSTILE_ADDRESSES } from '#support/hostileAddresses.ts'

describe('safeReturnTo', () => {
  it.each(['/', '/health?checkId=1&query=a%2F%2Fb', '/incidents/1#top'])('honors %s', (target) => {
    expect(safeReturnTo(target)).toBe(target)
  })

  it.each([...HOSTILE_ADDRESSES, undefined, '', 'health', ['/a', '//evil.example']])('refuses %j', (target) => {
    expect(safeReturnTo(target)).toBe('/')
  })
})
