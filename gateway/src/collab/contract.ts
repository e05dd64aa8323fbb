import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import type { PeerUser } from '@watchroom/shared/collab'
import type { Clock } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'

import type { Access, Sights } from '../access/contract.ts'
import type { SessionWatchSettings } from '../platform/createSessionWatch.ts'
import type { BackendClient } from '../platform/httpClient.ts'
import type { KnownHosts } from '../platform/knownHosts.ts'
import type { Logger } from '../platform/logger.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { DocumentKind } from './documentKind.ts'
import type { CompactionSettings } from './log/createEpochs.ts'
import type { ReaderSettings } from './socket/createReaderWatch.ts'

/** One connection to a document, as its room sees it. Knows frames, not sockets. */
export interface RoomPeer {
  readonly socketId: string
  readonly user: PeerUser
  /** Changes when the person's role does; the room reads it on every update. */
  canWrite: boolean
  /** May change and remove what others wrote. */
  isModerator: boolean
  /** Frames of one turn of the event loop go out together at its end. */
  send(frame: Uint8Array): void
  /** Not at its end, but now. */
  flush(): void
  close(code: number, reason: string): void
  /** Bytes handed over that the network has not taken yet. */
  bufferedBytes(): number
}

export interface CollabDeps {
  /** Only the paths below /collab/ are taken. */
  readonly upgrades: {
    add(prefix: string, handler: (request: IncomingMessage, socket: Duplex, head: Buffer) => void): void
  }
  /** All that there are documents of. */
  readonly kinds: readonly DocumentKind[]
  readonly access: Access
  /** What the backend lets someone read and edit. */
  readonly sights: Pick<Sights, 'look' | 'mayEdit'>
  readonly backend: BackendClient
  /** The gateway's own database. @throws CodedError while there is none */
  readonly pool: () => Pool
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly metrics: Metrics
  readonly hosts: Pick<KnownHosts, 'hostOf' | 'addressOf'>
  /** Open sockets of one person, and from one network address. */
  readonly socketLimits: { readonly perPerson: number; readonly perAddress: number }
  /** Tests shorten it. */
  readonly readerSettings?: ReaderSettings
  readonly sessionWatch?: SessionWatchSettings
  /** Tests lower it. */
  readonly compaction?: CompactionSettings
  readonly maxDocuments?: number
}

export interface Collab {
  /** The database announced a transaction on rows of a document, by its name; without one, anything may have been missed. */
  wake(name?: string): void
  /** Tells everyone to come back later and writes back what the backend takes. */
  drain(): Promise<void>
  close(): Promise<void>
}
