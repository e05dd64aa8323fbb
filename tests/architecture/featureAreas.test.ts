import { describe, expect, it } from 'vitest'

import { type ScreenEntry, SCREENS } from '../../web/src/app/screens.ts'
import { SUGGESTED_AREAS } from '../../web/src/features/feature-flags/suggestedAreas.ts'

describe('the areas that can be turned off', () => {
  it('are each the area of a screen: turning one off turns something off', () => {
    const entries: readonly ScreenEntry[] = SCREENS
    const used = new Set(entries.map(({ area }) => area))
    expect(SUGGESTED_AREAS.filter((area) => !used.has(area))).toEqual([])
    expect(SUGGESTED_AREAS.length).toBeGreaterThan(15)
  })
})
