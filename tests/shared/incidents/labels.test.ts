import { INCIDENT_TYPE_OPTIONS, toLabel } from '@watchroom/shared/incidents'
import { describe, expect, it } from 'vitest'

describe('toLabel', () => {
  it.each([
    ['technicalDebt', 'Technical debt'],
    ['config_change', 'Config change'],
    ['Critical', 'Critical'],
    ['', ''],
  ])('reads %s as “%s”', (word, label) => {
    expect(toLabel(word)).toBe(label)
  })

  it('names every choice', () => {
    expect(INCIDENT_TYPE_OPTIONS).toContainEqual({ value: 'technicalDebt', label: 'Technical debt' })
  })
})
