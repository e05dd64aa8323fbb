// What makes a shared document an incident: the rules of `@watchroom/shared/collab`, by the names that a room knows.

import {
  compactIncident,
  createIncidentReader,
  fieldOfColumn,
  INCIDENT_LAYOUT,
  type IncidentRows,
  type IncidentView,
  isUnreadable,
  mergeRows,
  namedByUpdate,
  projectIncident,
  REFERENCES,
  REST_MS,
  ROOTS,
  seedIncident,
  stampEntries,
  watchChange,
} from '@watchroom/shared/collab'
import type * as Y from 'yjs'

import type { DocumentKind, DocumentReader, DocumentRows, DocumentTables, EntityRow } from '../../documentKind.ts'
import { authorOf } from './authorOf.ts'
import { createIncidentTables, type IncidentTables } from './incidentTables.ts'

export const incidentKind: DocumentKind<IncidentView> = {
  name: 'incident',
  words: 'incident',
  resource: 'incident',
  source: (id) => `incidents?id=eq.${id}`,
  layout: INCIDENT_LAYOUT,
  roots: ROOTS,
  entities: [
    { name: 'incidents', editable: 'title', needs: {} },
    { name: 'hypotheses', editable: 'title', needs: { parent_id: 'hypotheses' } },
    { name: 'evidences', editable: 'description', needs: { hypothesis_id: 'hypotheses' } },
    { name: 'comments', editable: 'comment', needs: { hypothesis_id: 'hypotheses' } },
  ],
  references: REFERENCES,
  rest: {
    shortestMs: REST_MS.value,
    longestMs: REST_MS.text,
    ofColumn: (entity, column) => fieldOfColumn(entity, column)?.field.restMs ?? REST_MS.value,
  },
  seed: (rows, epoch) => seedIncident(toIncidentRows(rows), epoch),
  compact: compactIncident,
  read: readIncidentDocument,
  merge: (doc, agreed, actual, context) => mergeRows(doc, toIncidentRows(agreed), toIncidentRows(actual), context),
  watchChange,
  namedBy: namedByUpdate,
  stamp: stampEntries,
  authorOf,
  createTables: (backend) => toDocumentTables(createIncidentTables(backend)),
}

function readIncidentDocument(doc: Y.Doc): DocumentReader<IncidentView> {
  const reader = createIncidentReader(doc)
  let projected: { readonly view: IncidentView; readonly rows: DocumentRows } | null = null
  return {
    view: () => reader.view(),
    rows: () => {
      const view = reader.view()
      if (projected?.view !== view) projected = { view, rows: toDocumentRows(projectIncident(doc, view)) }
      return projected.rows
    },
    // What cannot be read here is left alone, as long as what it hangs on is there.
    isKept: (entity, agreed) => {
      const root = ROOT_OF.get(entity)
      if (root === undefined || !isUnreadable(doc, root, agreed.id)) return false
      const { hypothesis_id: hangsOn = null } = agreed as { readonly hypothesis_id?: string | null }
      return hangsOn === null || !reader.view().hypotheses.get(hangsOn)?.removed
    },
    close: () => reader.close(),
  }
}

/** Part of the document that the rows of a table stand in; the incident itself always reads. */
const ROOT_OF: ReadonlyMap<string, 'hypotheses' | 'evidence' | 'comments'> = new Map([
  ['hypotheses', 'hypotheses'],
  ['evidences', 'evidence'],
  ['comments', 'comments'],
])

export function toDocumentRows({ incident, hypotheses, evidences, comments }: IncidentRows): DocumentRows {
  return { incidents: [incident], hypotheses, evidences, comments }
}

/** Back again: rows come from these tables, or from what they once gave. */
function toIncidentRows(rows: DocumentRows): IncidentRows {
  const of = <Row extends EntityRow>(entity: string): Row[] => [...(rows[entity] ?? [])] as Row[]
  const [incident] = of<IncidentRows['incident']>('incidents')
  if (!incident) throw new Error('rows without their incident')
  return { incident, hypotheses: of('hypotheses'), evidences: of('evidences'), comments: of('comments') }
}

export function toDocumentTables(tables: IncidentTables): DocumentTables {
  return {
    read: async (id, memory) => {
      const rows = await tables.read(id, memory)
      return rows && toDocumentRows(rows)
    },
    write: (id, write, actor) => tables.write(id, write, actor),
  }
}
