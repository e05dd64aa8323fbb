// What becomes of an update of a peer: it is known, refused, looked up, or judged and handed to the log.

import type { Clock } from '@watchroom/shared/kernel'
import { CLOSE_CODES } from '@watchroom/shared/protocol'
import * as Y from 'yjs'

import type { Logger } from '../../platform/logger.ts'
import type { DocumentKind } from '../documentKind.ts'
import type { Connection, UpdateHandler } from './connection.ts'
import type { ClientIds } from './createClientIds.ts'
import type { Connections } from './createConnections.ts'
import type { Guard } from './createGuard.ts'
import type { Arrival } from './createIntake.ts'
import type { LogQueue } from './createLogQueue.ts'
import type { References } from './createReferences.ts'
import type { Check } from './createUpdateChecks.ts'
import { toRejectedFrame } from './frames.ts'
import type { UpdateFacts } from './inspectUpdate.ts'

export interface UpdateHandlerDeps {
  readonly name: string
  readonly kind: DocumentKind
  readonly clock: Clock
  readonly logger: Logger
  readonly references: References | undefined
  readonly check: (peer: Connection['peer'], arrival: Arrival) => Check
  readonly clients: ClientIds
  readonly guard: Guard
  readonly queue: LogQueue
  readonly connections: Connections
  /** Nothing of an update was new. */
  readonly onKnown: (connection: Connection) => void
  /** The log answers no more. */
  readonly onOverfull: () => void
}

export function createUpdateHandler(deps: UpdateHandlerDeps): UpdateHandler {
  const { clients, connections, guard, kind, queue } = deps

  /** The client parks its text; the connection stays, so that it can go on reading. */
  const answerReader = ({ peer, readOnlyRefusals }: Connection): void => {
    if (!readOnlyRefusals.note()) return connections.refuse(peer, 'rateExceeded')
    peer.send(toRejectedFrame('readOnly', { path: '', message: `You may read this ${kind.words}, not change it` }))
  }

  /** Judges an update of which everything is known, and hands it to the log. */
  const accept = (connection: Connection, update: Uint8Array, facts: UpdateFacts): void => {
    const { peer, slow } = connection
    const newClientIds = [...facts.clientIds].filter((id) => clients.ownerOf(id) === undefined)
    if (!clients.mayClaim(peer.user.id, newClientIds.length)) {
      const message = `Too many of your pages began to change this ${kind.words}; wait five minutes`
      return connections.refuse(peer, 'rateExceeded', { path: '', message })
    }
    const verdict = guard.judge(peer, slow, update, facts)
    if (verdict.kind !== 'accepted') guard.rebuild()
    if (verdict.kind === 'tooSlow') {
      connections.remove(peer)
      peer.close(CLOSE_CODES.tooCostly.code, 'send it again')
      return
    }
    if (verdict.kind === 'refused') {
      const { path, reason } = verdict.refusal
      deps.logger.info({ document: deps.name, userId: peer.user.id, path, reason }, 'update refused')
      return connections.refuse(peer, 'updateRejected', { path, message: reason })
    }
    if (queue.isOverfull()) return deps.onOverfull()
    clients.claim(peer.user.id, newClientIds)
    const { added } = verdict
    const stamp =
      added.length === 0
        ? null
        : guard.compose((doc) => kind.stamp(doc, added, new Date(deps.clock.now()).toISOString()))
    // One entry of the log: no crash can part what was added from when.
    const logged = stamp ? Y.mergeUpdates([update, stamp]) : update
    // A failed append ends the room by itself.
    queue.append(logged, { userId: peer.user.id, newClientIds, connection, stamp }).catch(() => undefined)
  }

  return (connection, arrival, wasLookedUp) => {
    const { peer } = connection
    const check = deps.check(peer, arrival)
    switch (check.kind) {
      case 'refused':
        connections.refuse(peer, check.code, check.rejection)
        return null
      case 'known':
        deps.onKnown(connection)
        return null
      case 'readOnly':
        answerReader(connection)
        return null
      case 'passed': {
        const { structs } = check.facts
        const lookUp = wasLookedUp ? null : deps.references?.lookUp(kind.namedBy(structs))
        if (lookUp) return lookUp
        accept(connection, arrival.update, check.facts)
        return null
      }
    }
  }
}
