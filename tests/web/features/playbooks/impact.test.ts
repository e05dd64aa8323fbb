import type { ComponentHealth } from '@watchroom/shared/topology'
import { describe, expect, it } from 'vitest'

import { describeImpact, toSegments } from '../../../../web/src/features/playbooks/impact.ts'
import type { Step } from '../../../../web/src/features/playbooks/runParts.ts'

const START = Date.parse('2026-01-01T00:00:00Z')
const mark = (seconds: number, health: ComponentHealth) => ({ at: START + seconds * 1_000, health })
const step = (name: string, seconds: number): Step => ({
  id: name,
  name,
  status: 'completed',
  start_time: new Date(START + seconds * 1_000).toISOString(),
  attempt: 1,
})

describe('what a run did to its target', () => {
  it('joins equal healths, and lets the last reach until now', () => {
    const marks = [mark(0, 'unhealthy'), mark(10, 'unhealthy'), mark(20, 'healthy')]
    expect(toSegments(marks, START + 30_000)).toEqual([
      { at: START, until: START + 20_000, health: 'unhealthy' },
      { at: START + 20_000, until: START + 30_000, health: 'healthy' },
    ])
  })

  it('says after which step it recovered, and how long after', () => {
    const steps = [step('drain', 5), step('restart', 10), step('verify', 40)]
    expect(describeImpact('Payments', [mark(0, 'unhealthy'), mark(24, 'healthy')], steps)).toBe(
      'Payments recovered 14s after restart began',
    )
    expect(describeImpact('Payments', [mark(0, 'healthy'), mark(7, 'unhealthy')], steps)).toBe(
      'Payments failed 2s after drain began',
    )
  })

  it('says of a component that it became a warning, or that nobody knows', () => {
    const steps = [step('restart', 10)]
    expect(describeImpact('Shop', [mark(0, 'unhealthy'), mark(12, 'warning')], steps)).toBe(
      'Shop became a warning 2s after restart began',
    )
    expect(describeImpact('Shop', [mark(0, 'healthy'), mark(12, 'unknown')], steps)).toBe(
      'Shop became unknown 2s after restart began',
    )
  })

  it('claims nothing where nothing changed, or changed before the first step', () => {
    expect(describeImpact('Payments', [mark(0, 'healthy'), mark(24, 'healthy')], [step('restart', 10)])).toBe(
      'Payments: healthy',
    )
    expect(describeImpact('Payments', [mark(0, 'healthy'), mark(3, 'unhealthy')], [step('restart', 10)])).toBe(
      'Payments: unhealthy',
    )
    expect(describeImpact('Payments', [], [])).toBe('Payments: no results in this time')
  })
})
