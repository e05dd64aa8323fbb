import { Button } from '@blueprintjs/core'
import { Plus, SortAsc, SortDesc } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

import { errorText, RequestError } from '../../../api/request.ts'
import { useSession } from '../../../api/session.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { PAGE_SIZES } from '../../../ui/pages.ts'
import { Pagination } from '../../../ui/Pagination.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { StaleNotice } from '../../../ui/StaleNotice.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { RecordCell } from '../components/RecordCell.tsx'
import { type RecordColumn, type RecordDefinition, recordDefinition, type RecordKind } from '../definitions.ts'
import { effectiveOrder, recordListQuery, type RecordRow } from '../queries.ts'
import { recordSearch, type RecordSearch } from '../search.ts'

import '../../../ui/table.css'
import '../records.css'

/** A read-only list of any view of the backend, for areas whose own screen does not exist yet. */
export function RecordListScreen({ kind }: { kind: RecordKind }) {
  const definition = recordDefinition(kind)
  const { add } = definition
  const { can } = useSession()
  const [search, setSearch] = useSearchState(recordSearch)
  const query = useQuery(recordListQuery(definition, search))
  const page = query.data

  // A page past the end, from an old link: the database answers 416.
  const isPastEnd = query.error instanceof RequestError && query.error.status === 416
  useEffect(() => {
    if (isPastEnd) setSearch({ pageIndex: 0 }, { replace: true })
  }, [isPastEnd, setSearch])

  return (
    <>
      <PageHeader
        title={definition.title}
        controls={add && can('write', add.resource) ? <AddRecord path={add.path} text={add.text} /> : null}
      >
        {page ? <span className="wr-muted">{page.total.toLocaleString()} total</span> : null}
      </PageHeader>
      <section className="wr-records" aria-label={definition.title}>
        {definition.searchColumn === undefined ? null : (
          <div className="wr-records-bar">
            <SearchInput
              value={search.query}
              placeholder={`Search ${definition.noun}`}
              onSearch={(text) => setSearch({ query: text, pageIndex: 0 }, { replace: true })}
            />
            {add ? null : <span className="wr-muted">Read only</span>}
          </div>
        )}
        {page === undefined && (query.isPending || isPastEnd) ? (
          <LoadingSkeleton label={`Loading ${definition.noun}`} />
        ) : null}
        {page && query.isError ? (
          <StaleNotice
            what={`These ${definition.noun}`}
            reason={errorText(query.error)}
            onRetry={() => void query.refetch()}
            isRetrying={query.isFetching}
          />
        ) : null}
        {page === undefined && query.isError && !isPastEnd ? (
          <ErrorState
            title={`Could not load ${definition.noun}`}
            message={errorText(query.error)}
            onRetry={() => void query.refetch()}
            isRetrying={query.isFetching}
          />
        ) : null}
        {page ? (
          <RecordPage
            definition={definition}
            search={search}
            rows={page.rows}
            total={page.total}
            isOld={query.isPlaceholderData}
            onSearch={setSearch}
          />
        ) : null}
      </section>
    </>
  )
}

function AddRecord({ path, text }: { path: string; text: string }) {
  const navigate = useNavigate()
  return <Button icon={<Plus />} intent="primary" text={text} onClick={() => void navigate({ to: path })} />
}

interface RecordPageProps {
  definition: RecordDefinition
  search: RecordSearch
  rows: readonly RecordRow[]
  total: number
  /** Rows of the page before, while the next one loads. */
  isOld: boolean
  onSearch: (patch: Partial<RecordSearch>, options?: { replace?: boolean }) => void
}

function RecordPage({ definition, search, rows, total, isOld, onSearch }: RecordPageProps) {
  if (rows.length === 0) {
    return search.query === '' ? (
      <EmptyState>{`There are no ${definition.noun} yet.`}</EmptyState>
    ) : (
      <EmptyState action={<Button text="Clear search" onClick={() => onSearch({ query: '' })} />}>
        {`No ${definition.noun} match “${search.query}”.`}
      </EmptyState>
    )
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
      <section className="wr-table-scroll wr-records-scroll" tabIndex={0} aria-label={`Table of ${definition.noun}`}>
        <table className="wr-table wr-records-table" data-fold="pairs" aria-busy={isOld} data-old={isOld}>
          <thead>
            <tr>
              {definition.columns.map((column) => (
                <HeaderCell
                  key={column.key}
                  column={column}
                  order={effectiveOrder(definition, search)}
                  onSort={(sortBy, sortOrder) => onSearch({ sortBy, sortOrder, pageIndex: 0 })}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <BodyRow key={String(row[definition.rowKey])} definition={definition} row={row} />
            ))}
          </tbody>
        </table>
      </section>
      <Pagination
        pageIndex={search.pageIndex}
        pageSize={search.pageSize}
        total={total}
        pageSizes={PAGE_SIZES}
        onPageChange={(pageIndex) => onSearch({ pageIndex })}
        onPageSizeChange={(pageSize) => onSearch({ pageSize, pageIndex: 0 })}
      />
    </>
  )
}

const isNumeric = (column: RecordColumn): boolean => column.cell === 'number' || column.cell === 'duration'

interface HeaderCellProps {
  column: RecordColumn
  order: { by: string; direction: 'asc' | 'desc' }
  onSort: (sortBy: string, sortOrder: 'asc' | 'desc') => void
}

function HeaderCell({ column, order, onSort }: HeaderCellProps) {
  if (column.isSortable === false) return <th scope="col">{column.title}</th>
  const isSorted = order.by === column.key
  const isAscending = order.direction === 'asc'
  return (
    <th
      scope="col"
      data-number={isNumeric(column)}
      {...(isSorted ? { 'aria-sort': isAscending ? ('ascending' as const) : ('descending' as const) } : {})}
    >
      <button type="button" onClick={() => onSort(column.key, isSorted && isAscending ? 'desc' : 'asc')}>
        {column.title}
        {isSorted ? isAscending ? <SortAsc size={12} /> : <SortDesc size={12} /> : null}
      </button>
    </th>
  )
}

function BodyRow({ definition, row }: { definition: RecordDefinition; row: RecordRow }) {
  const target = definition.detailPath?.replace('{id}', encodeURIComponent(String(row[definition.rowKey])))
  return (
    <tr>
      {definition.columns.map((column, index) => (
        <td key={column.key} data-number={isNumeric(column)} data-title={column.title}>
          {index === 0 && target !== undefined ? (
            <Link to={target} className="wr-records-link">
              <RecordCell kind={column.cell} value={row[column.key]} />
            </Link>
          ) : (
            <RecordCell kind={column.cell} value={row[column.key]} />
          )}
        </td>
      ))}
    </tr>
  )
}
