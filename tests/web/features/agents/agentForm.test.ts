import { describe, expect, it } from 'vitest'

import {
  type AgentFields,
  AgentFormSchema,
  isSameProperties,
  NEW_AGENT,
  SCRAPE_INTERVALS,
  toExclusions,
} from '../../../../web/src/features/agents/agentForm.ts'

/** What is wrong, by place. */
const faultsOf = (fields: Partial<AgentFields>) =>
  Object.fromEntries(
    AgentFormSchema.safeParse({ ...NEW_AGENT, ...fields }).error?.issues.map((issue) => [
      issue.path.join('.'),
      issue.message,
    ]) ?? [],
  )

describe('the form of an agent', () => {
  it('starts with Kubernetes disabled at 30m, of the nine intervals, and telemetry disabled', () => {
    expect(NEW_AGENT.kubernetes).toEqual({ enabled: false, interval: '30m', exclusions: '' })
    expect(NEW_AGENT.telemetry).toEqual({ enabled: false, label: '' })
    expect(SCRAPE_INTERVALS).toEqual(['1m', '5m', '10m', '30m', '1h', '2h', '6h', '12h', '24h'])
  })

  it('needs a name, and a label once telemetry is enabled', () => {
    expect(faultsOf({ name: '  ' })).toEqual({ name: 'This field is required' })
    expect(faultsOf({ name: 'a', telemetry: { enabled: true, label: ' ' } })).toEqual({
      'telemetry.label': 'This field is required',
    })
    expect(faultsOf({ name: 'a' })).toEqual({})
  })

  it('reads exclusions between commas, spaces and lines, each once', () => {
    expect(toExclusions(' Secret, Event\nevents.k8s.io,,Secret ')).toEqual(['Secret', 'Event', 'events.k8s.io'])
    expect(toExclusions(' , ')).toEqual([])
  })

  it('compares properties whatever their order', () => {
    expect(isSameProperties({ a: '1', b: '2' }, { b: '2', a: '1' })).toBe(true)
    expect(isSameProperties({ a: '1' }, { a: '2' })).toBe(false)
    expect(isSameProperties({ a: '1' }, { a: '1', b: '2' })).toBe(false)
    expect(isSameProperties(null, {})).toBe(true)
  })
})
