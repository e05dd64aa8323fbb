// One open socket: its topics, what its client may send, and the watch over the rights of whoever opened it.
import { CLOSE_CODES, LIVE_EVENT, PACKED_ENCODING } from '@watchroom/shared/protocol'

import { type AnswerAge, createSessionWatch } from '../platform/createSessionWatch.ts'
import type { LiveDeps } from './contract.ts'
import type { PersonLimits } from './createPersonLimits.ts'
import type { Principals } from './createPrincipals.ts'
import { FAREWELL_MS, type OpenedSocket } from './createSocketServer.ts'
import type { LiveMetrics, TopicHub } from './createTopicHub.ts'
import { bufferedBytes, pauseReading, terminate } from './engineConnection.ts'
import { liveErrors } from './errors.ts'
import {
  CREDENTIAL_ENDED,
  hasSameRoles,
  isSamePrincipal,
  nameOf,
  type Principal,
  toLogged,
  toWatcher,
} from './principal.ts'
import type { LiveSettings } from './settings.ts'
import type { TopicSession } from './topicSession.ts'

export interface LiveSocket {
  /** As of the last look. */
  readonly principal: () => Principal
  readonly session: TopicSession
  /** Looks again whose socket this is and what they may see. */
  readonly recheck: () => void
  readonly close: () => void
}

export interface LiveSocketDeps extends Pick<LiveDeps, 'access' | 'clock' | 'random' | 'logger'> {
  readonly hub: TopicHub
  readonly principals: Principals
  readonly limits: PersonLimits
  readonly metrics: LiveMetrics
  readonly settings: LiveSettings
}

export function createLiveSocket(
  { socket, hello, principal: opener, send }: OpenedSocket,
  deps: LiveSocketDeps,
): LiveSocket {
  const { access, clock, limits, principals, settings } = deps
  const { kind } = opener
  const name = nameOf(opener)
  let principal = opener

  const session = deps.hub.openSession(
    {
      send,
      bufferedBytes: () => bufferedBytes(socket.conn),
      close: (hard) => {
        if (hard) terminate(socket.conn)
        else socket.disconnect(true)
      },
      canUnpack: hello.encodings.includes(PACKED_ENCODING),
    },
    {
      look: (topic, maxAgeMs) => principals.look(principal, socket.request.headers, topic, maxAgeMs),
      watcher: () => toWatcher(principal),
      enterSubscription: () => limits.enterSubscription(name),
      onCut: (code) => {
        if (code !== CLOSE_CODES.rateExceeded.code) return
        limits.noteCut(name)
        // What it has sent already is not even parsed.
        pauseReading(socket.conn)
        clock.schedule(() => terminate(socket.conn), FAREWELL_MS)
      },
    },
  )

  const endCredential = (): void => session.end(CREDENTIAL_ENDED[kind].reason, CREDENTIAL_ENDED[kind].message)

  const look = async (age: AnswerAge): Promise<void> => {
    const found = await principals.identify(socket.request, kind, age)
    const isSame = found !== null && isSamePrincipal(found, principal)
    deps.metrics.rechecks.inc({ result: isSame ? 'confirmed' : 'ended' })
    if (!isSame) return endCredential()
    const hasOtherRoles = !hasSameRoles(found, principal)
    principal = found
    if (hasOtherRoles) send({ type: 'rights' })
    session.recheckRights(age.rightsMs)
  }

  const watch = createSessionWatch({
    clock,
    random: deps.random,
    settings: kind === 'device' ? { ...settings.watch, lookEveryMs: settings.deviceRecheckMs } : settings.watch,
    isAnnounced: () => kind === 'person' && access.isAnnounced(),
    endsAt: () => (principal.kind === 'person' ? principal.identity.endsAt : undefined),
    look,
    onUnconfirmed: (error) => {
      deps.metrics.rechecks.inc({ result: 'unconfirmed' })
      deps.logger.info({ err: error, ...toLogged(principal) }, 'session of a socket cannot be checked')
    },
    onEnd: (reason) => {
      if (reason === 'ended') endCredential()
      else session.end('tokenExpired', liveErrors.LIVE_SESSION_UNCONFIRMED.message)
    },
  })

  /** Messages that wait until it is known anew what their sender may. */
  const held: unknown[] = []
  const receive = (message: unknown): void => {
    // Of devices nobody tells more (LIVE-60).
    if (held.length === 0 && (kind === 'device' || watch.isConfirmed())) return session.receive(message)
    held.push(message)
    if (held.length > settings.messageBurst) session.end('rateExceeded', liveErrors.LIVE_RATE_EXCEEDED.message)
    else if (held.length === 1) void watch.confirm().then(() => held.splice(0).forEach((one) => session.receive(one)))
  }

  socket.conn.transport.on('drain', session.flush)
  socket.onAny((event: string, message: unknown) => {
    if (event !== LIVE_EVENT) session.end('badMessage', liveErrors.LIVE_MESSAGE_UNREADABLE.message)
    else if (!limits.tryTakeMessage(name)) session.end('rateExceeded', liveErrors.LIVE_RATE_EXCEEDED.message)
    else receive(message)
  })

  return {
    principal: () => principal,
    session,
    recheck: () => void watch.confirm(),
    close: () => {
      watch.stop()
      session.close()
    },
  }
}
