// A backend with one scraper of files, for tests of what runs do to the catalog.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { Pool } from 'pg'

import { startEmbeddedBackend, type TestBackend, type TestBackendOptions } from './embeddedBackend.ts'

export interface RunAnswer {
  readonly status: string
  readonly errors: readonly string[]
  readonly scrape_summary: Readonly<
    Record<string, Readonly<Record<'added' | 'updated' | 'unchanged' | 'deleted' | 'changes', number>>>
  >
}

export interface ScrapedRow {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly external_id: readonly string[]
  readonly parent_id: string | null
  readonly path: string
  readonly deleted_at: Date | null
  readonly delete_reason: string | null
  readonly last_scraped_time: Date
  readonly updated_at: Date
  readonly config: unknown
  readonly [column: string]: unknown
}

export interface ScraperWorld {
  readonly backend: TestBackend
  readonly database: Pool
  /** Below `sources` of the data directory. */
  write(path: string, text: string | Buffer): void
  remove(path: string): void
  /** Stored past the routes, with a schedule that does not come. @returns its id */
  addScraper(name: string, spec: object): Promise<string>
  run(id: string): Promise<RunAnswer>
  /** By their ids at the source. */
  items(scraperId: string): Promise<Readonly<Record<string, ScrapedRow>>>
  stop(): Promise<void>
}

/** Once a year: runs are asked for. */
const NEVER = '0 0 29 2 *'

export async function startScraperWorld(options: TestBackendOptions = {}): Promise<ScraperWorld> {
  const backend = await startEmbeddedBackend(options)
  const database = new Pool({ connectionString: backend.databaseUrl })
  // Of a client whose server is killed; its next question makes another.
  database.on('error', () => undefined)
  const sources = join(backend.dataDirectory, 'sources')
  return {
    backend,
    database,
    write: (path, text) => {
      mkdirSync(dirname(join(sources, path)), { recursive: true })
      writeFileSync(join(sources, path), text)
    },
    remove: (path) => rmSync(join(sources, path), { recursive: true }),
    addScraper: async (name, spec) => {
      const { rows } = await database.query<{ id: string }>(
        `with scraper as (
           insert into config_scrapers (name, spec, source) values ($1, $2, 'UI') returning id
         ), ran as (
           insert into job_history (name, resource_type, resource_id, status, time_start)
           select 'Scrape', 'config_scraper', id::text, 'SUCCESS', now() from scraper
         ) select id from scraper`,
        [name, JSON.stringify({ schedule: NEVER, ...spec })],
      )
      return rows[0]?.id ?? ''
    },
    run: async (id) => {
      const answer = await backend.callAsService(`/config/run/${id}`, { method: 'POST' })
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
      return answer.json() as RunAnswer
    },
    items: async (scraperId) => {
      const { rows } = await database.query<ScrapedRow>('select * from config_items where scraper_id = $1', [scraperId])
      return Object.fromEntries(rows.map((row) => [row.external_id[0] ?? '', row]))
    },
    stop: async () => {
      await database.end()
      await backend.stop()
    },
  }
}
