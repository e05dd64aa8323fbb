import { Duplicate, Link as LinkIcon } from '@blueprintjs/icons'
import { useMemo, useState } from 'react'

import { useTablePage } from '../../../api/useTablePage.ts'
import { copyText } from '../../../ui/copyToClipboard.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { toPaging } from '../../../ui/table/listSearch.ts'
import { PAGE_SIZES } from '../../../ui/table/pages.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import { useGrowingSize } from '../../../ui/table/useGrowingSize.ts'
import { useSearchState } from '../../../url/useSearchState.ts'
import { recordDefinition, type RecordKind, type RecordRow, recordTable } from '../definitions.ts'
import { DEFAULT_PAGE_SIZE, effectiveOrder, RecordSearchSchema, toListAsk } from '../search.ts'

const NO_FILTERS = { query: '', pageIndex: 0 } as const

/** A read-only list of any view of the backend, for areas whose own screen does not exist yet. */
export function RecordListScreen({ kind }: { kind: RecordKind }) {
  const definition = recordDefinition(kind)
  const { title, noun, columns, detailPath, searchColumn, isEndless = false } = definition
  const [table] = useState(() => recordTable(definition))
  const [search, setSearch] = useSearchState(RecordSearchSchema)
  const [size, grow] = useGrowingSize(kind, search.pageSize)
  const ask = toListAsk(definition, search)
  const page = useTablePage(table, isEndless ? { ...ask, limit: size, offset: 0 } : ask, noun, () =>
    setSearch({ pageIndex: 0 }, { replace: true }),
  )
  const isFiltered = search.query !== ''
  const clear = isFiltered ? { text: 'Clear filters', onReset: () => setSearch(NO_FILTERS) } : null
  const rows = useRowTraits(detailPath, table.keyOf)
  return (
    <>
      <PageHeader title={title}>
        {page.total === undefined ? null : <span className="wr-muted">{page.total.toLocaleString()} total</span>}
      </PageHeader>
      <ResourceTable
        name={kind}
        label={title}
        state={page.state}
        columns={columns}
        keyOf={table.keyOf}
        {...rows}
        sort={{
          order: effectiveOrder(definition, search),
          onSort: ({ by, direction }) => setSearch({ sortBy: by, sortOrder: direction, pageIndex: 0 }),
        }}
        {...(isEndless
          ? { more: { total: page.total ?? 0, onMore: () => (page.isFetching ? undefined : grow()) } }
          : {
              paging: toPaging(search, setSearch, {
                sizes: PAGE_SIZES,
                defaultSize: DEFAULT_PAGE_SIZE,
                total: page.total ?? 0,
              }),
            })}
        empty={{ text: `There are no ${noun} yet.` }}
        filteredEmpty={isFiltered ? { text: `No ${noun} match these filters.` } : null}
        toolbar={{
          ...(searchColumn === undefined
            ? {}
            : {
                search: {
                  value: search.query,
                  placeholder: `Search ${noun}`,
                  onSearch: (text) => setSearch({ query: text, pageIndex: 0 }, { replace: true }),
                },
              }),
          reset: clear,
          count: 'Read only',
        }}
      />
    </>
  )
}

/** A row leads to its record, and its address or id can be taken along. */
function useRowTraits(detailPath: string | undefined, keyOf: (row: RecordRow) => string) {
  return useMemo(() => {
    const toPath = (row: RecordRow): string => detailPath?.replace('{id}', encodeURIComponent(keyOf(row))) ?? ''
    return {
      ...(detailPath === undefined ? {} : { rowLink: (row: RecordRow) => ({ to: toPath(row) }) }),
      rowActions: (row: RecordRow) => [
        ...(detailPath === undefined
          ? []
          : [
              {
                text: 'Copy link',
                icon: <LinkIcon />,
                onSelect: () => void copyText(window.location.origin + toPath(row)),
              },
            ]),
        { text: 'Copy id', icon: <Duplicate />, onSelect: () => void copyText(keyOf(row)) },
      ],
    }
  }, [detailPath, keyOf])
}
