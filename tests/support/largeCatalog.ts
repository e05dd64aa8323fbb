// A large catalog, written by the database itself in a few seconds: what real ones hold, in their proportions.
import type { Pool } from 'pg'

export interface LargeCatalog {
  readonly items: number
  /** Evenly over the last 30 days. */
  readonly changes: number
}

const TYPES = `array['Kubernetes::Pod', 'Kubernetes::Node', 'Kubernetes::Deployment', 'AWS::EC2::Instance', 'File::Yaml']`
const HEALTHS = `array['healthy', 'healthy', 'healthy', 'unhealthy', 'warning', null]`
const CHANGE_TYPES = `array['diff', 'diff', 'Pulled', 'Scheduled', 'Killing', 'ScalingReplicaSet', 'FailedMount', 'Deleted']`
const SEVERITIES = `array['info', 'info', 'info', 'low', 'medium', 'high', 'critical', null]`
const SOURCES = `array['kubernetes', 'aws', 'git']`

export const LARGE_CATALOG_RELATIVES = 2_000

const id = (kind: number, number: string): string =>
  `('018f0000-000${kind}-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`
const pick = (list: string, number: string): string => `(${list})[1 + ((${number}) % array_length(${list}, 1))]`

/**
 * Id of an item by its number, from 0. The first is the root of all; every tenth is the parent of the nine after it. The second uses
 * `LARGE_CATALOG_RELATIVES` others, all without children.
 */
export const largeCatalogItem = (number: number): string =>
  `018f0000-0001-7000-8000-${number.toString(16).padStart(12, '0')}`

/** Triggers stay silent: rows of a catalog that has long been there. */
export async function seedLargeCatalog(pool: Pool, { items, changes }: LargeCatalog): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(
      `
      insert into config_items (id, name, type, config_class, status, health, tags, labels, parent_id, path, config,
        cost_per_minute, cost_total_1d, cost_total_7d, cost_total_30d, created_at, updated_at, deleted_at)
      select ${id(1, 'n')}, 'item-' || n, ${pick(TYPES, 'n')}, split_part(${pick(TYPES, 'n')}, '::', 2), 'Running',
        ${pick(HEALTHS, 'n / 5')},
        jsonb_build_object('namespace', 'ns-' || n % 50, 'cluster', 'c-' || n % 5),
        jsonb_build_object('app', 'app-' || n % 200, 'team', 'team-' || n % 12),
        case when n > 0 then ${id(1, `case when n % 10 = 0 then 0 else n - n % 10 end`)} end,
        null, jsonb_build_object('kind', 'Item', 'number', n, 'text', repeat(md5(n::text), 20)),
        0.01, 14.4, 100, 432, now() - interval '90 days' + n * interval '1 second', now() - n * interval '20 seconds',
        case when n % 50 = 49 then now() - interval '1 day' end
      from generate_series(0, $1 - 1) as n`,
      [items],
    )
    await client.query(`
      insert into config_relationships (config_id, related_id, relation)
      select parent_id, id, 'hard' from config_items where parent_id is not null
      union all
      (select ${id(1, '1')}, ${id(1, 'n')}, 'uses' from generate_series(2, 10000) as n where n % 10 <> 0
       limit ${LARGE_CATALOG_RELATIVES})
      on conflict do nothing`)
    await client.query(
      `
      insert into config_changes (id, config_id, change_type, severity, source, summary, diff, created_at, first_observed,
        external_created_by)
      select ${id(2, 'n')}, ${id(1, `(n::bigint * 7919) % ${items}`)}, ${pick(CHANGE_TYPES, 'n')},
        ${pick(SEVERITIES, 'n / 8')}, ${pick(SOURCES, 'n / 3')}, 'image of container ' || n % 97 || ' changed',
        '-image: registry/shop:' || n || E'\\n+image: registry/shop:' || n + 1,
        now() - n * interval '30 days' / $1, now() - n * interval '30 days' / $1, 'person ' || n % 9
      from generate_series(0, $1 - 1) as n`,
      [changes],
    )
    await client.query(
      `
      insert into config_analysis (id, config_id, analyzer, analysis_type, severity, status, message, first_observed, last_observed)
      select ${id(3, 'n')}, ${id(1, `(n * 3) % ${items}`)}, 'analyzer-' || n % 7,
        ${pick(`array['security', 'cost', 'reliability']`, 'n')}, ${pick(SEVERITIES, 'n')},
        case when n % 4 = 0 then 'resolved' else 'open' end, 'found', now() - n * interval '1 minute', now()
      from generate_series(0, $1 - 1) as n`,
      [Math.floor(items / 5)],
    )
  } finally {
    await client.query('reset session_replication_role')
    client.release()
  }
  await pool.query('vacuum analyze config_items, config_changes, config_analysis, config_relationships')
}
