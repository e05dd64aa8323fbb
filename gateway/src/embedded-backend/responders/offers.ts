// What ticket systems offer for the form of a responder, as items of the catalog: class Responder, known by the team's id.
import { createHash } from 'node:crypto'

import type { Pool } from 'pg'

import { SYSTEMS } from './systems/index.ts'

export interface TeamClient {
  readonly teamId: string
  readonly teamName: string
  readonly type: string
}

const CLASS = 'Responder'

/** Of all teams; items of clients that are gone go with them. */
export async function listClients(pool: Pick<Pool, 'query'>): Promise<TeamClient[]> {
  const { rows } = await pool.query<TeamClient>(
    `select teams.id as "teamId", teams.name as "teamName", type from teams,
       jsonb_object_keys(case jsonb_typeof(spec -> 'responder_clients')
         when 'object' then spec -> 'responder_clients' else '{}' end) as type
     where deleted_at is null and type = any($1) order by teams.name, type`,
    [[...SYSTEMS.keys()]],
  )
  await pool.query(
    `update config_items set deleted_at = now()
     where config_class = '${CLASS}' and scraper_id is null and deleted_at is null and id <> all($1::uuid[])`,
    [rows.map(toItemId)],
  )
  return rows
}

export async function keepOffers(pool: Pick<Pool, 'query'>, client: TeamClient, config: unknown): Promise<void> {
  const title = SYSTEMS.get(client.type)?.title ?? client.type
  await pool.query(
    `insert into config_items as item (id, config_class, type, external_id, name, config, last_scraped_time)
     values ($1, '${CLASS}', $2, array[$3], $4, $5, now())
     on conflict (id) do update set name = excluded.name, config = excluded.config, deleted_at = null,
       last_scraped_time = excluded.last_scraped_time`,
    [toItemId(client), client.type, client.teamId, `${client.teamName}: ${title}`, JSON.stringify(config)],
  )
}

/** The same each hour. */
function toItemId({ teamId, type }: Pick<TeamClient, 'teamId' | 'type'>): string {
  const hex = createHash('sha256').update(`${type} of ${teamId}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
