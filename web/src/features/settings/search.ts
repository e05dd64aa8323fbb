import { NIL_UUID } from '@watchroom/shared/kernel'
import type { SettingsResource } from '@watchroom/shared/settings'
import { z } from 'zod'

import { type ListAsk, textFilter, toPageAsk } from '../../api/tables.ts'
import { pageFields } from '../../ui/table/listSearch.ts'
import { PAGE_SIZES } from '../../ui/table/pages.ts'
import { settingsColumns } from './settingsColumns.ts'

/** Third specification, section 9. */
export const DEFAULT_PAGE_SIZE = 100

/** Rows that people edit here say so, or nothing; the others name what defines them. */
const HERE = '(UI,self,demo)'

/** Where rows are defined, and the filter that finds them. Those of an agent are defined there, whatever their source (`toSettingsOrigin`). */
const SOURCES = {
  UI: {
    ofPeople: `or=(source.is.null,source.in.${HERE})`,
    ofAgentsToo: `and=(or(agent->>id.is.null,agent->>id.eq.${NIL_UUID}),or(source.is.null,source.in.${HERE}))`,
  },
  elsewhere: {
    ofPeople: `source=not.in.${HERE}`,
    ofAgentsToo: `or=(agent->>id.neq.${NIL_UUID},source.not.in.${HERE})`,
  },
} as const
export const SOURCE_OPTIONS = [
  { value: 'UI', label: 'UI' },
  { value: 'elsewhere', label: 'Elsewhere' },
] as const

/** What the address of a settings list says. */
export const SettingsSearchSchema = z.object({
  query: z.string().catch(''),
  source: z.enum(['UI', 'elsewhere', '']).catch(''),
  ...pageFields(PAGE_SIZES, DEFAULT_PAGE_SIZE),
  sortBy: z.string().catch('created_at'),
  sortOrder: z.enum(['asc', 'desc']).catch('desc'),
})
export type SettingsSearch = z.infer<typeof SettingsSearchSchema>

/** What the server is asked for a list in this address. A column that the list lacks orders nothing. */
export function toListAsk(definition: SettingsResource, search: SettingsSearch): ListAsk {
  const { query, source, sortBy, sortOrder } = search
  const isKnown = settingsColumns(definition).some(({ key, isSortable }) => key === sortBy && isSortable)
  const order = isKnown ? { sortBy, sortOrder } : ({ sortBy: 'created_at', sortOrder: 'desc' } as const)
  return toPageAsk({ ...search, ...order }, [
    ...textFilter('name', query),
    ...(source === '' ? [] : [SOURCES[source][definition.hasAgent ? 'ofAgentsToo' : 'ofPeople']]),
  ])
}
