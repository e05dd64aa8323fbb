import { createIncidentReader, readIncident, rootOf } from '@watchroom/shared/collab'
import { describe, expect, it } from 'vitest'

import { ANA, buildPeer, testId } from '#support/incidentDocument.ts'

const QUEUE = testId('h', 2)
const PRINTER = testId('h', 3)
const EVIDENCE = testId('e', 1)

describe('[DOC-16] a reader', () => {
  it('gives the same view while nothing changes, and a new one for each change', () => {
    const { doc, edit } = buildPeer(ANA, { clientId: 1 })
    const reader = createIncidentReader(doc)
    const first = reader.view()
    expect(first).toEqual(readIncident(doc))
    expect(reader.view()).toBe(first)
    edit.setSeverity('critical')
    const second = reader.view()
    expect(second.incident.severity).toBe('critical')
    expect(second.hypotheses).toBe(first.hypotheses)
    expect(second.comments).toBe(first.comments)
    expect(second.evidence).toBe(first.evidence)
  })

  it('keeps every entity but the one that changed, also in its list of siblings', () => {
    const { doc, edit } = buildPeer(ANA, { clientId: 1 })
    const reader = createIncidentReader(doc)
    const before = reader.view()
    edit.replaceText(edit.hypothesisTitle(QUEUE), 'Queue is stuck')
    const after = reader.view()
    expect(after).toEqual(readIncident(doc))
    expect(after.hypotheses.get(PRINTER)).toBe(before.hypotheses.get(PRINTER))
    expect(after.childrenOf.get(testId('h', 1))?.map(({ title }) => title)).toEqual([
      'Queue is stuck',
      'Printer is offline',
    ])
    // What was given out before is not changed behind anyone's back.
    expect(before.hypotheses.get(QUEUE)?.title).toBe('Queue is full')
  })

  it('follows moves, removals, what stands beside evidence, and entries that do not parse', () => {
    const { doc, edit } = buildPeer(ANA, { clientId: 1 })
    const reader = createIncidentReader(doc)
    const steps: (() => unknown)[] = [
      () => edit.moveHypothesis(PRINTER, { parentId: QUEUE, afterId: null }),
      () => edit.removeHypothesis(QUEUE),
      () => edit.restoreHypothesis(QUEUE),
      () => edit.setDone(EVIDENCE, true),
      () => edit.removeEvidence(EVIDENCE),
      () => edit.addComment({ hypothesisId: PRINTER, body: 'Paper is out' }),
      () => rootOf(doc, 'comments').set('nonsense', 42),
      () => rootOf(doc, 'hypotheses').set(PRINTER, 42),
      () => rootOf(doc, 'comments').delete('nonsense'),
    ]
    for (const step of steps) {
      step()
      expect(reader.view()).toEqual(readIncident(doc))
    }
  })

  it('stops reading when it is closed', () => {
    const { doc, edit } = buildPeer(ANA, { clientId: 1 })
    const reader = createIncidentReader(doc)
    const view = reader.view()
    reader.close()
    edit.setSeverity('critical')
    expect(reader.view()).toBe(view)
  })
})
