import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import type { Clock } from '@watchroom/shared/kernel'
import type { TopicName } from '@watchroom/shared/protocol'

import type { Access, Sights } from '../access/contract.ts'
import type { BackendCaller } from '../platform/backendCaller.ts'
import type { KnownHosts } from '../platform/knownHosts.ts'
import type { Logger } from '../platform/logger.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Feeds, PolledFeeds } from '../polling/contract.ts'
import type { Devices } from '../wall/contract.ts'
import type { LiveSettings } from './settings.ts'

export interface LiveDeps {
  /** Upgrades under `/socket.io/` are taken here; those by a foreign name never arrive. */
  readonly upgrades: {
    add(prefix: string, handler: (request: IncomingMessage, socket: Duplex, head: Buffer) => void): void
  }
  readonly access: Access
  /** Screens without an account; absent where none are served. */
  readonly devices?: Devices
  readonly feeds: Feeds
  /** How much of a source the backend shows someone. */
  readonly sights: Pick<Sights, 'look'>
  /** Feeds for someone to whom it shows other rows than to the gateway. */
  readonly feedsOf: (caller: BackendCaller) => PolledFeeds
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly metrics: Metrics
  /** What an Origin is compared with. */
  readonly hosts: Pick<KnownHosts, 'hostOf' | 'addressOf'>
  readonly settings?: Partial<LiveSettings>
}

export interface Live {
  /** The rows behind topics of this name probably changed, or behind the one with these parameters; without a name, behind all. */
  readonly wake: (topicName?: TopicName, params?: Record<string, string>) => void
  /** Refuses newcomers and tells everyone when to come back. */
  readonly drain: () => Promise<void>
  readonly close: () => Promise<void>
}
