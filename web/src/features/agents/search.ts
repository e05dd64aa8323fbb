import { z } from 'zod'

import { pageFields, sortFields } from '../../ui/table/listSearch.ts'
import { SHORT_PAGE_SIZES } from '../../ui/table/pages.ts'
import { booleanField, idField } from '../../url/searchFields.ts'

/** Columns of `agents_summary` that the list can be ordered by; the wire names stand in the address. */
const AGENT_SORT_KEYS = [
  'name',
  'config_count',
  'checks_count',
  'config_scrapper_count',
  'playbook_runs_count',
  'last_seen',
  'last_received',
  'created_at',
  'updated_at',
  'created_by',
] as const
export type AgentSortKey = (typeof AGENT_SORT_KEYS)[number]

/** What a link to the agents page carries; nonsense falls back key by key. */
export const AgentSearchSchema = z.object({
  /** Opens the dialog that creates an agent. */
  addAgent: booleanField(),
  /** Opens the dialog of this agent. */
  id: idField,
  ...pageFields(SHORT_PAGE_SIZES, SHORT_PAGE_SIZES[0]),
  ...sortFields(AGENT_SORT_KEYS, 'created_at'),
})
