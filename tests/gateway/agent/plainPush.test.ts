import type { PushedCheck } from '@watchroom/shared/agents/upstream'
import { describe, expect, it } from 'vitest'

import { createPlainPush } from '../../../gateway/src/agent/plainPush.ts'

const CHECK: PushedCheck = { id: 'a', canary_id: 'c', type: 'http', name: 'front' }
const result = (second: number, status: boolean) => ({
  check_id: 'a',
  time: `2026-01-01T00:00:0${second}.000Z`,
  status,
  next_runtime: `2026-01-01T00:00:1${second}.000Z`,
})

describe('a push for a server of the real product', () => {
  it('says with the results what they make of their checks, how steps ended, and no extension', () => {
    const plain = createPlainPush()
    const definitions = new Map([['a', CHECK]])
    expect(plain.toBody({ sent_at: 'x', live: { canaries: [], checks: [] }, checks: [CHECK] }, definitions)).toEqual({
      checks: [CHECK],
    })
    const failing = [result(1, true), result(2, false), result(3, false)]
    const { check_statuses: results, checks } = plain.toBody({ check_statuses: failing }, definitions)
    expect(checks).toEqual([
      {
        ...CHECK,
        status: 'unhealthy',
        last_runtime: failing[2]?.time,
        last_transition_time: failing[1]?.time,
        next_runtime: failing[2]?.next_runtime,
      },
    ])
    expect(results).toEqual(failing.map(({ next_runtime: _next, ...row }) => row))
    const step = { id: 's', status: 'completed' as const, end_time: 'x', result: null, error: null }
    expect(plain.toBody({ playbook_actions: [step], working: ['s'] }, definitions)).toEqual({
      playbook_actions: [step],
    })
    // What comes late changes no status, and definitions that are sent again keep it.
    plain.toBody({ check_statuses: [result(1, true)] }, definitions)
    expect(plain.toBody({ checks: [CHECK] }, definitions).checks).toMatchObject([{ status: 'unhealthy' }])
  })
})
