import { describe, expect, it } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { buildBoardView } from '#support/web/buildBoardView.ts'

import { stepBoard } from '../../../../../web/src/features/health-board/board/stepBoard.ts'

const view = buildBoardView({ hidePassing: true, groupBy: 'no-group' })
const failing = buildCheck({ id: 'b', status: 'unhealthy' })
const healed = { ...failing, status: 'healthy' }
const added = buildCheck({ id: 'a', status: 'unhealthy' })
const ids = (state: ReturnType<typeof stepBoard>) => state.shown.units.map((unit) => unit.id)

describe('stepBoard', () => {
  it('holds the order until the hold ends, then shows the order of now', () => {
    const first = stepBoard(undefined, { rows: [failing], view, isHeld: false })
    const held = stepBoard(first, { rows: [failing, added], view, isHeld: true })
    expect([ids(held), held.shown.waiting]).toEqual([['b'], 1])
    const released = stepBoard(held, { rows: held.rows, view, isHeld: false })
    expect([ids(released), released.shown.waiting]).toEqual([['a', 'b'], 0])
  })

  it('keeps a recovered row while held and lets it go afterwards', () => {
    const first = stepBoard(undefined, { rows: [failing], view, isHeld: true })
    const held = stepBoard(first, { rows: [healed], view, isHeld: true })
    expect(held.shown.units).toMatchObject([{ id: 'b', isLeaving: true }])
    expect(ids(stepBoard(held, { rows: held.rows, view, isHeld: false }))).toEqual([])
  })

  it('never holds back a new view', () => {
    const first = stepBoard(undefined, { rows: [failing, healed], view, isHeld: true })
    const wanted = { ...view, query: 'nothing' }
    expect(ids(stepBoard(first, { rows: first.rows, view: wanted, isHeld: true }))).toEqual([])
  })

  it('does not hold an empty list: the first failure must be seen', () => {
    const first = stepBoard(undefined, { rows: [healed], view, isHeld: true })
    expect(ids(stepBoard(first, { rows: [failing], view, isHeld: true }))).toEqual(['b'])
  })

  it('does not arrange anew when only the hold changes', () => {
    const first = stepBoard(undefined, { rows: [failing], view, isHeld: false })
    expect(stepBoard(first, { rows: first.rows, view, isHeld: true }).board).toBe(first.board)
  })
})
