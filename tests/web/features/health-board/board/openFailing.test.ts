import { describe, expect, it } from 'vitest'

import { buildFacts } from '#support/buildCheck.ts'
import { buildBoardView } from '#support/web/buildBoardView.ts'

import { arrangeBoard } from '../../../../../web/src/features/health-board/board/arrangeBoard.ts'
import { MAX_OPEN_FAILING, openFailing } from '../../../../../web/src/features/health-board/board/openFailing.ts'

/** Two checks in each group, of which the first fails in the first `failing` groups. */
const unitsWith = (failing: number, passing = 1) =>
  arrangeBoard(
    Array.from({ length: 2 * (failing + passing) }, (_, index) =>
      buildFacts({
        id: String(index),
        canary_name: `g${Math.floor(index / 2)}`,
        status: index % 2 === 0 && index / 2 < failing ? 'unhealthy' : 'healthy',
      }),
    ),
    buildBoardView(),
  ).units

describe('openFailing', () => {
  it('opens the groups with something failing in them, and no other', () => {
    expect([...openFailing(unitsWith(2)).ids].toSorted()).toEqual(['group:g0', 'group:g1'])
  })

  it('opens groups inside groups down to the failing check', () => {
    const tree = ['a/b/1', 'a/b/2', 'a/c/1', 'a/c/2'].map((name) =>
      buildFacts({ id: name, name, status: name === 'a/b/2' ? 'unhealthy' : 'healthy' }),
    )
    const { units } = arrangeBoard(tree, buildBoardView({ groupBy: 'name' }))
    expect([...openFailing(units).ids]).toEqual(['group:a', 'group:a/b'])
  })

  it('opens none where more fail than can be read', () => {
    expect(openFailing(unitsWith(MAX_OPEN_FAILING)).ids.size).toBe(MAX_OPEN_FAILING)
    expect(openFailing(unitsWith(MAX_OPEN_FAILING + 1)).ids.size).toBe(0)
  })

  it('does not open and close with one check more or less', () => {
    const open = openFailing(unitsWith(MAX_OPEN_FAILING))
    const more = openFailing(unitsWith(MAX_OPEN_FAILING + 1), open)
    expect(more.ids.size).toBe(MAX_OPEN_FAILING + 1)
    const many = openFailing(unitsWith(31), more)
    expect(many.ids.size).toBe(0)
    expect(openFailing(unitsWith(MAX_OPEN_FAILING + 1), many).ids.size).toBe(0)
  })

  it('gives the same set while the same groups fail', () => {
    const before = openFailing(unitsWith(2))
    expect(openFailing(unitsWith(2), before).ids).toBe(before.ids)
  })
})
