import { isPermitted } from '@watchroom/shared/access'
import { WhoAmISchema } from '@watchroom/shared/identity'
import { describe, expect, it } from 'vitest'

describe('who someone is', () => {
  it('is read of a server that has not looked up any right yet: it narrows nothing', () => {
    const user = { id: '01a20b45-ab30-c342-9379-17e24e791e65', name: 'Ada', email: 'ada@example.test' }
    const { payload } = WhoAmISchema.parse({
      message: 'success',
      payload: { user, hostname: 'server', permissions: null, roles: [] },
    })
    if (!('user' in payload)) throw new Error('it was read as a bare user')
    expect(payload).toMatchObject({ user: { name: 'Ada' }, roles: [], permissions: undefined })
    expect(isPermitted(payload.permissions, 'read', 'canaries')).toBe(true)
  })
})
