// Writes items in batches: all that belongs to an item, its row, its changes and its insights, is there after one transaction or
// not at all.
import type { Pool } from 'pg'

import { inTransaction } from '../../../platform/database/inTransaction.ts'
import { SourceFault } from '../family.ts'
import type { Authorship, ItemChange, ScrapedItem } from '../item.ts'
import type { PlacedItem } from './placeItems.ts'
import { sortKeys } from './plan.ts'
import type { Database } from './stored.ts'
import type { Summary } from './summary.ts'
import { type ChangeRow, INSERT_CHANGES, toDiffChange, toToldChange } from './toChanges.ts'
import { toRow, UPSERT_ITEMS } from './toRow.ts'
import { writeInsights } from './writeInsights.ts'

export interface WriteDeps {
  readonly pool: Pool
  readonly scraper: { readonly id: string; readonly name: string }
  /** Of the run. */
  readonly now: Date
  readonly signal: AbortSignal
  readonly summary: Summary
  /** Of the changes that a source tells of one item those that are to be stored: retention would only delete the others again. */
  readonly keptChanges: (changes: readonly ItemChange[]) => readonly ItemChange[]
}

const ITEMS_PER_BATCH = 200
const CHARACTERS_PER_BATCH = 4_000_000
const CHANGES_PER_BATCH = 2_000

interface Written {
  readonly placed: PlacedItem
  readonly item: ScrapedItem
}

export async function writeItems(placed: readonly PlacedItem[], deps: WriteDeps): Promise<void> {
  for (const batch of toBatches(placed)) {
    deps.signal.throwIfAborted()
    await writeBatch(batch, deps)
  }
  await moveItems(placed, deps)
  await tellChanges(placed, deps)
}

/** In the order of their places: parents are there before what stands below them. */
function* toBatches(placed: readonly PlacedItem[]): Generator<Written[]> {
  let batch: Written[] = []
  let size = 0
  for (const each of placed) {
    const { written } = each.item
    if (!written) continue
    batch.push({ placed: each, item: written })
    size += JSON.stringify(written.config).length
    if (batch.length < ITEMS_PER_BATCH && size < CHARACTERS_PER_BATCH) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

async function writeBatch(batch: readonly Written[], deps: WriteDeps): Promise<void> {
  const { pool, scraper, now, summary } = deps
  const before = await readBefore(pool, batch)
  const changed = batch.filter(({ placed, item }) => {
    const known = before.get(placed.item.id)
    return known !== undefined && isDifferent(known.config, item.config)
  })
  const authors = new Map<Written, Authorship | null>()
  for (const each of changed) authors.set(each, (await each.item.authorship?.()) ?? null)
  const changes = changed.flatMap((each): ChangeRow[] => {
    const { id } = each.placed.item
    const known = before.get(id)
    const context = { scraper: scraper.name, authorship: authors.get(each) ?? null, seenAt: known?.seenAt ?? null }
    const change = toDiffChange(id, known?.config, each.item.config, context)
    return change ? [change] : []
  })
  await inTransaction(pool, async (client) => {
    // A deletion meanwhile waits, and then takes along what was written here.
    const { rowCount } = await client.query(
      'select from config_scrapers where id = $1 and deleted_at is null for share',
      [scraper.id],
    )
    if (rowCount === 0) throw new SourceFault('it was deleted')
    const rows = batch.map(({ placed, item }) => toRow(placed, item))
    await client.query(UPSERT_ITEMS, [JSON.stringify(rows), scraper.id, now])
    if (changes.length > 0) await client.query(INSERT_CHANGES, [JSON.stringify(changes), now])
    await writeInsights(
      client,
      batch.map(({ placed, item }) => ({ id: placed.item.id, item })),
      deps,
    )
  })
  for (const { placed } of batch) summary.count(placed.item.type, placed.item.stored ? 'updated' : 'added')
  const typeOf = new Map(batch.map(({ placed }) => [placed.item.id, placed.item.type]))
  for (const { config_id: id } of changes) summary.count(typeOf.get(id) ?? '', 'changes')
}

const isDifferent = (before: unknown, after: unknown): boolean =>
  JSON.stringify(sortKeys(before)) !== JSON.stringify(sortKeys(after))

interface Before {
  readonly config: unknown
  readonly seenAt: Date | null
}

async function readBefore(database: Database, batch: readonly Written[]): Promise<ReadonlyMap<string, Before>> {
  const ids = batch.flatMap(({ placed }) => placed.item.stored?.id ?? [])
  if (ids.length === 0) return new Map()
  const { rows } = await database.query<Before & { id: string }>(
    'select id, config, last_scraped_time as "seenAt" from config_items where id = any($1)',
    [ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** For items with unchanged content: their place where it is another one, and for all of them when they were seen. */
async function moveItems(
  placed: readonly PlacedItem[],
  { pool, scraper, now, signal, summary }: WriteDeps,
): Promise<void> {
  const unchanged = placed.filter(({ item }) => item.written === null)
  const moved = unchanged.filter(
    ({ item: { stored }, placement }) => stored?.path !== placement.path || stored.parentId !== placement.parentId,
  )
  for (let at = 0; at < moved.length; at += ITEMS_PER_BATCH) {
    signal.throwIfAborted()
    const rows = moved
      .slice(at, at + ITEMS_PER_BATCH)
      .map(({ item, placement }) => ({ id: item.id, parent_id: placement.parentId, path: placement.path }))
    await pool.query(
      `update config_items set parent_id = moved.parent_id, path = moved.path, last_scraped_time = $2
       from jsonb_to_recordset($1::jsonb) as moved(id uuid, parent_id uuid, path text) where config_items.id = moved.id`,
      [JSON.stringify(rows), now],
    )
  }
  const movedItems = new Set(moved.map(({ item }) => item))
  for (const { item } of unchanged) summary.count(item.type, movedItems.has(item) ? 'updated' : 'unchanged')
  const still = unchanged.flatMap(({ item }) => (movedItems.has(item) ? [] : [item.id]))
  for (let at = 0; at < still.length; at += TOUCHED_AT_ONCE) {
    signal.throwIfAborted()
    await touch(pool, still.slice(at, at + TOUCHED_AT_ONCE), now, scraper.id)
  }
}

const TOUCHED_AT_ONCE = 5_000

async function touch(database: Database, ids: readonly string[], now: Date, scraperId: string): Promise<void> {
  await database.query('update config_items set last_scraped_time = $2 where id = any($1)', [ids, now])
  await database.query(
    `update config_analysis set last_observed = $2
     where config_id = any($1) and scraper_id = $3 and status is distinct from 'resolved'`,
    [ids, now, scraperId],
  )
}

/** What the source tells of items, new and old. Known ones are left alone, so that a run which was cut short tells the rest. */
async function tellChanges(
  placed: readonly PlacedItem[],
  { pool, scraper, now, signal, summary, keptChanges }: WriteDeps,
): Promise<void> {
  const told = placed.flatMap(({ item }) =>
    keptChanges(item.changes).map((change) => ({
      type: item.type,
      row: toToldChange(item.id, scraper.name, change, now),
    })),
  )
  for (let at = 0; at < told.length; at += CHANGES_PER_BATCH) {
    signal.throwIfAborted()
    const batch = told.slice(at, at + CHANGES_PER_BATCH)
    const before = await countTold(
      pool,
      batch.map(({ row }) => row),
    )
    await pool.query(INSERT_CHANGES, [JSON.stringify(batch.map(({ row }) => row)), now])
    for (const { type, row } of batch) {
      if (!before.has(`${row.config_id} ${row.external_change_id}`)) summary.count(type, 'changes')
    }
  }
}

async function countTold(database: Database, rows: readonly ChangeRow[]): Promise<ReadonlySet<string>> {
  const { rows: known } = await database.query<{ key: string }>(
    `select config_id || ' ' || external_change_id as key from config_changes
     where (config_id, external_change_id) in (
       select config_id, external_change_id
       from jsonb_to_recordset($1::jsonb) as told(config_id uuid, external_change_id text))`,
    [JSON.stringify(rows.map(({ config_id, external_change_id }) => ({ config_id, external_change_id })))],
  )
  return new Set(known.map(({ key }) => key))
}
