import { toHealthWord } from '@watchroom/shared/health'
import { describe, expect, it } from 'vitest'

const at = (time: string): number => new Date(`2026-03-04T${time}:00`).getTime()

describe('toHealthWord', () => {
  it('has one word per health', () => {
    expect(
      (['healthy', 'good', 'mixed', 'unhealthy', 'bad', 'unknown'] as const).map((health) =>
        toHealthWord(health, null, 0),
      ),
    ).toEqual(['Healthy', 'Healthy', 'Mixed', 'Unhealthy', 'Unhealthy', 'Unknown'])
  })

  it('says since when nobody knows, in the time of the reader', () => {
    expect(toHealthWord('unknown', at('10:31'), at('12:00'))).toBe('Unknown since 10:31')
  })

  it('names the day too once the time alone could mean two of them', () => {
    expect(toHealthWord('unknown', at('10:31'), at('12:00') + 86_400_000)).toMatch(/^Unknown since .*4.* 10:31$/)
  })
})
