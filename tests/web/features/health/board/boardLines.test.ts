import { describe, expect, it } from 'vitest'

import { buildFacts } from '#support/buildCheck.ts'

import { arrangeBoard } from '../../../../../web/src/features/health/board/arrangeBoard.ts'
import { toBoardLines } from '../../../../../web/src/features/health/board/boardLines.ts'

const checks = ['1', '2', '3'].map((id) => buildFacts({ id, canary_name: id === '3' ? 'alone' : 'both' }))
const { units } = arrangeBoard(checks, {
  query: '',
  hidePassing: false,
  groupBy: 'canary_name',
  sortBy: 'name',
  isDescending: false,
})

const outline = (expanded: [string, boolean][], byDefault: boolean) =>
  toBoardLines(units, new Map(expanded), byDefault).map((line) => line.id)

describe('toBoardLines', () => {
  it('shows the members of expanded groups only', () => {
    expect(outline([], false)).toEqual(['3', 'group:both'])
    expect(outline([['group:both', true]], false)).toEqual(['3', 'group:both', '1', '2'])
  })

  it('lets a choice by hand win over the default', () => {
    expect(outline([], true)).toEqual(['3', 'group:both', '1', '2'])
    expect(outline([['group:both', false]], true)).toEqual(['3', 'group:both'])
  })

  it('tells a member which group it stands in', () => {
    const lines = toBoardLines(units, new Map(), true)
    expect(lines.map((line) => (line.kind === 'check' ? line.groupId : 'group'))).toEqual([
      null,
      'group',
      'group:both',
      'group:both',
    ])
  })
})
