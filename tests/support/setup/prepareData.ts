// Before the first file: a data directory with the migrated database, of which every test that needs a backend or a database
// takes a copy. Making one takes two seconds, copying it a tenth of one.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Pool } from 'pg'
import { pino } from 'pino'

import { SELF_SCRAPER_ID, seedSelfScraper } from '../../../gateway/src/embedded-backend/demo/seedScrapers.ts'
import { seedTopology } from '../../../gateway/src/embedded-backend/demo/seedTopologies.ts'
import { selfTopology } from '../../../gateway/src/embedded-backend/demo/selfTopology.ts'
import { createPool } from '../../../gateway/src/embedded-backend/postgres/createPool.ts'
import { createPostgres } from '../../../gateway/src/embedded-backend/postgres/createPostgres.ts'
import { migrate } from '../../../gateway/src/embedded-backend/schema/migrate.ts'
import { prepareSecretKey } from '../../../gateway/src/embedded-backend/secrets/secretKey.ts'
import { systemClock } from '../../../gateway/src/platform/clock.ts'
import { FAST_POSTGRES_SETTINGS } from '../embeddedBackend.ts'
import { newestData, plainDataOf, PREPARED_FOLDER, PREPARED_VARIABLE, serverDataOf } from '../preparedData.ts'

const logger = pino({ level: 'silent' })

/** Follows buildPrograms.ts: what that found out about the sources says whether an earlier run's directory still serves. */
export async function setup(): Promise<void> {
  const prepared = newestData()
  const parts = [prepared, serverDataOf(prepared), plainDataOf(prepared)]
  if (!parts.every((path) => existsSync(path))) await prepare(prepared)
  process.env[PREPARED_VARIABLE] = prepared
}

/** What someone deleted stays so: tests that do not ask for them are spared items and components of the product itself. */
async function forgetSelf(pool: Pool): Promise<void> {
  await seedSelfScraper(pool)
  await pool.query('update config_scrapers set deleted_at = now() where id = $1', [SELF_SCRAPER_ID])
  const topology = selfTopology({ can: { ping: false, resolve: false } })
  await seedTopology(pool, topology)
  await pool.query('update topologies set deleted_at = now() where id = $1', [topology.id])
}

/** Half of the files, which only who makes databases needs. */
async function dropTemplates(pool: Pool): Promise<void> {
  await pool.query(`update pg_database set datistemplate = false where datname like 'template%'`)
  for (const name of ['template0', 'template1']) await pool.query(`drop database ${name}`)
}

/** Does something to the database of a data directory. */
async function change(directory: string, work: (pool: Pool) => Promise<unknown>): Promise<void> {
  const postgres = createPostgres(
    { dataDirectory: directory, settings: FAST_POSTGRES_SETTINGS },
    { clock: systemClock, logger },
  )
  try {
    const { databaseUrl } = await postgres.start()
    const pool = createPool(databaseUrl, logger)
    await work(pool)
    await pool.end()
  } finally {
    await postgres.close()
  }
}

/** Renamed into place: a run beside this one finds all of it or nothing. */
function keepCopy(directory: string, path: string): void {
  const copy = `${path}.${process.pid}`
  execFileSync('cp', ['-a', directory, copy])
  renameSync(copy, path)
}

async function prepare(prepared: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'wr-prepare-'))
  try {
    await change(directory, (pool) => migrate(pool, { logger, secretKey: prepareSecretKey(directory) }))
    rmSync(PREPARED_FOLDER, { recursive: true, force: true })
    mkdirSync(PREPARED_FOLDER, { recursive: true })
    keepCopy(directory, plainDataOf(prepared))
    await change(directory, forgetSelf)
    keepCopy(directory, serverDataOf(prepared))
    await change(directory, dropTemplates)
    keepCopy(directory, prepared)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
