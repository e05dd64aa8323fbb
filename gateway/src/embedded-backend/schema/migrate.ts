// Brings a database to the schema of this program: files forward only, then roles and grants. Knows nothing of who runs it.

import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'

import { ADVISORY_LOCKS } from '../../platform/database/advisoryLocks.ts'
import { applyMigrations, type Migration, type MigrationBook } from '../../platform/database/applyMigrations.ts'
import { inClientTransaction } from '../../platform/database/inTransaction.ts'
import { CodedError } from '../../platform/errors.ts'
import { installSecrets } from '../secrets/installSecrets.ts'
import type { SecretKey } from '../secrets/secretKey.ts'
import { SCHEMA_ERRORS } from './errors.ts'
import { applyGrants } from './grants.ts'

const BOOK: MigrationBook = {
  table: 'migration',
  lock: ADVISORY_LOCKS.backendMigrations,
  toNewerError: (migrations) => new CodedError(SCHEMA_ERRORS.SCHEMA_NEWER_THAN_PROGRAM, { values: { migrations } }),
  toAlteredError: (migrations) => new CodedError(SCHEMA_ERRORS.SCHEMA_CHECKSUM_MISMATCH, { values: { migrations } }),
}

export interface MigrateOptions {
  logger: Logger
  /** Folder of `NNNN_name.sql` files; the one beside this module, or beside the bundle, when absent. */
  migrationsDirectory?: string
  /** When given, the login role of PostgREST gets this password. */
  authenticatorPassword?: string
  /** What credentials are sealed to; without it none can be written. */
  secretKey?: SecretKey
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
    const applied = await applyMigrations(client, migrations, BOOK)
    if (applied.length > 0) options.logger.info({ applied }, 'schema migrated')
    // Two processes that start together grant one after the other: both write the same rows of the catalogue.
    await client.query('select pg_advisory_lock($1)', [BOOK.lock])
    await inClientTransaction(client, () => applyGrants(client, options.authenticatorPassword))
    await hideSecrets(client, options)
    // PostgREST keeps the schema in memory; nobody listening is fine.
    await client.query(`notify pgrst, 'reload schema'`)
    await client.query('select pg_advisory_unlock($1)', [BOOK.lock])
    return applied
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // A failed client may still hold the lock: closing its session frees it.
    client.release(failure)
  }
}

/** What stood in the open also leaves the pages of its table. */
async function hideSecrets(client: PoolClient, { secretKey, logger }: MigrateOptions): Promise<void> {
  let changed: string[] = []
  await inClientTransaction(client, async () => {
    changed = await installSecrets(client, secretKey ?? null, logger)
  })
  for (const name of changed) await client.query(`vacuum full ${name}`)
  if (changed.length > 0) logger.warn({ tables: changed }, 'credentials that stood in the open were hidden')
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      // A checkout with Windows line ends is the same migration.
      const sql = (await readFile(`${directory}/${name}`, 'utf8')).replaceAll('\r\n', '\n')
      return { name, sql }
    }),
  )
}

/** The sources and the bundle both keep the folder beside the running file. */
function defaultDirectory(): string {
  return fileURLToPath(new URL('./migrations/', import.meta.url))
}
