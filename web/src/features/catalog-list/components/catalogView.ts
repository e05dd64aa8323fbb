import type { ResourceTableProps } from '../../../ui/table/ResourceTable.tsx'
import type { CatalogSearch } from '../search.ts'

type TableParts = Pick<ResourceTableProps<object>, 'empty' | 'filteredEmpty' | 'toolbar'>

/** What the summary and the list have in common. */
export interface CatalogViewProps extends Required<TableParts> {
  search: CatalogSearch
  setSearch: (patch: Partial<CatalogSearch>) => void
  hidesDeleted: boolean
  /** The rows have arrived, or failed: other requests no longer delay them. */
  onAnswered: () => void
}
