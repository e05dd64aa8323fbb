import type { CheckFacts } from '@watchroom/shared/health'
import { describe, expect, it } from 'vitest'

import { buildFacts } from '#support/buildCheck.ts'
import { buildBoardView } from '#support/web/buildBoardView.ts'

import { arrangeBoard, type BoardUnit } from '../../../../../web/src/features/health-board/board/arrangeBoard.ts'
import { holdBoard } from '../../../../../web/src/features/health-board/board/holdBoard.ts'

const view = buildBoardView({ hidePassing: true, sortBy: 'latency', isDescending: true })

const check = (id: string, status: string, overrides: Partial<CheckFacts['row']> = {}) =>
  buildFacts({ id, status, canary_name: id, latency: { p95: 10 }, ...overrides })

const current = (checks: readonly CheckFacts[]) => new Map(checks.map((facts) => [facts.id, facts]))

const outline = (units: readonly BoardUnit[]): string[] =>
  units.map(
    (unit) =>
      `${unit.isLeaving ? '-' : ''}${unit.id}${unit.kind === 'group' ? `(${outline(unit.members).join()})` : ''}`,
  )

describe('holdBoard', () => {
  it('keeps the order while values change', () => {
    const before = [
      check('a', 'unhealthy', { latency: { p95: 30 } }),
      check('b', 'unhealthy', { latency: { p95: 20 } }),
    ]
    const after = [before[0]!, check('b', 'unhealthy', { latency: { p95: 90 } })]
    const held = holdBoard(arrangeBoard(before, view), arrangeBoard(after, view), current(after))
    expect(outline(held.units)).toEqual(['a', 'b'])
    expect(held.units[1]).toMatchObject({ check: { latencyMs: 90 } })
  })

  it('keeps a row that turned healthy, marked, with its live contents', () => {
    const before = [check('a', 'unhealthy'), check('b', 'unhealthy')]
    const after = [check('a', 'healthy'), before[1]!]
    const held = holdBoard(arrangeBoard(before, view), arrangeBoard(after, view), current(after))
    expect(outline(held.units)).toEqual(['-a', 'b'])
    expect(held.units[0]).toMatchObject({ check: { health: 'healthy' } })
  })

  it('takes the mark away when the row comes back into the view', () => {
    const failing = [check('a', 'unhealthy')]
    const healed = [check('a', 'healthy')]
    const gone = holdBoard(arrangeBoard(failing, view), arrangeBoard(healed, view), current(healed))
    const back = holdBoard(gone, arrangeBoard(failing, view), current(failing))
    expect(outline(gone.units)).toEqual(['-a'])
    expect(outline(back.units)).toEqual(['a'])
  })

  it('makes new failures wait and counts them, those inside a group too', () => {
    const before = [
      check('a', 'unhealthy'),
      check('g1', 'unhealthy', { canary_name: 'g' }),
      check('g2', 'healthy', { canary_name: 'g' }),
    ]
    const after = [before[0]!, before[1]!, check('g2', 'unhealthy', { canary_name: 'g' }), check('c', 'unhealthy')]
    const held = holdBoard(arrangeBoard(before, view), arrangeBoard(after, view), current(after))
    expect(outline(held.units)).toEqual(['a', 'group:g(g1)'])
    expect(held.waiting).toBe(2)
    expect(held.units[1]).toMatchObject({ summary: { health: 'bad' } })
  })

  it('keeps a group that has become wholly passing, with its new summary', () => {
    const before = [check('g1', 'unhealthy', { canary_name: 'g' }), check('g2', 'healthy', { canary_name: 'g' })]
    const after = [check('g1', 'healthy', { canary_name: 'g' }), before[1]!]
    const held = holdBoard(arrangeBoard(before, view), arrangeBoard(after, view), current(after))
    expect(outline(held.units)).toEqual(['-group:g(-g1)'])
    expect(held.units[0]).toMatchObject({ summary: { health: 'good' } })
  })

  it('holds groups inside groups too', () => {
    const inTree = buildBoardView({ hidePassing: true, groupBy: 'name' })
    const before = [
      check('1', 'unhealthy', { name: 'a/b/1' }),
      check('2', 'healthy', { name: 'a/b/2' }),
      check('3', 'unhealthy', { name: 'a/3' }),
    ]
    const after = [check('1', 'healthy', { name: 'a/b/1' }), before[1]!, before[2]!]
    const held = holdBoard(arrangeBoard(before, inTree), arrangeBoard(after, inTree), current(after))
    expect(outline(held.units)).toEqual(['group:a(3,-group:a/b(-1))'])
  })

  it('keeps a deleted row as it last was', () => {
    const before = [check('a', 'unhealthy', { latency: { p95: 77 } })]
    const held = holdBoard(arrangeBoard(before, view), arrangeBoard([], view), current([]))
    expect(held.units).toMatchObject([{ isLeaving: true, check: { latencyMs: 77 } }])
  })

  it('keeps the identity of lines that did not change, over several steps', () => {
    const before = [
      check('a', 'unhealthy'),
      check('g1', 'unhealthy', { canary_name: 'g' }),
      check('g2', 'healthy', { canary_name: 'g' }),
    ]
    const healed = [check('a', 'healthy'), check('g1', 'healthy', { canary_name: 'g' }), before[2]!]
    const board = arrangeBoard(healed, view)
    const first = holdBoard(arrangeBoard(before, view), board, current(healed))
    const second = holdBoard(first, arrangeBoard([...healed], view, board), current(healed))
    expect(second.units[0]).toBe(first.units[0])
    expect(second.units[1]).toBe(first.units[1])
  })
})
