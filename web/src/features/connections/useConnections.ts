import { useQueryClient } from '@tanstack/react-query'
import { settingsTopic, type SettingsVersion } from '@watchroom/shared/protocol'
import type { SettingsTable } from '@watchroom/shared/settings'
import {
  CONNECTION_FORMS,
  CONNECTION_TYPES,
  ConnectionSummarySchema,
  type ConnectionType,
  type ConnectionTypeName,
} from '@watchroom/shared/settings/connections'
import { useEffect, useRef } from 'react'

import { useMissing } from '../../api/backendFacts.ts'
import { defineTable } from '../../api/tables.ts'
import { useTopic } from '../../live/useTopic.ts'

const shared = {
  row: ConnectionSummarySchema,
  select: '*,created_by(id,name,avatar)',
  filter: 'deleted_at=is.null',
  writes: 'connections',
} as const

/** With their users and the result of their last test. */
const withStatus = defineTable({ ...shared, name: 'connections_with_status' })
/** As on other backends. */
const plain = defineTable({ ...shared, name: 'connections' })

export const useConnectionTable = () => (useMissing('connectionTrials') === null ? withStatus : plain)

/** What the form of each type shows: whoever cannot try connections does not test them by the clock either. */
export const useConnectionForms = (): Readonly<Record<ConnectionTypeName, ConnectionType>> =>
  useMissing('connectionTrials') === null ? CONNECTION_FORMS : CONNECTION_TYPES

const PARAMS = { table: 'connections' } as const satisfies { table: SettingsTable }

/** The rows of connections, read again when someone saves, tests, adds or deletes one. */
export function useConnections() {
  const queryClient = useQueryClient()
  const table = useConnectionTable()
  const live = useTopic<{ table: SettingsTable }, SettingsVersion>(settingsTopic, PARAMS)
  const seen = useRef(live.rows)
  useEffect(() => {
    if (seen.current === live.rows) return
    seen.current = live.rows
    void table.invalidate(queryClient)
  }, [live.rows, table, queryClient])
  return { table, live }
}
