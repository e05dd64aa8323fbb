// Tells the database what is a credential and which key it is sealed to, and hides what stands in the open.
import type { PoolClient } from 'pg'
import type { Logger } from 'pino'

import type { SecretKey } from './secretKey.ts'
import { SECRET_RULES } from './secretRules.ts'

/**
 * Run it inside a transaction. Rows are looked at again only when the rules differ from those they were written under.
 *
 * @returns tables in which credentials stood in the open until now, as SQL names
 */
export async function installSecrets(client: PoolClient, key: SecretKey | null, logger: Logger): Promise<string[]> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('watchroom_internal.secret_rules') is not null as exists`,
  )
  // Tests of the migrations themselves bring others.
  if (rows[0]?.exists !== true) return []
  if (key) await installKey(client, key, logger)
  const rules = JSON.stringify(SECRET_RULES)
  const { rowCount } = await client.query(
    `insert into watchroom_internal.secret_rules (rules) values ($1)
     on conflict (is_only) do update set rules = excluded.rules where secret_rules.rules <> excluded.rules`,
    [rules],
  )
  if (rowCount === 0) return []
  return hideAll(client)
}

async function installKey(client: PoolClient, key: SecretKey, logger: Logger): Promise<void> {
  await client.query('update watchroom_internal.secret_keys set is_current = false where is_current and id <> $1', [
    key.id,
  ])
  await client.query(
    `insert into watchroom_internal.secret_keys (id, public_key, is_current) values ($1, $2, true)
     on conflict (id) do update set is_current = true`,
    [key.id, key.publicKey],
  )
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::integer as count from watchroom_internal.secrets where key_id <> $1',
    [key.id],
  )
  const unreadable = rows[0]?.count ?? 0
  if (unreadable > 0)
    logger.error(
      { unreadable },
      'credentials were stored with another key and cannot be read: put its file back, or enter them again',
    )
}

async function hideAll(client: PoolClient): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select tgrelid::regclass::text as name from pg_trigger where tgname = 'a_hide_secrets' order by 1`,
  )
  const changed: string[] = []
  for (const { name } of tables) {
    // The trigger does it; a row that has none stays as it is.
    const { rowCount } = await client.query(
      `with hidden as (
         update ${name} as stored set id = stored.id
         from ${name} as former
         where former.id = stored.id
           and to_jsonb(former)::text ~* (watchroom_internal.rules_of($1) ->> 'hint')
         returning to_jsonb(former) as before, to_jsonb(stored) as after)
       select from hidden where (before - 'updated_at') <> (after - 'updated_at')`,
      [name.replace(/^public\./, '')],
    )
    if ((rowCount ?? 0) > 0) changed.push(name)
  }
  await client.query(`delete from watchroom_internal.secrets where is_pending`)
  return changed
}
