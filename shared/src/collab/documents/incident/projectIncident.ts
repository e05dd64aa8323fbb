import * as Y from 'yjs'
import { z } from 'zod'

import { asWritten, FIELDS, toWrittenFields } from './fields.ts'
import {
  type CommentView,
  type EvidenceView,
  type HypothesisView,
  type IncidentFields,
  type IncidentView,
  readComment,
  readEvidence,
  readHypothesis,
  readIncident,
  rootOf,
  toDodKey,
} from './readIncident.ts'
import type { CommentRow, EvidenceRow, HypothesisRow, IncidentRow, IncidentRows } from './rows.ts'

const IncidentIdSchema = z.string().catch('')

/**
 * The document as rows of the backend: what the tables must hold once everything is written back. Removed entities are
 * absent; parents are the effective ones; parents come before their children. Entries that cannot be read are absent too,
 * which is not the same (`isUnreadable`); single values that are not known here stay what they are (DOC-20).
 *
 * @param view of the document, where it was read already; the same entities of it give the same row objects again
 */
export function projectIncident(doc: Y.Doc, view: IncidentView = readIncident(doc)): IncidentRows {
  const hypotheses: HypothesisRow[] = []
  const visit = (parentKey: string): void => {
    for (const hypothesis of view.childrenOf.get(parentKey) ?? []) {
      hypotheses.push(toHypothesisRow(hypothesis, doc))
      visit(hypothesis.id)
    }
  }
  visit('')
  // One that cannot be read is not removed: what hangs on it stays as well.
  const isCurrent = (id: string): boolean => {
    const hypothesis = view.hypotheses.get(id)
    return hypothesis ? hypothesis.removed === null : rootOf(doc, 'hypotheses').has(id)
  }
  return {
    incident: toIncidentRow(view.incident, doc),
    hypotheses,
    evidences: view.evidence
      .filter(({ removed, hypothesis_id: hypothesisId }) => !removed && isCurrent(hypothesisId))
      .map((evidence) => toEvidenceRow(evidence, doc)),
    comments: view.comments
      .filter(
        ({ removed, hypothesis_id: hypothesisId }) => !removed && (hypothesisId === null || isCurrent(hypothesisId)),
      )
      .map((comment) => toCommentRow(comment, doc)),
  }
}

const READERS = { hypotheses: readHypothesis, comments: readComment, evidence: readEvidence } as const

/**
 * Whether the document holds an entry that this version cannot read: someone else's program wrote it. It is not shown, and it
 * is not gone (DOC-20).
 */
export function isUnreadable(doc: Y.Doc, root: keyof typeof READERS, id: string): boolean {
  return rootOf(doc, root).has(id) && READERS[root](doc, id) === null
}

/** The row of each entity is made once: an entity belongs to one document, and another object stands for it when it changes. */
function once<Entity extends object, Row>(
  toRow: (entity: Entity, doc: Y.Doc) => Row,
): (entity: Entity, doc: Y.Doc) => Row {
  const rows = new WeakMap<Entity, Row>()
  return (entity, doc) => {
    const known = rows.get(entity)
    if (known !== undefined) return known
    const row = toRow(entity, doc)
    rows.set(entity, row)
    return row
  }
}

const incidentRows = new WeakMap<IncidentFields, IncidentRow>()

/** The row of the incident itself: the same object for as long as `fields` is. @throws ZodError when the document holds no incident yet */
export function toIncidentRow(fields: IncidentFields, doc: Y.Doc): IncidentRow {
  const id = IncidentIdSchema.parse(rootOf(doc, 'meta').get('incident_id'))
  const known = incidentRows.get(fields)
  if (known?.id === id) return known
  const row: IncidentRow = {
    id,
    ...(toWrittenFields(FIELDS.incident, rootOf(doc, 'incident'), fields) as Omit<IncidentRow, 'id'>),
  }
  incidentRows.set(fields, row)
  return row
}

/** The fields of a hypothesis in the words that were written. */
export function writtenHypothesis(hypothesis: HypothesisView, doc: Y.Doc): Pick<HypothesisRow, 'title' | 'status'> {
  const entry = rootOf(doc, 'hypotheses').get(hypothesis.id)
  const written = toWrittenFields(FIELDS.hypotheses, entry instanceof Y.Map ? entry : null, hypothesis)
  return written as Pick<HypothesisRow, 'title' | 'status'>
}

const toHypothesisRow = once((hypothesis: HypothesisView, doc): HypothesisRow => {
  const { id, parentId, type, created_by, created_at } = hypothesis
  return { id, parent_id: parentId, type, ...writtenHypothesis(hypothesis, doc), created_by, created_at }
})

const toEvidenceRow = once(
  ({ removed, isDefinitionOfDone, doneBy, doneAt, ...row }: EvidenceView, doc): EvidenceRow => ({
    ...row,
    definition_of_done: isDefinitionOfDone,
    script: asWritten(FIELDS.dod.script, rootOf(doc, 'dod').get(toDodKey(row.id, 'script')), row.script),
  }),
)

const toCommentRow = once(({ removed, body, ...row }: CommentView): CommentRow => ({ ...row, comment: body }))
