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
