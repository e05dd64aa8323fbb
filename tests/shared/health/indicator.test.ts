import { toIndicator } from '@watchroom/shared/health'
import { describe, expect, it } from 'vitest'

describe('toIndicator', () => {
  it.each([
    ['red', ['degraded', 'missing', 'unhealthy', 'bad']],
    ['grey', ['unknown', 'suspended']],
    ['orange', ['warning', 'warn', 'mixed']],
    ['green', ['healthy', 'good', 'running', 'anything else', '']],
  ])('is %s for %j', (indicator, words) => {
    expect([...new Set(words.map(toIndicator))]).toEqual([indicator])
  })

  it('does not mind how a word is written', () => {
    expect(toIndicator('Unhealthy')).toBe('red')
  })
})
