import { toLabelGroups } from '@watchroom/shared/health'
import { describe, expect, it } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'

import { toLabelSummary } from '../../../../web/src/features/health-board/labelSummary.ts'

const [team] = toLabelGroups(
  ['a', 'b', 'c', 'd', 'e'].map((value) => buildCheck({ id: value, labels: { team: value } })),
)
const summarize = (choices: Record<string, 1 | -1>) =>
  toLabelSummary(team!, new Map(Object.entries(choices).map(([value, choice]) => [`canary:team:${value}`, choice])))

describe('toLabelSummary', () => {
  it('says nothing without a choice', () => {
    expect(summarize({})).toBeNull()
    expect(toLabelSummary(team!, new Map([['canary:tier:1', 1]]))).toBeNull()
  })

  it('names up to three choices, the excluded ones with a leading exclamation mark', () => {
    expect(summarize({ a: 1 })).toBe('a')
    expect(summarize({ a: 1, b: -1, c: 1 })).toBe('a, !b, c')
  })

  it('counts from four choices on', () => {
    expect(summarize({ a: 1, b: 1, c: 1, d: 1 })).toBe('including 4 labels')
    expect(summarize({ a: 1, b: 1, c: 1, d: 1, e: -1 })).toBe('including 4 labels, excluding 1 label')
    expect(summarize({ a: -1, b: -1, c: -1, d: -1 })).toBe('excluding 4 labels')
  })
})
