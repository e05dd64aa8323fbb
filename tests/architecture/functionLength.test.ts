import { describe, expect, it } from 'vitest'

import { readSources, readText } from './sources.ts'

// The linter measures: `max-lines-per-function`. Whoever needs more than 150 lines says why in the line above the function.

interface LintRules {
  readonly rules: Record<string, unknown>
  readonly overrides: readonly { readonly files: readonly string[]; readonly rules: Record<string, unknown> }[]
}
const lint = JSON.parse(readText('.oxlintrc.json')) as LintRules

const sources = ['gateway/src', 'shared/src', 'web/src'].flatMap(readSources)

describe('functions', () => {
  it('have at most 150 lines, comments and blank lines counted', () => {
    expect(lint.rules['max-lines-per-function']).toEqual([
      'error',
      { max: 150, skipBlankLines: false, skipComments: false },
    ])
  })

  it('are longer only one by one, never a whole file', () => {
    const files = sources.filter(({ text }) => /oxlint-disable(?!-next-line)[^\n]*max-lines-per-function/.test(text))
    expect(files.map(({ path }) => path)).toEqual([])
  })

  it('are longer wherever they need to be in scripts and tests, and in no file of a program', () => {
    const exempt = lint.overrides.filter(({ rules }) => 'max-lines-per-function' in rules).flatMap(({ files }) => files)
    expect(exempt).toEqual(['scripts/**', 'tests/**', 'e2e/**'])
  })
})

describe('what the linter is told to pass over', () => {
  it('says why', () => {
    const silent = sources.flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, at) => (/oxlint-disable/.test(line) && !/ -- \S+ \S+/.test(line) ? [`${path}:${at + 1}`] : [])),
    )
    expect(silent).toEqual([])
  })
})
