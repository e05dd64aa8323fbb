import { describe, expect, it } from 'vitest'

import { describeImpact, toSegments } from '../../../../web/src/features/playbooks/impact.ts'
import type { Step } from '../../../../web/src/features/playbooks/runParts.ts'

const START = Date.parse('2026-01-01T00:00:00Z')
const result = (seconds: number, isHealthy: boolean) => ({ at: START + seconds * 1_000, isHealthy })
const step = (name: string, seconds: number): Step => ({
  id: name,
  name,
  status: 'completed',
  start_time: new Date(START + seconds * 1_000).toISOString(),
  attempt: 1,
})

describe('what a run did to its check', () => {
  it('joins equal results, and lets the last reach until now', () => {
    const results = [result(0, false), result(10, false), result(20, true)]
    expect(toSegments(results, START + 30_000)).toEqual([
      { at: START, until: START + 20_000, isHealthy: false },
      { at: START + 20_000, until: START + 30_000, isHealthy: true },
    ])
  })

  it('says after which step it recovered, and how long after', () => {
    const steps = [step('drain', 5), step('restart', 10), step('verify', 40)]
    expect(describeImpact('Payments', [result(0, false), result(24, true)], steps)).toBe(
      'Payments recovered 14s after restart began',
    )
    expect(describeImpact('Payments', [result(0, true), result(7, false)], steps)).toBe(
      'Payments failed 2s after drain began',
    )
  })

  it('claims nothing where nothing changed, or changed before the first step', () => {
    expect(describeImpact('Payments', [result(0, true), result(24, true)], [step('restart', 10)])).toBe(
      'Payments: healthy',
    )
    expect(describeImpact('Payments', [result(0, true), result(3, false)], [step('restart', 10)])).toBe(
      'Payments: unhealthy',
    )
    expect(describeImpact('Payments', [], [])).toBe('Payments: no results in this time')
  })
})
