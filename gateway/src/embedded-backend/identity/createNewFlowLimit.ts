// Forms that anybody may begin are rows: how many of them one address makes.
import { type Clock, createRateLimits, type RateLimitPolicy } from '@watchroom/shared/kernel'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { forwardedBlock } from '../server/forwarded.ts'
import { IdentityRefusal, REFUSALS } from './identityErrors.ts'

/**
 * A company of hundreds behind one address may open the sign-in page at once. A loop makes 21,000 rows within the 70 minutes that the
 * longest are kept after a sign-in form began: about 25 MB.
 */
const NEW_FLOWS: RateLimitPolicy = { burst: 600, perSecond: 5 }

export interface NewFlowLimit {
  /** @throws IdentityRefusal when this address has begun too many */
  take(request: FastifyRequest, reply: FastifyReply): void
}

export function createNewFlowLimit({ clock }: { clock: Clock }): NewFlowLimit {
  const limits = createRateLimits(clock, NEW_FLOWS)
  return {
    take: (request, reply) => {
      const address = forwardedBlock(request)
      const waitMs = limits.waitMs(address)
      if (waitMs > 0) {
        void reply.header('retry-after', Math.ceil(waitMs / 1_000))
        throw new IdentityRefusal(REFUSALS.tooManyFlows)
      }
      limits.take(address)
    },
  }
}
