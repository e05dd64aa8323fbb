import { SNAPSHOT_ROUTES } from '@watchroom/shared/access'
import { tryParseDuration } from '@watchroom/shared/time'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import { registerRoutes, type RouteTable } from '../../platform/http/defineRoute.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../server/backendPolicy.ts'
import type { BackendContext } from '../server/context.ts'
import type { Principal } from '../server/principal.ts'
import { createZip } from './createZip.ts'
import { toCsv } from './toCsv.ts'

const FAILURE = 'Error snapshotting topology'
/** Rows of one kind in an archive; what is older is left out. */
const MAX_ROWS = 10_000

const ParamsSchema = z.object({ id: z.guid() })
const QuerySchema = z.object({
  start: z
    .string()
    .default('15m')
    .transform((text, context) => {
      const durationMs = tryParseDuration(text)
      if (durationMs !== null && durationMs > 0) return durationMs
      context.addIssue({ code: 'custom', message: 'must be a length of time, for example 15m' })
      return z.NEVER
    }),
  related: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
})

/** The component itself, and with `related` everything below it and what relations lead to. */
const COMPONENTS = `
  select c.* from components c
  where c.deleted_at is null and (
    c.id = $1 or $2 and (
      string_to_array(coalesce(c.path, ''), '.') @> array[$1::text]
      or c.parent_id = $1
      or c.id in (
        select r.relationship_id from component_relationships r where r.component_id = $1 and r.deleted_at is null
        union select r.component_id from component_relationships r where r.relationship_id = $1 and r.deleted_at is null
      )
    )
  ) order by c.name limit ${MAX_ROWS}`

/** What belongs to the components ($1) and to config items ($2), since a moment ($3); each query takes what it needs. */
const TABLES: Readonly<
  Record<string, { readonly query: string; readonly needs: readonly ('components' | 'configs' | 'since')[] }>
> = {
  config_changes: {
    query: `select * from config_changes where config_id = any($1) and created_at >= $2 order by created_at desc limit ${MAX_ROWS}`,
    needs: ['configs', 'since'],
  },
  config_analysis: {
    query: `select * from config_analysis where config_id = any($1) and coalesce(last_observed, first_observed) >= $2
      order by first_observed desc limit ${MAX_ROWS}`,
    needs: ['configs', 'since'],
  },
  incidents: {
    query: `select * from incidents where id in (
        select h.incident_id from hypotheses h join evidences e on e.hypothesis_id = h.id where e.component_id = any($1))
      order by created_at desc limit ${MAX_ROWS}`,
    needs: ['components'],
  },
  hypotheses: {
    query: `select * from hypotheses where id in (select hypothesis_id from evidences where component_id = any($1))
      order by created_at desc limit ${MAX_ROWS}`,
    needs: ['components'],
  },
  evidences: {
    query: `select * from evidences where component_id = any($1) order by created_at desc limit ${MAX_ROWS}`,
    needs: ['components'],
  },
}

const CONFIGS = `
  select * from config_items where deleted_at is null and id in (
    select config_id from config_component_relationships where component_id = any($1) and deleted_at is null
    union select config_id from components where id = any($1) and config_id is not null
  ) order by name limit ${MAX_ROWS}`

type Row = Record<string, unknown> & { readonly id: string }

/** `GET /snapshot/topology/{id}`: what is known of a component, as an archive to keep or to pass on. */
export async function snapshotRoutes(app: FastifyInstance, { context }: { context: BackendContext }): Promise<void> {
  const read = async (text: string, values: unknown[]): Promise<Row[]> =>
    (await context.pool.query<Row>(text, values)).rows

  const routes = {
    topology: defineBackendRoute({
      rule: SNAPSHOT_ROUTES.topology,
      params: ParamsSchema,
      query: QuerySchema,
      response: 'own',
      handle: async ({ params: { id }, query: { start, related }, reply }) => {
        const components = await read(COMPONENTS, [id, related])
        if (components.every((component) => component.id !== id)) {
          throw new Refusal(404, { error: `component ${id} not found`, message: FAILURE })
        }
        const configs = await read(CONFIGS, [components.map((component) => component.id)])
        const values = {
          components: components.map((component) => component.id),
          configs: configs.map((config) => config.id),
          since: new Date(context.clock.now() - start),
        }
        const files = [
          { name: 'components.json', content: JSON.stringify(components, null, 2) },
          { name: 'components.csv', content: toCsv(components) },
          { name: 'config_items.csv', content: toCsv(configs) },
        ]
        for (const [name, { query: text, needs }] of Object.entries(TABLES)) {
          const rows = await read(
            text,
            needs.map((need) => values[need]),
          )
          files.push({ name: `${name}.csv`, content: toCsv(rows) })
        }
        return reply
          .type('application/zip')
          .header('content-disposition', 'attachment; filename="snapshot.zip"')
          .send(await createZip(files, new Date(context.clock.now())))
      },
    }),
  } satisfies RouteTable<typeof SNAPSHOT_ROUTES, Principal>
  registerRoutes(app, routes, {
    ...BACKEND_POLICY,
    toError: ({ message: error }) => new Refusal(400, { error, message: FAILURE }),
  })
}
