import { toPaging, toSort } from '../ui/table/listSearch.ts'
import { PAGE_SIZES } from '../ui/table/pages.ts'
import type { ResourceTableProps } from '../ui/table/ResourceTable.tsx'
import type { ListAsk, Table } from './tables.ts'
import { useTablePage } from './useTablePage.ts'

interface ListAddress<Key extends string> {
  pageIndex: number
  pageSize: number
  sortBy: Key
  sortOrder: 'asc' | 'desc'
}

interface ListPageOptions<Key extends string> {
  readonly ask: ListAsk
  /** What the rows are, for sentences. */
  readonly what: string
  readonly search: ListAddress<Key>
  readonly setSearch: (patch: Partial<ListAddress<Key>>, options?: { replace: boolean }) => void
  readonly defaultSize: number
}

interface ListPage<Row extends object> {
  /** Rows that match over all pages; undefined before the first answer. */
  readonly total: number | undefined
  /** Props for `ResourceTable`: the rows with their order and pages. */
  readonly wiring: Pick<ResourceTableProps<Row>, 'state' | 'keyOf' | 'question' | 'sort' | 'paging' | 'isLive'>
}

/** A live list of a table whose order and page are in the URL. A page past the end leads to the first one. */
export function useListPage<Row extends object, Key extends string>(
  table: Table<Row>,
  { ask, what, search, setSearch, defaultSize }: ListPageOptions<Key>,
): ListPage<Row> {
  const { state, total } = useTablePage(table, ask, what, () => setSearch({ pageIndex: 0 }, { replace: true }))
  const paging = toPaging(search, setSearch, { sizes: PAGE_SIZES, defaultSize, total: total ?? 0 })
  const question = JSON.stringify(ask.filters)
  return {
    total,
    wiring: { state, keyOf: table.keyOf, question, sort: toSort(search, setSearch), paging, isLive: true },
  }
}
