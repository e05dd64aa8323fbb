import { z } from 'zod'

import type { ListAsk } from '../../api/tables.ts'
import { textFilter } from '../../api/tables.ts'
import { pageIndexField, pageSizeField } from '../../ui/table/listSearch.ts'
import { PAGE_SIZES } from '../../ui/table/pages.ts'
import { parseThreeWay } from '../../url/threeWay.ts'
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
  /** Three-way filters: `FAILED:1,SUCCESS:-1`. */
  status: string
  resource_type: string
}

export const RecordSearchSchema: z.ZodType<RecordSearch> = z.object({
  query: z.string().catch(''),
  pageIndex: pageIndexField,
  pageSize: pageSizeField(PAGE_SIZES, DEFAULT_PAGE_SIZE),
  sortBy: z.string().optional().catch(undefined),
  sortOrder: z.enum(['asc', 'desc']).optional().catch(undefined),
  status: z.string().catch(''),
  resource_type: z.string().catch(''),
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
  const { searchColumn, filters = [] } = definition
  return {
    filters: [
      ...(searchColumn === undefined ? [] : textFilter(searchColumn, search.query)),
      ...filters.flatMap(({ column }) => threeWayFilters(column, search[column])),
    ],
    order: effectiveOrder(definition, search),
    limit: search.pageSize,
    offset: search.pageIndex * search.pageSize,
  }
}

function threeWayFilters(column: string, text: string): string[] {
  const chosen = [...parseThreeWay(text)]
  const list = (wanted: 1 | -1): string =>
    chosen.flatMap(([value, choice]) => (choice === wanted ? [`"${encodeURIComponent(value)}"`] : [])).join(',')
  const [included, excluded] = [list(1), list(-1)]
  return [
    ...(included === '' ? [] : [`${column}=in.(${included})`]),
    ...(excluded === '' ? [] : [`${column}=not.in.(${excluded})`]),
  ]
}
