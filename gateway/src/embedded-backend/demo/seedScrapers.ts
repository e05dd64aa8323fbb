// Scrapers that the product brings along. Each has an id of its own: what someone edited stays as it is, and what someone deleted
// stays deleted.
import type { ScraperSpec } from '@watchroom/shared/specs'
import type { Pool } from 'pg'

/** Written as people write it, before defaults are filled in. */
export interface ScraperSeed {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly spec: { readonly [Key in keyof ScraperSpec]?: unknown }
}

export const SELF_SCRAPER_ID = '01980000-0000-7000-8000-000000000001'

/** Measures the product, whatever else there is. */
const SELF: ScraperSeed = {
  id: SELF_SCRAPER_ID,
  name: 'Watchroom itself',
  description: 'The host, processes, packages, feature flags, agents and database of this installation',
  spec: { schedule: '@every 5m', self: [{}], retention: { changes: [{ name: 'diff', age: '30d' }] } },
}

export const seedSelfScraper = (pool: Pick<Pool, 'query'>): Promise<boolean> => seedScraper(pool, SELF)

/** @returns whether it is new */
export async function seedScraper(
  pool: Pick<Pool, 'query'>,
  { id, name, description, spec }: ScraperSeed,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `insert into config_scrapers (id, name, description, spec, source) values ($1, $2, $3, $4, 'UI')
     on conflict (id) do nothing`,
    [id, name, description, JSON.stringify(spec)],
  )
  return rowCount === 1
}
