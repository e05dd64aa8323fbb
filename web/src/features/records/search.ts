import { z } from 'zod'

import type { ListAsk } from '../../api/tables.ts'
import { textFilter } from '../../api/tables.ts'
import { pageIndexField, pageSizeField } from '../../ui/table/listSearch.ts'
import { PAGE_SIZES } from '../../ui/table/pages.ts'
import type { RecordDefinition } from './definitions.ts'

export const DEFAULT_PAGE_SIZE = 50

// A type and not an interface: only those are assignable to the index signature of `useSearchState`.
/** What the address of a record list says; `sortBy` is checked against the list's own columns. */
export type RecordSearch = {
  query: string
  pageIndex: number
  pageSize: number
  sortBy?: string | undefined
  sortOrder?: 'asc' | 'desc' | undefined
}

export const RecordSearchSchema: z.ZodType<RecordSearch> = z.object({
  query: z.string().catch(''),
  pageIndex: pageIndexField,
  pageSize: pageSizeField(PAGE_SIZES, DEFAULT_PAGE_SIZE),
  sortBy: z.string().optional().catch(undefined),
  sortOrder: z.enum(['asc', 'desc']).optional().catch(undefined),
})

/** Order in force: the address's if it names a sortable column of this list, else the list's own. */
export function effectiveOrder(
  definition: RecordDefinition,
  { sortBy, sortOrder }: Pick<RecordSearch, 'sortBy' | 'sortOrder'>,
): ListAsk['order'] {
  const column = definition.columns.find(({ key, isSortable }) => key === sortBy && isSortable)
  return column === undefined ? definition.order : { by: column.key, direction: sortOrder ?? 'asc' }
}

/** What the server is asked for a list in this address. */
export function toListAsk(definition: RecordDefinition, search: RecordSearch): ListAsk {
  const { searchColumn } = definition
  return {
    filters: searchColumn === undefined ? [] : textFilter(searchColumn, search.query),
    order: effectiveOrder(definition, search),
    limit: search.pageSize,
    offset: search.pageIndex * search.pageSize,
  }
}
