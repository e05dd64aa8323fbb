import * as Y from 'yjs'

import { toSeedClientId } from '../../clientIds.ts'
import { FIELDS, writeFields } from './fields.ts'
import { rootOf, toDodKey, toEdgeKey } from './readIncident.ts'
import type { CommentRow, HypothesisRow, IncidentRows } from './rows.ts'
import { INCIDENT_SCHEMA_VERSION } from './schema.ts'

/**
 * First content of an incident document. The same rows in the same epoch always give the same bytes, other rows another
 * client id, so that two seeds can never be mistaken for one another (DOC-6).
 */
export function seedIncident(rows: IncidentRows, epoch: string): Uint8Array {
  const sorted: IncidentRows = {
    incident: rows.incident,
    hypotheses: rows.hypotheses.toSorted(byId),
    evidences: rows.evidences.toSorted(byId),
    comments: rows.comments.toSorted(byId),
  }
  const doc = new Y.Doc()
  doc.clientID = toSeedClientId([epoch, INCIDENT_SCHEMA_VERSION, sorted])
  doc.transact(() => {
    const meta = rootOf(doc, 'meta')
    meta.set('schema', INCIDENT_SCHEMA_VERSION)
    meta.set('incident_id', rows.incident.id)
    meta.set('epoch', epoch)
    writeIncident(doc, sorted)
  })
  const update = Y.encodeStateAsUpdate(doc)
  doc.destroy()
  return update
}

function writeIncident(doc: Y.Doc, rows: IncidentRows): void {
  writeFields(FIELDS.incident, rootOf(doc, 'incident'), rows.incident)
  // Rows have no order of their own: creation time is the order that people know. Digits sort below every generated key.
  const byCreation = rows.hypotheses.toSorted(
    (a, b) => Date.parse(a.created_at) - Date.parse(b.created_at) || byId(a, b),
  )
  for (const [index, row] of byCreation.entries()) {
    writeHypothesis(doc, row)
    rootOf(doc, 'edges').set(toEdgeKey(row.id, row.parent_id), [0, toSeedOrder(index)])
  }
  for (const row of rows.comments) writeComment(doc, row)
  for (const row of rows.evidences) writeEvidence(doc, row)
}

/** Fixed width, so that the keys sort as the numbers do; the trailing digit leaves room between neighbors. */
function toSeedOrder(index: number): string {
  return `${String(index + 1).padStart(6, '0')}V`
}

/** Adds a hypothesis, or replaces the one with its id. Its place in the tree is an edge of its own. */
export function writeHypothesis(doc: Y.Doc, row: Omit<HypothesisRow, 'parent_id'>): Y.Map<unknown> {
  const hypothesis = new Y.Map<unknown>()
  hypothesis.set('core', { type: row.type, created_by: row.created_by, created_at: toTimestamp(row.created_at) })
  writeFields(FIELDS.hypotheses, hypothesis, row)
  return rootOf(doc, 'hypotheses').set(row.id, hypothesis)
}

/** Adds a comment, or replaces the one with its id. */
export function writeComment(doc: Y.Doc, row: CommentRow): Y.Map<unknown> {
  const comment = new Y.Map<unknown>()
  comment.set('core', {
    hypothesis_id: row.hypothesis_id,
    created_by: row.created_by,
    created_at: toTimestamp(row.created_at),
    external_created_by: row.external_created_by,
    responder_id: row.responder_id,
  })
  writeFields(FIELDS.comments, comment, row)
  return rootOf(doc, 'comments').set(row.id, comment)
}

/** Adds evidence, or replaces the one with its id, together with its part in the definition of done. */
export function writeEvidence(doc: Y.Doc, row: IncidentRows['evidences'][number]): void {
  const { id, definition_of_done: member, done, script, ...entry } = row
  rootOf(doc, 'evidence').set(id, { ...entry, created_at: toTimestamp(row.created_at) })
  const dod = rootOf(doc, 'dod')
  if (member) dod.set(toDodKey(id, 'member'), true)
  if (script !== null) dod.set(toDodKey(id, 'script'), script)
  if (done !== null) dod.set(toDodKey(id, 'done'), { done, by: null, at: toTimestamp(row.created_at) })
}

/** PostgREST writes `+00:00`; documents hold the one form that `toISOString` gives. */
function toTimestamp(value: string): string {
  return new Date(value).toISOString()
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}
