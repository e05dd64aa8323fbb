import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'

import { useRowHeight } from '../../preferences/density.ts'
import { FOLDED } from '../breakpoints.ts'
import { useHotkey } from '../hotkeys.ts'
import { useMediaQuery } from '../useMediaQuery.ts'
import { VirtualRows } from '../VirtualRows.tsx'
import { followRow, RowCells, type RowTraits } from './RowCells.tsx'
import { type HeadSelection, TableHead } from './TableHead.tsx'
import type { SelectedRows } from './useSelectedRows.ts'
import type { TableModel } from './useTableModel.ts'

import styles from './ResourceTable.module.css'

/**
 * Rows from which widths are fixed: contents that come and go while scrolling must not move the columns, nor the next rows of a
 * list that loads more.
 */
const FIXED_FROM = 100
/** What is left for the column that names a row, at least. A table that is wider than its place scrolls sideways. */
const LEAST_MAIN_PX = 160
/** Column of a checkbox or a button; the style sheet has the same number. */
const TOOL_PX = 44
/** Pixels of a card, until it is on screen and measured. */
const CARD_PX = 120
const DETAILS_PX = 160

/** What neighbouring rows have in common: a heading above the first of them. */
export interface RowGroup {
  readonly key: string
  readonly title: ReactNode
}

interface TableGridProps<Row> {
  label: string
  rows: readonly Row[]
  /** Rows in all, for screen readers. */
  total: number
  /** Rows that can come here without leaving the page. */
  most: number
  /** How many rows the pages before this one have, for screen readers. */
  firstIndex: number
  keyOf: (row: Row) => string
  model: TableModel<Row>
  traits: RowTraits<Row>
  renderDetails: ((row: Row) => ReactNode) | undefined
  groupOf: ((row: Row) => RowGroup) | undefined
  expanded: ReadonlySet<string>
  /** Null where rows cannot be selected. */
  selected: SelectedRows<Row> | null
  /** Key of the row whose panel or dialog is open. */
  openKey: string | undefined
  isOld: boolean
  fold: 'pairs' | 'facts' | 'none'
  /** The element that scrolls where rows do not fold. */
  box: RefObject<HTMLElement | null>
  /** Of any length, and `j` and `k` are its keys. Else one of several things on the page. */
  isPage: boolean
}

interface Line<Row> {
  readonly key: string
  readonly row: Row
  readonly kind: 'row' | 'details' | 'group'
  /** What stands in the heading of a group. */
  readonly title?: ReactNode
}

interface Lines<Row> {
  readonly lines: readonly Line<Row>[]
  readonly headings: number
}

const keyOfLine = ({ key }: Line<unknown>): string => key

/** Rows with what stands between them: headings of groups, details. */
function toLines<Row>({
  rows,
  keyOf,
  expanded,
  groupOf,
}: Pick<TableGridProps<Row>, 'rows' | 'keyOf' | 'expanded' | 'groupOf'>): Lines<Row> {
  const lines: Line<Row>[] = []
  let headings = 0
  let open: string | null = null
  for (const row of rows) {
    const key = keyOf(row)
    const group = groupOf?.(row)
    if (group !== undefined && group.key !== open) {
      open = group.key
      headings += 1
      // The row's own key: a group that is interrupted has a heading for each of its parts.
      lines.push({ key: `${key} group`, row, kind: 'group', title: group.title })
    }
    lines.push({ key, row, kind: 'row' })
    if (expanded.has(key)) lines.push({ key: `${key} details`, row, kind: 'details' })
  }
  return { lines, headings }
}

/** The table itself: a header that stays, and as many rows in the document as are near the window. */
export function TableGrid<Row>(props: TableGridProps<Row>) {
  const { label, rows, total, keyOf, model, traits, renderDetails, groupOf, expanded, selected, isOld, fold } = props
  const isFolded = useMediaQuery(FOLDED) && fold !== 'none'
  const rowHeight = useRowHeight()
  const table = useRef<HTMLTableElement>(null)
  const [active, setActive] = useRowFocus(table)
  const isFixed = props.most > FIXED_FROM && !isFolded
  const leadingTools = Number(selected !== null) + Number(traits.hasDetails)
  const tools = leadingTools + Number(traits.actions !== undefined)
  const span = model.columns.length + tools

  const { lines, headings } = useMemo(
    () => toLines({ rows, keyOf, expanded, groupOf }),
    [rows, keyOf, expanded, groupOf],
  )
  const estimate = useCallback(
    ({ kind }: Line<Row>) => (kind === 'details' ? DETAILS_PX : isFolded && kind === 'row' ? CARD_PX : rowHeight),
    [isFolded, rowHeight],
  )

  function move(by: (at: number) => number): void {
    const focused = document.activeElement?.closest<HTMLElement>('tr[data-row]')?.dataset['row'] ?? active
    const at = rows.findIndex((row) => keyOf(row) === focused)
    const next = rows[Math.max(0, Math.min(by(at), rows.length - 1))]
    if (next !== undefined) setActive(keyOf(next))
  }

  function handleKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (!(event.target as Element).matches('[data-row-handle]')) return
    const by = toMove(event.key, rows.length)
    if (by === null || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    move(by)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys and clicks of the rows' links bubble here
    <table
      ref={table}
      className={styles['table']}
      aria-label={label}
      aria-rowcount={total + 1 + headings}
      data-fold={isFolded ? fold : undefined}
      data-fixed={isFixed || undefined}
      {...(isFixed ? { style: { minWidth: toLeastWidth(model, tools) } } : {})}
      data-old={isOld || undefined}
      data-links={traits.link !== undefined || undefined}
      onKeyDown={handleKeyDown}
      onClick={followRow}
      onAuxClick={followRow}
    >
      {props.isPage && (traits.link !== undefined || traits.hasDetails) ? <PageKeys onMove={move} /> : null}
      {isFolded ? null : (
        <Widths model={model} isFixed={isFixed} leadingTools={leadingTools} hasActions={traits.actions !== undefined} />
      )}
      <TableHead
        model={model}
        selection={toHeadSelection(selected)}
        hasDetails={traits.hasDetails}
        hasActions={traits.actions !== undefined}
        isFolded={isFolded}
      />
      <VirtualRows<Line<Row>>
        as="tbody"
        rows={lines}
        keyOf={keyOfLine}
        estimate={estimate}
        pinned={[active]}
        layout={`${rowHeight} ${isFolded}`}
        isWhole={!props.isPage}
        {...(isFolded ? {} : { box: props.box, boxOffset: rowHeight })}
        rowProps={(line, index) => ({
          'aria-rowindex': props.firstIndex + index + 2,
          ...(line.kind === 'row' ? {} : { [`data-${line.kind}`]: true }),
          ...(line.key === props.openKey ? { 'aria-current': true } : {}),
          ...(selected?.keys.has(line.key) ? { 'data-selected': true } : {}),
        })}
        renderRow={(line) =>
          line.kind === 'group' ? (
            <th scope="rowgroup" colSpan={span}>
              {line.title}
            </th>
          ) : line.kind === 'details' ? (
            <td colSpan={span}>{renderDetails?.(line.row)}</td>
          ) : (
            <RowCells
              row={line.row}
              rowKey={line.key}
              columns={model.cells}
              traits={traits}
              isExpanded={expanded.has(line.key)}
              isSelected={selected?.keys.has(line.key) ?? false}
            />
          )
        }
      />
    </table>
  )
}

function toHeadSelection(
  selected: Pick<SelectedRows<never>, 'keys' | 'selectable' | 'toggleAll'> | null,
): HeadSelection | null {
  if (selected === null) return null
  const { keys, selectable, toggleAll } = selected
  return { isAll: keys.size > 0 && keys.size === selectable, isSome: keys.size > 0, onToggleAll: toggleAll }
}

/** In a long table every column has its width but the main one: without a bound nothing may be left for it. */
const toLeastWidth = <Row,>({ columns }: TableModel<Row>, tools: number): number =>
  columns.reduce(
    (sum, { isMain, chosenWidth, width }) => sum + (chosenWidth ?? (isMain ? LEAST_MAIN_PX : width)),
    tools * TOOL_PX,
  )

interface WidthsProps<Row> {
  model: TableModel<Row>
  isFixed: boolean
  /** Columns of checkboxes and details, which come first. */
  leadingTools: number
  hasActions: boolean
}

/** What the person chose, and in long tables what each kind of column needs; the main column takes the rest. */
function Widths<Row>({ model, isFixed, leadingTools, hasActions }: WidthsProps<Row>) {
  return (
    <colgroup>
      {Array.from({ length: leadingTools }, (_, at) => (
        <col key={at} className={styles['tool']} />
      ))}
      {model.columns.map(({ column, isMain, chosenWidth, width }) => {
        const px = chosenWidth ?? (isFixed && !isMain ? width : undefined)
        return <col key={column.key} {...(px === undefined ? {} : { style: { width: px } })} />
      })}
      {hasActions ? <col className={styles['tool']} /> : null}
    </colgroup>
  )
}

/** `j` and `k` anywhere on the page. */
function PageKeys({ onMove }: { onMove: (by: (at: number) => number) => void }): null {
  useHotkey('j', () => onMove((at) => at + 1))
  useHotkey('k', () => onMove((at) => at - 1))
  return null
}

function toMove(key: string, count: number): ((at: number) => number) | null {
  switch (key) {
    case 'ArrowDown':
      return (at) => at + 1
    case 'ArrowUp':
      return (at) => at - 1
    case 'Home':
      return () => 0
    case 'End':
      return () => count - 1
    default:
      return null
  }
}

/** The row that the keyboard was moved to: first it has to be in the document, then it takes the focus. */
function useRowFocus(table: RefObject<HTMLElement | null>): [string | null, (key: string) => void] {
  const [active, setActive] = useState<{ readonly key: string } | null>(null)
  const done = useRef<object | null>(null)
  useLayoutEffect(() => {
    if (active === null || done.current === active) return
    const row = table.current?.querySelector(`tr[data-row="${CSS.escape(active.key)}"]`)
    const handle = row?.querySelector<HTMLElement>('[data-row-handle]')
    if (!handle) return
    done.current = active
    handle.focus()
  })
  return [active?.key ?? null, (key) => setActive({ key })]
}
