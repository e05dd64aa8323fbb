// Who stands behind a socket, and what they may read.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

import { topicAddress, wallTopic } from '@watchroom/shared/protocol'

import type { Sight } from '../access/contract.ts'
import type { AnswerAge } from '../platform/createSessionWatch.ts'
import type { LiveDeps } from './contract.ts'
import type { TopicSight } from './createOpenTopics.ts'
import type { Principal } from './principal.ts'
import type { Readable } from './topicSession.ts'

export interface Principals {
  /**
   * One credential counts, the one the client came with: a device never becomes a person, nor the other way (LIVE-58).
   *
   * @throws CodedError ACCESS_BACKEND_UNAVAILABLE, ACCESS_RATE_LIMITED
   */
  identify(request: IncomingMessage, kind: Principal['kind'], maxAge?: AnswerAge): Promise<Principal | null>
  /** The matrix is asked first, and then the backend: each can only narrow what the other allows. */
  look(
    principal: Principal,
    headers: IncomingHttpHeaders,
    topic: Readable,
    maxAgeMs?: number,
  ): TopicSight | Promise<TopicSight>
}

const SHARED: TopicSight = { kind: 'shared' }
const FORBIDDEN: TopicSight = { kind: 'forbidden', reason: null }

/** Of a topic's source, and of what its rows quote: a table that is not there has no rows to hide. A closed door shows nothing. */
function narrowest([source, ...quoted]: readonly Sight[], door: Sight | undefined): Sight {
  if (door && door.kind !== 'all') return door
  if (source === undefined) return { kind: 'none', reason: null }
  const isNarrowed = quoted.some(({ kind }) => kind === 'some' || kind === 'none')
  return source.kind === 'all' && isNarrowed ? { kind: 'some' } : source
}

export function createPrincipals(
  deps: Pick<LiveDeps, 'access' | 'devices' | 'sights' | 'feedsOf' | 'hosts'>,
): Principals {
  const { access, hosts } = deps

  const toTopicSight = (sight: Sight, headers: IncomingHttpHeaders): TopicSight => {
    switch (sight.kind) {
      case 'all':
        return SHARED
      case 'none':
        return { kind: 'forbidden', reason: sight.reason }
      case 'missing':
        return { kind: 'missing' }
      case 'some': {
        const caller = access.callerOf(headers)
        return caller ? { kind: 'personal', owner: caller.key, feeds: deps.feedsOf(caller) } : FORBIDDEN
      }
    }
  }

  return {
    identify: async (request, kind, maxAge) => {
      if (kind === 'device') {
        const device = (await deps.devices?.identify(request.headers)) ?? null
        return device && { kind, device }
      }
      const address = hosts.addressOf(request)
      const identity = await access.identify(request.headers, { address, ...(maxAge ? { maxAge } : {}) })
      return identity && { kind, identity }
    },
    look: (principal, headers, { resource, address, sources, door }, maxAgeMs) => {
      if (principal.kind === 'device') {
        return address === topicAddress(wallTopic.name, { boardId: principal.device.boardId }) ? SHARED : FORBIDDEN
      }
      if (!access.can(principal.identity, 'read', resource)) return FORBIDDEN
      const asked = door === undefined ? sources : [...sources, door]
      const found = asked.map((source) => deps.sights.look(headers, principal.identity.userId, source, maxAgeMs))
      const known = found.filter((one): one is Sight => !(one instanceof Promise))
      const settle = (sights: readonly Sight[]): TopicSight =>
        toTopicSight(narrowest(sights.slice(0, sources.length), sights[sources.length]), headers)
      return known.length === found.length
        ? settle(known)
        : Promise.all(found.map((one) => Promise.resolve(one))).then(settle)
    },
  }
}
