import { useQueryClient } from '@tanstack/react-query'
import { settingsTopic } from '@watchroom/shared/protocol'
import { INTEGRATION_TABLES, type Integration, IntegrationSchema } from '@watchroom/shared/settings'

import { defineTable } from '../../api/tables.ts'
import { useOnChange } from '../../live/useOnChange.ts'
import { useTopic } from '../../live/useTopic.ts'

export const integrationTable = defineTable<Integration>({
  name: 'integrations_with_status',
  row: IntegrationSchema,
  filter: 'deleted_at=is.null',
})

/** What was read of integrations is read again when someone saves one of any kind. */
export function useLiveIntegrations() {
  const queryClient = useQueryClient()
  const scrapers = useTopic(settingsTopic, { table: INTEGRATION_TABLES.scrapers })
  const topologies = useTopic(settingsTopic, { table: INTEGRATION_TABLES.topologies })
  const logs = useTopic(settingsTopic, { table: INTEGRATION_TABLES.logging_backends })
  useOnChange([scrapers.rows, topologies.rows, logs.rows], () => void integrationTable.invalidate(queryClient))
  return scrapers
}
