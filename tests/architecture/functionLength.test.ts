import { describe, expect, it } from 'vitest'

import { readSources, readText } from './sources.ts'

// The linter measures: `max-lines-per-function`. Whoever needs more than 150 lines says why in the line above the function.

const sources = ['gateway/src', 'shared/src', 'web/src'].flatMap(readSources)

describe('functions', () => {
  it('have at most 150 lines, comments and blank lines counted', () => {
    const { rules } = JSON.parse(readText('.oxlintrc.json')) as { rules: Record<string, unknown> }
    expect(rules['max-lines-per-function']).toEqual(['error', { max: 150, skipBlankLines: false, skipComments: false }])
  })

  it('are longer only one by one, never a whole file', () => {
    const files = sources.filter(({ text }) => /oxlint-disable(?!-next-line)[^\n]*max-lines-per-function/.test(text))
    expect(files.map(({ path }) => path)).toEqual([])
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
