import { canRunCheck } from '@watchroom/shared/health'
import { describe, expect, it } from 'vitest'

describe('canRunCheck', () => {
  it.each(['admin', 'editor', 'responder', 'commander'] as const)('lets a %s run a check', (role) => {
    expect(canRunCheck([role])).toBe(true)
  })

  it('refuses a viewer and somebody without roles', () => {
    expect(canRunCheck(['viewer'])).toBe(false)
    expect(canRunCheck([])).toBe(false)
  })
})
