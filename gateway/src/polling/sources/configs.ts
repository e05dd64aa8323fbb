import { type Config, CONFIG_SELECT, ConfigSchema } from '@watchroom/shared/catalog'
import type { Clock } from '@watchroom/shared/kernel'
import { CONFIGS_WINDOW } from '@watchroom/shared/protocol'
import { parseTimestamp } from '@watchroom/shared/time'
import { z } from 'zod'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readTable } from './readTable.ts'

/** Of the newest changes and insights each: together as many items as an address can name. */
const NEWS = 75

const SELECT = `select=${encodeURIComponent(CONFIG_SELECT)}`
const PATHS = {
  changed: `/db/configs?${SELECT}&order=updated_at.desc.nullslast&limit=${CONFIGS_WINDOW}`,
  // Deletion leaves the time of the last change as it is.
  deleted: `/db/configs?${SELECT}&deleted_at=not.is.null&order=deleted_at.desc&limit=${CONFIGS_WINDOW}`,
  // What is counted at an item changes without the item.
  newChanges: `/db/config_changes?select=config_id&order=created_at.desc&limit=${NEWS}`,
  newInsights: `/db/config_analysis?select=config_id&order=first_observed.desc&limit=${NEWS}`,
} as const

/** Where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 30_000

const NamedSchema = z.object({ config_id: z.string() })

/** Items of the catalog as lists show them. */
export function createConfigsSource({ backend, clock }: { backend: BackendClient; clock: Clock }): Source<Config> {
  const readItems = (path: string, signal: AbortSignal) => readTable(backend, path, ConfigSchema, signal)
  const readNamed = async (signal: AbortSignal) => {
    const read = await Promise.all(
      [PATHS.newChanges, PATHS.newInsights].map((path) => readTable(backend, path, NamedSchema, signal)),
    )
    const ids = new Set(read.flatMap(({ rows }) => rows).map((row) => row.config_id))
    return readItems(`/db/configs?${SELECT}&id=in.(${[...ids].join(',')})`, signal)
  }
  return {
    name: 'configs',
    intervalMs: INTERVAL_MS,
    read: async (signal) => {
      const asOf = clock.now()
      const [changed, deleted, named] = await Promise.all([
        readItems(PATHS.changed, signal),
        readItems(PATHS.deleted, signal),
        readNamed(signal),
      ])
      const newest = [...changed.rows, ...deleted.rows]
        .toSorted((a, b) => changedAt(b) - changedAt(a))
        .slice(0, CONFIGS_WINDOW)
      const rows = new Map([...newest, ...named.rows].map((row) => [row.id, row]))
      const droppedRows = changed.droppedRows + deleted.droppedRows + named.droppedRows
      return { kind: 'all', asOf, rows: [...rows.values()], droppedRows }
    },
  }
}

const changedAt = ({ updated_at, deleted_at }: Config): number =>
  Math.max(parseTimestamp(updated_at) ?? 0, parseTimestamp(deleted_at) ?? 0)
