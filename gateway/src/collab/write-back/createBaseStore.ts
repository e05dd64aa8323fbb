import type { Pool } from 'pg'

import type { DocumentRows, EntityRow, EntityRules } from '../documentKind.ts'

/** What both sides agree on about one row; a null row is forgotten. */
export interface Agreement {
  readonly entity: string
  readonly id: string
  readonly row: EntityRow | null
}

/** Keeps the rows that document and backend last agreed on, so that after a restart it is still known who changed what. */
export interface BaseStore {
  /** Null when nothing was ever agreed on. */
  load(id: string): Promise<DocumentRows | null>
  save(changes: readonly Agreement[]): Promise<void>
}

export interface BaseStoreDeps {
  readonly pool: () => Pool
  /** Its name. */
  readonly document: string
  /** The first holds the row that the document is about. */
  readonly entities: readonly [EntityRules, ...EntityRules[]]
}

export function createBaseStore(deps: BaseStoreDeps): BaseStore {
  const { document, entities } = deps
  return {
    load: async (id) => {
      const { rows: found } = await deps
        .pool()
        .query<{ entity: string; row: EntityRow }>(
          'select entity, row from watchroom.document_base where document = $1',
          [document],
        )
      const rows = Object.fromEntries(
        entities.map(({ name }) => [name, found.filter(({ entity }) => entity === name).map(({ row }) => row)]),
      )
      return rows[entities[0].name]?.some((row) => row.id === id) ? rows : null
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
export function toAgreements(rows: DocumentRows): Agreement[] {
  return Object.entries(rows).flatMap(([entity, list]) => list.map((row) => ({ entity, id: row.id, row })))
}
