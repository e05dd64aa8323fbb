// Brings a database to the schema of this program: files forward only, then roles and grants. Knows nothing of who runs it.

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'

import { CodedError } from '../../platform/errors.ts'
import { SCHEMA_ERRORS } from './errors.ts'
import { applyGrants } from './grants.ts'

/** Any constant will do; it only has to be the same in every process that migrates the same database. */
const MIGRATION_LOCK = 7_461_302

export interface MigrateOptions {
  logger: Logger
  /** Folder of `NNNN_name.sql` files; the one beside this module, or beside the bundle, when absent. */
  migrationsDirectory?: string
  /** When given, the login role of PostgREST gets this password. */
  authenticatorPassword?: string
}

interface Migration {
  name: string
  checksum: string
  sql: string
}

/**
 * Applies what is missing, each file in its own transaction, then roles and grants. Safe to run from several processes.
 *
 * @returns names of the migrations applied now
 * @throws CodedError when the database knows migrations this program does not, or a migration was altered afterwards
 */
export async function migrate(pool: Pool, options: MigrateOptions): Promise<string[]> {
  const migrations = await readMigrations(options.migrationsDirectory ?? defaultDirectory())
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    const applied = await applyMissing(client, migrations, options.logger)
    await inTransaction(client, () => applyGrants(client, options.authenticatorPassword))
    // PostgREST keeps the schema in memory; nobody listening is fine.
    await client.query(`notify pgrst, 'reload schema'`)
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
    return applied
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // A failed client may still hold the lock: closing its session frees it.
    client.release(failure)
  }
}

async function applyMissing(client: PoolClient, migrations: Migration[], logger: Logger): Promise<string[]> {
  await client.query(`
    -- The gateway makes this schema as well, perhaps at this very moment.
    do $$ begin create schema if not exists watchroom; exception when unique_violation then null; end $$;
    create table if not exists watchroom.migration (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`)
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from watchroom.migration order by name',
  )
  const recorded = new Map(rows.map((row) => [row.name, row.checksum]))
  assertKnown(recorded, migrations)

  const applied: string[] = []
  for (const migration of migrations.filter(({ name }) => !recorded.has(name))) {
    await inTransaction(client, async () => {
      await client.query(migration.sql)
      await client.query('insert into watchroom.migration (name, checksum) values ($1, $2)', [
        migration.name,
        migration.checksum,
      ])
    })
    applied.push(migration.name)
  }
  if (applied.length > 0) logger.info({ applied }, 'schema migrated')
  return applied
}

function assertKnown(recorded: ReadonlyMap<string, string>, migrations: readonly Migration[]): void {
  const known = new Map(migrations.map(({ name, checksum }) => [name, checksum]))
  const unknown = [...recorded.keys()].filter((name) => !known.has(name))
  if (unknown.length > 0)
    throw new CodedError(SCHEMA_ERRORS.SCHEMA_NEWER_THAN_PROGRAM, { values: { migrations: unknown.join(', ') } })
  const altered = [...recorded].filter(([name, checksum]) => known.get(name) !== checksum).map(([name]) => name)
  if (altered.length > 0)
    throw new CodedError(SCHEMA_ERRORS.SCHEMA_CHECKSUM_MISMATCH, { values: { migrations: altered.join(', ') } })
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      // A checkout with Windows line ends is the same migration.
      const sql = (await readFile(`${directory}/${name}`, 'utf8')).replaceAll('\r\n', '\n')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** The sources and the bundle both keep the folder beside the running file. */
function defaultDirectory(): string {
  return fileURLToPath(new URL('./migrations/', import.meta.url))
}

async function inTransaction(client: PoolClient, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
