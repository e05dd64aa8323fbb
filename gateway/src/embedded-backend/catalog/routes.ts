// `/config/run/{id}`: runs a scraper now, and says what became of it.
import { SCRAPER_ROUTES } from '@watchroom/shared/access'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import { registerRoutes, type RouteTable } from '../../platform/http/defineRoute.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../server/backendPolicy.ts'
import type { Principal } from '../server/principal.ts'
import type { Scrapers } from './createScrapers.ts'

const CountSchema = z.number().int().min(0)

const RunAnswerSchema = z.object({
  status: z.string(),
  errors: z.array(z.string()),
  scrape_summary: z.record(
    z.string(),
    z.object({
      added: CountSchema,
      updated: CountSchema,
      unchanged: CountSchema,
      deleted: CountSchema,
      changes: CountSchema,
    }),
  ),
})

export async function scraperRoutes(
  app: FastifyInstance,
  { scrapers }: { readonly scrapers: Scrapers },
): Promise<void> {
  const routes = {
    run: defineBackendRoute({
      rule: SCRAPER_ROUTES.run,
      params: z.object({ id: z.guid() }),
      response: RunAnswerSchema,
      handle: async ({ params }) => {
        const run = await scrapers.runNow(params.id.toLowerCase())
        if (run.kind === 'unknown') throw new Refusal(404, { error: `no scraper ${params.id} is run here` })
        if (run.kind === 'running') throw new Refusal(409, { error: 'this scraper is running already' })
        const { status, errors, scrapeSummary } = run.record
        return { status, errors: [...errors], scrape_summary: scrapeSummary }
      },
    }),
  } satisfies RouteTable<typeof SCRAPER_ROUTES, Principal>
  registerRoutes(app, routes, BACKEND_POLICY)
}
