import { agentStatusOf, toAgentStatus } from '@watchroom/shared/agents'
import { describe, expect, it } from 'vitest'

describe('toAgentStatus', () => {
  const now = Date.UTC(2026, 7, 30, 12, 0, 0)

  it.each([
    ['2026-08-30T12:00:00Z', 'online'],
    ['2026-08-30T11:58:59Z', 'online'],
    ['2026-08-30T11:58:58.999Z', 'offline'],
    ['2026-08-30T11:59:30', 'online'],
    // The agent's clock runs ahead of the server's.
    ['2026-08-30T12:00:05Z', 'online'],
    [null, null],
    ['never', null],
  ])('of an agent last seen at %s is %s', (last_seen, status) => {
    expect(toAgentStatus({ last_seen }, now)).toBe(status)
  })
})

describe('agentStatusOf', () => {
  const now = Date.UTC(2026, 7, 30, 12, 0, 0)

  it("believes the server's judgement, whatever this clock says", () => {
    expect(agentStatusOf({ last_seen: '2026-08-30T12:00:00Z', status: 'offline' }, now)).toBe('offline')
    expect(agentStatusOf({ last_seen: '2026-08-30T11:00:00Z', status: 'online' }, now)).toBe('online')
    expect(agentStatusOf({ last_seen: null, status: null }, now)).toBeNull()
  })

  it('judges by itself where nobody did', () => {
    expect(agentStatusOf({ last_seen: '2026-08-30T11:00:00Z' }, now)).toBe('offline')
  })
})
