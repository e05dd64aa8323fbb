import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

import type { SaveResult } from '../ui/form/saveResult.ts'
import type { Page } from './request.ts'
import { type Table, tableKeys } from './tables.ts'

/** What the cache holds of a list: one page, or those of a list that loads more at its end. */
type CachedList<Row> = Page<Row> | InfiniteData<Page<Row>>

/**
 * Saves a row if it is still as it was read, and shows the new values at once, wherever the row is shown. If nothing was
 * written, the old values come back.
 *
 * @param unchanged columns that must still be as they were read
 */
export function useTableSave<Row extends object>(table: Table<Row>, unchanged: readonly (keyof Row & string)[]) {
  const queryClient = useQueryClient()
  return useCallback(
    async (loaded: Row, values: Partial<Row>): Promise<SaveResult<Row>> => {
      const all = { queryKey: tableKeys.all(table.name) }
      await queryClient.cancelQueries(all)
      const before = queryClient.getQueriesData(all)
      const id = table.keyOf(loaded)
      const withValues = (page: Page<Row>): Page<Row> => ({
        ...page,
        rows: page.rows.map((row) => (table.keyOf(row) === id ? { ...row, ...values } : row)),
      })
      queryClient.setQueriesData<CachedList<Row>>(
        { queryKey: tableKeys.lists(table.name) },
        (list) => list && ('pages' in list ? { ...list, pages: list.pages.map(withValues) } : withValues(list)),
      )
      queryClient.setQueryData<Row>(tableKeys.one(table.name, id), (row) => row && { ...row, ...values })
      const rollBack = (): void => {
        for (const [queryKey, data] of before) queryClient.setQueryData(queryKey, data)
      }
      try {
        const result = await table.update(loaded, values, unchanged)
        if (result.kind !== 'saved') rollBack()
        return result
      } catch (error) {
        rollBack()
        throw error
      } finally {
        void table.invalidate(queryClient)
      }
    },
    [queryClient, table, unchanged],
  )
}
