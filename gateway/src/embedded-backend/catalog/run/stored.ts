// What the database holds of a scraper's items, as far as a run compares with it.
import { NIL_UUID } from '@watchroom/shared/kernel'
import type { Pool, PoolClient } from 'pg'

import { AGE_REASON } from '../../jobs/itemAges.ts'
import type { ItemReference } from '../item.ts'

export type Database = Pick<Pool | PoolClient, 'query'>

export interface StoredItem {
  readonly id: string
  readonly type: string
  readonly key: string
  /** Null where something else than a run wrote the item. */
  readonly hash: string | null
  readonly parentId: string | null
  readonly path: string | null
  readonly isDeleted: boolean
  /** Deleted for its age: its source may show it as long as it likes. */
  readonly isTooOld: boolean
}

export async function readStored(database: Database, scraperId: string): Promise<StoredItem[]> {
  const { rows } = await database.query<StoredItem>(
    `select item.id, item.type, coalesce(item.external_id[1], item.id::text) as key, scraped.hash,
       item.parent_id as "parentId", item.path, item.deleted_at is not null as "isDeleted",
       item.deleted_at is not null and item.delete_reason = '${AGE_REASON}' as "isTooOld"
     from config_items as item
     left join watchroom_internal.scraped_items as scraped on scraped.config_id = item.id
     where item.scraper_id = $1`,
    [scraperId],
  )
  return rows
}

/** An item of someone else that others are related to. */
export interface ForeignItem {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly names: readonly string[]
  readonly path: string | null
}

/** Live items of this machine that one of the references may mean, those of the scraper itself left out. */
export async function findForeign(
  database: Database,
  scraperId: string,
  references: readonly ItemReference[],
): Promise<ForeignItem[]> {
  const ids = [...new Set(references.flatMap(({ id }) => id ?? []))]
  const names = [...new Set(references.flatMap(({ id, name }) => (id === undefined ? (name ?? []) : [])))]
  if (ids.length === 0 && names.length === 0) return []
  const { rows } = await database.query<ForeignItem>(
    `select id, type, name, coalesce(external_id, '{}') as names, path from config_items
     where agent_id = '${NIL_UUID}' and deleted_at is null and scraper_id is distinct from $1
       and (external_id && $2::text[] or name = any($3::text[]))
     order by id`,
    [scraperId, ids, names],
  )
  return rows
}
