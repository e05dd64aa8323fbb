import { toTabValue, tryParseTabBy } from '@watchroom/shared/health'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { describe, expect, it } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'

describe('toTabValue', () => {
  it('is the namespace, else that of the canary, else none', () => {
    expect(toTabValue(buildCheck({ namespace: 'own' }), 'namespace')).toBe('own')
    expect(toTabValue(buildCheck({ namespace: '' }), 'namespace')).toBe('default')
    expect(toTabValue(buildCheck({ namespace: null, canary_namespace: '' }), 'namespace')).toBe('none')
  })

  it('is the agent, where the zero id means none', () => {
    expect(toTabValue(buildCheck({ agent_id: '018f' }), 'agent_id')).toBe('018f')
    expect(toTabValue(buildCheck({ agent_id: NIL_UUID }), 'agent_id')).toBe('none')
  })

  it('is the value of a label key', () => {
    expect(toTabValue(buildCheck({ labels: { team: 'a' } }), 'label:team')).toBe('a')
    expect(toTabValue(buildCheck(), 'label:team')).toBe('none')
    expect(toTabValue(buildCheck(), 'label:constructor')).toBe('none')
  })
})

describe('tryParseTabBy', () => {
  it.each(['namespace', 'agent_id', 'label:team'])('accepts %s', (text) => {
    expect(tryParseTabBy(text)).toBe(text)
  })
  it.each(['', 'label:', 'team', 'type'])('refuses %j', (text) => {
    expect(tryParseTabBy(text)).toBeNull()
  })
})
