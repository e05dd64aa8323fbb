import { boundLabels, CheckSummarySchema, MAX_LABELS } from '@watchroom/shared/health'
import { packRows } from '@watchroom/shared/protocol'
import { describe, expect, it } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'

const build = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key-${at}`, `value ${at}`]))

describe('boundLabels', () => {
  it('leaves labels as they are, up to a hundred', () => {
    const labels = build(MAX_LABELS)
    expect(boundLabels(labels)).toBe(labels)
  })

  it('keeps a hundred of more, and says among them how many are left out', () => {
    const bounded = boundLabels(build(60_000))
    expect(Object.keys(bounded)).toHaveLength(MAX_LABELS)
    expect(bounded['(more labels)']).toBe('59901 are not shown')
    expect(boundLabels(bounded)).toBe(bounded)
  })

  it('bounds what a backend tells of a check', () => {
    const row = CheckSummarySchema.parse({ ...buildCheck(), labels: build(60_000) })
    expect(Object.keys(row.labels)).toHaveLength(MAX_LABELS)
  })
})

describe('packRows', () => {
  it('compares a column of numbers with some of those before it, however many there are', () => {
    // Six rows of the same 20,000 labels: compared pairwise, their numbers took minutes.
    const rows = Array.from({ length: 6 }, (_, at) => ({
      labels: Object.fromEntries(Array.from({ length: 20_000 }, (_, key) => [`k${key}`, `value ${key * (at + 1)}`])),
    }))
    const startedAt = process.cpuUsage()
    packRows(rows)
    const { user } = process.cpuUsage(startedAt)
    expect(user / 1e6).toBeLessThan(5)
  })
})
