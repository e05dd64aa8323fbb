// The catalog that a profile brings along: its scrapers, each with its files, its past, and the moving on of it.
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { SOURCES_FOLDER } from '../../catalog/families/index.ts'
import type { BackendContext } from '../../server/context.ts'
import { type ScraperSeed, seedScraper } from '../seedScrapers.ts'
import { moveEstate, writeEstate } from './estateFiles.ts'
import { DAY_MS } from './estateItems.ts'
import { makePast } from './estatePast.ts'
import { ESTATE, ESTATE_FOLDER } from './estateScraper.ts'
import { dateFarDepot, FAR_DEPOT, FAR_DEPOT_FOLDER, FAR_DEPOT_PAST, writeFarDepot } from './farDepot.ts'
import { LARGE_ESTATE, LARGE_FOLDER, toLargePast, writeLargeEstate } from './largeEstate.ts'
import { linkChecks } from './linkChecks.ts'
import { PAST_DAYS, type PastTimes, runPast } from './runPast.ts'

interface Context extends Pick<BackendContext, 'pool' | 'vault' | 'clock' | 'logger'> {
  readonly options: Pick<BackendContext['options'], 'profile' | 'dataDirectory'>
}

/** The product is starting, and has better things to do. */
const QUIET_MS = 10_000
const HOUR_MS = 3_600_000

interface Estate {
  readonly scraper: ScraperSeed
  /** Below `sources`. */
  readonly folder: string
  /** Of its past, in durations of a run. */
  readonly rest: number
  /** How long before the start its past ends. */
  readonly endedMs: number
  /** @returns whether it was made, and the files may follow */
  readonly makePast: (context: Context, times: PastTimes) => Promise<boolean>
  readonly writeFiles: (sources: string, since: number, at: number) => Promise<void>
  readonly move?: (sources: string, since: number, context: Context) => { close(): void }
}

/** What comes later may refer to what comes before it. */
const ESTATES: Readonly<Record<Context['options']['profile'], readonly Estate[]>> = {
  empty: [],
  demo: [
    {
      scraper: ESTATE,
      folder: ESTATE_FOLDER,
      rest: 0,
      endedMs: 0,
      makePast: async (context, times) => {
        const isMade = await makePast(context, times)
        if (isMade) await linkChecks(context.pool)
        return isMade
      },
      writeFiles: writeEstate,
      move: moveEstate,
    },
    {
      scraper: FAR_DEPOT,
      folder: FAR_DEPOT_FOLDER,
      rest: 0,
      endedMs: 3 * HOUR_MS,
      makePast: async (context, times) => {
        const isMade = await runPast(context, FAR_DEPOT_PAST, times)
        if (isMade) await dateFarDepot(context.pool)
        return isMade
      },
      writeFiles: (sources, _since, at) => writeFarDepot(sources, at),
    },
  ],
  large: [
    {
      scraper: LARGE_ESTATE,
      folder: LARGE_FOLDER,
      // Half of the time is for what else the product does.
      rest: 1,
      endedMs: 0,
      makePast: (context, times) => runPast(context, toLargePast(), times),
      writeFiles: (sources, _since, at) => writeLargeEstate(sources, at),
    },
  ],
}

/** The past is made in the background: nobody waits for it. */
export async function startEstate(context: Context): Promise<{ close(): Promise<void> }> {
  const stop = new AbortController()
  const started: Started[] = []
  for (const estate of ESTATES[context.options.profile]) {
    started.push(await startOne(context, estate, { after: started.at(-1)?.making, signal: stop.signal }))
  }
  return {
    close: async () => {
      for (const { moving } of started) moving?.close()
      stop.abort(new Error('the backend stops'))
      await Promise.all(started.map(({ making }) => making))
    },
  }
}

interface Started {
  /** Its past and its files; never rejects. */
  readonly making: Promise<void>
  readonly moving: { close(): void } | undefined
}

async function startOne(
  context: Context,
  estate: Estate,
  { after, signal }: { readonly after: Promise<void> | undefined; readonly signal: AbortSignal },
): Promise<Started> {
  const { pool, clock, logger, options } = context
  const { scraper, rest, endedMs } = estate
  const sources = join(options.dataDirectory, SOURCES_FOLDER)
  const folder = join(sources, estate.folder)
  const now = clock.now()
  // There before its scraper watches it.
  await mkdir(folder, { recursive: true })
  await seedScraper(pool, scraper)
  const since = await readBeginning(pool, scraper.id, now)
  let making: Promise<void> = Promise.resolve()
  // The files come last: a start that was cut short is gone on with.
  if ((await readdir(folder)).length === 0) {
    making = (async () => {
      const until = now - endedMs
      const times = { since, until, signal, quietMs: QUIET_MS, rest, ...(after && { after }) }
      if (!(await estate.makePast(context, times))) return
      await estate.writeFiles(sources, since, until)
      logger.info({ scraper: scraper.name, durationMs: Math.round(clock.now() - now) }, 'an estate is prepared')
    })().catch((error: unknown) => {
      if (!signal.aborted) logger.warn({ err: error, scraper: scraper.name }, 'an estate is incomplete')
    })
  }
  return { making, moving: estate.move?.(sources, since, context) }
}

/** A month before the scraper was made, whenever this is asked: what was deployed must not change with the day of a restart. */
async function readBeginning(pool: Context['pool'], scraperId: string, now: number): Promise<number> {
  const { rows } = await pool.query<{ at: Date }>('select created_at as at from config_scrapers where id = $1', [
    scraperId,
  ])
  return (rows[0]?.at.getTime() ?? now) - PAST_DAYS * DAY_MS
}
