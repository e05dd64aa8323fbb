import type { Clock } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'
import type { Logger } from 'pino'

import type { BackendOptions } from '../contract.ts'
import type { Channels } from '../postgres/createChannels.ts'
import type { Vault } from '../secrets/createVault.ts'

/** What every capability of the embedded backend is built from. Made once in `main.ts`, after the migrations. */
export interface BackendContext {
  readonly pool: Pool
  readonly channels: Channels
  /** Credentials that rows were written with. */
  readonly vault: Vault
  readonly clock: Clock
  readonly logger: Logger
  readonly options: BackendOptions
  /** In [0, 1), for jitter and choices; never for secrets. */
  readonly random: () => number
}
