import { Button } from '@blueprintjs/core'
import { type ReactElement, type ReactNode, useMemo, useRef, useState } from 'react'

import { FOLDED } from '../breakpoints.ts'
import type { DataState } from '../dataState.ts'
import { DataStates } from '../DataStates.tsx'
import { EmptyState } from '../EmptyState.tsx'
import { type Hold, useHold } from '../useHold.ts'
import { useLatest } from '../useLatest.ts'
import { useMediaQuery } from '../useMediaQuery.ts'
import type { TableColumn } from './column.ts'
import { ColumnsMenu } from './ColumnsMenu.tsx'
import { toWidth } from './columnWidth.ts'
import { EndOfRows } from './EndOfRows.tsx'
import { Pagination } from './Pagination.tsx'
import { ResourceToolbar, type ToolbarProps } from './ResourceToolbar.tsx'
import type { RowAction } from './RowActions.tsx'
import type { RowLink, RowTraits } from './RowCells.tsx'
import { ScrollRegion } from './ScrollRegion.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { type SortOrder, sortRows } from './sortRows.ts'
import { type RowGroup, TableGrid } from './TableGrid.tsx'
import { TableSkeleton } from './TableSkeleton.tsx'
import { useHeldRows } from './useHeldRows.ts'
import { type SelectedRows, type TableSelection, useSelectedRows } from './useSelectedRows.ts'
import { type TableSort, useTableModel } from './useTableModel.ts'
import { useStartAtTop, useTableSession } from './useTableSession.ts'

import styles from './ResourceTable.module.css'

export interface TablePaging {
  /** Counted from 0. */
  readonly pageIndex: number
  readonly pageSize: number
  readonly defaultSize: number
  readonly sizes: readonly number[]
  /** Rows over all pages, where the server pages. Without it the rows are all there are and are paged here. */
  readonly total?: number
  readonly onChange: (patch: { pageIndex: number; pageSize?: number }) => void
}

interface EmptyTexts {
  readonly title?: string
  readonly text?: ReactNode
  readonly icon?: ReactElement
  readonly action?: ReactNode
}

export interface ResourceTableProps<Row extends object> {
  /** What this browser keeps of the table is kept under it. */
  name: string
  /** For screen readers. */
  label: string
  /** Every row, whether or not it passes the filters. */
  state: DataState<readonly Row[]>
  /** Rows that pass the filters, where filtering is done here. */
  found?: readonly Row[]
  columns: readonly TableColumn<Row>[]
  keyOf: (row: Row) => string
  /** Filters that are not the table's own. Where they change, the user asked for something else: held changes are let in. */
  question?: string
  rowLink?: (row: Row) => RowLink | null
  rowActions?: (row: Row) => readonly RowAction[]
  renderDetails?: (row: Row) => ReactNode
  /** Groups stand in the order in which they come. Where the server orders the rows it keeps groups together. */
  groupOf?: (row: Row) => RowGroup
  openKey?: string | undefined
  selection?: TableSelection<Row>
  sort?: TableSort
  paging?: TablePaging
  /** More rows are loaded when the end is reached. */
  more?: { readonly total: number; readonly onMore: () => void }
  /** Rows that the list does not have yet, where it does not read them by itself. */
  news?: { readonly count: number; readonly onShow: () => void }
  /** Changes arrive by themselves: they must not move what someone is about to click. */
  isLive?: boolean
  /** Where the screen holds changes back itself. */
  hold?: Hold
  empty: EmptyTexts
  /** Shown instead where filters hide everything, with the toolbar's way out unless it brings its own. Null while nothing is filtered. */
  filteredEmpty?: EmptyTexts | null
  toolbar?: Omit<ToolbarProps, 'end' | 'sort'>
  /** On a phone: named values, or a line of values that speak for themselves, or the table as it is. */
  fold?: 'pairs' | 'facts' | 'none'
  /** `page`: the list that the page is about; it fills the window. `part`: one of several things on it. */
  place?: 'page' | 'part'
}

const NOTHING: ReadonlySet<string> = new Set()

/** Every list of the product: columns, order, pages, rows that are links, and the looks of what is not there. */
export function ResourceTable<Row extends object>(props: ResourceTableProps<Row>) {
  const { name, label, state, found = state.data, columns, sort, paging, more, toolbar, place = 'page' } = props
  const model = useTableModel(name, columns, sort)
  const isPage = place === 'page'
  const isFolded = useMediaQuery(FOLDED)
  const panel = useRef<HTMLElement>(null)
  const widen = (key: string, stepPx: number): void => {
    const headings = [...(panel.current?.querySelectorAll<HTMLElement>('th[data-column]') ?? [])]
    const heading = headings.find(({ dataset }) => dataset['column'] === key)
    const onResize = model.columns.find(({ column }) => column.key === key)?.onResize
    if (heading && onResize) onResize(toWidth(heading.getBoundingClientRect().width + stepPx))
  }
  const choosesColumns = toolbar !== undefined && model.choices.length > 0
  const hasToolbar = toolbar !== undefined || (isFolded && sort !== undefined)
  return (
    <section ref={panel} className={styles['panel']} data-place={place} aria-label={label}>
      {!hasToolbar || state.refusal !== null ? null : (
        <ResourceToolbar
          {...toolbar}
          {...(sort === undefined ? {} : { sort: { ...sort, columns } })}
          end={
            choosesColumns ? (
              <ColumnsMenu
                columns={model.choices}
                onToggle={model.onToggle}
                onWiden={widen}
                onReset={model.onReset}
                onSave={
                  found === undefined || found.length === 0
                    ? null
                    : (save) => {
                        const visible = model.columns.map(({ column }) => column)
                        const order = isWhole(props) ? (sort?.order ?? null) : null
                        save(name, orderRows(props, found, order), visible)
                      }
                }
              />
            ) : null
          }
        />
      )}
      <DataStates
        state={state}
        skeleton={<TableSkeleton label={`Loading ${state.what}`} columns={model.columns.map(({ column }) => column)} />}
      >
        {(all) => <Rows {...props} all={all} model={model} isPage={isPage} isFolded={isFolded} />}
      </DataStates>
      {paging?.total === undefined || more !== undefined || state.data === undefined ? null : (
        <Pages paging={paging} total={paging.total} />
      )}
    </section>
  )
}

interface RowsProps<Row extends object> extends ResourceTableProps<Row> {
  all: readonly Row[]
  model: ReturnType<typeof useTableModel<Row>>
  isPage: boolean
  isFolded: boolean
}

function Rows<Row extends object>(props: RowsProps<Row>) {
  const {
    name,
    label,
    state,
    all,
    found = all,
    columns,
    keyOf,
    question = '',
    sort,
    paging,
    more,
    model,
    isPage,
    isFolded,
  } = props
  const isAllHere = isWhole(props)
  const { by, direction } = sort?.order ?? { by: '', direction: 'asc' as const }
  const { groupOf } = props
  const ordered = useMemo(() => {
    const order = isAllHere ? { by, direction } : null
    return orderRows({ columns, groupOf }, found, order)
  }, [isAllHere, found, columns, by, direction, groupOf])
  const ownHold = useHold()
  const hold = props.hold ?? ownHold
  const asked = JSON.stringify([question, by, direction, paging?.pageIndex, paging?.pageSize])
  const held = useHeldRows({
    all,
    found: ordered,
    keyOf,
    question: asked,
    isAnswer: isAllHere || !state.isOld,
    isHeld: ownHold.isHeld && props.isLive === true,
  })
  const { shown } = held
  const waiting = held.waiting + (props.news?.count ?? 0)
  const total = paging?.total ?? more?.total ?? shown.length
  const isPaged = isAllHere && paging !== undefined
  // An old link, or rows that went away meanwhile, may point behind the last page.
  const pageIndex = isPaged ? Math.min(paging.pageIndex, Math.max(0, Math.ceil(total / paging.pageSize) - 1)) : 0
  const rows = isPaged ? shown.slice(pageIndex * paging.pageSize, (pageIndex + 1) * paging.pageSize) : shown

  const box = useRef<HTMLElement>(null)
  const session = useTableSession(isPage ? name : null, box, more === undefined ? undefined : rows.length)
  useStartAtTop(box, asked)
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(() => new Set(session.expanded))
  // Of rows that are all here another order shows the same ones.
  const page = JSON.stringify([question, paging?.pageIndex, paging?.pageSize])
  const selected = useSelectedRows({ selection: props.selection, rows, keyOf, question: isAllHere ? page : asked })
  const traits = useTraits(props, selected, (key) => {
    const next = new Set(expanded)
    if (!next.delete(key)) next.add(key)
    setExpanded(next)
    session.keepExpanded([...next])
  })

  if (rows.length === 0) {
    const { title, text, icon, action = null } = props.filteredEmpty ?? props.empty
    const reset = props.filteredEmpty && action === null ? props.toolbar?.reset : null
    return (
      <EmptyState
        {...(title === undefined ? {} : { title })}
        {...(icon === undefined ? {} : { icon })}
        action={reset ? <Button text={reset.text} onClick={reset.onReset} /> : action}
      >
        {text}
      </EmptyState>
    )
  }
  return (
    <>
      <div className={styles['waiting']} aria-live="polite">
        {waiting > 0 ? (
          <Button
            size="small"
            intent="primary"
            text={`${waiting.toLocaleString()} new`}
            onClick={() => {
              hold.release()
              props.news?.onShow()
            }}
          />
        ) : null}
      </div>
      <ScrollRegion
        label={`Table of ${state.what}`}
        ref={box}
        className={styles['scroll'] ?? ''}
        onScroll={session.follow}
        onScrollEnd={session.rest}
        onPointerMove={hold.touch}
        onPointerLeave={hold.release}
        onFocus={hold.touch}
        onKeyDown={hold.touch}
      >
        <TableGrid
          label={label}
          rows={rows}
          total={total}
          most={Math.max(rows.length, more?.total ?? 0)}
          firstIndex={(paging?.pageIndex ?? 0) * (paging?.pageSize ?? 0)}
          keyOf={keyOf}
          model={model}
          traits={traits}
          renderDetails={props.renderDetails}
          groupOf={props.groupOf}
          expanded={props.renderDetails === undefined ? NOTHING : expanded}
          selected={selected}
          openKey={props.openKey}
          isOld={state.isOld}
          fold={props.fold ?? 'pairs'}
          box={box}
          isPage={isPage}
        />
        {more === undefined || rows.length >= more.total ? null : (
          <EndOfRows
            key={rows.length}
            box={isPage ? box : null}
            shown={rows.length}
            total={more.total}
            onReach={more.onMore}
          />
        )}
      </ScrollRegion>
      {selected === null || props.selection === undefined ? null : (
        <SelectionBar
          selected={selected}
          actions={props.selection.actions}
          isFolded={isFolded}
          onClear={() => box.current?.focus()}
        />
      )}
      {isPaged ? <Pages paging={{ ...paging, pageIndex }} total={total} /> : null}
    </>
  )
}

/** Every row is here: ordering and paging are the table's own work. */
const isWhole = ({ paging, more }: Pick<RowsProps<object>, 'paging' | 'more'>): boolean =>
  paging?.total === undefined && more === undefined

/** @param order null where the server has it, or there is none */
function orderRows<Row extends object>(
  { columns, groupOf }: Pick<ResourceTableProps<Row>, 'columns'> & { groupOf?: ((row: Row) => RowGroup) | undefined },
  found: readonly Row[],
  order: SortOrder | null,
): readonly Row[] {
  if (order === null || order.by === '') return found
  const sorted = sortRows(found, columns, order)
  return groupOf === undefined ? sorted : keepGroups(sorted, found, groupOf)
}

/** Sorted rows, with their groups together and in the order in which they came. */
function keepGroups<Row>(
  sorted: readonly Row[],
  found: readonly Row[],
  groupOf: (row: Row) => RowGroup,
): readonly Row[] {
  const groups = new Map<string, Row[]>(found.map((row) => [groupOf(row).key, []]))
  for (const row of sorted) groups.get(groupOf(row).key)?.push(row)
  return [...groups.values()].flat()
}

/** No pager under one page, unless someone chose pages larger than usual and may want to choose again. */
function Pages({ paging, total }: { paging: TablePaging; total: number }): ReactNode {
  const { pageIndex, pageSize, defaultSize, sizes, onChange } = paging
  if (total <= Math.min(pageSize, defaultSize)) return null
  return (
    <Pagination
      pageIndex={pageIndex}
      pageSize={pageSize}
      total={total}
      pageSizes={sizes}
      onPageChange={(next) => onChange({ pageIndex: next })}
      onPageSizeChange={(next) => onChange({ pageIndex: 0, pageSize: next })}
    />
  )
}

function useTraits<Row extends object>(
  props: RowsProps<Row>,
  selected: SelectedRows<Row> | null,
  toggleDetails: (key: string) => void,
): RowTraits<Row> {
  const { rowLink, rowActions, renderDetails, selection } = props
  const onToggleDetails = useLatest(toggleDetails)
  const onSelect = useLatest((key: string, isRange: boolean) => selected?.toggle(key, isRange))
  const isSelectable = selection !== undefined
  const canSelect = selection?.canSelect
  const hasDetails = renderDetails !== undefined
  return useMemo(
    () => ({
      link: rowLink,
      actions: rowActions,
      hasDetails,
      onToggleDetails,
      selection: isSelectable ? { canSelect, onSelect } : null,
    }),
    [rowLink, rowActions, hasDetails, onToggleDetails, isSelectable, canSelect, onSelect],
  )
}
