// What a test of a connection is: one file per type in `testers`. Notification types send a message instead.
import type { Clock } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'

import type { FolderRules } from '../../check-runner/folderRules.ts'
import type { Network } from '../outbound/createNetwork.ts'
import type { OpenedConnection } from '../outbound/openedConnection.ts'

export interface TestOptions {
  readonly signal: AbortSignal
  readonly network: Network
  readonly clock: Clock
  readonly logger: Logger
  readonly folders: FolderRules
}

/** Resolves when the system answers and takes the credentials. @throws OutboundFault, and the errors of the network */
export type Tester = (connection: OpenedConnection, options: TestOptions) => Promise<void>
