import { describe, expect, it } from 'vitest'

import { changedRights } from '../../../gateway/src/proxy/changedRights.ts'

describe('changedRights', () => {
  it.each([
    ['POST', '/rbac/p1/update_role', { userId: 'p1' }],
    ['POST', '/auth/p1/update_state', { userId: 'p1' }],
    ['DELETE', '/people/p1', { userId: 'p1' }],
    ['POST', '/people/update', 'all'],
    ['PATCH', '/db/people', 'all'],
    ['GET', '/db/people', null],
    ['GET', '/rbac/dump', null],
    ['POST', '/canary/run/check/1', null],
  ])('%s %s', (method, path, change) => {
    expect(changedRights(method, path)).toEqual(change)
  })
})
