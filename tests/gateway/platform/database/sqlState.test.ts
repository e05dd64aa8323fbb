import { describe, expect, it } from 'vitest'

import { isDatabaseAway, isDataFault, isTransient } from '../../../../gateway/src/platform/database/sqlState.ts'

const coded = (code: string): Error => Object.assign(new Error('of the database'), { code })

describe('an error of the database', () => {
  it.each([
    ['23505', 'data'],
    ['22P02', 'data'],
    ['21000', 'data'],
    ['40001', 'transient'],
    ['40P01', 'transient'],
    ['08006', 'away'],
    ['57P01', 'away'],
    ['ECONNREFUSED', 'away'],
    ['42501', ''],
    ['57014', ''],
  ])('%s is about: %s', (code, about) => {
    const error = coded(code)
    const kinds = [isDataFault(error) && 'data', isTransient(error) && 'transient', isDatabaseAway(error) && 'away']
    expect(kinds.filter(Boolean).join()).toBe(about)
  })

  it('may be anything that was thrown', () => {
    for (const thrown of [null, undefined, 'text', {}, { code: '23505' }]) {
      expect([isDataFault(thrown), isTransient(thrown), isDatabaseAway(thrown)]).toEqual([false, false, false])
    }
  })
})
