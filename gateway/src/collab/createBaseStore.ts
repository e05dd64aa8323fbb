import type { IncidentRows } from '@watchroom/shared/collab'
import type { Pool } from 'pg'

import { ENTITIES, type Entity, type EntityRow } from './incidentTables.ts'

/** Keeps the rows that document and backend last agreed on, so that after a restart it is still known who changed what. */
export interface BaseStore {
  /** Null when nothing was ever agreed on. */
  load(incidentId: string): Promise<IncidentRows | null>
  /** A null row is forgotten. */
  save(changes: readonly { entity: Entity; id: string; row: EntityRow | null }[]): Promise<void>
}

export function createBaseStore(deps: { pool: () => Pool; document: string }): BaseStore {
  const { document } = deps
  return {
    load: async (incidentId) => {
      const { rows } = await deps
        .pool()
        .query<{ entity: Entity; row: EntityRow }>(
          'select entity, row from watchroom.document_base where document = $1',
          [document],
        )
      const of = <Row>(entity: Entity): Row[] =>
        rows.filter((found) => found.entity === entity).map(({ row }) => row as Row)
      const incident = of<IncidentRows['incident']>('incidents').find(({ id }) => id === incidentId)
      if (!incident) return null
      return { incident, hypotheses: of('hypotheses'), evidences: of('evidences'), comments: of('comments') }
    },
    save: async (changes) => {
      const kept = changes.filter(({ row }) => row !== null)
      const dropped = changes.filter(({ row }) => row === null)
      if (kept.length > 0) {
        await deps.pool().query(
          `insert into watchroom.document_base (document, entity, entity_id, row)
           select $1, * from unnest($2::text[], $3::uuid[], $4::jsonb[])
           on conflict (document, entity, entity_id) do update set row = excluded.row`,
          [
            document,
            kept.map(({ entity }) => entity),
            kept.map(({ id }) => id),
            kept.map(({ row }) => JSON.stringify(row)),
          ],
        )
      }
      if (dropped.length > 0) {
        await deps.pool().query(
          `delete from watchroom.document_base
           where document = $1 and (entity, entity_id) in (select * from unnest($2::text[], $3::uuid[]))`,
          [document, dropped.map(({ entity }) => entity), dropped.map(({ id }) => id)],
        )
      }
    },
  }
}

/** Rows as changes, to agree on all of them. */
export function toBaseChanges(rows: IncidentRows): { entity: Entity; id: string; row: EntityRow }[] {
  const lists = {
    incidents: [rows.incident],
    hypotheses: rows.hypotheses,
    evidences: rows.evidences,
    comments: rows.comments,
  }
  return ENTITIES.flatMap((entity) => lists[entity].map((row) => ({ entity, id: row.id, row })))
}
