import { CheckStatusSchema } from '@watchroom/shared/health'
import { describe, expect, it } from 'vitest'

import { stepHistory } from '../../../../web/src/features/check-panel/stepHistory.ts'

const page = (...minutes: number[]) => ({
  rows: minutes.map((minute) =>
    CheckStatusSchema.parse({ check_id: 'c', time: `2026-01-01T00:${minute}:00`, status: true }),
  ),
  total: minutes.length,
})
const first = page(12, 11)
const second = page(14, 13, 12)

describe('stepHistory', () => {
  const shown = stepHistory(undefined, { ask: 'a', page: first, isHeld: true })

  it('shows the first answer, also to someone whose pointer is there already', () => {
    expect(shown).toEqual({ ask: 'a', page: first, waiting: 0 })
    expect(stepHistory(undefined, { ask: 'a', page: undefined, isHeld: false })).toBeUndefined()
  })

  it('shows new results at once to those who do not read', () => {
    expect(stepHistory(shown, { ask: 'a', page: second, isHeld: false })).toEqual({
      ask: 'a',
      page: second,
      waiting: 0,
    })
  })

  it('lets new results wait, counted, while someone reads', () => {
    const held = stepHistory(shown, { ask: 'a', page: second, isHeld: true })
    expect(held).toEqual({ ask: 'a', page: first, waiting: 2 })
    const more = stepHistory(held, { ask: 'a', page: page(20, 19, 18), isHeld: true })
    expect(more).toEqual({ ask: 'a', page: first, waiting: 3 })
    expect(stepHistory(more, { ask: 'a', page: page(20, 19, 18), isHeld: false })).toMatchObject({ waiting: 0 })
  })

  it('shows another question’s answer at once, and keeps what was there until it comes', () => {
    expect(stepHistory(shown, { ask: 'b', page: undefined, isHeld: true })).toBe(shown)
    expect(stepHistory(shown, { ask: 'b', page: second, isHeld: true })).toEqual({ ask: 'b', page: second, waiting: 0 })
  })
})
