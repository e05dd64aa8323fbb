// `/config/run/{id}` runs a scraper now, and says what became of it; `/config/try` says what a run would do.
import { SCRAPER_ROUTES } from '@watchroom/shared/access'
import { TryScrapeRequestSchema, TryScrapeResponseSchema } from '@watchroom/shared/catalog'
import { NIL_UUID } from '@watchroom/shared/kernel'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import { callerSignal } from '../../platform/http/callerSignal.ts'
import { registerRoutes, type RouteTable } from '../../platform/http/defineRoute.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import type { Programs } from '../checks/routes.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../server/backendPolicy.ts'
import type { BackendContext } from '../server/context.ts'
import { fillTried } from '../server/fillTried.ts'
import { findProgramRefusal } from '../server/findProgramRefusal.ts'
import type { Principal } from '../server/principal.ts'
import type { Scrapers } from './createScrapers.ts'
import type { ScrapeTrials } from './createScrapeTrials.ts'

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

interface Deps {
  readonly context: Pick<BackendContext, 'pool' | 'vault'>
  readonly scrapers: Scrapers
  readonly scrapeTrials: ScrapeTrials
  readonly programs: Pick<Programs, 'savers'>
}

const LOCAL = `select from config_scrapers where id = $1 and deleted_at is null and agent_id = '${NIL_UUID}'`

export async function scraperRoutes(
  app: FastifyInstance,
  { context, scrapers, scrapeTrials, programs }: Deps,
): Promise<void> {
  const { pool, vault } = context
  const fillIn = async (spec: Record<string, unknown>, id: string | null) => {
    if (id === null) return { spec, secrets: [] }
    const { rowCount } = await pool.query(LOCAL, [id])
    if (rowCount === 0) throw new Refusal(404, { error: `no scraper ${id} is run here` })
    return fillTried(vault, 'config_scrapers', id, spec)
  }

  const routes = {
    run: defineBackendRoute({
      rule: SCRAPER_ROUTES.run,
      params: z.object({ id: z.guid() }),
      response: RunAnswerSchema,
      handle: async ({ params }) => {
        const run = await scrapers.runNow(params.id.toLowerCase())
        if (run.kind === 'unknown') {
          const message = `no scraper ${params.id} is run here`
          // Consoles of the field read the second.
          throw new Refusal(404, { error: message, message })
        }
        if (run.kind === 'running') throw new Refusal(409, { error: 'this scraper is running already' })
        if (run.kind === 'overdue')
          throw new Refusal(504, { error: 'the run did not end in time; see the job history' })
        const { status, errors, scrapeSummary } = run.record
        return { status, errors: [...errors], scrape_summary: scrapeSummary }
      },
    }),

    tryOut: defineBackendRoute({
      rule: SCRAPER_ROUTES.tryOut,
      body: TryScrapeRequestSchema,
      response: TryScrapeResponseSchema,
      handle: async ({ caller, body, reply }) => {
        const refusal = findProgramRefusal(body.spec, programs.savers, caller.roles)
        if (refusal !== null) throw new Refusal(403, { error: refusal })
        const id = body.scraper_id ?? null
        const filled = await fillIn(body.spec, id)
        const trial = await scrapeTrials.run(caller.id, { ...filled, id }, callerSignal(reply))
        if (!trial.ok) throw new Refusal(trial.error.status, { error: trial.error.message })
        return trial.value
      },
    }),
  } satisfies RouteTable<typeof SCRAPER_ROUTES, Principal>
  registerRoutes(app, routes, BACKEND_POLICY)
}
