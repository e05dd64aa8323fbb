import { summarizeGroup } from '@watchroom/shared/health'
import { describe, expect, it } from 'vitest'

import { buildFacts } from '#support/buildCheck.ts'

describe('summarizeGroup', () => {
  it('adds up runs, averages measured latencies and keeps the latest times', () => {
    const summary = summarizeGroup([
      buildFacts({
        id: '1',
        uptime: { passed: 3, failed: 1 },
        latency: { p95: 10 },
        last_runtime: '2026-08-30T10:00:00Z',
      }),
      buildFacts({
        id: '2',
        uptime: { passed: 4, failed: 0 },
        latency: { p99: 30 },
        last_runtime: '2026-08-30T11:00:00Z',
      }),
      buildFacts({
        id: '3',
        uptime: { passed: 0, failed: 0 },
        latency: {},
        last_transition_time: '2026-08-30T09:00:00Z',
      }),
    ])
    expect(summary).toMatchObject({
      total: 3,
      passed: 7,
      failed: 1,
      latencyMs: 20,
      lastRunAt: Date.UTC(2026, 7, 30, 11),
      transitionAt: Date.UTC(2026, 7, 30, 9),
    })
  })

  it('says multiple where members differ, also when only some have a value', () => {
    const checks = [
      buildFacts({ id: '1', type: 'http', icon: 'globe', namespace: 'b' }),
      buildFacts({ id: '2', type: 'http', icon: null, namespace: 'a' }),
    ]
    expect(summarizeGroup(checks)).toMatchObject({ type: 'http', icon: 'multiple', namespaces: ['a', 'b'] })
  })

  it('has no latency and no times when no member has', () => {
    expect(summarizeGroup([buildFacts({ latency: {} })])).toMatchObject({
      latencyMs: null,
      lastRunAt: null,
      transitionAt: null,
      icon: null,
    })
  })
})
