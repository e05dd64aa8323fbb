import { DocumentEditError, projectIncident, readIncident, rootOf } from '@watchroom/shared/collab'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'

import {
  ANA,
  BO,
  buildIncidentRows,
  buildPeer,
  syncDocuments,
  testId,
  type TestPeer,
} from '#support/incidentDocument.ts'

const ROOT = testId('h', 1)
const QUEUE = testId('h', 2)
const PRINTER = testId('h', 3)

describe('seed and projection', () => {
  it('[DOC-6] gives the same bytes for the same rows and other bytes for other rows', () => {
    const state = (rows = buildIncidentRows()): string =>
      Buffer.from(Y.encodeStateAsUpdate(buildPeer(ANA, { rows, clientId: 1 }).doc)).toString('base64')
    const changed = buildIncidentRows()
    changed.incident.title = 'Labels are very late'
    expect(state()).toBe(state())
    expect(state(changed)).not.toBe(state())
  })

  it('[DOC-8] projects a seeded document back to the rows it came from', () => {
    const rows = buildIncidentRows()
    const projected = projectIncident(buildPeer(ANA, { rows, clientId: 1 }).doc)
    const toUtc = (row: { created_at: string }): { created_at: string } => ({
      ...row,
      created_at: new Date(row.created_at).toISOString(),
    })
    expect(projected).toEqual({
      incident: rows.incident,
      hypotheses: rows.hypotheses.map(toUtc),
      evidences: rows.evidences.map(toUtc),
      comments: rows.comments.map(toUtc),
    })
  })
})

describe('hypotheses', () => {
  it('offers the chain root, factor, solution and refuses children of a solution', () => {
    const { doc, edit } = buildPeer(ANA, { clientId: 1 })
    const solution = edit.addHypothesis({ title: 'Drain the queue', parentId: QUEUE, afterId: null })
    expect(readIncident(doc).hypotheses.get(solution)).toMatchObject({
      type: 'solution',
      parentId: QUEUE,
      status: 'possible',
      created_by: ANA,
    })
    expect(() => edit.addHypothesis({ title: 'More', parentId: solution, afterId: null })).toThrow(
      'A solution cannot get children',
    )
  })

  it('[DOC-5] refuses an empty and an overlong title and changes nothing', () => {
    const { doc, edit } = buildPeer(ANA, { clientId: 1 })
    const before = Y.encodeStateVector(doc)
    expect(() => edit.addHypothesis({ title: ' ', parentId: ROOT, afterId: null })).toThrow('This field is required')
    expect(() => edit.addHypothesis({ title: 'x'.repeat(301), parentId: ROOT, afterId: null })).toThrow(
      DocumentEditError,
    )
    expect(Y.encodeStateVector(doc)).toEqual(before)
  })

  it('puts a moved hypothesis behind the named sibling', () => {
    const { doc, edit } = buildPeer(ANA, { clientId: 1 })
    edit.moveHypothesis(QUEUE, { parentId: ROOT, afterId: PRINTER })
    expect(
      readIncident(doc)
        .childrenOf.get(ROOT)
        ?.map(({ id }) => id),
    ).toEqual([PRINTER, QUEUE])
    edit.moveHypothesis(QUEUE, { parentId: ROOT, afterId: null })
    expect(
      readIncident(doc)
        .childrenOf.get(ROOT)
        ?.map(({ id }) => id),
    ).toEqual([QUEUE, PRINTER])
  })

  it('refuses to move a hypothesis below itself', () => {
    const { edit } = buildPeer(ANA, { clientId: 1 })
    expect(() => edit.moveHypothesis(ROOT, { parentId: QUEUE, afterId: null })).toThrow('cannot be moved below itself')
  })

  it('[DOC-10] makes one tree of two concurrent moves that would form a ring', () => {
    const ana = buildPeer(ANA, { clientId: 1 })
    const bo = buildPeer(BO, { clientId: 2 })
    ana.edit.moveHypothesis(QUEUE, { parentId: PRINTER, afterId: null })
    bo.edit.moveHypothesis(PRINTER, { parentId: QUEUE, afterId: null })
    syncDocuments(ana.doc, bo.doc)
    expect(projectIncident(ana.doc)).toEqual(projectIncident(bo.doc))
    expect(projectIncident(ana.doc).hypotheses).toHaveLength(3)
  })

  it('[DOC-12] keeps what someone types into a hypothesis that another removes, and lifts a child added below it', () => {
    const ana = buildPeer(ANA, { clientId: 1 })
    const bo = buildPeer(BO, { clientId: 2 })
    ana.edit.removeHypothesis(QUEUE)
    bo.edit.replaceText(bo.edit.hypothesisTitle(QUEUE), 'Queue is full on db-2')
    const child = bo.edit.addHypothesis({ title: 'Add a consumer', parentId: QUEUE, afterId: null })
    syncDocuments(ana.doc, bo.doc)
    expect(readIncident(ana.doc).hypotheses.get(child)).toMatchObject({ parentId: ROOT, removed: null })
    ana.edit.restoreHypothesis(QUEUE)
    expect(readIncident(ana.doc).hypotheses.get(QUEUE)).toMatchObject({ title: 'Queue is full on db-2', removed: null })
    expect(readIncident(ana.doc).hypotheses.get(child)?.parentId).toBe(QUEUE)
  })
})

describe('restoring', () => {
  const current = ({ doc }: TestPeer): string[] =>
    [...readIncident(doc).hypotheses.values()].flatMap(({ id, removed }) => (removed ? [] : [id])).toSorted()

  it('[DOC-14] brings back what was removed together with it, not what was removed before', () => {
    const ana = buildPeer(ANA, { clientId: 1 })
    const bo = buildPeer(BO, { clientId: 2 })
    bo.edit.removeHypothesis(PRINTER)
    syncDocuments(ana.doc, bo.doc)
    ana.edit.removeHypothesis(ROOT)
    ana.edit.restoreHypothesis(ROOT)
    expect(current(ana)).toEqual([ROOT, QUEUE])
    expect(ana.undo.undo()).toBe(true)
    expect(current(ana)).toEqual([])
  })

  it('[DOC-14] brings back the removed ones above it', () => {
    const ana = buildPeer(ANA, { clientId: 1 })
    ana.edit.removeHypothesis(QUEUE)
    ana.edit.removeHypothesis(ROOT)
    expect(readIncident(ana.doc).hypotheses.get(QUEUE)).toMatchObject({ parentId: null, placedBelow: ROOT })
    ana.edit.restoreHypothesis(QUEUE)
    expect(current(ana)).toEqual([ROOT, QUEUE])
    expect(readIncident(ana.doc).hypotheses.get(QUEUE)?.parentId).toBe(ROOT)
  })

  it('[DOC-14] puts it at the top when that is asked for, and undo puts it back', () => {
    const ana = buildPeer(ANA, { clientId: 1 })
    ana.edit.removeHypothesis(ROOT)
    ana.edit.restoreHypothesis(QUEUE, 'atTop')
    expect(current(ana)).toEqual([QUEUE])
    expect(readIncident(ana.doc).hypotheses.get(QUEUE)).toMatchObject({ parentId: null, placedBelow: null })
    ana.undo.undo()
    expect(current(ana)).toEqual([])
    expect(readIncident(ana.doc).hypotheses.get(QUEUE)?.placedBelow).toBe(ROOT)
  })
})

describe('texts', () => {
  it('merges two people typing into one title', () => {
    const ana = buildPeer(ANA, { clientId: 1 })
    const bo = buildPeer(BO, { clientId: 2 })
    ana.edit.replaceText(ana.edit.hypothesisTitle(QUEUE), 'The queue is full')
    bo.edit.replaceText(bo.edit.hypothesisTitle(QUEUE), 'Queue is full again')
    syncDocuments(ana.doc, bo.doc)
    expect(ana.edit.hypothesisTitle(QUEUE).toJSON()).toBe('The queue is full again')
    expect(bo.edit.hypothesisTitle(QUEUE).toJSON()).toBe('The queue is full again')
  })

  it('does not cut a surrogate pair when only half of it differs', () => {
    const { edit } = buildPeer(ANA, { clientId: 1 })
    const title = edit.hypothesisTitle(QUEUE)
    edit.replaceText(title, 'a\u{1F600}b')
    edit.replaceText(title, 'a\u{1F601}b')
    expect(title.toJSON()).toBe('a\u{1F601}b')
  })
})

describe('evidence and definition of done', () => {
  it('keeps both when two people flag the same evidence and set its script', () => {
    const ana = buildPeer(ANA, { clientId: 1 })
    const bo = buildPeer(BO, { clientId: 2 })
    ana.edit.setScript(testId('e', 1), 'check.age > duration("5m")')
    bo.edit.setDone(testId('e', 1), true)
    syncDocuments(ana.doc, bo.doc)
    expect(projectIncident(ana.doc).evidences[0]).toMatchObject({
      script: 'check.age > duration("5m")',
      done: true,
      definition_of_done: true,
    })
  })

  it('[DOC-15] puts a condition into other words and keeps the item with what was said about it', () => {
    const ana = buildPeer(ANA, { clientId: 1 })
    const bo = buildPeer(BO, { clientId: 2 })
    const id = ana.edit.addEvidence({
      hypothesis_id: QUEUE,
      type: 'comment',
      description: 'Tell the carriers',
      evidence: { comment: 'Tell the carriers' },
      config_id: null,
      config_change_id: null,
      config_analysis_id: null,
      component_id: null,
      check_id: null,
      properties: null,
    })
    ana.edit.setDefinitionOfDone(id, true)
    syncDocuments(ana.doc, bo.doc)
    ana.edit.setDone(id, true)
    bo.edit.setCondition(id, ' Tell everyone ')
    syncDocuments(ana.doc, bo.doc)
    const words = { description: 'Tell everyone', evidence: { comment: 'Tell everyone' } }
    expect(projectIncident(ana.doc).evidences.find((row) => row.id === id)).toMatchObject({ ...words, done: true })
    expect(() => bo.edit.setCondition(id, '  ')).toThrow('This field is required')
    expect(() => bo.edit.setCondition(testId('e', 1), 'x')).toThrow('Only a condition in words')
    bo.undo.undo()
    expect(readIncident(bo.doc).evidence.find((each) => each.id === id)?.description).toBe('Tell the carriers')
  })

  it('drops evidence from the projection when it or its hypothesis is removed', () => {
    const { doc, edit } = buildPeer(ANA, { clientId: 1 })
    edit.removeHypothesis(QUEUE)
    expect(projectIncident(doc).evidences).toEqual([])
    edit.restoreHypothesis(QUEUE)
    expect(projectIncident(doc).evidences).toHaveLength(1)
    edit.removeEvidence(testId('e', 1))
    expect(projectIncident(doc).evidences).toEqual([])
  })
})

describe('tolerant reading', () => {
  it('[DOC-4] leaves a malformed entry out, names it, and reads the rest', () => {
    const { doc } = buildPeer(ANA, { clientId: 1 })
    rootOf(doc, 'hypotheses').set('nonsense', 42)
    rootOf(doc, 'edges').set('a>b>c', ['x'])
    const problems: string[] = []
    expect(readIncident(doc, (path) => problems.push(path)).hypotheses.size).toBe(3)
    expect(problems).toEqual(['hypotheses/nonsense', 'edges/a>b>c'])
  })

  it('takes a hypothesis without a status for likely and an incident without a severity for high', () => {
    const rows = buildIncidentRows()
    rows.incident.severity = ''
    for (const row of rows.hypotheses) row.status = ''
    const view = readIncident(buildPeer(ANA, { rows, clientId: 1 }).doc)
    expect(view.incident.severity).toBe('high')
    expect(view.hypotheses.get(QUEUE)?.status).toBe('likely')
  })
})
