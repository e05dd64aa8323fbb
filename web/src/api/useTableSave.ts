import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

import type { SaveResult } from '../ui/form/saveResult.ts'
import type { Page } from './request.ts'
import { type Table, tableKeys } from './tables.ts'

/**
 * Saves a row that is still as it was read, and shows it saved at once: wherever the row stands it takes its new values, and
 * its old ones again when nothing was written.
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
      queryClient.setQueriesData<Page<Row>>({ queryKey: tableKeys.lists(table.name) }, (page) =>
        page === undefined
          ? undefined
          : { ...page, rows: page.rows.map((row) => (table.keyOf(row) === id ? { ...row, ...values } : row)) },
      )
      queryClient.setQueryData<Row>(tableKeys.one(table.name, id), (row) => row && { ...row, ...values })
      const takeBack = (): void => {
        for (const [queryKey, data] of before) queryClient.setQueryData(queryKey, data)
      }
      try {
        const result = await table.update(loaded, values, unchanged)
        if (result.kind !== 'saved') takeBack()
        return result
      } catch (error) {
        takeBack()
        throw error
      } finally {
        void table.invalidate(queryClient)
      }
    },
    [queryClient, table, unchanged],
  )
}
