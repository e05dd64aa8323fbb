/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-static-element-interactions -- rows are placed absolutely and become two lines on phones; table elements lose their roles together with their table layout. The rows take the focus, their grid the events. */
import { CaretDown, CaretUp } from '@blueprintjs/icons'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import type { SortColumn } from '@watchroom/shared/health'
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'

import { useRowHeight } from '../../../preferences/density.ts'
import { FOLDED } from '../../../ui/breakpoints.ts'
import { useMediaQuery } from '../../../ui/useMediaQuery.ts'
import type { BoardLine } from '../board/boardLines.ts'
import { toWhy } from '../toWhy.ts'
import { BOARD_TEMPLATE, type BoardColumn, boardColumns, type GridTemplate } from './boardColumns.tsx'
import { BoardRow } from './BoardRow.tsx'
import { type GridAction, toGridAction } from './gridKeys.ts'

import styles from './board.module.css'

/** A row on two lines, because the columns do not fit. */
const NARROW_ROW_PX = 60
/** One more line for the reason, if there is one. */
const NARROW_WHY_PX = 22

/** Rows rendered beyond either edge (first specification, section 2). */
const OVERSCAN = 20

export interface BoardGridHandle {
  /** Focuses a row, for example when its panel closes; if it is gone, the row that was focused before. */
  focusLine(lineId: string): void
  /** Focuses the row that was focused last, or the first one. */
  focusActive(): void
}

export interface BoardGridProps {
  lines: readonly BoardLine[]
  isTree: boolean
  sortBy: SortColumn
  isDescending: boolean
  openCheckId: string | undefined
  /** Custom columns: rows then stay on one line in narrow windows, too, and the list scrolls sideways. */
  pivot?: { readonly columns: readonly BoardColumn[]; readonly template: GridTemplate } | undefined
  onSort: (sortBy: SortColumn, isDescending: boolean) => void
  onOpen: (checkId: string) => void
  onToggle: (groupId: string, isExpanded: boolean) => void
  /** The person is busy in the list. */
  onTouch: () => void
  onLeave: () => void
  /** The checks on screen, whenever they are others. */
  onVisible?: ((checkIds: readonly string[]) => void) | undefined
  ref?: Ref<BoardGridHandle>
}

/** The checks as a virtual grid: one tab stop, arrows or j/k to move, Enter to open, left and right for groups. */
// oxlint-disable-next-line max-lines-per-function -- one widget: window, sorting, keys and focus share the active row
export function BoardGrid(props: BoardGridProps) {
  const {
    lines,
    isTree,
    sortBy,
    isDescending,
    openCheckId,
    onSort,
    onOpen,
    onToggle,
    onTouch,
    onLeave,
    onVisible,
    ref,
  } = props
  const { columns, template } = props.pivot ?? { columns: boardColumns, template: BOARD_TEMPLATE }
  const isNarrowWindow = useMediaQuery(FOLDED)
  const isNarrow = isNarrowWindow && props.pivot === undefined
  const densityHeight = useRowHeight()
  const rowHeight = isNarrow ? NARROW_ROW_PX : densityHeight
  const headerHeight = isNarrow ? 0 : densityHeight

  const scroller = useRef<HTMLDivElement>(null)
  const mustFocus = useRef(false)
  const [active, setActive] = useState<{ id: string; index: number } | null>(null)
  const activeIndex = useActiveIndex(lines, active)

  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by the compiler; rows are compared by line in BoardRow
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => rowHeight + (isNarrow && hasWhy(lines[index]) ? NARROW_WHY_PX : 0),
    overscan: OVERSCAN,
    getItemKey: (index) => lines[index]?.id ?? index,
    scrollMargin: headerHeight,
    scrollPaddingStart: headerHeight,
    // The row with the focus stays in the document wherever the list is scrolled to.
    rangeExtractor: (range: Range) => {
      const indexes = defaultRangeExtractor(range)
      if (activeIndex >= range.count || indexes.includes(activeIndex)) return indexes
      return [...indexes, activeIndex].toSorted((a, b) => a - b)
    },
  })
  const whys = isNarrow ? lines.map((line) => (hasWhy(line) ? '1' : '0')).join('') : ''
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight, whys])

  const items = virtualizer.getVirtualItems()
  useVisibleChecks(lines, virtualizer.range, onVisible)
  const moveTo = useCallback(
    (index: number) => {
      const line = lines[Math.max(0, Math.min(index, lines.length - 1))]
      if (line === undefined) return
      mustFocus.current = true
      setActive({ id: line.id, index })
      virtualizer.scrollToIndex(lines.indexOf(line))
    },
    [lines, virtualizer],
  )

  useImperativeHandle(
    ref,
    () => ({
      focusLine: (lineId) => {
        const index = lines.findIndex((line) => line.id === lineId)
        moveTo(index >= 0 ? index : activeIndex)
      },
      focusActive: () => moveTo(activeIndex),
    }),
    [lines, activeIndex, moveTo],
  )

  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    const isLost = hadFocus.current && document.activeElement === document.body
    if (!mustFocus.current && !isLost) return
    const row = findRow(scroller.current, lines[activeIndex]?.id)
    if (row === null) return
    mustFocus.current = false
    row.focus({ preventScroll: true })
  })

  function run(action: GridAction): void {
    const line = lines[activeIndex]
    if (line === undefined) return
    switch (action) {
      case 'next':
      case 'previous':
        moveTo(activeIndex + (action === 'next' ? 1 : -1))
        return
      case 'pageDown':
      case 'pageUp': {
        const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2)
        moveTo(activeIndex + (action === 'pageDown' ? page : -page))
        return
      }
      case 'first':
        moveTo(0)
        return
      case 'last':
        moveTo(lines.length - 1)
        return
      case 'open':
        if (line.kind === 'check') onOpen(line.id)
        else onToggle(line.id, !line.isExpanded)
        return
      case 'expand':
        if (line.kind !== 'group') return
        if (line.isExpanded) moveTo(activeIndex + 1)
        else onToggle(line.id, true)
        return
      case 'collapse':
        if (line.kind === 'group' && line.isExpanded) onToggle(line.id, false)
        else if (line.groupId !== null) moveTo(lines.findIndex(({ id }) => id === line.groupId))
        return
    }
  }

  function handleKeyDown(event: KeyboardEvent): void {
    const action = toGridAction(event)
    if (action === null || !(event.target instanceof Element) || event.target.closest('[role="columnheader"]')) return
    event.preventDefault()
    onTouch()
    run(action)
  }

  function handleClick(event: MouseEvent): void {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-line]') : null
    const index = lines.findIndex((line) => line.id === row?.dataset['line'])
    const line = lines[index]
    if (line === undefined) return
    // A link opened in a new tab or window is the browser's business.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    setActive({ id: line.id, index })
    if (line.kind === 'check') onOpen(line.id)
    else onToggle(line.id, !line.isExpanded)
  }

  return (
    <div
      ref={scroller}
      className={styles['grid']}
      role={isTree ? 'treegrid' : 'grid'}
      aria-label="Checks"
      aria-rowcount={lines.length + 1}
      aria-colcount={columns.length}
      data-narrow={isNarrow || undefined}
      data-pivot={props.pivot !== undefined || undefined}
      style={{ '--health-columns': template.columns, '--health-width': template.minWidth } as CSSProperties}
      onKeyDown={handleKeyDown}
      onClick={handleClick}
      onFocus={() => {
        hadFocus.current = true
      }}
      onBlur={(event) => {
        // A row removed from the document did not give up the focus; it lost it.
        if (event.target.isConnected) hadFocus.current = false
      }}
      onPointerMove={onTouch}
      onPointerLeave={onLeave}
    >
      <div role="rowgroup" className={styles['head']}>
        <div role="row" aria-rowindex={1} className={styles['headRow']}>
          {columns.map((column, index) => (
            <ColumnHead key={column.id} column={column} index={index} {...{ sortBy, isDescending, onSort }} />
          ))}
        </div>
      </div>
      <div role="rowgroup" className={styles['body']} style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const line = lines[item.index]
          if (line === undefined) return null
          return (
            <BoardRow
              key={item.key}
              line={line}
              index={item.index}
              top={item.start - headerHeight}
              height={item.size}
              isActive={item.index === activeIndex}
              isSelected={line.id === openCheckId}
              isTree={isTree}
              columns={columns}
            />
          )
        })}
      </div>
    </div>
  )
}

interface ColumnHeadProps extends Pick<BoardGridProps, 'sortBy' | 'isDescending' | 'onSort'> {
  column: BoardColumn
  index: number
}

/** The heading of a column; a click sorts by it, the next one reverses the order. */
function ColumnHead({ column, index, sortBy, isDescending, onSort }: ColumnHeadProps) {
  const { id, head, sortBy: own, isDescendingFirst = false } = column
  const place = { role: 'columnheader', 'aria-colindex': index + 1, className: styles['cell'], 'data-column': id }
  if (own === undefined) return <div {...place}>{head}</div>
  const isSorted = own === sortBy
  return (
    <div {...place} aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : 'none'}>
      <button
        type="button"
        className={styles['sort']}
        onClick={() => onSort(own, isSorted ? !isDescending : isDescendingFirst)}
      >
        {head}
        {isSorted ? isDescending ? <CaretDown size={14} /> : <CaretUp size={14} /> : null}
      </button>
    </div>
  )
}

/** The focused row follows its check when the order changes; if it is gone, the row at its place takes over. */
function useActiveIndex(lines: readonly BoardLine[], active: { id: string; index: number } | null): number {
  return useMemo(() => {
    if (active === null) return 0
    const index = lines.findIndex((line) => line.id === active.id)
    return index >= 0 ? index : Math.max(0, Math.min(active.index, lines.length - 1))
  }, [lines, active])
}

const hasWhy = (line: BoardLine | undefined): boolean => line?.kind === 'check' && toWhy(line.unit.check) !== null

/** Tells which checks are on screen; rows rendered beyond its edges do not count. */
function useVisibleChecks(
  lines: readonly BoardLine[],
  range: { startIndex: number; endIndex: number } | null,
  onVisible: ((checkIds: readonly string[]) => void) | undefined,
): void {
  const from = range?.startIndex ?? 0
  const to = (range?.endIndex ?? -1) + 1
  const visible = useMemo(
    () => lines.slice(from, to).flatMap((line) => (line.kind === 'check' ? [line.id] : [])),
    [lines, from, to],
  )
  const key = visible.join()
  const last = useRef('')
  useEffect(() => {
    if (key === last.current) return
    last.current = key
    onVisible?.(visible)
  }, [key, visible, onVisible])
}

function findRow(scroller: HTMLElement | null, lineId: string | undefined): HTMLElement | null {
  if (scroller === null || lineId === undefined) return null
  return scroller.querySelector<HTMLElement>(`[data-line="${CSS.escape(lineId)}"]`)
}
