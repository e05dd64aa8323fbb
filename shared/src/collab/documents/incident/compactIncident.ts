import * as Y from 'yjs'

import { toSeedClientId } from '../../clientIds.ts'
import { schemaOf } from '../../layout.ts'
import { FIELDS, writeFields } from './fields.ts'
import { isUnreadable, toIncidentRow, writtenHypothesis } from './projectIncident.ts'
import { parseEdgeKey, readIncident, rootOf, toDodKey, toEdgeKey } from './readIncident.ts'
import { HypothesisCoreSchema, type Root } from './schema.ts'
import { writeComment, writeHypothesis } from './seedIncident.ts'

const CreationSchema = HypothesisCoreSchema.pick({ created_at: true }).strip()

/** What this version cannot read, as it is: parts by key. Lost here, its rows would be deleted (DOC-20). */
function readUnreadable(doc: Y.Doc): { root: Root; key: string; value: unknown }[] {
  const entries = (['hypotheses', 'comments', 'evidence'] as const).flatMap((root) =>
    [...rootOf(doc, root).keys()]
      .filter((id) => isUnreadable(doc, root, id))
      .toSorted()
      .map((key) => ({ root, key })),
  )
  const ids = new Set(entries.map(({ key }) => key))
  const places = [...rootOf(doc, 'edges').keys()]
    .filter((key) => ids.has(parseEdgeKey(key)?.child ?? ''))
    .toSorted()
    .map((key) => ({ root: 'edges' as const, key }))
  const beside = (['evidenceOff', 'dod'] as const).flatMap((root) =>
    [...rootOf(doc, root).keys()]
      .filter((key) => ids.has(key.split(':')[0] ?? ''))
      .toSorted()
      .map((key) => ({ root, key })),
  )
  return [...entries, ...places, ...beside].map(({ root, key }) => ({ root, key, value: rootOf(doc, root).get(key) }))
}

/** An entry with the time that its author said, which stands beside the one at which it was accepted (DOC-24). */
function asSaid<Entry extends { id: string; created_at: string }>(
  doc: Y.Doc,
  root: 'hypotheses' | 'comments',
  entry: Entry,
): Entry {
  const core = CreationSchema.safeParse((rootOf(doc, root).get(entry.id) as Y.Map<unknown>).get('core'))
  return core.success ? { ...entry, ...core.data } : entry
}

/**
 * The same incident without its history, as first content of another epoch: what was said stays, removed entries too, but not
 * how it came about (DOC-19). The same document gives the same bytes.
 */
export function compactIncident(doc: Y.Doc, epoch: string): Uint8Array {
  const { hypotheses, comments, evidence, ...view } = readIncident(doc)
  const { id, ...incident } = toIncidentRow(view.incident, doc)
  const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1)
  const entries = {
    hypotheses: Array.from(hypotheses.values(), (hypothesis) => ({
      ...hypothesis,
      ...writtenHypothesis(hypothesis, doc),
    })).toSorted(byId),
    comments: comments.toSorted(byId),
    evidence: evidence.toSorted(byId),
  }
  const unreadable = readUnreadable(doc)
  const stamps = [...rootOf(doc, 'sync')].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const fresh = new Y.Doc()
  // Shared types spell themselves as JSON.
  fresh.clientID = toSeedClientId([epoch, schemaOf(doc), incident, entries, unreadable, stamps])
  fresh.transact(() => {
    const meta = rootOf(fresh, 'meta')
    meta.set('schema', schemaOf(doc))
    meta.set('incident_id', id)
    meta.set('epoch', epoch)
    writeFields(FIELDS.incident, rootOf(fresh, 'incident'), incident)
    for (const hypothesis of entries.hypotheses) {
      const map = writeHypothesis(fresh, asSaid(doc, 'hypotheses', hypothesis))
      if (hypothesis.removed) map.set('removed', hypothesis.removed)
      const { placedBelow, order } = hypothesis
      if (order !== '') rootOf(fresh, 'edges').set(toEdgeKey(hypothesis.id, placedBelow), [0, order])
    }
    for (const { body, removed, ...row } of entries.comments) {
      const map = writeComment(fresh, asSaid(doc, 'comments', { ...row, comment: body }))
      if (removed) map.set('removed', removed)
    }
    for (const { id: evidenceId, removed } of entries.evidence) {
      rootOf(fresh, 'evidence').set(evidenceId, rootOf(doc, 'evidence').get(evidenceId))
      if (removed) rootOf(fresh, 'evidenceOff').set(evidenceId, removed)
      for (const field of Object.keys(FIELDS.dod)) {
        const key = toDodKey(evidenceId, field)
        const value = rootOf(doc, 'dod').get(key)
        if (value !== undefined && value !== null) rootOf(fresh, 'dod').set(key, value)
      }
    }
    for (const [path, at] of stamps) rootOf(fresh, 'sync').set(path, at)
    for (const { root: part, key, value } of unreadable) {
      rootOf(fresh, part).set(key, value instanceof Y.AbstractType ? value.clone() : value)
    }
  })
  const update = Y.encodeStateAsUpdate(fresh)
  fresh.destroy()
  return update
}
