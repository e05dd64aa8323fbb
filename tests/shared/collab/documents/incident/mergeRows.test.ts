import { type IncidentRows, mergeRows, projectIncident, readIncident } from '@watchroom/shared/collab'
import { describe, expect, it } from 'vitest'

import { ANA, buildIncidentRows, buildPeer, testId, type TestPeer } from '#support/incidentDocument.ts'

const ROOT = testId('h', 1)
const QUEUE = testId('h', 2)
const NOW = '2026-03-01T10:00:00.000Z'

/** A document that was edited, and rows that others changed meanwhile; returns what the document says afterwards. */
function merge(options: {
  rows?: IncidentRows
  others: (rows: IncidentRows) => void
  own?: (peer: TestPeer) => void
}): TestPeer {
  const peer = buildPeer(ANA, { rows: options.rows ?? buildIncidentRows(), clientId: 1 })
  const base = projectIncident(peer.doc)
  options.own?.(peer)
  const actual = structuredClone(base)
  options.others(actual)
  peer.doc.transact(() => mergeRows(peer.doc, base, actual, { now: NOW }))
  return peer
}

const row = <Row extends { id: string }>(rows: Row[], id: string): Row => {
  const found = rows.find((candidate) => candidate.id === id)
  if (!found) throw new Error(`no row ${id}`)
  return found
}
const title = ({ doc }: TestPeer): string | undefined => readIncident(doc).hypotheses.get(QUEUE)?.title

describe('[COLLAB-14] rows of others', () => {
  it('are taken over where the document did not change', () => {
    const { doc } = merge({
      others: (rows) => {
        rows.incident.severity = 'critical'
        rows.incident.status = 'investigating'
        row(rows.hypotheses, QUEUE).status = 'proven'
        row(rows.evidences, testId('e', 1)).done = true
        row(rows.comments, testId('m', 1)).comment = 'Looking at db-2'
      },
    })
    const view = readIncident(doc)
    expect(view.incident).toMatchObject({ severity: 'critical', status: 'investigating' })
    expect(view.hypotheses.get(QUEUE)?.status).toBe('proven')
    expect(view.evidence[0]).toMatchObject({ done: true, doneBy: null })
    expect(view.comments[0]?.body).toBe('Looking at db-2')
  })

  it('[DOC-15] may put a condition into other words', () => {
    const words = {
      ...row(buildIncidentRows().evidences, testId('e', 1)),
      id: testId('e', 2),
      type: 'comment',
      description: 'Tell the carriers',
      evidence: { comment: 'Tell the carriers' },
    }
    const peer = buildPeer(ANA, { rows: buildIncidentRows({ evidences: [words] }), clientId: 1 })
    const base = projectIncident(peer.doc)
    const actual = structuredClone(base)
    row(actual.evidences, words.id).description = 'Tell everyone'
    peer.doc.transact(() => mergeRows(peer.doc, base, actual, { now: NOW }))
    expect(readIncident(peer.doc).evidence[0]).toMatchObject({
      description: 'Tell everyone',
      evidence: { comment: 'Tell everyone' },
    })
  })

  it('leave a field alone that the document changed, and one that both set alike', () => {
    const peer = merge({
      own: ({ edit }) => edit.setHypothesisStatus(QUEUE, 'disproven'),
      others: (rows) => {
        row(rows.hypotheses, QUEUE).status = 'proven'
      },
    })
    expect(readIncident(peer.doc).hypotheses.get(QUEUE)?.status).toBe('disproven')
  })

  it('put their change of a text into what is typed here, before and behind it', () => {
    const behind = merge({
      own: ({ edit }) => edit.replaceText(edit.hypothesisTitle(QUEUE), 'The Queue is full'),
      others: (rows) => {
        row(rows.hypotheses, QUEUE).title = 'Queue is full (confirmed)'
      },
    })
    expect(title(behind)).toBe('The Queue is full (confirmed)')
    const before = merge({
      own: ({ edit }) => edit.replaceText(edit.hypothesisTitle(QUEUE), 'Queue is full on db-2'),
      others: (rows) => {
        row(rows.hypotheses, QUEUE).title = 'Print Queue is full'
      },
    })
    expect(title(before)).toBe('Print Queue is full on db-2')
  })

  it('[DOC-21] leave whole characters when their change of an emoji meets a change here', () => {
    const rows = buildIncidentRows()
    row(rows.hypotheses, QUEUE).title = 'a\u{1F600}'
    const peer = merge({
      rows,
      own: ({ edit }) => edit.replaceText(edit.hypothesisTitle(QUEUE), 'a\u{1F600} on db-2'),
      others: (theirs) => {
        row(theirs.hypotheses, QUEUE).title = 'a\u{1F601}'
      },
    })
    expect(title(peer)).toBe('a\u{1F601} on db-2')
  })

  it('keep what is typed here when their change of the text has no place in it any more', () => {
    const peer = merge({
      own: ({ edit }) => edit.replaceText(edit.hypothesisTitle(QUEUE), 'Something else entirely'),
      others: (rows) => {
        row(rows.hypotheses, QUEUE).title = 'Queue was full'
      },
    })
    expect(title(peer)).toBe('Something else entirely')
  })

  it('appear when they are new, at their place in the tree', () => {
    const { doc } = merge({
      others: (rows) => {
        const by = { created_by: ANA, created_at: NOW }
        rows.hypotheses.push({
          ...by,
          id: testId('h', 9),
          parent_id: QUEUE,
          type: 'solution',
          title: 'Drain it',
          status: 'possible',
        })
        rows.comments.push({
          ...by,
          id: testId('m', 9),
          hypothesis_id: QUEUE,
          comment: 'From Jira',
          external_created_by: 'jo',
          responder_id: null,
        })
      },
    })
    const view = readIncident(doc)
    expect(view.hypotheses.get(testId('h', 9))).toMatchObject({ title: 'Drain it', parentId: QUEUE })
    expect(view.comments.at(-1)).toMatchObject({ body: 'From Jira', external_created_by: 'jo' })
  })

  it('move a hypothesis, and remove what they deleted unless it was changed here', () => {
    const moved = merge({
      others: (rows) => {
        row(rows.hypotheses, QUEUE).parent_id = testId('h', 3)
      },
    })
    expect(readIncident(moved.doc).hypotheses.get(QUEUE)?.parentId).toBe(testId('h', 3))

    const dropQueue = (rows: IncidentRows): void => {
      rows.hypotheses = rows.hypotheses.filter(({ id }) => id !== QUEUE)
    }
    expect(readIncident(merge({ others: dropQueue }).doc).hypotheses.get(QUEUE)?.removed?.at).toBe(NOW)
    const kept = merge({ others: dropQueue, own: ({ edit }) => edit.setHypothesisStatus(QUEUE, 'proven') })
    expect(readIncident(kept.doc).hypotheses.get(QUEUE)?.removed).toBeNull()
  })

  it('change nothing when nothing differs', () => {
    const peer = merge({
      others: () => {},
      own: ({ edit }) => edit.moveHypothesis(QUEUE, { parentId: ROOT, afterId: testId('h', 3) }),
    })
    expect(projectIncident(peer.doc).hypotheses.map(({ id }) => id)).toEqual([ROOT, testId('h', 3), QUEUE])
  })
})
