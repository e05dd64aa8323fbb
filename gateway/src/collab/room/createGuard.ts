// A copy of the document on which every change is tried before it reaches the log. It runs ahead of the document by what is on its
// way there, and is made anew after a refusal: then it holds something that it must not.

import { type Refusal, SERVER_CLIENT_ID } from '@watchroom/shared/collab'
import type { Clock } from '@watchroom/shared/kernel'
import * as Y from 'yjs'

import type { Logger } from '../../platform/logger.ts'
import type { RoomPeer } from '../contract.ts'
import type { DocumentKind } from '../documentKind.ts'
import { type Application, applyCarefully } from './applyCarefully.ts'
import type { References } from './createReferences.ts'
import type { UpdateFacts } from './inspectUpdate.ts'
import { isKnownUpdate } from './isKnownUpdate.ts'

/** Of one connection within a while: a pause of the machine may fall into an honest one. */
const MAX_SLOW_UPDATES = 3
const SLOW_WITHIN_MS = 10_000
/** Of one person: a large honest update that met a pause of the machine is quick when it comes again. */
const MAX_GIVEN_UP = 2

export type Verdict =
  /** `added`: entries that it brings. */
  | { readonly kind: 'accepted'; readonly added: readonly string[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** It took too long, which the machine may be to blame for. */
  | { readonly kind: 'tooSlow' }

/** Small updates of a connection that took long, and when the first of them came. */
export interface SlowUpdates {
  count: number
  since: number
}

export interface Guard {
  isKnown(facts: UpdateFacts): boolean
  /** Whether anything was written under a client id. */
  hasWritten(clientId: number): boolean
  /** Applies an update and says whether it may stay. After anything but `accepted`, `rebuild` comes next. */
  judge(peer: RoomPeer, slow: SlowUpdates, update: Uint8Array, facts: UpdateFacts): Verdict
  /** A change by the server, which fits behind everything that is on its way. Null when nothing changes. */
  compose(change: (doc: Y.Doc) => void): Uint8Array | null
  rebuild(): void
  close(): void
}

export interface GuardDeps {
  readonly name: string
  readonly kind: Pick<DocumentKind, 'watchChange'>
  readonly references: References | undefined
  readonly clock: Clock
  /** As `applyCarefully` measures. */
  readonly cpuMs?: () => number
  readonly logger: Logger
  /** The document, and what is on its way into it. */
  readonly content: () => Uint8Array[]
}

export function createGuard(deps: GuardDeps): Guard {
  const { clock, logger, references } = deps
  let doc = new Y.Doc()
  /** Updates of a person that took too long, until one did not. */
  const givenUp = new Map<string, number>()

  const rebuild = (): void => {
    doc.destroy()
    // A document nobody types into: its own client id never appears.
    doc = new Y.Doc()
    for (const update of deps.content()) Y.applyUpdate(doc, update)
  }

  const isOften = (slow: SlowUpdates): boolean => {
    const now = clock.monotonic()
    if (now - slow.since > SLOW_WITHIN_MS) Object.assign(slow, { count: 0, since: now })
    slow.count += 1
    return slow.count > MAX_SLOW_UPDATES
  }

  const giveUp = (userId: string): Verdict => {
    const count = (givenUp.get(userId) ?? 0) + 1
    givenUp.set(userId, count)
    return count <= MAX_GIVEN_UP ? { kind: 'tooSlow' } : refused('this change takes too long to apply')
  }

  rebuild()

  return {
    isKnown: (facts) => isKnownUpdate(doc, facts),
    hasWritten: (clientId) => Y.getState(doc.store, clientId) > 0,

    judge: ({ user, isModerator }, slow, update, facts) => {
      const author = { userId: user.id, isModerator }
      const watch = deps.kind.watchChange(doc, author, { isMissing: (named) => references?.isMissing(named) ?? false })
      let application: Application
      try {
        application = applyCarefully(doc, update, facts.structs, deps.cpuMs)
      } catch (error) {
        logger.warn({ err: error, document: deps.name }, 'update could not be applied')
        watch.finish()
        return refused('this change cannot be applied')
      }
      const refusal = watch.finish()
      if (application === 'tooSlow' || (application === 'slow' && isOften(slow))) return giveUp(user.id)
      givenUp.delete(user.id)
      if (refusal) return { kind: 'refused', refusal }
      if (doc.store.pendingStructs || doc.store.pendingDs)
        return refused('this change builds on one that never arrived')
      return { kind: 'accepted', added: watch.added() }
    },

    compose: (change) => {
      const composed: Uint8Array[] = []
      const note = (update: Uint8Array): void => void composed.push(update)
      const target = doc
      const { clientID } = target
      target.on('update', note)
      try {
        target.clientID = SERVER_CLIENT_ID
        target.transact(() => change(target), { kind: 'backend' })
      } catch (error) {
        rebuild()
        throw error
      } finally {
        target.off('update', note)
        // Never while something arrives: Yjs takes structs under a document's own id for a collision.
        target.clientID = clientID
      }
      return composed[0] ?? null
    },

    rebuild,
    close: () => doc.destroy(),
  }
}

const refused = (reason: string): Verdict => ({ kind: 'refused', refusal: { path: '', reason } })
