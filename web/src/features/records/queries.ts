import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'

import { FRESH_MS } from '../../api/queryClient.ts'
import { request, requestPage } from '../../api/request.ts'
import type { RecordDefinition } from './definitions.ts'
import type { RecordSearch } from './search.ts'

const RowSchema = z.record(z.string(), z.unknown())
export type RecordRow = z.infer<typeof RowSchema>

/** Order in force: the address's if it names a sortable column of this list, else the list's own. */
export function effectiveOrder(
  definition: RecordDefinition,
  { sortBy, sortOrder }: Pick<RecordSearch, 'sortBy' | 'sortOrder'>,
): { by: string; direction: 'asc' | 'desc' } {
  const column = definition.columns.find(({ key, isSortable }) => key === sortBy && isSortable !== false)
  return column === undefined ? definition.order : { by: column.key, direction: sortOrder ?? 'asc' }
}

/** Address of one page of a list. */
export function listPath(definition: RecordDefinition, search: RecordSearch): string {
  const order = effectiveOrder(definition, search)
  const params = [
    `select=${definition.select ?? '*'}`,
    ...(definition.filter === undefined ? [] : [definition.filter]),
    ...searchFilter(definition, search.query),
    `order=${order.by}.${order.direction}.nullslast`,
    `limit=${search.pageSize}`,
    `offset=${search.pageIndex * search.pageSize}`,
  ]
  return `/api/db/${definition.view}?${params.join('&')}`
}

function searchFilter({ searchColumn }: RecordDefinition, query: string): string[] {
  // `*` is the wildcard of the filter's language and cannot be escaped; `%` and `_` are the database's.
  const pattern = query
    .trim()
    .replaceAll('*', '')
    .replaceAll(/[\\%_]/g, String.raw`\$&`)
  if (searchColumn === undefined || pattern === '') return []
  return [`${searchColumn}=ilike.${encodeURIComponent(`*${pattern}*`)}`]
}

export const recordListQuery = (definition: RecordDefinition, search: RecordSearch) =>
  queryOptions({
    queryKey: ['records', definition.view, listPath(definition, search)],
    queryFn: ({ signal }) => requestPage(listPath(definition, search), { schema: RowSchema, signal }),
    staleTime: FRESH_MS.never,
    // Turning a page keeps the old rows until the new ones are there.
    placeholderData: keepPreviousData,
  })

export const recordQuery = (definition: RecordDefinition, id: string) =>
  queryOptions({
    queryKey: ['records', definition.view, 'one', id],
    queryFn: async ({ signal }): Promise<RecordRow | null> => {
      const filter = `${definition.rowKey}=eq.${encodeURIComponent(id)}`
      const rows = await request(`/api/db/${definition.view}?${filter}&limit=1`, { schema: RowSchema.array(), signal })
      return rows[0] ?? null
    },
    staleTime: FRESH_MS.never,
  })
