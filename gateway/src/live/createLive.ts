// Live topics: the hub that owns them, the sockets that carry them, and who is affected by a change of rights. What is sent on a socket,
// and when, is decided by `topicSession`.
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, deflateRaw, type InputType, type ZlibOptions } from 'node:zlib'

import { sleep } from '@watchroom/shared/kernel'

import type { Live, LiveDeps } from './contract.ts'
import { createLiveSocket, type LiveSocket } from './createLiveSocket.ts'
import { createPersonLimits } from './createPersonLimits.ts'
import { createPrincipals } from './createPrincipals.ts'
import { createSocketServer, FAREWELL_MS } from './createSocketServer.ts'
import { createLiveMetrics, createTopicHub } from './createTopicHub.ts'
import { liveErrors } from './errors.ts'
import { registerGauges } from './registerGauges.ts'
import { LIVE_SETTINGS, type LiveSettings } from './settings.ts'

const deflateText: (input: InputType, options: ZlibOptions) => Promise<Uint8Array> = promisify(deflateRaw)

/**
 * Small blocks follow the columns, each of which has letters of its own, and random identifiers are not searched for
 * repetitions: 12 % fewer bytes for 1,000 checks than zlib's defaults, in 7 ms of a worker thread.
 */
const deflate = (text: string): Promise<Uint8Array> =>
  deflateText(text, { level: 9, memLevel: 5, strategy: constants.Z_FILTERED })

/** Time in which a drained crowd comes back: each socket gets 10 ms of it. */
const DRAIN_PER_SOCKET_MS = 10
const MIN_DRAIN_MS = 1_000
const MAX_DRAIN_MS = 20_000

/** Everyone is looked up again within this time, well below the 2 s of LIVE-53. */
const RECHECK_ALL_MS = 500

export function createLive(deps: LiveDeps): Live {
  const { access, clock, random } = deps
  const settings: LiveSettings = { ...LIVE_SETTINGS, ...deps.settings }
  const metrics = createLiveMetrics(deps.metrics)
  const principals = createPrincipals(deps)
  const limits = createPersonLimits(clock, settings)
  const hub = createTopicHub({
    feeds: deps.feeds,
    clock,
    deflate,
    newEpoch: () => randomUUID().slice(0, 8),
    metrics,
    settings,
  })
  registerGauges(deps.metrics, hub, clock)

  const sockets = new Set<LiveSocket>()
  const server = createSocketServer({
    ...deps,
    settings,
    principals,
    mayEnter: limits.mayEnter,
    onSocket: (accepted) => {
      const opened = createLiveSocket(accepted, {
        ...deps,
        hub,
        principals,
        limits,
        metrics,
        settings,
      })
      sockets.add(opened)
      accepted.socket.on('disconnect', () => {
        sockets.delete(opened)
        opened.close()
      })
    },
  })

  const unlisten = access.onChange((change) => {
    for (const { principal, recheck } of sockets) {
      const of = principal()
      if (of.kind !== 'person') continue
      // A thousand look-ups at once would cost the backend more than the change itself.
      if (change === 'all') clock.schedule(recheck, random() * RECHECK_ALL_MS)
      else if (change.userId === of.identity.userId) recheck()
    }
  })
  const unlistenDevices = deps.devices?.onChange(() => {
    for (const { principal, recheck } of sockets) if (principal().kind === 'device') recheck()
  })

  return {
    wake: hub.wake,
    drain: async () => {
      server.refuseAll()
      const windowMs = Math.min(MAX_DRAIN_MS, Math.max(MIN_DRAIN_MS, sockets.size * DRAIN_PER_SOCKET_MS))
      for (const { session } of sockets) {
        session.end('draining', liveErrors.LIVE_DRAINING.message, Math.round(random() * windowMs))
      }
      await sleep(clock, FAREWELL_MS)
    },
    close: async () => {
      unlisten()
      unlistenDevices?.()
      hub.close()
      await server.close()
    },
  }
}
