import type * as Y from 'yjs'
import { z } from 'zod'

import {
  type CommentView,
  type EvidenceView,
  type HypothesisView,
  type IncidentFields,
  type IncidentView,
  readIncident,
  rootOf,
} from './readIncident.ts'
import type { CommentRow, EvidenceRow, HypothesisRow, IncidentRow, IncidentRows } from './rows.ts'

const IncidentIdSchema = z.string().catch('')

/**
 * The document as rows of the backend: what the tables must hold once everything is written back. Removed entities are
 * absent; parents are the effective ones; parents come before their children.
 *
 * @param view of the document, where it was read already; the same entities of it give the same row objects again
 */
export function projectIncident(doc: Y.Doc, view: IncidentView = readIncident(doc)): IncidentRows {
  const hypotheses: HypothesisRow[] = []
  const visit = (parentKey: string): void => {
    for (const hypothesis of view.childrenOf.get(parentKey) ?? []) {
      hypotheses.push(toHypothesisRow(hypothesis))
      visit(hypothesis.id)
    }
  }
  visit('')
  const isLiving = (id: string): boolean => view.hypotheses.get(id)?.removed === null
  return {
    incident: toIncidentRow(view.incident, IncidentIdSchema.parse(rootOf(doc, 'meta').get('incident_id'))),
    hypotheses,
    evidences: view.evidence
      .filter(({ removed, hypothesis_id: hypothesisId }) => !removed && isLiving(hypothesisId))
      .map(toEvidenceRow),
    comments: view.comments
      .filter(
        ({ removed, hypothesis_id: hypothesisId }) => !removed && (hypothesisId === null || isLiving(hypothesisId)),
      )
      .map(toCommentRow),
  }
}

/** The row of each entity is made once. */
function once<Entity extends object, Row>(toRow: (entity: Entity) => Row): (entity: Entity) => Row {
  const rows = new WeakMap<Entity, Row>()
  return (entity) => {
    const known = rows.get(entity)
    if (known !== undefined) return known
    const row = toRow(entity)
    rows.set(entity, row)
    return row
  }
}

const incidentRows = new WeakMap<IncidentFields, IncidentRow>()

function toIncidentRow(fields: IncidentFields, id: string): IncidentRow {
  const known = incidentRows.get(fields)
  if (known?.id === id) return known
  const row = { id, ...fields }
  incidentRows.set(fields, row)
  return row
}

const toHypothesisRow = once(
  ({ id, parentId, type, title, status, created_by, created_at }: HypothesisView): HypothesisRow => ({
    id,
    parent_id: parentId,
    type,
    title,
    status,
    created_by,
    created_at,
  }),
)

const toEvidenceRow = once(({ removed, isDefinitionOfDone, doneBy, doneAt, ...row }: EvidenceView): EvidenceRow => ({
  ...row,
  definition_of_done: isDefinitionOfDone,
}))

const toCommentRow = once(({ removed, body, ...row }: CommentView): CommentRow => ({ ...row, comment: body }))
