import { describe, expect, it } from 'vitest'

import { buildFacts } from '#support/buildCheck.ts'
import { buildBoardView } from '#support/web/buildBoardView.ts'

import { arrangeBoard } from '../../../../../web/src/features/health-board/board/arrangeBoard.ts'
import { toBoardLines } from '../../../../../web/src/features/health-board/board/boardLines.ts'
import { type CardRow, moveInCards, toCardRows } from '../../../../../web/src/features/health-board/board/cardRows.ts'

const checks = [
  ...['a1', 'a2', 'a3'].map((id) => buildFacts({ id, canary_name: 'a' })),
  buildFacts({ id: 'b', canary_name: 'b' }),
  buildFacts({ id: 'c', canary_name: 'c' }),
]
const lines = toBoardLines(arrangeBoard(checks, buildBoardView()).units, new Map(), 'all')
const rows = toCardRows(lines, 2)
const outline = (of: readonly CardRow[]) =>
  of.map((row) => (row.kind === 'group' ? row.id : row.cards.map(({ id }) => id)))

describe('toCardRows', () => {
  it('puts cards side by side below the heading of their group, and never mixes groups', () => {
    expect(outline(rows)).toEqual(['group:a', ['a1', 'a2'], ['a3'], ['b', 'c']])
  })

  it('gives every row an id of its own', () => {
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  })
})

describe('moveInCards', () => {
  it.each([
    ['a1', 'ArrowRight', 'a2'],
    ['a2', 'ArrowRight', 'a3'],
    ['a1', 'ArrowLeft', 'group:a'],
    ['a2', 'ArrowDown', 'a3'],
    ['a3', 'j', 'b'],
    ['c', 'ArrowUp', 'a3'],
    ['a1', 'k', 'group:a'],
    ['c', 'Home', 'group:a'],
    ['a1', 'End', 'c'],
  ])('leads from %s by %s to %s', (from, key, to) => {
    expect(moveInCards(rows, from, key)).toBe(to)
  })

  it.each([
    ['c', 'ArrowRight'],
    ['group:a', 'ArrowUp'],
    ['a1', 'x'],
    ['gone', 'ArrowDown'],
  ])('leads nowhere from %s by %s', (from, key) => {
    expect(moveInCards(rows, from, key)).toBeNull()
  })
})
