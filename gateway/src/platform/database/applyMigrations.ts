// Applies migrations once and in order, and notices when database and program do not fit together. Knows neither what the migrations
// do nor where they come from.

import { createHash } from 'node:crypto'

import type { ClientBase } from 'pg'

import { inClientTransaction } from './inTransaction.ts'

export interface Migration {
  readonly name: string
  readonly sql: string
}

export interface MigrationBook {
  /** Where applied migrations are written down, in the schema `watchroom`. Part of the program, never input. */
  readonly table: 'migration' | 'gateway_migration'
  /** Any constant will do; it only has to be the same in every process that migrates the same tables. */
  readonly lock: number
  /** The database knows migrations that this program does not. */
  readonly toNewerError: (names: string) => Error
  /** Migrations were applied with other contents than this program has. */
  readonly toAlteredError: (names: string) => Error
}

/**
 * Applies what is missing, each migration in a transaction of its own. Safe to run from several processes; the lock is the
 * session's, so that whoever calls must close the session when this rejects.
 *
 * @returns names of the migrations applied now
 * @throws what the book says, before anything is applied
 */
export async function applyMigrations(
  client: ClientBase,
  migrations: readonly Migration[],
  book: MigrationBook,
): Promise<string[]> {
  await client.query('select pg_advisory_lock($1)', [book.lock])
  await client.query(`
    -- Gateway and backend both make this schema, perhaps at this very moment.
    do $$ begin create schema if not exists watchroom; exception when unique_violation then null; end $$;
    create table if not exists watchroom.${book.table} (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`)
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `select name, checksum from watchroom.${book.table} order by name`,
  )
  const known = new Map(migrations.map(({ name, sql }) => [name, toChecksum(sql)]))
  const newer = rows.filter(({ name }) => !known.has(name))
  if (newer.length > 0) throw book.toNewerError(toNames(newer))
  const altered = rows.filter(({ name, checksum }) => known.get(name) !== checksum)
  if (altered.length > 0) throw book.toAlteredError(toNames(altered))

  const recorded = new Set(rows.map(({ name }) => name))
  const missing = migrations.filter(({ name }) => !recorded.has(name))
  for (const { name, sql } of missing) {
    await inClientTransaction(client, async () => {
      await client.query(sql)
      await client.query(`insert into watchroom.${book.table} (name, checksum) values ($1, $2)`, [
        name,
        known.get(name),
      ])
    })
  }
  await client.query('select pg_advisory_unlock($1)', [book.lock])
  return missing.map(({ name }) => name)
}

const toNames = (rows: readonly { name: string }[]): string => rows.map(({ name }) => name).join(', ')

function toChecksum(sql: string): string {
  return createHash('sha256').update(sql).digest('hex')
}
