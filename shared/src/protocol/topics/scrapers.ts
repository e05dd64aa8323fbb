import { z } from 'zod'

import { type Scraper, ScraperSchema } from '../../catalog/index.ts'
import type { Topic } from '../topic.ts'

/** Scrapers that are not deleted, each with its last job. */
export const scrapersTopic: Topic<Record<string, never>, Scraper> = {
  name: 'scrapers',
  params: z.record(z.string(), z.never()),
  row: ScraperSchema,
  key: 'id',
  resource: () => 'config_scrapers',
  source: () => 'config_scrapers_with_status',
}
