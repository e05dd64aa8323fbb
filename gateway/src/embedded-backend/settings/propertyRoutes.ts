import { SETTINGS_ROUTES } from '@watchroom/shared/access'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import { registerRoutes, type RouteTable } from '../../platform/http/defineRoute.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../server/backendPolicy.ts'
import type { BackendContext } from '../server/context.ts'
import type { Principal } from '../server/principal.ts'

const PropertySchema = z.object({
  name: z.string(),
  value: z.string().nullable(),
  source: z.enum(['local', 'db']),
  type: z.literal(''),
  description: z.literal(''),
})

/** `GET /properties`: feature flags, read side. Local ones win; the others are written through `/db/properties`. */
export async function propertyRoutes(app: FastifyInstance, { context }: { context: BackendContext }): Promise<void> {
  const routes = {
    listProperties: defineBackendRoute({
      rule: SETTINGS_ROUTES.listProperties,
      response: z.array(PropertySchema),
      handle: async () => {
        const { rows } = await context.pool.query<{ name: string; value: string | null }>(
          'select name, value from properties where deleted_at is null order by name',
        )
        const local = Object.entries(context.options.properties ?? {})
        const ofDatabase = rows.filter(({ name }) => !local.some(([own]) => own === name))
        return [
          ...local.map(([name, value]) => toProperty(name, value, 'local')),
          ...ofDatabase.map(({ name, value }) => toProperty(name, value, 'db')),
        ]
      },
    }),
  } satisfies RouteTable<typeof SETTINGS_ROUTES, Principal>
  registerRoutes(app, routes, BACKEND_POLICY)
}

const toProperty = (name: string, value: string | null, source: 'local' | 'db') => ({
  name,
  value,
  source,
  type: '' as const,
  description: '' as const,
})
