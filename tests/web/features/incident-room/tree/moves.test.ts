import { createIncidentReader, readIncident } from '@watchroom/shared/collab'
import { beforeEach, describe, expect, it } from 'vitest'

import { ANA, buildPeer, testId, type TestPeer } from '#support/incidentDocument.ts'

import {
  createTreeLines,
  dropMove,
  type MoveDirection,
  stepMove,
  toTreeLines,
} from '../../../../../web/src/features/incident-room/tree/moves.ts'

const ROOT = testId('h', 1)
const QUEUE = testId('h', 2)
const PRINTER = testId('h', 3)

let peer: TestPeer
beforeEach(() => {
  peer = buildPeer(ANA, { clientId: 1 })
})
const tree = () => readIncident(peer.doc)
const outline = () =>
  toTreeLines(tree(), new Set()).map(({ hypothesis, level }) => `${'-'.repeat(level - 1)}${hypothesis.title}`)

describe('stepMove', () => {
  it.each<{ id: string; direction: MoveDirection; expected: string[] }>([
    { id: PRINTER, direction: 'up', expected: ['Printing stalls', '-Printer is offline', '-Queue is full'] },
    { id: QUEUE, direction: 'down', expected: ['Printing stalls', '-Printer is offline', '-Queue is full'] },
    { id: PRINTER, direction: 'in', expected: ['Printing stalls', '-Queue is full', '--Printer is offline'] },
    { id: PRINTER, direction: 'out', expected: ['Printing stalls', '-Queue is full', 'Printer is offline'] },
  ])('moves $direction', ({ id, direction, expected }) => {
    const move = stepMove(tree(), id, direction)
    if (move.kind === 'refused') throw new Error(move.reason)
    peer.edit.moveHypothesis(id, move.position)
    expect(outline()).toEqual(expected)
  })

  it.each<{ id: string; direction: MoveDirection; reason: string }>([
    { id: QUEUE, direction: 'up', reason: 'Already first here' },
    { id: PRINTER, direction: 'down', reason: 'Already last here' },
    { id: QUEUE, direction: 'in', reason: 'There’s nothing above it here' },
    { id: ROOT, direction: 'out', reason: 'Already at the top level' },
    { id: testId('h', 9), direction: 'up', reason: 'This hypothesis no longer exists' },
  ])('says why nothing moves: $reason', ({ id, direction, reason }) => {
    expect(stepMove(tree(), id, direction)).toEqual({ kind: 'refused', reason })
  })

  it('refuses to go below a solution', () => {
    const solution = peer.edit.addHypothesis({ title: 'Restart', type: 'solution', parentId: ROOT, afterId: QUEUE })
    expect(stepMove(tree(), PRINTER, 'in')).toEqual({ kind: 'refused', reason: 'A solution cannot get children' })
    expect(dropMove(tree(), PRINTER, solution, 'into').kind).toBe('refused')
  })
})

describe('createTreeLines', () => {
  it('gives the same rows as long as they say the same', () => {
    const reader = createIncidentReader(peer.doc)
    const toLines = createTreeLines()
    const before = toLines(reader.view(), new Set())
    peer.edit.setHypothesisStatus(PRINTER, 'proven')
    const after = toLines(reader.view(), new Set())
    expect(after.map((line, index) => line === before[index])).toEqual([true, true, false])
    peer.edit.removeHypothesis(PRINTER)
    // The one that is left has no sibling any more, and the root one child less.
    const last = toLines(reader.view(), new Set())
    expect(last.map(({ siblingCount, childCount }) => [siblingCount, childCount])).toEqual([
      [1, 1],
      [1, 0],
    ])
    reader.close()
  })
})

describe('dropMove', () => {
  it('puts before, below and behind a row', () => {
    expect(dropMove(tree(), PRINTER, QUEUE, 'before')).toEqual({
      kind: 'move',
      position: { parentId: ROOT, afterId: null },
    })
    expect(dropMove(tree(), QUEUE, PRINTER, 'after')).toEqual({
      kind: 'move',
      position: { parentId: ROOT, afterId: PRINTER },
    })
    expect(dropMove(tree(), PRINTER, QUEUE, 'into')).toEqual({
      kind: 'move',
      position: { parentId: QUEUE, afterId: null },
    })
  })

  it('never makes a cycle', () => {
    const refusal = { kind: 'refused', reason: 'A hypothesis cannot be moved below itself' }
    for (const zone of ['before', 'into', 'after'] as const) {
      expect(dropMove(tree(), ROOT, QUEUE, zone)).toEqual(refusal)
      expect(dropMove(tree(), ROOT, ROOT, zone)).toEqual(refusal)
    }
  })
})
