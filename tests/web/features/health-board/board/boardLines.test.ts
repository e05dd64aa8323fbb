import { describe, expect, it } from 'vitest'

import { buildFacts } from '#support/buildCheck.ts'
import { buildBoardView } from '#support/web/buildBoardView.ts'

import { arrangeBoard } from '../../../../../web/src/features/health-board/board/arrangeBoard.ts'
import {
  type OpenedGroups,
  toBoardLines,
  toGroupIds,
  toVisibleLine,
} from '../../../../../web/src/features/health-board/board/boardLines.ts'

const checks = ['1', '2', '3'].map((id) => buildFacts({ id, canary_name: id === '3' ? 'alone' : 'both' }))
const { units } = arrangeBoard(checks, buildBoardView())

const NONE: ReadonlySet<string> = new Set()
const outline = (expanded: [string, boolean][], opened: OpenedGroups) =>
  toBoardLines(units, new Map(expanded), opened).map((line) => line.id)

describe('toBoardLines', () => {
  it('shows the members of expanded groups only', () => {
    expect(outline([], NONE)).toEqual(['3', 'group:both'])
    expect(outline([['group:both', true]], NONE)).toEqual(['3', 'group:both', '1', '2'])
  })

  it('lets a choice by hand win over the default', () => {
    expect(outline([], 'all')).toEqual(['3', 'group:both', '1', '2'])
    expect(outline([['group:both', false]], 'all')).toEqual(['3', 'group:both'])
  })

  it('tells each line its depth and the group it stands in', () => {
    const lines = toBoardLines(units, new Map(), 'all')
    expect(lines.map(({ level, groupId }) => [level, groupId])).toEqual([
      [1, null],
      [1, null],
      [2, 'group:both'],
      [2, 'group:both'],
    ])
  })

  describe('with groups inside groups', () => {
    const paths = ['a/b/1', 'a/b/2', 'a/3'].map((name) => buildFacts({ id: name, name }))
    const tree = arrangeBoard(paths, buildBoardView({ groupBy: 'name' })).units

    it('opens each on its own', () => {
      const ids = toBoardLines(tree, new Map([['group:a', true]]), NONE).map(({ id }) => id)
      expect(ids).toEqual(['group:a', 'a/3', 'group:a/b'])
      expect(toBoardLines(tree, new Map(), 'all').map(({ level }) => level)).toEqual([1, 2, 2, 3, 3])
    })

    it('lists the groups of every depth', () => {
      expect(toGroupIds(tree)).toEqual(['group:a', 'group:a/b'])
    })

    it('finds the line of a check, or the closed group that holds it', () => {
      const lines = toBoardLines(tree, new Map([['group:a', true]]), NONE)
      expect(toVisibleLine(lines, 'a/3')).toBe('a/3')
      expect(toVisibleLine(lines, 'a/b/2')).toBe('group:a/b')
      expect(toVisibleLine(lines, 'gone')).toBeNull()
    })
  })
})
