import { describe, expect, it } from 'vitest'

import { type ChartCursor, NO_CURSOR, stepChart } from '../../../../web/src/ui/chart/chartKeys.ts'

const key = (name: string, shiftKey = false) => ({ key: name, shiftKey })
const at = (index: number | null, anchor: number | null = null): ChartCursor => ({ index, anchor })

describe('stepChart', () => {
  it.each([
    ['starts at the newest point', at(null), key('ArrowLeft'), at(99)],
    ['starts at the oldest with Home', at(null), key('Home'), at(0)],
    ['moves left', at(50), key('ArrowLeft'), at(49)],
    ['moves right', at(50), key('ArrowRight'), at(51)],
    ['stops at the last point', at(99), key('ArrowRight'), at(99)],
    ['stops at the first point', at(3), key('PageUp'), at(0)],
    ['jumps ten points', at(50), key('PageDown'), at(60)],
    ['jumps to the end', at(50), key('End'), at(99)],
    ['selects with Shift from where it was', at(50), key('ArrowLeft', true), at(49, 50)],
    ['goes on selecting from the same end', at(49, 50), key('ArrowLeft', true), at(48, 50)],
    ['gives the selection up without Shift', at(48, 50), key('ArrowLeft'), at(47)],
    ['puts the selection away with Escape', at(48, 50), key('Escape'), at(48)],
    ['puts the cross-hair away with the next Escape', at(48), key('Escape'), NO_CURSOR],
  ])('%s', (_, before, pressed, after) => {
    expect(stepChart(before, pressed, 100)).toEqual({ kind: 'move', cursor: after })
  })

  it('zooms into the selection, whichever end came first', () => {
    expect(stepChart(at(40, 50), key('Enter'), 100)).toEqual({ kind: 'zoom', from: 40, to: 50 })
    expect(stepChart(at(60, 50), key('Enter'), 100)).toEqual({ kind: 'zoom', from: 50, to: 60 })
  })

  it.each([
    ['a letter', at(50), key('a')],
    ['Tab', at(50), key('Tab')],
    ['Escape without a cross-hair, which is for the dialog', NO_CURSOR, key('Escape')],
    ['Enter without a selection', at(50), key('Enter')],
    ['Enter on a selection of one point', at(50, 50), key('Enter')],
  ])('leaves %s to the page', (_, before, pressed) => {
    expect(stepChart(before, pressed, 100)).toEqual({ kind: 'none' })
  })

  it('leaves the arrows to the page when there is nothing to move over', () => {
    expect(stepChart(NO_CURSOR, key('ArrowLeft'), 0)).toEqual({ kind: 'none' })
  })
})
