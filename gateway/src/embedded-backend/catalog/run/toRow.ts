// An item as its row has it.
import type { ScrapedItem } from '../item.ts'
import type { PlacedItem } from './placeItems.ts'

export type ItemRow = Readonly<Record<string, unknown>>

export function toRow({ item: planned, placement }: PlacedItem, item: ScrapedItem): ItemRow {
  const { perMinute, total1d, total7d, total30d } = item.costs
  return {
    id: planned.id,
    icon: item.icon,
    config_class: item.class,
    status: item.status,
    health: item.health,
    external_id: [item.id, ...item.aliases],
    type: item.type,
    cost_per_minute: perMinute,
    cost_total_1d: total1d,
    cost_total_7d: total7d,
    cost_total_30d: total30d,
    name: item.name,
    description: item.description,
    config: item.config,
    source: item.place.source,
    labels: item.labels,
    tags: item.tags,
    properties:
      item.properties.length === 0 ? null : item.properties.map(({ value, ...rest }) => ({ ...rest, text: value })),
    parent_id: placement.parentId,
    path: placement.path,
    created_at: item.createdAt,
    deleted_at: item.deletedAt,
    hash: planned.hash,
  }
}

/** Columns that a run writes, with their types; `$1` are the rows as JSON, `$2` the scraper, `$3` the moment of the run. */
const COLUMNS = {
  icon: 'text',
  config_class: 'text',
  status: 'text',
  health: 'text',
  external_id: 'text[]',
  type: 'text',
  cost_per_minute: 'numeric',
  cost_total_1d: 'numeric',
  cost_total_7d: 'numeric',
  cost_total_30d: 'numeric',
  name: 'text',
  description: 'text',
  config: 'jsonb',
  source: 'text',
  labels: 'jsonb',
  tags: 'jsonb',
  properties: 'jsonb',
  parent_id: 'uuid',
  path: 'text',
  deleted_at: 'timestamptz',
} as const
const NAMES = Object.keys(COLUMNS)

export const UPSERT_ITEMS = `
with found as (
  select * from jsonb_to_recordset($1::jsonb) as item(
    id uuid, created_at timestamptz, hash text, ${Object.entries(COLUMNS)
      .map(([name, type]) => `${name} ${type}`)
      .join(', ')})
), written as (
  insert into config_items (id, scraper_id, created_at, last_scraped_time, delete_reason, ${NAMES.join(', ')})
  select id, $2, coalesce(created_at, $3), $3, case when deleted_at is not null then 'its source says so' end,
    ${NAMES.join(', ')} from found
  on conflict (id) do update set
    created_at = coalesce((select created_at from found where found.id = excluded.id), config_items.created_at),
    last_scraped_time = excluded.last_scraped_time, delete_reason = excluded.delete_reason,
    ${NAMES.map((name) => `${name} = excluded.${name}`).join(', ')}
)
insert into watchroom_internal.scraped_items (config_id, hash) select id, hash from found
on conflict (config_id) do update set hash = excluded.hash`
