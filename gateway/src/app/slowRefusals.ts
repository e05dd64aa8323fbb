// A refusal costs the gateway about as much as an answer, and a caller who gets it at once asks again at once. So a caller who is refused
// again and again waits for the next refusal; requests that succeed are never held.
import { setMaxListeners } from 'node:events'

import { type Clock, createRateLimits, NIL_UUID, type RateLimitPolicy, sleep } from '@watchroom/shared/kernel'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { addressBlock } from '../platform/addressBlock.ts'
import { createQuota } from '../platform/createQuota.ts'

export interface RefusalSettings {
  /** Refusals of one caller that are told at once. */
  readonly free: RateLimitPolicy
  readonly delayMs: number
  /** Refusals of one caller that are held at once; beyond that each costs a connection instead. */
  readonly maxHeld: number
}

/** A page that has lost its session is refused a dozen times; a script that looks for what it may do some more. */
export const REFUSAL_SETTINGS: RefusalSettings = { free: { burst: 60, perSecond: 10 }, delayMs: 2_000, maxHeld: 256 }

/** Bad, unknown, forbidden, too large, misdirected, too often. 404 and 409 are answers, not refusals. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 413, 415, 421, 429, 431])

export function slowRefusals(app: FastifyInstance, settings: RefusalSettings, clock: Clock): void {
  const free = createRateLimits(clock, settings.free)
  const held = createQuota(settings.maxHeld)
  const stopping = new AbortController()
  // Every refusal that is held listens to it, and they are counted.
  setMaxListeners(0, stopping.signal)
  app.addHook('preClose', async () => stopping.abort())

  app.addHook('onSend', async (request, reply) => {
    if (!REFUSALS.has(reply.statusCode)) return
    const caller = callerOf(request)
    if (free.waitMs(caller) === 0) {
      free.take(caller)
      return
    }
    const leave = held.enter(caller)
    if (!leave) {
      void reply.header('connection', 'close')
      return
    }
    // Whoever leaves meanwhile is not answered, and whoever stops the gateway does not wait.
    await sleep(clock, settings.delayMs, stopping.signal).catch(() => undefined)
    leave()
  })
}

/** A caller who is refused must not slow down others at the same address, unless it is not known who they are. */
function callerOf({ identity, ip }: FastifyRequest): string {
  const userId = identity?.userId ?? NIL_UUID
  return userId === NIL_UUID ? `at ${addressBlock(ip)}` : userId
}
