// Keeps the engine's checks as the canaries in the database define them. Knows neither scheduler nor board: they are told.
import type { Pool } from 'pg'
import type { Logger } from 'pino'

import type { Vault } from '../secrets/createVault.ts'
import { type Passes, RETRY_MS } from './createPasses.ts'
import { readCanaryVersions, syncCanaries, type SyncedCanaries } from './syncCanaries.ts'

export interface CanarySync {
  /** Reads all canaries that differ from what was seen last. */
  syncAll(): Promise<void>
  /** @param ids which canaries changed; the pass is made soon, once for many calls */
  plan(ids: ReadonlySet<string> | 'all'): void
}

export interface CanarySyncDeps {
  readonly pool: Pool
  readonly vault: Vault
  readonly logger: Logger
  readonly passes: Passes
  readonly apply: (synced: SyncedCanaries) => Promise<void>
}

/** A burst of edits, for example an import, becomes one pass. */
export const SYNC_DELAY_MS = 20

export function createCanarySync({ pool, vault, logger, passes, apply }: CanarySyncDeps): CanarySync {
  /** What the planned pass is about; null while none is planned. */
  let planned: ReadonlySet<string> | 'all' | null = null
  /** Of the canaries, as of the last pass over all. */
  let versions = new Map<string, string>()

  /** Canaries that differ from what was seen last, also those that are gone. */
  const findEdited = async (): Promise<string[]> => {
    const seen = versions
    versions = await readCanaryVersions(pool)
    const gone = [...seen.keys()].filter((id) => !versions.has(id))
    const edited = [...versions].filter(([id, version]) => seen.get(id) !== version)
    return [...edited.map(([id]) => id), ...gone]
  }

  const sync = async (which: ReadonlySet<string> | 'all'): Promise<void> => {
    const synced = await syncCanaries({ pool, vault, logger }, which === 'all' ? await findEdited() : which)
    if (!passes.isClosed()) await apply(synced)
  }

  const syncPatiently = async (which: ReadonlySet<string> | 'all'): Promise<void> => {
    try {
      await sync(which)
    } catch (error) {
      if (passes.isClosed()) return
      logger.warn({ err: error }, 'canaries could not be read, trying again')
      versions = new Map()
      plan('all', RETRY_MS)
    }
  }

  const plan = (ids: ReadonlySet<string> | 'all', delayMs = SYNC_DELAY_MS): void => {
    const isPlanned = planned !== null
    planned = ids === 'all' || planned === 'all' ? 'all' : new Set([...(planned ?? []), ...ids])
    if (isPlanned) return
    passes.after(delayMs, () => {
      const which = planned ?? 'all'
      planned = null
      void passes.inTurn(() => syncPatiently(which))
    })
  }

  return { syncAll: () => sync('all'), plan: (ids) => plan(ids) }
}
