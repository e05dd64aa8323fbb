// Before the first file: a data directory with the migrated database, of which every test that needs a backend or a database
// takes a copy. Making one takes two seconds, copying it a tenth of one.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

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
import { PREPARED_VARIABLE } from '../preparedData.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const FOLDER = `${ROOT}.build/test-data`

/** Follows buildPrograms.ts: what that found out about the sources says whether an earlier run's directory still serves. */
export async function setup(): Promise<void> {
  const sources = readFileSync(`${ROOT}gateway/dist/.build-stamp`, 'utf8')
  const prepared = join(FOLDER, sources)
  if (!existsSync(prepared)) await prepare(prepared)
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

async function prepare(prepared: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'wr-prepare-'))
  const logger = pino({ level: 'silent' })
  const postgres = createPostgres(
    { dataDirectory: directory, settings: FAST_POSTGRES_SETTINGS },
    { clock: systemClock, logger },
  )
  try {
    const { databaseUrl } = await postgres.start()
    const pool = createPool(databaseUrl, logger)
    await migrate(pool, { logger, secretKey: prepareSecretKey(directory) })
    await forgetSelf(pool)
    await pool.end()
    await postgres.close()
    rmSync(FOLDER, { recursive: true, force: true })
    mkdirSync(FOLDER, { recursive: true })
    // Renamed into place: a run beside this one finds all of it or nothing.
    const copy = `${prepared}.${process.pid}`
    execFileSync('cp', ['-a', directory, copy])
    renameSync(copy, prepared)
  } finally {
    await postgres.close()
    rmSync(directory, { recursive: true, force: true })
  }
}
