import { MAX_PIVOT_COLUMNS, PIVOT_FIELDS, toPivotCells, toPivotColumns, toPivotValue } from '@watchroom/shared/health'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { describe, expect, it } from 'vitest'

import { buildCheck, buildFacts } from '#support/buildCheck.ts'

const checks = [
  buildFacts({ id: '1', namespace: 'prod', labels: { team: 'b' } }),
  buildFacts({ id: '2', namespace: 'dev', labels: { team: 'a' } }),
  buildFacts({ id: '3', namespace: 'prod' }),
]
const byTeam = { by: 'labels', label: 'team' } as const

describe('toPivotColumns', () => {
  it('has one column per value, sorted, and one more for checks without a value', () => {
    expect(toPivotColumns(checks, byTeam)).toEqual({ values: ['a', 'b'], hasOther: true })
    expect(toPivotColumns(checks, { by: 'namespace', label: '' })).toEqual({ values: ['dev', 'prod'], hasOther: false })
  })

  it('keeps the most frequent of too many values and puts the rest into the last column', () => {
    const many = Array.from({ length: MAX_PIVOT_COLUMNS + 5 }, (_, index) =>
      buildFacts({ id: String(index), name: `n${index}` }),
    )
    const found = toPivotColumns([...many, buildFacts({ id: 'again', name: 'n44' })], { by: 'name', label: '' })
    expect(found.values).toHaveLength(MAX_PIVOT_COLUMNS)
    expect(found.values).toContain('n44')
    expect(found.hasOther).toBe(true)
  })
})

describe('toPivotCells', () => {
  it('puts each check of a row into one column', () => {
    const { byValue, other } = toPivotCells(checks, byTeam, toPivotColumns(checks, byTeam))
    expect([...byValue].map(([value, found]) => [value, found.map(({ id }) => id)])).toEqual([
      ['a', ['2']],
      ['b', ['1']],
    ])
    expect(other.map(({ id }) => id)).toEqual(['3'])
  })
})

describe('toPivotValue', () => {
  it.each(PIVOT_FIELDS)('reads the field %s, and has none where it is empty', (by) => {
    expect(toPivotValue({ ...buildCheck(), [by]: 'value' }, { by, label: '' })).toBe('value')
    expect(toPivotValue({ ...buildCheck(), canary_namespace: '', [by]: '' }, { by, label: '' })).toBeNull()
  })

  it('has no value for the zero agent and for a label that is not there', () => {
    expect(toPivotValue(buildCheck({ agent_id: NIL_UUID }), { by: 'agent_id', label: '' })).toBeNull()
    expect(toPivotValue(buildCheck(), { by: 'labels', label: 'constructor' })).toBeNull()
  })
})
