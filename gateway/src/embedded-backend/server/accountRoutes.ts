// Accounts: who am I, and what administrators do to someone else's account and sessions.
import { hostname } from 'node:os'

import { ACCOUNT_ROUTES, type Role, toPolicy } from '@watchroom/shared/access'
import { WhoAmISchema } from '@watchroom/shared/identity'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import { registerRoutes, type RouteTable } from '../../platform/http/defineRoute.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import type { IdentityService } from '../identity/createIdentityService.ts'
import type { PeopleService } from '../people/createPeopleService.ts'
import { BACKEND_POLICY, defineBackendRoute } from './backendPolicy.ts'
import type { Principal } from './principal.ts'

const PersonSchema = z.object({ id: z.guid() })
const StateSchema = z.object({ state: z.enum(['active', 'inactive'], 'must be active or inactive') })

/** Properties are texts. */
const tokenProperties = (role: Role, { expiresAt }: NonNullable<Principal['token']>): Record<string, string> => ({
  token_role: role,
  ...(expiresAt === null ? {} : { token_expires_at: expiresAt.toISOString() }),
})

const notFound = (): Refusal => new Refusal(404, { error: 'not_found', message: 'There is no such person' })

export async function accountRoutes(
  app: FastifyInstance,
  { identity, people }: { readonly identity: IdentityService; readonly people: PeopleService },
): Promise<void> {
  const routes = {
    /** Backend reference 3.4. */
    whoAmI: defineBackendRoute({
      rule: ACCOUNT_ROUTES.whoAmI,
      response: WhoAmISchema,
      handle: ({ caller: { kind, id, name, email, roles, roleNames, token } }) => {
        const role = roles[0] ?? 'viewer'
        if (kind === 'service') throw new Refusal(500, { error: '', message: 'Error fetching user' })
        return {
          message: 'success',
          payload: {
            user: { id, name, email, properties: { role, ...(token ? tokenProperties(role, token) : {}) } },
            roles: [...roleNames],
            permissions: toPolicy(roles),
            hostname: hostname(),
          },
        }
      },
    }),
    /** `{"state": "inactive"}` ends the person's sessions; they cannot come back before `active`. */
    updateState: defineBackendRoute({
      rule: ACCOUNT_ROUTES.updateState,
      params: PersonSchema,
      body: StateSchema,
      response: z.object({ message: z.literal('success') }),
      handle: async ({ caller, params, body }) => {
        const done = await people.change({ id: params.id, active: body.state === 'active' }, caller)
        if (done === 'unknown') throw notFound()
        if (done === 'own-account')
          throw new Refusal(403, { error: 'forbidden', message: 'Nobody deactivates themselves' })
        return { message: 'success' as const }
      },
    }),
    /** As the identity service's administrators have it: all sessions of one person. */
    endSessions: defineBackendRoute({
      rule: ACCOUNT_ROUTES.endSessions,
      params: PersonSchema,
      response: z.object({ count: z.number() }),
      handle: async ({ params }) => ({ count: await identity.endSessions(params.id) }),
    }),
  } satisfies RouteTable<typeof ACCOUNT_ROUTES, Principal>

  registerRoutes(app, routes, {
    ...BACKEND_POLICY,
    toError: ({ part, message }) => (part === 'params' ? notFound() : new Refusal(400, { error: 'invalid', message })),
  })
}
