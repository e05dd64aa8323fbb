import { compactIncident, projectIncident, readIncident, rootOf } from '@watchroom/shared/collab'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'

import { ANA, BO, buildIncidentRows, buildPeer, testId, type TestPeer } from '#support/incidentDocument.ts'

const QUEUE = testId('h', 2)
const PRINTER = testId('h', 3)
const EVIDENCE = testId('e', 1)

/** A document with a past: moves, removals, verdicts, texts typed over. */
function buildOldDocument(): TestPeer {
  const peer = buildPeer(ANA, { clientId: 1 })
  const { edit } = peer
  edit.moveHypothesis(PRINTER, { parentId: QUEUE, afterId: null })
  const paper = edit.addHypothesis({ title: 'Paper is out', parentId: testId('h', 1), afterId: null })
  edit.addComment({ hypothesisId: paper, body: 'In storage?' })
  edit.setDone(EVIDENCE, true)
  edit.removeComment(edit.addComment({ hypothesisId: null, body: 'Wrong place' }))
  edit.removeHypothesis(PRINTER)
  for (let index = 0; index < 50; index++) edit.setSeverity(index % 2 === 0 ? 'low' : 'critical')
  return peer
}

const open = (update: Uint8Array): Y.Doc => {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, update)
  return doc
}

describe('[DOC-19] a document without its history', () => {
  it('says the same: rows, tree, order, what was removed and by whom, verdicts', () => {
    const { doc } = buildOldDocument()
    const fresh = open(compactIncident(doc, 'epoch-2'))
    expect(readIncident(fresh)).toEqual(readIncident(doc))
    expect(projectIncident(fresh)).toEqual(projectIncident(doc))
    expect(rootOf(fresh, 'meta').toJSON()).toEqual({ ...rootOf(doc, 'meta').toJSON(), epoch: 'epoch-2' })
    expect(Y.encodeStateAsUpdate(fresh).byteLength).toBeLessThan(Y.encodeStateAsUpdate(doc).byteLength)
  })

  it('is the same bytes for the same content, whoever made it, and another client id for other content', () => {
    const { doc, edit } = buildOldDocument()
    const copy = buildPeer(BO, { clientId: 2 })
    Y.applyUpdate(copy.doc, Y.encodeStateAsUpdate(doc))
    const compacted = compactIncident(doc, 'epoch-2')
    expect(compactIncident(copy.doc, 'epoch-2')).toEqual(compacted)
    const idOf = (update: Uint8Array): number | undefined => Y.decodeUpdate(update).structs[0]?.id.client
    edit.setSeverity('high')
    expect(idOf(compactIncident(doc, 'epoch-2'))).not.toBe(idOf(compacted))
  })

  it('can be edited on: moves count from the places it has', () => {
    const { doc } = buildOldDocument()
    const peer = buildPeer(ANA, { clientId: 5 })
    const fresh = open(compactIncident(doc, 'epoch-2'))
    expect(peer.doc.guid).not.toBe(fresh.guid)
    rootOf(fresh, 'edges').set(`${QUEUE}>${testId('h', 1)}`, [1, 'z'])
    expect(readIncident(fresh).childrenOf.get(testId('h', 1))?.at(-1)?.id).toBe(QUEUE)
  })

  it('[DOC-20] keeps what this version cannot read, with the words it does not know', () => {
    const rows = buildIncidentRows()
    const [evidence] = rows.evidences
    if (!evidence) throw new Error('no evidence')
    const strange = {
      ...rows,
      incident: { ...rows.incident, status: 'paused', type: 'weather' },
      hypotheses: rows.hypotheses.map((row) => (row.id === QUEUE ? { ...row, status: 'confirmed' } : row)),
      evidences: [evidence, { ...evidence, id: testId('e', 2), type: 'crystal_ball' }],
    }
    const { doc, edit } = buildPeer(ANA, { clientId: 1, rows: strange })
    for (let index = 0; index < 50; index++) edit.setSeverity(index % 2 === 0 ? 'low' : 'critical')
    const fresh = open(compactIncident(doc, 'epoch-2'))
    expect(projectIncident(fresh)).toEqual(projectIncident(doc))
    expect(projectIncident(fresh).incident).toMatchObject({ status: 'paused', type: 'weather' })
    for (const part of ['evidence', 'dod', 'edges'] as const) {
      expect(rootOf(fresh, part).toJSON(), part).toEqual(rootOf(doc, part).toJSON())
    }
  })
})
