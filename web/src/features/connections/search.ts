import { CONNECTION_TYPES, type ConnectionType, isConnectionType } from '@watchroom/shared/settings/connections'
import { z } from 'zod'

import { type ListAsk, textFilter } from '../../api/tables.ts'
import { pageIndexField, pageSizeField } from '../../ui/table/listSearch.ts'
import { PAGE_SIZES } from '../../ui/table/pages.ts'
import { idField } from '../../url/searchFields.ts'

/** Third specification, section 9. */
export const DEFAULT_PAGE_SIZE = 100

/** In place of a type: none is chosen yet. */
export const PICK = 'pick'

const SORT_KEYS = ['name', 'namespace', 'type', 'tested_at', 'created_at', 'updated_at'] as const

/** What the address of the connections page says. */
export type ConnectionSearch = {
  /** Opens the dialog that adds a connection: `pick`, or the type. */
  new: string
  /** Opens the dialog of this connection. */
  id: string
  query: string
  type: string
  pageIndex: number
  pageSize: number
  sortBy: (typeof SORT_KEYS)[number]
  sortOrder: 'asc' | 'desc'
}

export const ConnectionSearchSchema: z.ZodType<ConnectionSearch> = z.object({
  new: z
    .string()
    .refine((word) => word === PICK || isPickable(word))
    .catch(''),
  id: idField,
  query: z.string().catch(''),
  type: z.string().catch(''),
  pageIndex: pageIndexField,
  pageSize: pageSizeField(PAGE_SIZES, DEFAULT_PAGE_SIZE),
  sortBy: z.enum(SORT_KEYS).catch('created_at'),
  sortOrder: z.enum(['asc', 'desc']).catch('desc'),
})

/** Whether new connections may have this type. */
function isPickable(type: string): boolean {
  if (!isConnectionType(type)) return false
  const definition: ConnectionType = CONNECTION_TYPES[type]
  return definition.isHidden !== true
}

export const toListAsk = ({ query, type, pageIndex, pageSize, sortBy, sortOrder }: ConnectionSearch): ListAsk => ({
  filters: [...textFilter('name', query), ...(type === '' ? [] : [`type=eq.${encodeURIComponent(type)}`])],
  order: { by: sortBy, direction: sortOrder },
  limit: pageSize,
  offset: pageIndex * pageSize,
})
