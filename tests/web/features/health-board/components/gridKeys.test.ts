import { describe, expect, it } from 'vitest'

import { toGridAction } from '../../../../../web/src/features/health-board/components/gridKeys.ts'

const pressed = { ctrlKey: false, metaKey: false, altKey: false }

describe('toGridAction', () => {
  it.each([
    ['ArrowDown', 'next'],
    ['j', 'next'],
    ['ArrowUp', 'previous'],
    ['k', 'previous'],
    ['Enter', 'open'],
    ['ArrowLeft', 'collapse'],
    ['ArrowRight', 'expand'],
    ['Home', 'first'],
    ['End', 'last'],
  ])('takes %s as %s', (key, action) => {
    expect(toGridAction({ ...pressed, key })).toBe(action)
  })

  it('leaves other keys and shortcuts of the browser alone', () => {
    expect(toGridAction({ ...pressed, key: 'x' })).toBeNull()
    expect(toGridAction({ ...pressed, key: 'toString' })).toBeNull()
    expect(toGridAction({ ...pressed, key: 'j', ctrlKey: true })).toBeNull()
    expect(toGridAction({ ...pressed, key: 'ArrowLeft', altKey: true })).toBeNull()
  })
})
