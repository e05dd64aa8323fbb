// The one list of families that are run here. Scrapers of the others are shown, and say that they run elsewhere.
import { join } from 'node:path'

import { WAKE_CHANNEL, tryParseWake } from '@watchroom/shared/protocol'

import type { Executor } from '../../../executor/contract.ts'
import { createCheckOpener } from '../../checks/createCheckOpener.ts'
import { createNetwork } from '../../outbound/createNetwork.ts'
import type { BackendContext } from '../../server/context.ts'
import type { Family } from '../family.ts'
import { createExecFamily } from './exec.ts'
import { createFileFamily } from './file.ts'
import { createHttpFamily } from './http.ts'
import { createSelfFamily } from './self.ts'
import { createSqlFamily } from './sql.ts'

/** Of the data directory. */
export const SOURCES_FOLDER = 'sources'

export interface FamilyDeps {
  readonly context: Omit<BackendContext, 'random'>
  readonly executor: Executor
  readonly version: string
  /** The product's own data, which nobody reads as a source. */
  readonly hidden: readonly string[]
}

export function createFamilies({ context, executor, version, hidden }: FamilyDeps): ReadonlyMap<string, Family> {
  const { pool, channels, clock, options } = context
  const logger = context.logger.child({ part: 'scrapers' })
  const roots = { own: join(options.dataDirectory, SOURCES_FOLDER), others: options.sourceRoots ?? [], hidden }
  const opener = createCheckOpener(context)
  const network = createNetwork()
  const watchFlags = (onChange: () => void) =>
    channels.listen({
      channel: WAKE_CHANNEL,
      onNotification: (payload) => {
        if (tryParseWake(payload)?.name === 'featureFlags') onChange()
      },
      onConnected: onChange,
    })
  const self = createSelfFamily({
    pool,
    version,
    profile: options.profile,
    localFlags: options.properties ?? {},
    agentOfflineAfterMs: options.agentOfflineAfterMs,
    watchFlags,
  })
  const families = [
    createFileFamily({ roots, clock }),
    createHttpFamily({ opener, network }),
    createSqlFamily({ opener, network, logger }),
    createExecFamily({ executor }),
    self,
  ]
  return new Map(families.map((family) => [family.name, family]))
}
