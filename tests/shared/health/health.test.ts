import { countHealth, type Health, toGroupHealth, toHealth } from '@watchroom/shared/health'
import { describe, expect, it } from 'vitest'

describe('toHealth', () => {
  it.each([
    ['healthy', 'healthy'],
    ['unhealthy', 'unhealthy'],
    ['Healthy', 'unknown'],
    ['suspended', 'unknown'],
    [null, 'unknown'],
    [undefined, 'unknown'],
  ])('judges status %s as %s', (status, health) => {
    expect(toHealth({ status })).toBe(health)
  })

  it.each(['healthy', 'unhealthy', null])('judges status %s as unknown once its agent went silent', (status) => {
    expect(toHealth({ status, unknown_since: '2026-03-01T10:31:00Z' })).toBe('unknown')
  })

  it('judges by the status again once its agent is seen', () => {
    expect(toHealth({ status: 'healthy', unknown_since: null })).toBe('healthy')
  })
})

describe('toGroupHealth', () => {
  const cases: [Health[], string][] = [
    [['healthy', 'healthy'], 'good'],
    [['unhealthy', 'unhealthy'], 'bad'],
    [['healthy', 'unhealthy'], 'mixed'],
    [['healthy', 'unknown'], 'mixed'],
    [['unhealthy', 'unknown'], 'mixed'],
    [['unknown', 'unknown'], 'unknown'],
    [[], 'unknown'],
  ]

  it.each(cases)('judges %j as %s', (members, health) => {
    expect(toGroupHealth(countHealth(members))).toBe(health)
  })
})
