// A scraper of 5,000 files: the run that finds them all new, and runs that find nothing new.
import { startScraperWorld } from '../support/scraperWorld.ts'
import { type BenchTable, percentile } from './table.ts'

const FILES = 5_000
const FOLDERS = 50
const REPEATS = 5
/** In milliseconds, of issue 15. */
const LIMITS = { first: 20_000, unchanged: 3_000 }

/** A deployment as people write it, of some 30 lines. */
const documentOf = (at: number): object => ({
  id: `service-${at}`,
  name: `service-${at}`,
  type: 'Bench::Deployment',
  ...(at < FOLDERS ? {} : { partOf: `service-${at % FOLDERS}` }),
  team: `team-${at % 20}`,
  spec: {
    replicas: (at % 3) + 1,
    image: `registry.example/service-${at}:1.${at % 40}`,
    resources: { cpu: '500m', memory: '256Mi' },
    env: Object.fromEntries(Array.from({ length: 20 }, (_, key) => [`SETTING_${key}`, `value ${key} of ${at}`])),
  },
})

export async function run(): Promise<BenchTable> {
  const world = await startScraperWorld()
  try {
    for (let at = 0; at < FILES; at++) {
      world.write(`bench/folder-${at % FOLDERS}/service-${at}.json`, JSON.stringify(documentOf(at)))
    }
    const scraper = await world.addScraper('bench', {
      file: [
        {
          format: 'json',
          icon: 'file',
          paths: ['bench'],
          id: '$.id',
          name: '$.name',
          type: '$.type',
          parent: '$.partOf',
          labels: { team: '$.team' },
        },
      ],
    })
    const timeRun = async (): Promise<{ ms: number; added: number; written: number }> => {
      const startedAt = performance.now()
      const { status, errors, scrape_summary: summary } = await world.run(scraper)
      const ms = performance.now() - startedAt
      if (status !== 'SUCCESS') throw new Error(`${status}: ${errors.join()}`)
      const kinds = Object.values(summary)
      const sum = (what: 'added' | 'updated' | 'deleted' | 'changes'): number =>
        kinds.reduce((total, kind) => total + kind[what], 0)
      return { ms, added: sum('added'), written: sum('added') + sum('updated') + sum('deleted') + sum('changes') }
    }
    const first = await timeRun()
    if (first.added !== FILES) throw new Error(`${first.added} items of ${FILES} files`)
    const unchanged: number[] = []
    for (let round = 0; round < REPEATS; round++) {
      const { ms, written } = await timeRun()
      if (written > 0) throw new Error(`a run that found nothing new wrote ${written}`)
      unchanged.push(ms)
    }
    const { rows } = await world.database.query('select 1 from config_changes limit 1')
    if (rows.length > 0) throw new Error('there are changes')
    return {
      title: `Scrape of ${FILES} files`,
      columns: ['run', 'median ms', 'worst ms', 'limit ms'],
      rows: [
        ['first', first.ms.toFixed(0), first.ms.toFixed(0), LIMITS.first],
        ['nothing new', percentile(unchanged, 0.5).toFixed(0), Math.max(...unchanged).toFixed(0), LIMITS.unchanged],
      ],
      notes: [`The second is of ${REPEATS} runs; none of them wrote an item or a change.`],
    }
  } finally {
    await world.stop()
  }
}
