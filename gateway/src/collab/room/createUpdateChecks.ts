// What is found out about an update from its bytes, before anything is applied.

import { SERVER_CLIENT_ID } from '@watchroom/shared/collab'
import type { CloseName } from '@watchroom/shared/protocol'

import type { RoomPeer } from '../contract.ts'
import type { Answers } from './createAnswers.ts'
import type { ClientIds } from './createClientIds.ts'
import type { Guard } from './createGuard.ts'
import type { Arrival } from './createIntake.ts'
import type { Presence } from './createPresence.ts'
import { type Rejection, TOO_LARGE } from './frames.ts'
import { epochIn, inspectUpdate, type UpdateFacts } from './inspectUpdate.ts'
import { ROOM_LIMITS } from './roomLimits.ts'

export type Check =
  | { readonly kind: 'passed'; readonly facts: UpdateFacts }
  /** Nothing in it is new. */
  | { readonly kind: 'known' }
  /** Its peer may only read. */
  | { readonly kind: 'readOnly' }
  | { readonly kind: 'refused'; readonly code: CloseName; readonly rejection?: Rejection }

export interface UpdateChecksDeps {
  readonly epoch: string
  readonly answers: Answers
  readonly guard: Guard
  readonly clients: ClientIds
  readonly presence: Presence
  readonly isFull: () => boolean
}

export function createUpdateChecks(deps: UpdateChecksDeps): (peer: RoomPeer, arrival: Arrival) => Check {
  const { answers, clients, guard, presence } = deps

  /** Someone who was offline sends everything at once, and names every deletion of the document again. */
  const isTooLarge = (facts: UpdateFacts, isFirst: boolean): boolean => {
    if (!isFirst) return facts.structs.length > ROOM_LIMITS.structs || facts.deletes > ROOM_LIMITS.deletes
    if (facts.structs.length > ROOM_LIMITS.firstSyncStructs) return true
    return (
      facts.deletes > ROOM_LIMITS.firstSyncStructs &&
      facts.deletes > ROOM_LIMITS.firstSyncStructs + (inspectUpdate(answers.deletions())?.deletes ?? 0)
    )
  }

  const mayWriteAs = (clientId: number, userId: string): boolean => {
    const owner = clients.ownerOf(clientId)
    if (owner !== undefined) return owner === userId
    // A page stands under its id before it writes: nobody else may be faster.
    if ((presence.holderOf(clientId) ?? userId) !== userId) return false
    // Written under, but by no person: a seed's id.
    return clientId !== SERVER_CLIENT_ID && !guard.hasWritten(clientId)
  }

  return (peer, { update, isFirst }) => {
    const facts = inspectUpdate(update)
    if (!facts) return { kind: 'refused', code: 'badMessage' }
    const lineage = epochIn(facts)
    if (lineage !== null && lineage !== deps.epoch) {
      return refused('epochGone', 'This copy is of a document that was replaced by a new one')
    }
    if (isTooLarge(facts, isFirst)) return { kind: 'refused', code: 'tooLarge', rejection: TOO_LARGE }
    if (guard.isKnown(facts)) return { kind: 'known' }
    if (deps.isFull()) return refused('tooLarge', 'This document is full')
    if (!peer.canWrite) return { kind: 'readOnly' }
    const isForeign = [...facts.clientIds].some((id) => !mayWriteAs(id, peer.user.id))
    return isForeign
      ? refused('updateRejected', 'This change bears the name of someone else')
      : { kind: 'passed', facts }
  }
}

const refused = (code: CloseName, message: string): Check => ({
  kind: 'refused',
  code,
  rejection: { path: '', message },
})
