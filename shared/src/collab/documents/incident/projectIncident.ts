import type * as Y from 'yjs'
import { z } from 'zod'

import { readIncident, rootOf } from './readIncident.ts'
import type { IncidentRows } from './rows.ts'

/**
 * The document as rows of the backend: what the tables must hold once everything is written back. Removed entities are
 * absent; parents are the effective ones; parents come before their children.
 */
export function projectIncident(doc: Y.Doc): IncidentRows {
  const view = readIncident(doc)
  const hypotheses: IncidentRows['hypotheses'] = []
  const visit = (parentKey: string): void => {
    for (const { id, parentId, type, title, status, created_by, created_at } of view.childrenOf.get(parentKey) ?? []) {
      hypotheses.push({ id, parent_id: parentId, type, title, status, created_by, created_at })
      visit(id)
    }
  }
  visit('')
  const living = new Set(hypotheses.map(({ id }) => id))
  return {
    incident: { id: z.string().catch('').parse(rootOf(doc, 'meta').get('incident_id')), ...view.incident },
    hypotheses,
    evidences: view.evidence
      .filter(({ removed, hypothesis_id: hypothesisId }) => !removed && living.has(hypothesisId))
      .map(({ removed, isDefinitionOfDone, doneBy, doneAt, ...row }) => ({
        ...row,
        definition_of_done: isDefinitionOfDone,
      })),
    comments: view.comments
      .filter(
        ({ removed, hypothesis_id: hypothesisId }) => !removed && (hypothesisId === null || living.has(hypothesisId)),
      )
      .map(({ removed, body, ...row }) => ({ ...row, comment: body })),
  }
}
