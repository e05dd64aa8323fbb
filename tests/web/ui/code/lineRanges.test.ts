import { describe, expect, it } from 'vitest'

import { toSelection } from '../../../../web/src/ui/code/codeKeys.ts'
import {
  countLines,
  formatLineRanges,
  includesLine,
  parseLineRanges,
  toggleLine,
  within,
} from '../../../../web/src/ui/code/lineRanges.ts'

describe('lineRanges', () => {
  it.each([
    ['3', '3'],
    ['7-3', '3-7'],
    ['12-20,3', '3,12-20'],
    ['3,4,5', '3-5'],
    ['3-9,5-20', '3-20'],
    ['x,0,-4,3,2-', '3'],
    ['', ''],
  ])('reads %j as %j', (text, shown) => {
    expect(formatLineRanges(parseLineRanges(text))).toBe(shown)
  })

  it('takes a line in, and out of the middle', () => {
    const ranges = parseLineRanges('3-5')
    expect(formatLineRanges(toggleLine(ranges, 6))).toBe('3-6')
    expect(formatLineRanges(toggleLine(ranges, 4))).toBe('3,5')
    expect(formatLineRanges(toggleLine(parseLineRanges('3'), 3))).toBe('')
  })

  it('keeps to the lines that there are', () => {
    const ranges = within(parseLineRanges('2,8-999999999,2000000000'), 10)
    expect(formatLineRanges(ranges)).toBe('2,8-10')
    expect(countLines(ranges)).toBe(4)
    expect(includesLine(ranges, 9)).toBe(true)
  })
})

describe('codeKeys', () => {
  const press = (
    key: string,
    state: { cursor?: number; anchor?: number; selected?: string; shiftKey?: boolean } = {},
  ) => {
    const event = { key, shiftKey: state.shiftKey ?? false, ctrlKey: false, metaKey: false, altKey: false }
    const next = toSelection({
      event,
      cursor: state.cursor ?? null,
      anchor: state.anchor ?? null,
      top: 5,
      count: 30,
      selected: parseLineRanges(state.selected ?? ''),
    })
    return next === null ? null : [next.cursor, formatLineRanges(next.selected)]
  }

  it('moves without selecting, first to what is in sight', () => {
    expect(press('ArrowDown')).toEqual([5, ''])
    expect(press('ArrowDown', { cursor: 5, selected: '2' })).toEqual([6, '2'])
    expect(press('k', { cursor: 1 })).toEqual([1, ''])
    expect(press('End', { cursor: 5 })).toEqual([30, ''])
    expect(press('PageDown', { cursor: 25 })).toEqual([30, ''])
  })

  it('selects with Space and Enter, one line more each time', () => {
    expect(press(' ', { cursor: 7 })).toEqual([7, '7'])
    expect(press('Enter', { cursor: 9, selected: '7' })).toEqual([9, '7,9'])
    expect(press(' ', { cursor: 7, selected: '7' })).toEqual([7, ''])
  })

  it('selects up to another line with Shift, forth and back', () => {
    expect(press('ArrowDown', { cursor: 7, shiftKey: true })).toEqual([8, '7-8'])
    expect(press('ArrowUp', { cursor: 8, anchor: 7, shiftKey: true, selected: '7-8' })).toEqual([7, '7'])
    expect(press('K', { cursor: 7, anchor: 7, shiftKey: true })).toEqual([6, '6-7'])
  })

  it('clears with Escape, which is someone else’s where nothing is selected', () => {
    expect(press('Escape', { cursor: 7, selected: '3-9' })).toEqual([7, ''])
    expect(press('Escape', { cursor: 7 })).toBeNull()
    expect(press('x', { cursor: 7 })).toBeNull()
  })
})
