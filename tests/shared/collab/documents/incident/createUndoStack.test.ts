import { readIncident, TYPING_ORIGIN } from '@watchroom/shared/collab'
import { beforeEach, describe, expect, it } from 'vitest'

import { ANA, BO, buildPeer, syncDocuments, testId, type TestPeer } from '#support/incidentDocument.ts'

const ROOT = testId('h', 1)
const QUEUE = testId('h', 2)
const PRINTER = testId('h', 3)
const EVIDENCE = testId('e', 1)

let ana: TestPeer
let bo: TestPeer

beforeEach(() => {
  ana = buildPeer(ANA, { clientId: 1 })
  bo = buildPeer(BO, { clientId: 2 })
})

/** Ana did something, Bo sees it, does something else about the same thing, and Ana sees that. */
const inTurn = (first: () => void, second: () => void): void => {
  first()
  syncDocuments(ana.doc, bo.doc)
  second()
  syncDocuments(ana.doc, bo.doc)
}

const severity = (): string => readIncident(ana.doc).incident.severity

describe('[DOC-13] undo leaves alone what someone else changed since', () => {
  it('a value, and goes on with the step before it', () => {
    ana.edit.setType('cost')
    inTurn(
      () => ana.edit.setSeverity('low'),
      () => bo.edit.setSeverity('critical'),
    )
    expect(ana.undo.undo()).toBe(false)
    expect(severity()).toBe('critical')
    expect(ana.undo.undo()).toBe(true)
    expect(readIncident(ana.doc).incident.type).toBe('availability')
  })

  it('a value that was taken back: redo does not write over what came then', () => {
    ana.edit.setSeverity('low')
    ana.undo.undo()
    inTurn(
      () => {},
      () => bo.edit.setSeverity('critical'),
    )
    expect(ana.undo.redo()).toBe(false)
    expect(severity()).toBe('critical')
  })

  it('a status', () => {
    inTurn(
      () => ana.edit.setStatus('mitigated'),
      () => bo.edit.setStatus('resolved'),
    )
    expect(ana.undo.undo()).toBe(false)
    expect(readIncident(ana.doc).incident.status).toBe('resolved')
  })

  it('a verdict', () => {
    inTurn(
      () => ana.edit.setDone(EVIDENCE, true),
      () => bo.edit.setDone(EVIDENCE, false),
    )
    expect(ana.undo.undo()).toBe(false)
    expect(readIncident(ana.doc).evidence[0]).toMatchObject({ done: false, doneBy: BO })
  })

  it('a place in the tree', () => {
    inTurn(
      () => ana.edit.moveHypothesis(PRINTER, { parentId: QUEUE, afterId: null }),
      () => bo.edit.moveHypothesis(PRINTER, { parentId: null, afterId: ROOT }),
    )
    expect(ana.undo.undo()).toBe(false)
    expect(readIncident(ana.doc).hypotheses.get(PRINTER)?.parentId).toBeNull()
  })

  it('a removal', () => {
    inTurn(
      () => ana.edit.removeHypothesis(QUEUE),
      () => (bo.edit.restoreHypothesis(QUEUE), bo.edit.removeHypothesis(QUEUE)),
    )
    expect(ana.undo.undo()).toBe(false)
    expect(readIncident(ana.doc).hypotheses.get(QUEUE)?.removed).toMatchObject({ by: BO })
  })
})

describe('[DOC-13] undo and redo', () => {
  it('go back and forth over commands of every kind', () => {
    const before = readIncident(ana.doc)
    ana.edit.setSeverity('low')
    ana.edit.setStatus('mitigated')
    ana.edit.setDefinitionOfDone(EVIDENCE, false)
    ana.edit.moveHypothesis(PRINTER, { parentId: QUEUE, afterId: null })
    ana.edit.removeHypothesis(QUEUE)
    ana.edit.removeEvidence(EVIDENCE)
    const after = readIncident(ana.doc)
    for (let step = 0; step < 6; step++) expect(ana.undo.undo(), `undo ${step}`).toBe(true)
    expect(readIncident(ana.doc)).toEqual(before)
    for (let step = 0; step < 6; step++) expect(ana.undo.redo(), `redo ${step}`).toBe(true)
    const again = readIncident(ana.doc)
    expect({ ...again.incident, tree: [...again.childrenOf.keys()] }).toEqual({
      ...after.incident,
      tree: [...after.childrenOf.keys()],
    })
    expect(again.evidence[0]?.removed).not.toBeNull()
  })
})

describe('[DOC-13] typing', () => {
  const type = (text: string): void => {
    const title = ana.edit.hypothesisTitle(QUEUE)
    ana.doc.transact(() => title.insert(title.length, text), TYPING_ORIGIN)
  }
  const title = (): string | undefined => readIncident(ana.doc).hypotheses.get(QUEUE)?.title

  it('right after an undo is a step of its own', () => {
    type(' today')
    ana.edit.setSeverity('low')
    type(' again')
    ana.undo.undo()
    type('!')
    expect(title()).toBe('Queue is full today!')
    ana.undo.undo()
    expect(title()).toBe('Queue is full today')
    expect(severity()).toBe('low')
    ana.undo.undo()
    expect(severity()).toBe('high')
    ana.undo.undo()
    expect(title()).toBe('Queue is full')
    expect(ana.undo.canUndo()).toBe(false)
  })

  it('of which someone else left nothing is gone, and older steps stay for the next undo', () => {
    type(' today')
    ana.edit.setSeverity('low')
    inTurn(
      () => type(' again'),
      () => {
        const text = bo.edit.hypothesisTitle(QUEUE)
        bo.doc.transact(() => text.delete(text.length - ' again'.length, ' again'.length), TYPING_ORIGIN)
      },
    )
    expect(title()).toBe('Queue is full today')
    expect(ana.undo.undo()).toBe(false)
    expect([title(), severity()]).toEqual(['Queue is full today', 'low'])
    expect(ana.undo.undo()).toBe(true)
    expect([title(), severity()]).toEqual(['Queue is full today', 'high'])
    expect(ana.undo.undo()).toBe(true)
    expect(title()).toBe('Queue is full')
    expect([ana.undo.redo(), ana.undo.redo(), ana.undo.redo()]).toEqual([true, true, false])
    expect([title(), severity()]).toEqual(['Queue is full today', 'low'])
  })
})
