import type { FastifyInstance, FastifyRequest } from 'fastify'

import { redactUrl } from '../platform/logger.ts'
import type { Metrics } from '../platform/metrics.ts'

/** Slow enough for a person to notice: such a request is logged even when it succeeded. */
const SLOW_MS = 1_000

/** One log line and one measurement per request, and its id in the answer. */
export function observeRequests(app: FastifyInstance, metrics: Metrics): void {
  const duration = metrics.histogram({
    name: 'watchroom_http_request_seconds',
    help: 'Time until an answer was sent, by route template',
    labelNames: ['method', 'route', 'status'],
  })

  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
  })

  app.addHook('onResponse', async (request, reply) => {
    const durationMs = reply.elapsedTime
    duration.observe({ method: request.method, route: routeOf(request), status: reply.statusCode }, durationMs / 1_000)
    const level = reply.statusCode >= 500 || durationMs >= SLOW_MS ? 'info' : 'debug'
    request.log[level](
      {
        method: request.method,
        url: redactUrl(request.raw.url ?? ''),
        status: reply.statusCode,
        durationMs: Math.round(durationMs * 10) / 10,
        userId: request.identity?.userId,
      },
      'request',
    )
  })
}

/** Bounded: templates only, never a path that someone made up. */
function routeOf(request: FastifyRequest): string {
  return request.backendRoute === null || request.backendRoute === undefined
    ? (request.routeOptions.url ?? 'unknown')
    : `/api${request.backendRoute}`
}
