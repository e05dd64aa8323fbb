import { AboutProgramsSchema, hasPrograms } from '@watchroom/shared/health'
import { describe, expect, it } from 'vitest'

describe('hasPrograms', () => {
  it.each([
    [{ exec: [] }],
    [{ http: [], exec: [{ script: 'id' }] }],
    [{ a: [{ b: { exec: { script: 'id' } } }] }],
    [JSON.parse('{"__proto__": {"exec": 1}}')],
  ])('finds what executes in %j', (definition) => {
    expect(hasPrograms(definition)).toBe(true)
  })

  it.each([[null], ['exec'], [{ exec: null }], [{ executor: [] }], [{ http: [{ name: 'exec' }] }]])(
    'finds nothing in %j',
    (definition) => {
      expect(hasPrograms(definition)).toBe(false)
    },
  )
})

describe('AboutProgramsSchema', () => {
  it('takes an answer that does not speak of programs, or in words that are not known, for one without the rule', () => {
    for (const answer of [{ Version: '1' }, { programs: { savers: 'owner' } }, { programs: 7 }]) {
      expect(AboutProgramsSchema.parse(answer).programs).toBeUndefined()
    }
  })
})
