import { CONNECTION_TYPES, type ConnectionType, isConnectionType } from '@watchroom/shared/settings/connections'
import { z } from 'zod'

import { type ListAsk, textFilter, toPageAsk } from '../../api/tables.ts'
import { pageFields, sortFields } from '../../ui/table/listSearch.ts'
import { PAGE_SIZES } from '../../ui/table/pages.ts'
import { idField } from '../../url/searchFields.ts'

/** Third specification, section 9. */
export const DEFAULT_PAGE_SIZE = 100

/** In place of a type: none is chosen yet. */
export const PICK = 'pick'

const SORT_KEYS = ['name', 'namespace', 'type', 'tested_at', 'created_at', 'updated_at'] as const

/** What the address of the connections page says. */
export const ConnectionSearchSchema = z.object({
  /** Opens the dialog that adds a connection: `pick`, or the type. */
  new: z
    .string()
    .refine((word) => word === PICK || isPickable(word))
    .catch(''),
  /** Opens the dialog of this connection. */
  id: idField,
  query: z.string().catch(''),
  type: z.string().catch(''),
  ...pageFields(PAGE_SIZES, DEFAULT_PAGE_SIZE),
  ...sortFields(SORT_KEYS, 'created_at'),
})
export type ConnectionSearch = z.infer<typeof ConnectionSearchSchema>

/** Whether new connections may have this type. */
function isPickable(type: string): boolean {
  if (!isConnectionType(type)) return false
  const definition: ConnectionType = CONNECTION_TYPES[type]
  return definition.isHidden !== true
}

export const toListAsk = (search: ConnectionSearch): ListAsk =>
  toPageAsk(search, [
    ...textFilter('name', search.query),
    ...(search.type === '' ? [] : [`type=eq.${encodeURIComponent(search.type)}`]),
  ])
