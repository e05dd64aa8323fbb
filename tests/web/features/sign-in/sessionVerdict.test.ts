import { describe, expect, it } from 'vitest'

import { sessionVerdict } from '../../../../web/src/features/sign-in/sessionVerdict.ts'

describe('sessionVerdict', () => {
  it('sends someone without a session to the sign-in, and back afterwards', () => {
    expect(sessionVerdict(401, '/health?checkId=1', 0)).toEqual({
      path: '/login',
      search: { return_to: '/health?checkId=1' },
    })
  })

  it.each([403, 422])('asks for the second factor on %i', (status) => {
    expect(sessionVerdict(status, '/health', 0)).toEqual({
      path: '/login',
      search: { aal: 'aal2', return_to: '/health' },
    })
  })

  it('decides nothing on other answers', () => {
    expect(sessionVerdict(500, '/health', 0)).toBeNull()
  })

  it('goes back with a valid session, but not round and round', () => {
    expect(sessionVerdict(200, '/health?checkId=1', 10_000)).toEqual({ path: '/health', search: { checkId: '1' } })
    expect(sessionVerdict(200, '/health', 11_000)).toEqual({ path: '/error', search: { error_code: 'BAD_SESSION' } })
    expect(sessionVerdict(200, '/health', 60_000)).toEqual({ path: '/health', search: {} })
  })
})
