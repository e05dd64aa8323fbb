import { readIncident } from '@watchroom/shared/collab'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { beforeEach, describe, expect, it } from 'vitest'

import { ANA, BO, buildPeer, testId, type TestPeer } from '#support/incidentDocument.ts'

import { type Digest, type Seen, SeenSchema, toDigest, toSeen } from '../../../web/src/collab/toDigest.ts'

const QUEUE = testId('h', 2)
const EVIDENCE = testId('e', 1)
const COMMENT = testId('m', 1)

let peer: TestPeer
let seen: Seen
beforeEach(() => {
  peer = buildPeer(BO, { clientId: 2 })
  seen = toSeen(readIncident(peer.doc), 1_000)
})

const digest = (ownId = ANA): Digest | null => toDigest(seen, readIncident(peer.doc), ownId)

describe('toDigest', () => {
  it.each<{ name: string; edit: (peer: TestPeer) => void; entry: object }>([
    {
      name: 'a text of the incident',
      edit: ({ edit }) => edit.replaceText(edit.incidentText('title'), 'Labels are lost'),
      entry: { kind: 'incident', id: '', change: 'changed', fields: ['title'], authorId: null },
    },
    {
      name: 'values of the incident',
      edit: ({ edit }) => {
        edit.setSeverity('critical')
        edit.setCommander(BO)
      },
      entry: { kind: 'incident', id: '', change: 'changed', fields: ['severity', 'commander_id'], authorId: null },
    },
    {
      name: 'a moved hypothesis',
      edit: ({ edit }) => edit.moveHypothesis(testId('h', 3), { parentId: QUEUE, afterId: null }),
      entry: { kind: 'hypotheses', id: testId('h', 3), change: 'changed', fields: ['parent'], authorId: null },
    },
    {
      name: 'a removed comment',
      edit: ({ edit }) => edit.removeComment(COMMENT),
      entry: { kind: 'comments', id: COMMENT, change: 'removed', fields: [], authorId: BO },
    },
    {
      name: 'a verdict on the definition of done, by whom',
      edit: ({ edit }) => edit.setDone(EVIDENCE, true),
      entry: { kind: 'evidence', id: EVIDENCE, change: 'changed', fields: ['done'], authorId: BO },
    },
    {
      name: 'evidence with several changes, by nobody in particular',
      edit: ({ edit }) => {
        edit.setDone(EVIDENCE, true)
        edit.setScript(EVIDENCE, null)
      },
      entry: { kind: 'evidence', id: EVIDENCE, change: 'changed', fields: ['script', 'done'], authorId: null },
    },
  ])('names $name', ({ edit, entry }) => {
    edit(peer)
    expect(digest()).toMatchObject({ since: 1_000, entries: [entry] })
  })

  it('says nothing of what was added and removed again, or of own entries', () => {
    peer.edit.addHypothesis({ title: 'Paper is out', parentId: testId('h', 1), afterId: null })
    expect(digest(BO)).toBeNull()
    expect(digest(ANA)?.entries).toHaveLength(1)
    peer.undo.undo()
    expect(digest(ANA)).toBeNull()
  })

  it('names what came back', () => {
    peer.edit.removeHypothesis(testId('h', 3))
    seen = toSeen(readIncident(peer.doc), 1_000)
    peer.edit.restoreHypothesis(testId('h', 3))
    expect(digest()?.entries).toMatchObject([{ kind: 'hypotheses', change: 'restored', authorId: null }])
  })

  it('names a condition that was put into other words', () => {
    const id = peer.edit.addEvidence({
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
    seen = toSeen(readIncident(peer.doc), 1_000)
    peer.edit.setCondition(id, 'Tell all carriers')
    expect(digest()?.entries).toMatchObject([{ kind: 'evidence', id, change: 'changed', fields: ['text'] }])
  })

  it('claims no change of entries that a version with other fields saw', () => {
    seen = { ...seen, evidence: { [EVIDENCE]: ['', 'null', '0:0', ''] } }
    expect(digest()).toBeNull()
  })

  it('gives nobody the blame for what the backend removed', () => {
    const comments = peer.doc.getMap('comments')
    const comment = comments.get(COMMENT) as { set: (key: string, value: unknown) => void }
    comment.set('removed', { by: NIL_UUID, at: '2026-03-01T09:00:00.000Z' })
    expect(digest()?.entries).toMatchObject([{ change: 'removed', authorId: null }])
  })

  it('orders authors by what they did', () => {
    peer.edit.addComment({ hypothesisId: null, body: 'one' })
    peer.edit.addComment({ hypothesisId: null, body: 'two' })
    peer.edit.setHypothesisStatus(QUEUE, 'proven')
    expect(digest()?.byAuthor).toEqual([
      { authorId: BO, count: 2 },
      { authorId: null, count: 1 },
    ])
  })

  it('can be compared with what was kept as JSON', () => {
    expect(SeenSchema.parse(JSON.parse(JSON.stringify(seen)))).toEqual(seen)
  })
})
