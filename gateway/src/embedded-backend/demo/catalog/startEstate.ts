// The catalog that a profile brings along: its files, its scraper, its past, and the moving on of it.
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { SOURCES_FOLDER } from '../../catalog/families/index.ts'
import type { BackendContext } from '../../server/context.ts'
import { type ScraperSeed, seedScraper } from '../seedScrapers.ts'
import { moveEstate, writeEstate } from './estateFiles.ts'
import { DAY_MS } from './estateItems.ts'
import { makePast } from './estatePast.ts'
import { ESTATE, ESTATE_FOLDER } from './estateScraper.ts'
import { LARGE_ESTATE, LARGE_FOLDER, toLargePast, writeLargeEstate } from './largeEstate.ts'
import { linkChecks } from './linkChecks.ts'
import { PAST_DAYS, type PastTimes, runPast } from './runPast.ts'

type Context = Pick<BackendContext, 'pool' | 'vault' | 'clock' | 'logger' | 'options'>

/** The product is starting, and has better things to do. */
const QUIET_MS = 10_000

interface Estate {
  readonly scraper: ScraperSeed
  /** Below `sources`. */
  readonly folder: string
  /** Of its past, in durations of a run. */
  readonly rest: number
  /** @returns whether it was made, and the files may follow */
  readonly makePast: (context: Context, times: PastTimes) => Promise<boolean>
  readonly writeFiles: (sources: string, since: number, at: number) => Promise<void>
  readonly move?: (sources: string, since: number, context: Context) => { close(): void }
}

const ESTATES: Readonly<Record<Context['options']['profile'], Estate | null>> = {
  empty: null,
  demo: {
    scraper: ESTATE,
    folder: ESTATE_FOLDER,
    rest: 0,
    makePast: async (context, times) => {
      const isMade = await makePast(context, times)
      if (isMade) await linkChecks(context.pool)
      return isMade
    },
    writeFiles: writeEstate,
    move: moveEstate,
  },
  large: {
    scraper: LARGE_ESTATE,
    folder: LARGE_FOLDER,
    // Half of the time is for what else the product does.
    rest: 1,
    makePast: (context, times) => runPast(context, toLargePast(), times),
    writeFiles: (sources, _since, at) => writeLargeEstate(sources, at),
  },
}

/** The past is made in the background: nobody waits for it. */
export async function startEstate(context: Context): Promise<{ close(): Promise<void> }> {
  const { pool, clock, logger, options } = context
  const { profile } = options
  const estate = ESTATES[profile]
  if (estate === null) return { close: () => Promise.resolve() }
  const sources = join(options.dataDirectory, SOURCES_FOLDER)
  const folder = join(sources, estate.folder)
  const now = clock.now()
  // There before its scraper watches it.
  await mkdir(folder, { recursive: true })
  await seedScraper(pool, estate.scraper)
  const since = await readBeginning(pool, estate.scraper.id, now)
  const stop = new AbortController()
  let making: Promise<void> = Promise.resolve()
  // The files come last: a start that was cut short is gone on with.
  if ((await readdir(folder)).length === 0) {
    making = (async () => {
      const times = { since, until: now, signal: stop.signal, quietMs: QUIET_MS, rest: estate.rest }
      if (!(await estate.makePast(context, times))) return
      await estate.writeFiles(sources, since, now)
      logger.info({ profile, durationMs: Math.round(clock.now() - now) }, 'catalog of the estate is prepared')
    })().catch((error: unknown) => {
      if (!stop.signal.aborted) logger.warn({ err: error, profile }, 'catalog of the estate is incomplete')
    })
  }
  const moving = estate.move?.(sources, since, context)
  return {
    close: async () => {
      moving?.close()
      stop.abort(new Error('the backend stops'))
      await making
    },
  }
}

/** A month before the scraper was made, whenever this is asked: what was deployed must not change with the day of a restart. */
async function readBeginning(pool: Context['pool'], scraperId: string, now: number): Promise<number> {
  const { rows } = await pool.query<{ at: Date }>('select created_at as at from config_scrapers where id = $1', [
    scraperId,
  ])
  return (rows[0]?.at.getTime() ?? now) - PAST_DAYS * DAY_MS
}
