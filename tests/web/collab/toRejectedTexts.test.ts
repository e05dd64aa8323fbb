import { readIncident } from '@watchroom/shared/collab'
import { beforeEach, describe, expect, it } from 'vitest'

import { BO, buildPeer, testId, type TestPeer } from '#support/incidentDocument.ts'

import { toLostTexts, withoutKnown } from '../../../web/src/collab/toRejectedTexts.ts'

const QUEUE = testId('h', 2)
const EVIDENCE = testId('e', 1)
const COMMENT = testId('m', 1)

let peer: TestPeer
beforeEach(() => {
  peer = buildPeer(BO, { clientId: 2 })
})

const lost = (...fields: string[]) => toLostTexts(readIncident(peer.doc), fields)

describe('toLostTexts', () => {
  it.each<{ fields: string[]; edit?: (peer: TestPeer) => void; label: string; text: string }>([
    { fields: ['incident/title'], label: 'Incident title', text: 'Labels are late' },
    { fields: ['incident/status'], label: 'Status', text: 'open' },
    { fields: [`hypotheses/${QUEUE}`], label: 'Hypothesis', text: 'Queue is full' },
    { fields: [`hypotheses/${QUEUE}/title`], label: 'Hypothesis', text: 'Queue is full' },
    { fields: [`hypotheses/${QUEUE}/status`], label: 'Status of “Queue is full”', text: 'likely' },
    {
      fields: [`hypotheses/${QUEUE}/removed`],
      edit: ({ edit }) => edit.removeHypothesis(QUEUE),
      label: 'Removal of a hypothesis',
      text: 'Queue is full',
    },
    { fields: [`comments/${COMMENT}`], label: 'Comment', text: 'Looking' },
    {
      fields: [`comments/${COMMENT}/removed`],
      edit: ({ edit }) => edit.removeComment(COMMENT),
      label: 'Removal of a comment',
      text: 'Looking',
    },
    { fields: [`evidence/${EVIDENCE}`], label: 'Evidence', text: 'queue depth' },
    {
      fields: [`evidenceOff/${EVIDENCE}`],
      edit: ({ edit }) => edit.removeEvidence(EVIDENCE),
      label: 'Removal of evidence',
      text: 'queue depth',
    },
    {
      fields: [`dod/${EVIDENCE}:script`],
      label: 'Script of “queue depth”',
      text: "check.status == 'healthy'",
    },
    { fields: [`dod/${EVIDENCE}:text`], label: 'Condition', text: 'queue depth' },
    { fields: [`dod/${EVIDENCE}:done`], label: '“queue depth”', text: 'not done' },
    { fields: [`dod/${EVIDENCE}:member`], label: '“queue depth”', text: 'part of the definition of done' },
    {
      fields: [`edges/${QUEUE}>${testId('h', 1)}`],
      label: 'Place of “Queue is full”',
      text: 'below “Printing stalls”',
    },
  ])('says $label for $fields', ({ fields, edit, label, text }) => {
    edit?.(peer)
    expect(lost(...fields)).toMatchObject([{ label, text }])
  })

  it('names a new hypothesis once, not its place as well', () => {
    expect(lost(`hypotheses/${QUEUE}`, `edges/${QUEUE}>${testId('h', 1)}`)).toHaveLength(1)
  })

  it('leaves out what is not there, was emptied, or is no part of the document', () => {
    expect(lost('incident/description', 'hypotheses/gone/title', 'edges/gone>', 'meta/epoch', '')).toEqual([])
  })
})

describe('withoutKnown', () => {
  it('leaves only what the server does not have, and the same list when that is all', () => {
    const texts = [
      { field: `hypotheses/${QUEUE}/title`, label: 'Hypothesis', text: 'Queue is full' },
      { field: `comments/${COMMENT}/body`, label: 'Comment', text: 'Looking at it' },
    ]
    expect(withoutKnown(texts, readIncident(peer.doc))).toEqual([texts[1]])
    const rest = texts.slice(1)
    expect(withoutKnown(rest, readIncident(peer.doc))).toBe(rest)
  })
})
