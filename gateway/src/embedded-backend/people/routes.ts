// People and their access tokens over HTTP, in the shapes of the product whose API we speak (backend reference 4.1 to 4.3).
import { PEOPLE_ROUTES, ROLES, TOKEN_ROUTES, toPolicy } from '@watchroom/shared/access'
import {
  AccessTokenSchema,
  MadeAccessTokenSchema,
  NewAccessTokenSchema,
  PersonSessionSchema,
} from '@watchroom/shared/people'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import { isUniqueViolation } from '../../platform/database/sqlState.ts'
import { registerRoutes, type RouteTable } from '../../platform/http/defineRoute.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { withLowerCaseKeys } from '../../platform/http/withLowerCaseKeys.ts'
import type { IdentityService } from '../identity/createIdentityService.ts'
import { isPrintable, MAX_NAME_LENGTH } from '../identity/people/personName.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../server/backendPolicy.ts'
import type { BackendContext } from '../server/context.ts'
import type { Principal } from '../server/principal.ts'
import type { ChangeRefusal, Manager, PeopleService } from './createPeopleService.ts'
import type { TokenService } from './createTokenService.ts'

const DAY_MS = 86_400_000

interface PeopleRoutesDeps {
  readonly context: Pick<BackendContext, 'clock'>
  readonly people: PeopleService
  readonly tokens: TokenService
  readonly identity: IdentityService
}

const role = z.enum(ROLES, 'role must be one of admin, editor, commander, responder and viewer')
const name = z.string().trim().max(MAX_NAME_LENGTH).refine(isPrintable, 'a name holds no control characters')
const email = z.email('email must be an e-mail address').max(254)
const PersonParamsSchema = z.object({ id: z.guid() })
const InvitationSchema = z.preprocess(
  withLowerCaseKeys,
  z.object({ email, firstname: name.min(1), lastname: name.min(1), role: role.default('viewer') }),
)
const ChangeSchema = z.preprocess(
  withLowerCaseKeys,
  z.object({
    id: z.guid(),
    firstname: name.min(1).optional(),
    lastname: name.optional(),
    email: email.optional(),
    role: role.optional(),
    active: z.boolean().optional(),
  }),
)
const ConfirmationSchema = z.object({ email })
const StateSchema = z.object({ id: z.guid(), active: z.boolean() })
const TraitsSchema = z.object({
  email: z.string(),
  name: z.object({ first: z.string().optional(), last: z.string().optional() }),
})
const LinkSchema = z.object({ link: z.string() })
const PolicySchema = z.array(
  z.object({ subject: z.string(), object: z.string(), action: z.string(), deny: z.literal(true).optional() }),
)

const managerOf = ({ id, kind, name: own }: Principal): Manager => ({ id, name: kind === 'service' ? '' : own })

const REFUSALS: Readonly<Record<ChangeRefusal, (id: string) => Refusal>> = {
  unknown: (id) => new Refusal(404, { error: `person ${id} not found` }),
  'own-account': () =>
    new Refusal(403, {
      error: 'Nobody changes their own role, deactivates or deletes themselves: ask another administrator.',
    }),
  'email-taken': () => new Refusal(409, { error: 'Someone else has this e-mail address.' }),
  'other-address': () => new Refusal(409, { error: 'This is not their address any more.' }),
}

function requireDone<Done>(done: Done | ChangeRefusal, id: string): Done {
  if (typeof done === 'string' && Object.hasOwn(REFUSALS, done)) throw REFUSALS[done as ChangeRefusal](id)
  return done as Done
}

/** A script that could make tokens would outlive the one that it was given. */
function requireSession({ kind, token }: Principal): void {
  if (kind !== 'person' || token !== undefined)
    throw new Refusal(403, { error: 'Sign in to manage your access tokens.' })
}

export async function peopleRoutes(app: FastifyInstance, deps: PeopleRoutesDeps): Promise<void> {
  const { people, tokens, identity, context } = deps
  const routes = {
    invite: defineBackendRoute({
      rule: PEOPLE_ROUTES.invite,
      body: InvitationSchema,
      response: LinkSchema,
      handle: async ({ caller, body: { firstname, lastname, ...rest } }) => {
        const invited = await people.invite({ ...rest, firstName: firstname, lastName: lastname }, managerOf(caller))
        if (invited) return { link: invited.link }
        throw new Refusal(409, { error: 'User already exists', message: 'Error creating user' })
      },
    }),
    inviteAgain: defineBackendRoute({
      rule: PEOPLE_ROUTES.inviteAgain,
      params: PersonParamsSchema,
      response: LinkSchema,
      handle: async ({ caller, params }) => {
        const link = await people.inviteAgain(params.id, managerOf(caller))
        if (link === null) throw new Refusal(409, { error: 'This person has a password already, or cannot sign in.' })
        return { link }
      },
    }),
    updateRole: defineBackendRoute({
      rule: PEOPLE_ROUTES.updateRole,
      params: PersonParamsSchema,
      body: z.object({ roles: z.array(role).min(1) }),
      response: z.object({ message: z.literal('Role updated successfully') }),
      handle: async ({ caller, params: { id }, body }) => {
        requireDone(await people.setRoles(id, body.roles, managerOf(caller)), id)
        return { message: 'Role updated successfully' as const }
      },
    }),
    /** What every role may. */
    dumpPolicy: defineBackendRoute({
      rule: PEOPLE_ROUTES.dumpPolicy,
      response: PolicySchema,
      handle: () => toPolicy(ROLES),
    }),
    update: defineBackendRoute({
      rule: PEOPLE_ROUTES.update,
      body: ChangeSchema,
      response: TraitsSchema,
      handle: async ({ caller, body: { firstname, lastname, ...rest } }) =>
        requireDone(
          await people.change({ ...rest, firstName: firstname, lastName: lastname }, managerOf(caller)),
          rest.id,
        ),
    }),
    confirmAddress: defineBackendRoute({
      rule: PEOPLE_ROUTES.confirmAddress,
      params: PersonParamsSchema,
      body: ConfirmationSchema,
      response: z.object({ message: z.literal('success') }),
      handle: async ({ caller, params: { id }, body }) => {
        requireDone(await people.confirmAddress(id, body.email, managerOf(caller)), id)
        return { message: 'success' as const }
      },
    }),
    updateState: defineBackendRoute({
      rule: PEOPLE_ROUTES.updateState,
      body: StateSchema,
      response: z.object({ message: z.literal('success') }),
      handle: async ({ caller, body }) => {
        requireDone(await people.change(body, managerOf(caller)), body.id)
        return { message: 'success' as const }
      },
    }),
    remove: defineBackendRoute({
      rule: PEOPLE_ROUTES.remove,
      params: PersonParamsSchema,
      response: 'empty',
      handle: async ({ caller, params: { id } }) => void requireDone(await people.remove(id, managerOf(caller)), id),
    }),
    listSessions: defineBackendRoute({
      rule: PEOPLE_ROUTES.listSessions,
      params: PersonParamsSchema,
      response: z.array(PersonSessionSchema),
      handle: async ({ params }) =>
        (await identity.listSessions(params.id)).map(({ id, issuedAt, expiresAt, device }) => ({
          id,
          issuedAt,
          expiresAt,
          address: device.address,
          userAgent: device.userAgent,
        })),
    }),
  } satisfies RouteTable<typeof PEOPLE_ROUTES, Principal>
  registerRoutes(app, routes, BACKEND_POLICY)

  const tokenRoutes = {
    list: defineBackendRoute({
      rule: TOKEN_ROUTES.list,
      response: z.array(AccessTokenSchema),
      handle: async ({ caller }) => {
        requireSession(caller)
        return tokens.list(caller.id)
      },
    }),
    create: defineBackendRoute({
      rule: TOKEN_ROUTES.create,
      body: NewAccessTokenSchema,
      status: 201,
      response: MadeAccessTokenSchema,
      handle: async ({ caller, body }) => {
        requireSession(caller)
        const expiresAt = body.days === null ? null : new Date(context.clock.now() + body.days * DAY_MS)
        if (body.role !== null && !mayGive(caller, body.role)) {
          throw new Refusal(403, { error: 'A token cannot do more than you may.' })
        }
        try {
          const made = await tokens.create({ ownerId: caller.id, name: body.name, role: body.role, expiresAt })
          if (!made) throw new Refusal(409, { error: 'You have too many access tokens: revoke one first.' })
          return { id: made.id, access_token: made.token }
        } catch (error) {
          if (!isUniqueViolation(error)) throw error
          const message = `You have an access token named ${body.name} already.`
          throw new Refusal(409, { error: message, details: [{ field: 'name', message }] })
        }
      },
    }),
    revoke: defineBackendRoute({
      rule: TOKEN_ROUTES.revoke,
      params: PersonParamsSchema,
      response: 'empty',
      handle: async ({ caller, params }) => {
        requireSession(caller)
        if (!(await tokens.revoke(caller.id, params.id))) throw new Refusal(404, { error: 'There is no such token' })
      },
    }),
  } satisfies RouteTable<typeof TOKEN_ROUTES, Principal>
  registerRoutes(app, tokenRoutes, BACKEND_POLICY)
}

const mayGive = ({ roles }: Principal, wanted: (typeof ROLES)[number]): boolean =>
  roles.some((own) => ROLES.indexOf(own) <= ROLES.indexOf(wanted))
