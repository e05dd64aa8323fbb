import * as Y from 'yjs'
import { z } from 'zod'

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
import { DOD_FIELDS, HYPOTHESIS_FIELDS, INCIDENT_FIELDS } from './schema.ts'

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
  const isLiving = (id: string): boolean => {
    const hypothesis = view.hypotheses.get(id)
    return hypothesis ? hypothesis.removed === null : rootOf(doc, 'hypotheses').has(id)
  }
  return {
    incident: toIncidentRow(view.incident, doc),
    hypotheses,
    evidences: view.evidence
      .filter(({ removed, hypothesis_id: hypothesisId }) => !removed && isLiving(hypothesisId))
      .map((evidence) => toEvidenceRow(evidence, doc)),
    comments: view.comments
      .filter(
        ({ removed, hypothesis_id: hypothesisId }) => !removed && (hypothesisId === null || isLiving(hypothesisId)),
      )
      .map((comment) => toCommentRow(comment, doc)),
  }
}

const READERS = { hypotheses: readHypothesis, comments: readComment, evidence: readEvidence } as const

/**
 * Whether the document holds an entry that this version cannot read: somebody else's program wrote it. It is not shown, and it
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

/** A value that is not known here stays in its row; what is shown for it is for people alone. */
function asWritten<Shown extends string | null>(schema: z.ZodType, value: unknown, shown: Shown): Shown | string {
  return typeof value === 'string' && !schema.safeParse(value).success ? value : shown
}

const incidentRows = new WeakMap<IncidentFields, IncidentRow>()

export function toIncidentRow(fields: IncidentFields, doc: Y.Doc): IncidentRow {
  const id = IncidentIdSchema.parse(rootOf(doc, 'meta').get('incident_id'))
  const known = incidentRows.get(fields)
  if (known?.id === id) return known
  const map = rootOf(doc, 'incident')
  const row: IncidentRow = {
    id,
    ...fields,
    status: asWritten(INCIDENT_FIELDS.status, map.get('status'), fields.status),
    severity: asWritten(INCIDENT_FIELDS.severity, map.get('severity'), fields.severity),
    type: asWritten(INCIDENT_FIELDS.type, map.get('type'), fields.type),
    commander_id: asWritten(INCIDENT_FIELDS.commander_id, map.get('commander_id'), fields.commander_id),
  }
  incidentRows.set(fields, row)
  return row
}

/** Of a hypothesis, in the word that was written. */
export function writtenStatus({ id, status }: Pick<HypothesisView, 'id' | 'status'>, doc: Y.Doc): string {
  const entry = rootOf(doc, 'hypotheses').get(id)
  return asWritten(HYPOTHESIS_FIELDS.status, entry instanceof Y.Map ? entry.get('status') : undefined, status)
}

const toHypothesisRow = once((hypothesis: HypothesisView, doc): HypothesisRow => {
  const { id, parentId, type, title, created_by, created_at } = hypothesis
  return { id, parent_id: parentId, type, title, status: writtenStatus(hypothesis, doc), created_by, created_at }
})

const toEvidenceRow = once(
  ({ removed, isDefinitionOfDone, doneBy, doneAt, ...row }: EvidenceView, doc): EvidenceRow => ({
    ...row,
    definition_of_done: isDefinitionOfDone,
    script: asWritten(DOD_FIELDS.script, rootOf(doc, 'dod').get(toDodKey(row.id, 'script')), row.script),
  }),
)

const toCommentRow = once(({ removed, body, ...row }: CommentView): CommentRow => ({ ...row, comment: body }))
