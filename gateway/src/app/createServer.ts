// The HTTP server of the gateway before any route: its limits, and what happens to every request.
import { fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'

import { securityHeaders } from '../console/securityHeaders.ts'
import { CodedError } from '../platform/errors.ts'
import { acceptJsonBodies } from '../platform/jsonBodies.ts'
import type { KnownHosts } from '../platform/knownHosts.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { GatewayDeps } from './buildGateway.ts'
import { handleFrameworkError, registerErrorHandler } from './errorHandler.ts'
import { appErrors } from './errors.ts'
import { CONNECTION_LIMITS, limitConnections } from './limitConnections.ts'
import { observeRequests } from './observeRequests.ts'
import { REFUSAL_SETTINGS, slowRefusals } from './slowRefusals.ts'

/** Kept connections outlive the idle times usual in load balancers (60 s), so that it is the balancer who closes. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000
/** Time to send the headers, and the whole request; answers may take longer. Looked at every few seconds. */
export interface ServerTimeouts {
  readonly headersMs: number
  readonly requestMs: number
  readonly checkEveryMs: number
}

const SERVER_TIMEOUTS: ServerTimeouts = { headersMs: 15_000, requestMs: 60_000, checkEveryMs: 5_000 }

export interface ServerDeps extends Pick<
  GatewayDeps,
  'clock' | 'config' | 'connectionLimits' | 'createId' | 'logger' | 'refusalSettings' | 'serverTimeouts'
> {
  readonly hosts: KnownHosts
  readonly metrics: Metrics
}

export async function createServer(deps: ServerDeps): Promise<FastifyInstance> {
  const { hosts, logger } = deps
  const timeouts = deps.serverTimeouts ?? SERVER_TIMEOUTS
  // Named by its smaller type, so that every plugin sees a plain Fastify instance.
  const loggerInstance: FastifyBaseLogger = logger
  const app = fastify({
    loggerInstance,
    // `observeRequests` writes the one line per request.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: deps.config.trustedProxy === undefined ? false : (address) => hosts.isTrustedProxy(address),
    genReqId: (request) => readRequestId(request.headers['x-request-id']) ?? deps.createId(),
    requestTimeout: timeouts.requestMs,
    http: { headersTimeout: timeouts.headersMs, connectionsCheckingInterval: timeouts.checkEveryMs },
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) =>
      handleFrameworkError(hosts.hostOf(request.raw) === null ? unknownHost() : error, request, reply),
  })
  limitConnections(app.server, deps.connectionLimits ?? CONNECTION_LIMITS, hosts.isTrustedProxy)
  acceptJsonBodies(app)
  registerErrorHandler(app)
  observeRequests(app, deps.metrics)
  slowRefusals(app, deps.refusalSettings ?? REFUSAL_SETTINGS, deps.clock)
  app.addHook('onRequest', async (request) => {
    if (hosts.hostOf(request.raw) === null) throw unknownHost()
  })
  await app.register(securityHeaders)
  return app
}

const unknownHost = (): CodedError => new CodedError(appErrors.REQUEST_HOST_UNKNOWN)

/** An id given by a proxy is kept when it is short and plain, so that both logs tell one story. */
function readRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : undefined
}
