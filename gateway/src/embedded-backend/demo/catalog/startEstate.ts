// Harbour Parcel in the catalog: its files, its scraper, its past, and the moving on of it.
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { SOURCES_FOLDER } from '../../catalog/families/index.ts'
import type { BackendContext } from '../../server/context.ts'
import { seedScraper } from '../seedScrapers.ts'
import { writeEstate, moveEstate } from './estateFiles.ts'
import { DAY_MS } from './estateItems.ts'
import { makePast, PAST_DAYS } from './estatePast.ts'
import { ESTATE, ESTATE_FOLDER } from './estateScraper.ts'
import { linkChecks } from './linkChecks.ts'

type Context = Pick<BackendContext, 'pool' | 'vault' | 'clock' | 'logger' | 'options'>

/** The product is starting, and has better things to do. */
const QUIET_MS = 10_000

/** The past is made in the background: nobody waits for it. */
export async function startEstate(context: Context): Promise<{ close(): Promise<void> }> {
  const { pool, clock, logger, options } = context
  if (options.profile !== 'demo') return { close: () => Promise.resolve() }
  const sources = join(options.dataDirectory, SOURCES_FOLDER)
  const folder = join(sources, ESTATE_FOLDER)
  const now = clock.now()
  // There before its scraper watches it.
  await mkdir(folder, { recursive: true })
  await seedScraper(pool, ESTATE)
  const since = await readBeginning(pool, now)
  const stop = new AbortController()
  let making: Promise<void> = Promise.resolve()
  // The files come last: a start that was cut short is begun again.
  if ((await readdir(folder)).length === 0) {
    making = (async () => {
      if (!(await makePast(context, since, now, stop.signal, QUIET_MS))) return
      await linkChecks(pool)
      await writeEstate(sources, since, now)
      logger.info({ durationMs: Math.round(clock.now() - now) }, 'catalog of the demo estate is prepared')
    })().catch((error: unknown) => {
      if (!stop.signal.aborted) logger.warn({ err: error }, 'catalog of the demo estate is incomplete')
    })
  }
  const moving = moveEstate(sources, since, context)
  return {
    close: async () => {
      moving.close()
      stop.abort(new Error('the backend stops'))
      await making
    },
  }
}

/** A month before the scraper was made, whenever this is asked: what was deployed must not change with the day of a restart. */
async function readBeginning(pool: Context['pool'], now: number): Promise<number> {
  const { rows } = await pool.query<{ at: Date }>('select created_at as at from config_scrapers where id = $1', [
    ESTATE.id,
  ])
  return (rows[0]?.at.getTime() ?? now) - PAST_DAYS * DAY_MS
}
