import type { Server } from 'node:http'

import type { Clock } from '@watchroom/shared/kernel'

import type { Access } from '../access/contract.ts'
import type { Logger } from '../platform/logger.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Feeds } from '../polling/contract.ts'
import type { Devices } from '../wall/contract.ts'
import type { LiveSettings } from './settings.ts'

export interface LiveDeps {
  /** Socket.IO takes upgrades under `/socket.io/` here and leaves all others alone. */
  readonly server: Server
  readonly access: Access
  /** Screens without an account; absent where none are served. */
  readonly devices?: Devices
  readonly feeds: Feeds
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly metrics: Metrics
  /** Believe X-Forwarded-Host when judging an Origin. */
  readonly trustProxy: boolean
  readonly settings?: Partial<LiveSettings>
}

export interface Live {
  /** The rows behind topics of this name probably changed; without a name, behind all. */
  readonly wake: (topicName?: string) => void
  /** Refuses newcomers and tells everybody when to come back. */
  readonly drain: () => Promise<void>
  readonly close: () => Promise<void>
}
