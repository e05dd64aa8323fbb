import { capitalize } from '@watchroom/shared/kernel'
import { describe, expect, it } from 'vitest'

describe('capitalize', () => {
  it('changes the first letter alone', () => {
    expect(['unhealthy', 'log backend', 'HTTP', ''].map(capitalize)).toEqual(['Unhealthy', 'Log backend', 'HTTP', ''])
  })
})
