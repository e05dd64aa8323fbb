import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'

import { addressBlock } from '../platform/addressBlock.ts'
import { CodedError } from '../platform/errors.ts'
import { judgeOrigin } from '../platform/sameOrigin.ts'
import type { Identity } from './contract.ts'
import { accessErrors, rateLimited } from './errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling; null until a route that is not public admitted them. */
    identity: Identity | null
  }
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

export interface AccessPluginOptions {
  /** Posts to the sign-in forms from one address. */
  readonly signInsPerMinute: number
}

/** Route option `config: { rateLimit: signInLimit }` for routes that take passwords. */
export const signInLimit = (signInsPerMinute: number) => ({ max: signInsPerMinute, timeWindow: 60_000 })

/** Gives requests an identity and refuses changes that a foreign page asks for. */
export const accessPlugin = fastifyPlugin(async (app: FastifyInstance, options: AccessPluginOptions) => {
  app.decorateRequest('identity', null)
  app.addHook('onRequest', async (request) => requireSameOrigin(request))
  await app.register(rateLimit, {
    global: false,
    ...signInLimit(options.signInsPerMinute),
    keyGenerator: (request) => addressBlock(request.ip),
    errorResponseBuilder: (_request, context) => rateLimited(context.ttl),
  })
})

/**
 * A change is accepted from our own pages and from programs, which send neither cookies nor Origin by themselves.
 *
 * @throws CodedError ACCESS_CROSS_ORIGIN
 */
function requireSameOrigin(request: FastifyRequest): void {
  if (SAFE_METHODS.has(request.method)) return
  const verdict = judgeOrigin(request.headers, request.host)
  const isRefused = verdict === 'foreign' || (verdict === 'unknown' && request.headers.cookie !== undefined)
  if (isRefused) throw new CodedError(accessErrors.ACCESS_CROSS_ORIGIN)
}
