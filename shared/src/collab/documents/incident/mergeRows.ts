import * as Y from 'yjs'

import { NIL_UUID, transferTextChange } from '../../../kernel/index.ts'
import { applyChange } from './editIncident.ts'
import { FIELDS, type FieldTable } from './fields.ts'
import { projectIncident } from './projectIncident.ts'
import { readEdges, rootOf, toDodKey, toEdgeKey } from './readIncident.ts'
import type { EvidenceRow, IncidentRows } from './rows.ts'
import { writeComment, writeEvidence, writeHypothesis } from './seedIncident.ts'

/** Placed behind what people arranged: rows of others bring no order. */
const LAST_ORDER = 'zV'

interface MergeContext {
  /** RFC 3339. */
  now: string
}

/**
 * Brings what others wrote through the backend into the document, field by field (COLLAB-14).
 *
 * A field that only the backend changed is taken over. One that only the document changed is left: it still has to be
 * written back. Where both changed it, texts get the backend's change as a minimal edit, everything else keeps the
 * document's value, which is the one about to be written. A row that others deleted is marked as removed unless the document
 * changed it since.
 *
 * @param base rows both sides last agreed on
 * @param actual rows the backend holds now
 */
export function mergeRows(doc: Y.Doc, base: IncidentRows, actual: IncidentRows, context: MergeContext): void {
  const own = projectIncident(doc)
  mergeIncident(doc, base, actual, own)
  mergeHypotheses(doc, base, actual, own, context)
  mergeEvidences(doc, base, actual, own, context)
  mergeComments(doc, base, actual, own, context)
}

function mergeIncident(doc: Y.Doc, base: IncidentRows, actual: IncidentRows, own: IncidentRows): void {
  mergeFields(FIELDS.incident, rootOf(doc, 'incident'), base.incident, actual.incident, own.incident)
}

function mergeHypotheses(
  doc: Y.Doc,
  base: IncidentRows,
  actual: IncidentRows,
  own: IncidentRows,
  context: MergeContext,
): void {
  const hypotheses = rootOf(doc, 'hypotheses')
  forEachPair(base.hypotheses, actual.hypotheses, own.hypotheses, {
    added: (row) => {
      if (hypotheses.has(row.id)) return
      writeHypothesis(doc, row)
      rootOf(doc, 'edges').set(toEdgeKey(row.id, row.parent_id), [0, LAST_ORDER])
    },
    deleted: (row) => markRemoved(hypotheses.get(row.id), context),
    changed: (before, now, mine) => {
      const entry = hypotheses.get(now.id)
      if (!(entry instanceof Y.Map)) return
      mergeFields(FIELDS.hypotheses, entry, before, now, mine)
      if (isNews(before, now, mine, 'parent_id')) {
        const counters = readEdges(doc).flatMap(({ child, counter }) => (child === now.id ? [counter] : []))
        rootOf(doc, 'edges').set(toEdgeKey(now.id, now.parent_id), [1 + Math.max(-1, ...counters), LAST_ORDER])
      }
    },
  })
}

function mergeEvidences(
  doc: Y.Doc,
  base: IncidentRows,
  actual: IncidentRows,
  own: IncidentRows,
  context: MergeContext,
): void {
  const dod = rootOf(doc, 'dod')
  forEachPair(base.evidences, actual.evidences, own.evidences, {
    added: (row) => {
      if (!rootOf(doc, 'evidence').has(row.id)) writeEvidence(doc, row)
    },
    deleted: (row) => rootOf(doc, 'evidenceOff').set(row.id, { by: NIL_UUID, at: context.now }),
    changed: (before, now, mine) => {
      for (const [key, { column: name }] of Object.entries(FIELDS.dod)) {
        const column = name as keyof EvidenceRow
        // Only conditions have words of their own.
        if (key === 'text' && (now.type !== 'comment' || now.description === '')) continue
        if (!isNews(before, now, mine, column)) continue
        const verdict = now.done === null ? null : { done: now.done, by: null, at: context.now }
        dod.set(toDodKey(now.id, key), key === 'done' ? verdict : now[column])
      }
    },
  })
}

function mergeComments(
  doc: Y.Doc,
  base: IncidentRows,
  actual: IncidentRows,
  own: IncidentRows,
  context: MergeContext,
): void {
  const comments = rootOf(doc, 'comments')
  forEachPair(base.comments, actual.comments, own.comments, {
    added: (row) => {
      if (!comments.has(row.id)) writeComment(doc, row)
    },
    deleted: (row) => markRemoved(comments.get(row.id), context),
    changed: (before, now, mine) => {
      const entry = comments.get(now.id)
      if (entry instanceof Y.Map) mergeFields(FIELDS.comments, entry, before, now, mine)
    },
  })
}

interface PairHandlers<Row> {
  added: (row: Row) => void
  deleted: (row: Row) => void
  changed: (before: Row, now: Row, mine: Row) => void
}

function forEachPair<Row extends { id: string }>(
  base: readonly Row[],
  actual: readonly Row[],
  own: readonly Row[],
  handlers: PairHandlers<Row>,
): void {
  const before = new Map(base.map((row) => [row.id, row]))
  const mine = new Map(own.map((row) => [row.id, row]))
  for (const row of actual) {
    const agreed = before.get(row.id)
    const ours = mine.get(row.id)
    if (!agreed) handlers.added(row)
    else if (ours) handlers.changed(agreed, row, ours)
  }
  const there = new Set(actual.map(({ id }) => id))
  for (const [id, agreed] of before) {
    const ours = mine.get(id)
    if (!there.has(id) && ours && hasSameFields(agreed, ours)) handlers.deleted(agreed)
  }
}

function hasSameFields<Row extends object>(a: Row, b: Row): boolean {
  return (Object.keys(a) as (keyof Row)[]).every((field) => JSON.stringify(a[field]) === JSON.stringify(b[field]))
}

function mergeFields<Row>(fields: FieldTable, map: Y.Map<unknown>, before: Row, now: Row, mine: Row): void {
  for (const [key, { kind, column: name }] of Object.entries(fields)) {
    const column = name as keyof Row
    if (kind === 'text') mergeText(map.get(key), String(before[column]), String(now[column]))
    else if (isNews(before, now, mine, column)) map.set(key, now[column])
  }
}

/** The backend changed the field and the document did not. */
function isNews<Row>(before: Row, now: Row, mine: Row, field: keyof Row): boolean {
  return now[field] !== before[field] && mine[field] === before[field]
}

function markRemoved(entry: unknown, context: MergeContext): void {
  if (entry instanceof Y.Map) entry.set('removed', { by: NIL_UUID, at: context.now })
}

/** Applies the change from `before` to `now` to a text that may have changed otherwise meanwhile. */
function mergeText(text: unknown, before: string, now: string): void {
  if (!(text instanceof Y.Text) || before === now) return
  const mine = text.toJSON()
  if (mine !== now) applyChange(text, transferTextChange(before, now, mine))
}
