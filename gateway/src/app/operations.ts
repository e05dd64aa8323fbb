// What operators and their tools ask: alive, ready, measurements.
import { createHash, timingSafeEqual } from 'node:crypto'

import { type BackendFacts, BackendFactsSchema, OPERATION_ROUTES } from '@watchroom/shared/access'
import { type OwnCredentialReport, OwnCredentialSchema } from '@watchroom/shared/identity'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'

import type { Identity } from '../access/contract.ts'
import { createDefineRoute, registerRoutes, type RoutePolicy, type RouteTable } from '../platform/http/defineRoute.ts'
import type { Metrics } from '../platform/metrics.ts'

export interface DependencyState {
  readonly isReady: boolean
  /** A word or two for the operator, never an address or a secret: the answer is public. */
  readonly state: string
}

/** Something the gateway needs. An optional one is shown but does not make the gateway unready. */
export interface Dependency {
  readonly name: string
  readonly isOptional?: true
  check(): Promise<DependencyState> | DependencyState
}

export interface OperationsOptions {
  readonly metrics: Metrics
  readonly dependencies: readonly Dependency[]
  readonly ownCredential: () => OwnCredentialReport
  readonly backendFacts: () => Promise<BackendFacts>
  /** True from the first signal on: load balancers then send people elsewhere. */
  readonly isStopping: () => boolean
  /** What collectors bring as a bearer token; without one only administrators see measurements. */
  readonly metricsToken: string | undefined
  readonly policy: RoutePolicy<Identity>
}

const DependencySchema = z.object({ ready: z.boolean(), state: z.string() })
const ReadinessSchema = z.object({
  ready: z.boolean(),
  stopping: z.literal(true).optional(),
  dependencies: z.record(z.string(), DependencySchema),
})

/** A collector with the operator's token is someone, if no person. */
type Caller = Identity | 'collector'

const defineRoute = createDefineRoute<Caller>()

export async function operationsPlugin(app: FastifyInstance, options: OperationsOptions): Promise<void> {
  const { policy } = options
  const routes = {
    isAlive: defineRoute({
      rule: OPERATION_ROUTES.isAlive,
      response: z.object({ status: z.literal('ok') }),
      handle: () => ({ status: 'ok' as const }),
    }),
    isServing: defineRoute({
      rule: OPERATION_ROUTES.isServing,
      response: z.object({ health: z.literal('ok') }),
      handle: () => ({ health: 'ok' as const }),
    }),
    isReady: defineRoute({
      rule: OPERATION_ROUTES.isReady,
      response: ReadinessSchema,
      handle: async ({ reply }) => {
        const states = await Promise.all(
          options.dependencies.map(async (dependency) => ({ dependency, ...(await dependency.check()) })),
        )
        const isReady =
          !options.isStopping() && states.every(({ dependency, isReady }) => isReady || dependency.isOptional)
        void reply.code(isReady ? 200 : 503)
        return {
          ready: isReady,
          ...(options.isStopping() ? { stopping: true as const } : {}),
          dependencies: Object.fromEntries(
            states.map(({ dependency, isReady, state }) => [dependency.name, { ready: isReady, state }]),
          ),
        }
      },
    }),
    readCredential: defineRoute({
      rule: OPERATION_ROUTES.readCredential,
      response: OwnCredentialSchema,
      handle: () => options.ownCredential(),
    }),
    readBackend: defineRoute({
      rule: OPERATION_ROUTES.readBackend,
      response: BackendFactsSchema,
      handle: () => options.backendFacts(),
    }),
    metrics: defineRoute({
      rule: OPERATION_ROUTES.metrics,
      response: z.string(),
      handle: ({ reply }) => {
        void reply.type(options.metrics.contentType)
        return options.metrics.render()
      },
    }),
  } satisfies RouteTable<typeof OPERATION_ROUTES, Caller>

  registerRoutes(app, routes, {
    ...policy,
    // From this machine too: checks run here, and anyone who may write one could read the answer.
    admit: (request, rule) =>
      rule === OPERATION_ROUTES.metrics && hasToken(request, options.metricsToken)
        ? 'collector'
        : policy.admit(request, rule),
  })
}

function hasToken(request: FastifyRequest, token: string | undefined): boolean {
  const given = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  return token !== undefined && given !== undefined && timingSafeEqual(digest(given), digest(token))
}

/** Of one length, which comparing in constant time asks for. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
