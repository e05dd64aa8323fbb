import { describe, expect, it } from 'vitest'

import { HOSTILE_ADDRESSES } from '#support/hostileAddresses.ts'

import { safeReturnTo } from '../../../web/src/url/returnTo.ts'

describe('safeReturnTo', () => {
  it.each(HOSTILE_ADDRESSES)('does not lead to %j', (address) => {
    expect(safeReturnTo(address)).toBe('/')
  })

  it('leads to a path of this site, query and all, and to the start page where there is none', () => {
    expect(safeReturnTo('/health?checkId=1&query=a%2F%2Fb#x')).toBe('/health?checkId=1&query=a%2F%2Fb#x')
    expect(safeReturnTo(undefined)).toBe('/')
    expect(safeReturnTo(['/health', '//evil.example'])).toBe('/')
  })
})
