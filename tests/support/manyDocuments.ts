// Incidents without number, each with the same rows at first: every id is one.
import type { DocumentKind } from '../../gateway/src/collab/documentKind.ts'
import { incidentKind, toDocumentRows } from '../../gateway/src/collab/documents/incident/incidentKind.ts'
import { buildIncidentRows } from './incidentDocument.ts'
import { createScriptedTables, type ScriptedTables } from './scriptedTables.ts'

export interface ManyDocuments {
  readonly kind: DocumentKind
  /** From now on the backend answers nothing. */
  hang(): void
}

export function createManyDocuments(): ManyDocuments {
  const tables = new Map<string, ScriptedTables>()
  let isHung = false
  const tablesOf = (id: string): ScriptedTables => {
    const { incident, ...rows } = buildIncidentRows()
    const found = tables.get(id) ?? createScriptedTables({ ...rows, incident: { ...incident, id } })
    tables.set(id, found)
    return found
  }
  const unlessHung = <Value>(ask: () => Promise<Value>): Promise<Value> => (isHung ? new Promise(() => {}) : ask())
  return {
    kind: {
      ...incidentKind,
      createTables: () => ({
        read: (id) =>
          unlessHung(async () => {
            const rows = await tablesOf(id).read(id)
            return rows && toDocumentRows(rows)
          }),
        write: (id, write, actor) => unlessHung(() => tablesOf(id).write(id, write, actor)),
      }),
    },
    hang: () => {
      isHung = true
    },
  }
}
