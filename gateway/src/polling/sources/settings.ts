import { type Clock, ownValue } from '@watchroom/shared/kernel'
import type { SettingsVersion } from '@watchroom/shared/protocol'
import { SETTINGS_RESOURCES, type SettingsTable, versionColumns, versionOf } from '@watchroom/shared/settings'
import { z } from 'zod'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { SourceRead, Source } from '../contract.ts'
import { isRefused, readUpstream } from './upstream.ts'

/** Rows beyond these are found by the next visit of a list; those saved last are always among them. */
const MAX_ROWS = 5_000

/** Where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 10_000

const AnswerSchema = z.array(z.looseObject({ id: z.string() }))

/** Which rows one table of settings has, and in which version each of them is. */
export function createSettingsSource(deps: {
  backend: BackendClient
  clock: Clock
  table: SettingsTable
}): Source<SettingsVersion> {
  const definition = SETTINGS_RESOURCES[deps.table]
  const { statusView = deps.table, signs = [] } = definition
  const readFrom = (
    relation: string,
    more: readonly string[],
    signal: AbortSignal,
  ): Promise<SourceRead<SettingsVersion>> => {
    const asOf = deps.clock.now()
    const columns = ['id', ...versionColumns(definition), ...more].join(',')
    const path = `/db/${relation}?select=${columns}&deleted_at=is.null&order=updated_at.desc.nullslast&limit=${MAX_ROWS}`
    const toVersion = (row: Readonly<Record<string, unknown>>): string =>
      [versionOf(definition, row), ...more.map((sign) => JSON.stringify(ownValue(row, sign) ?? null))].join(' ')
    return readUpstream(deps.backend, path, signal, async (response) => {
      const answer = AnswerSchema.parse(await response.json())
      const rows = answer.map((row) => ({ id: row.id, version: toVersion(row) }))
      return { kind: 'all', asOf, rows, droppedRows: 0 }
    })
  }
  return {
    name: `settings.${deps.table}`,
    intervalMs: INTERVAL_MS,
    read: async (signal) => {
      if (signs.length === 0) return readFrom(deps.table, [], signal)
      try {
        return await readFrom(statusView, signs, signal)
      } catch (error) {
        // Other backends have the table without what we know beyond it.
        if (!isRefused(error)) throw error
        return readFrom(deps.table, [], signal)
      }
    },
  }
}
