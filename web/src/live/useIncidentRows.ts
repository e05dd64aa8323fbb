import { incidentsTopic } from '@watchroom/shared/protocol'
import { z } from 'zod'

import { defineTable } from '../api/tables.ts'
import { type EndlessRows, useEndlessRows } from '../api/useEndlessRows.ts'
import { type IncidentFilter, toIncidentFilters } from '../ui/incident/incidentFilters.ts'
import { useOnChange } from './useOnChange.ts'
import { useTopic } from './useTopic.ts'

const text = z.string().nullish().catch(null)
const RecordedIncidentSchema = z.object({
  id: z.string(),
  title: z.string().catch(''),
  type: text,
  status: z.string().catch(''),
  severity: text,
  created_at: text,
})
/** An incident as the records that are evidence in it list it. */
export type RecordedIncident = z.infer<typeof RecordedIncidentSchema>

const defineRecords = (name: string) =>
  defineTable<RecordedIncident>({
    name,
    row: RecordedIncidentSchema,
    select: Object.keys(RecordedIncidentSchema.shape).join(),
  })

/** What evidence is about, and the view that knows its incidents (backend reference 5.16). */
const SUBJECTS = {
  component: { table: defineRecords('incidents_by_component'), column: 'component_id' },
  config: { table: defineRecords('incidents_by_config'), column: 'config_id' },
} as const

export const keyOfIncident = SUBJECTS.component.table.keyOf
const NO_PARAMS = {}

/** Incidents that a record is evidence in, the newest first. They are read again when any incident changes. */
export function useIncidentRows(
  kind: keyof typeof SUBJECTS,
  id: string,
  filter: IncidentFilter,
): EndlessRows<RecordedIncident> {
  const { table, column } = SUBJECTS[kind]
  const filters = [`${column}=eq.${id}`, ...toIncidentFilters(filter)]
  const found = useEndlessRows(table, { filters, order: { by: 'created_at', direction: 'desc' } }, 'incidents')
  const { rows } = useTopic(incidentsTopic, NO_PARAMS)
  useOnChange([rows], found.onStale)
  return found
}
