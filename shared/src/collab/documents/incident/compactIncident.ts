import * as Y from 'yjs'

import { schemaOf } from './migrateIncident.ts'
import { readIncident, rootOf, toDodKey, toEdgeKey } from './readIncident.ts'
import { DOD_FIELDS } from './schema.ts'
import { toSeedClientId, writeComment, writeHypothesis } from './seedIncident.ts'

/**
 * The same incident without its history, as first content of another epoch: what was said stays, removed entries too, but not
 * how it came about (DOC-19). The same document gives the same bytes.
 */
export function compactIncident(doc: Y.Doc, epoch: string): Uint8Array {
  const { incident, hypotheses, comments, evidence } = readIncident(doc)
  const id = rootOf(doc, 'meta').get('incident_id')
  const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1)
  const entries = {
    hypotheses: [...hypotheses.values()].toSorted(byId),
    comments: comments.toSorted(byId),
    evidence: evidence.toSorted(byId),
  }
  const fresh = new Y.Doc()
  fresh.clientID = toSeedClientId([epoch, schemaOf(doc), incident, entries])
  fresh.transact(() => {
    const meta = rootOf(fresh, 'meta')
    meta.set('schema', schemaOf(doc))
    meta.set('incident_id', id)
    meta.set('epoch', epoch)
    const { title, description, ...fields } = incident
    const root = rootOf(fresh, 'incident')
    root.set('title', new Y.Text(title))
    root.set('description', new Y.Text(description))
    for (const [field, value] of Object.entries(fields)) root.set(field, value)
    for (const hypothesis of entries.hypotheses) {
      const map = writeHypothesis(fresh, hypothesis)
      if (hypothesis.removed) map.set('removed', hypothesis.removed)
      const { placedBelow, order } = hypothesis
      if (order !== '') rootOf(fresh, 'edges').set(toEdgeKey(hypothesis.id, placedBelow), [0, order])
    }
    for (const { body, removed, ...row } of entries.comments) {
      const map = writeComment(fresh, { ...row, comment: body })
      if (removed) map.set('removed', removed)
    }
    for (const { id: evidenceId, removed } of entries.evidence) {
      rootOf(fresh, 'evidence').set(evidenceId, rootOf(doc, 'evidence').get(evidenceId))
      if (removed) rootOf(fresh, 'evidenceOff').set(evidenceId, removed)
      for (const field of Object.keys(DOD_FIELDS)) {
        const key = toDodKey(evidenceId, field)
        const value = rootOf(doc, 'dod').get(key)
        if (value !== undefined && value !== null) rootOf(fresh, 'dod').set(key, value)
      }
    }
  })
  const update = Y.encodeStateAsUpdate(fresh)
  fresh.destroy()
  return update
}
