import { describe, expect, it } from 'vitest'

import { judgePassword } from '../../../../../gateway/src/embedded-backend/identity/methods/password.ts'

const EMAIL = 'sam.ple@example.org'

describe('a password that someone chooses', () => {
  it.each([
    ['', 4_000_002],
    ['seven77', 4_000_032],
    ['x'.repeat(1_025), 4_000_033],
    ['sam.ple@example.org', 4_000_031],
    ['SAM.PLE@EXAMPLE.ORG1', 4_000_031],
    ['sam.ple1', 4_000_031],
    ['example.org', 4_000_031],
    ['password1', 4_000_034],
    ['PASSWORD1', 4_000_034],
    ['qwertyuiop', 4_000_034],
  ])('%j is refused with %i', (password, id) => {
    expect(judgePassword(password, EMAIL)?.id).toBe(id)
  })

  it.each(['correct horse battery', 'sam.ple has a long sentence', 'пароль-из-слов', '8 digits', 'x'.repeat(1_024)])(
    '%j is taken',
    (password) => {
      expect(judgePassword(password, EMAIL)).toBeNull()
    },
  )

  it('counts characters as people see them', () => {
    expect(judgePassword('🔑🔑🔑🔑🔑🔑🔑', EMAIL)).toMatchObject({ id: 4_000_032, context: { actual_length: 7 } })
    expect(judgePassword('🔑🔑🔑🔑🔑🔑🔑🔑', EMAIL)).toBeNull()
  })
})
