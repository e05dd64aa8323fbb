import { SCHEMA_ROUTES } from '@watchroom/shared/access'
import { toSpecJsonSchema } from '@watchroom/shared/specs'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import { registerRoutes, type RouteTable } from '../../platform/http/defineRoute.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../server/backendPolicy.ts'
import type { Principal } from '../server/principal.ts'
import { SCHEMA_FILES } from './schemaFiles.ts'

/** `GET /schemas/{file}`: what editors complete and check specs by. */
export async function schemaRoutes(app: FastifyInstance): Promise<void> {
  const routes = {
    readSchema: defineBackendRoute({
      rule: SCHEMA_ROUTES.readSchema,
      params: z.object({ file: z.string().max(200) }),
      response: 'own',
      handle: ({ params, reply }) => {
        const schema = SCHEMA_FILES.get(params.file)
        if (schema === undefined) throw new Refusal(404, { error: 'There is no such schema' })
        return reply.send(toSpecJsonSchema(schema))
      },
    }),
  } satisfies RouteTable<typeof SCHEMA_ROUTES, Principal>
  registerRoutes(app, routes, BACKEND_POLICY)
}
