// What operators and their tools ask: alive, ready, measurements.
import type { FastifyInstance, FastifyRequest } from 'fastify'

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
  /** True from the first signal on: load balancers then send people elsewhere. */
  readonly isStopping: () => boolean
  /** @throws CodedError unless the caller is an administrator */
  readonly requireAdministrator: (request: FastifyRequest) => Promise<void>
}

export async function operationsPlugin(app: FastifyInstance, options: OperationsOptions): Promise<void> {
  app.get('/healthz', () => ({ status: 'ok' }))

  app.get('/readyz', async (_request, reply) => {
    const states = await Promise.all(
      options.dependencies.map(async (dependency) => ({ dependency, ...(await dependency.check()) })),
    )
    const isReady = !options.isStopping() && states.every(({ dependency, isReady }) => isReady || dependency.isOptional)
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        ready: isReady,
        ...(options.isStopping() ? { stopping: true } : {}),
        dependencies: Object.fromEntries(
          states.map(({ dependency, isReady, state }) => [dependency.name, { ready: isReady, state }]),
        ),
      })
  })

  // Collectors on this machine need no session; anybody else is an administrator.
  app.get('/metrics', async (request, reply) => {
    if (!isLoopback(request)) await options.requireAdministrator(request)
    return reply
      .type(options.metrics.contentType)
      .header('cache-control', 'no-store')
      .send(await options.metrics.render())
  })
}

/** The peer itself is on this machine and does not speak for somebody else. */
function isLoopback(request: FastifyRequest): boolean {
  const address = request.raw.socket.remoteAddress ?? ''
  const isLocalPeer = address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.')
  return isLocalPeer && request.headers['x-forwarded-for'] === undefined && request.headers.forwarded === undefined
}
