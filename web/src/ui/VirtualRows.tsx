import {
  defaultRangeExtractor,
  type Range,
  useVirtualizer,
  useWindowVirtualizer,
  type VirtualItem,
  type Virtualizer,
} from '@tanstack/react-virtual'
import {
  type ElementType,
  type HTMLAttributes,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react'

import { ROWS_PER_FRAME, usePieces } from './usePieces.ts'

/**
 * About four screens. A shorter list is in the document as a whole, so that the browser's own search covers it. Of a longer
 * list only what is near the window is, and the search box of the page covers the rest.
 */
const WHOLE_UP_TO_PX = 4_000
/** Rendered beyond either edge of the window: about one turn of the wheel. */
const OVERSCAN_PX = 600
/** A list up to this height renders in one go. Of a longer one, what is near the window comes before the rest. */
const AT_ONCE_PX = 1_200

type RowProps = HTMLAttributes<HTMLElement> & { readonly [attribute: `data-${string}`]: unknown }

interface VirtualRowsProps<Row> {
  /** A list, the rows of a table, or the body of something with its own role, for example a tree. */
  readonly as: 'ol' | 'ul' | 'div' | 'tbody'
  readonly role?: 'tree'
  readonly className?: string | undefined
  readonly 'aria-label'?: string
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Height of a row that has not been on screen, in pixels. Better estimates only make the scroll bar calmer. */
  readonly estimate: (row: Row) => number
  /** Space between the rows as the style sheet makes it, in pixels. */
  readonly gap?: number
  /** Rows that stay in the document wherever the list is scrolled. The row with the focus stays by itself. */
  readonly pinned?: readonly (string | null | undefined)[]
  /** A new value invalidates the heights measured so far. */
  readonly layout?: unknown
  /** Whether all rows are in the document, however many there are. */
  readonly isWhole?: boolean
  /** Whether the list scrolls in a box instead of with the page: in itself, or in an element around it, such as a table's. */
  readonly isBox?: boolean
  readonly box?: RefObject<HTMLElement | null>
  /** Pixels of the box above the list, for example a table's header. */
  readonly boxOffset?: number
  /** Attributes of the element that holds a row. */
  readonly rowProps?: (row: Row, index: number) => RowProps
  readonly renderRow: (row: Row) => ReactNode
}

/** A list of any length with rows of any height. Rows stay in the normal flow; what is left out is replaced by a gap of its height. */
export function VirtualRows<Row>(props: VirtualRowsProps<Row>): ReactNode {
  return props.isBox || props.box ? <BoxRows {...props} /> : <PageRows {...props} />
}

function PageRows<Row>(props: VirtualRowsProps<Row>): ReactNode {
  const list = useRef<HTMLElement>(null)
  const { staying, ...options } = useRowOptions(list, props)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by the compiler; rows compare their own contents
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    ...options,
    scrollMargin: usePageOffset(list, options.enabled),
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  })
  return <Rows {...props} list={list} virtualizer={virtualizer} staying={staying} />
}

function BoxRows<Row>(props: VirtualRowsProps<Row>): ReactNode {
  const list = useRef<HTMLElement>(null)
  const { staying, ...options } = useRowOptions(list, props)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by the compiler; rows compare their own contents
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    ...options,
    getScrollElement: () => (props.box ?? list).current,
    scrollMargin: props.boxOffset ?? 0,
    initialRect: { width: 0, height: OVERSCAN_PX },
    // A list that grows beyond what is drawn as a whole stays where it is scrolled to.
    initialOffset: () => (props.box ?? list).current?.scrollTop ?? 0,
  })
  return <Rows {...props} list={list} virtualizer={virtualizer} staying={staying} />
}

function useRowOptions<Row>(list: RefObject<HTMLElement | null>, props: VirtualRowsProps<Row>) {
  const { rows, keyOf, estimate, gap = 0, pinned = [] } = props
  const focused = useFocusedRow(list)
  const totalPx = useMemo(() => rows.reduce((sum, row) => sum + estimate(row) + gap, 0), [rows, estimate, gap])
  const staying = toStaying(rows, keyOf, [...pinned, focused])
  const isLong = props.isWhole !== true && totalPx > WHOLE_UP_TO_PX
  const isShort = props.isWhole !== true && !isLong && totalPx > AT_ONCE_PX
  const arrived = useArrival(rows.length, isShort)
  const getItemKey = useCallback(
    (index: number) => {
      const row = rows[index]
      return row === undefined ? index : keyOf(row)
    },
    [rows, keyOf],
  )
  return {
    staying,
    enabled: isLong || (isShort && arrived !== Infinity),
    count: rows.length,
    gap,
    overscan: Math.max(1, Math.ceil((OVERSCAN_PX * rows.length) / totalPx)) + (isShort ? arrived : 0),
    getItemKey,
    estimateSize: (index: number) => {
      const row = rows[index]
      return row === undefined ? 0 : estimate(row)
    },
    onChange: leaveAnchoring,
    rangeExtractor: (range: Range) => {
      const indexes = defaultRangeExtractor(range)
      const outside = staying.filter((index) => index < (indexes[0] ?? 0) || index > (indexes.at(-1) ?? -1))
      return outside.length === 0 ? indexes : [...indexes, ...outside].toSorted((a, b) => a - b)
    },
  }
}

/**
 * How far a short list has come: what is near the window is drawn first, and with each frame a piece of the rest.
 *
 * @returns rows beyond what is near the window; Infinity once there is nothing left
 */
function useArrival(count: number, isShort: boolean): number {
  const [arrived, addPiece] = useReducer((before: number, all: number) => toArrived(before + ROWS_PER_FRAME, all), 0)
  useEffect(() => {
    if (!isShort || arrived === Infinity) return undefined
    const frame = requestAnimationFrame(() => addPiece(count))
    return () => cancelAnimationFrame(frame)
  }, [isShort, arrived, count])
  return arrived
}

const toArrived = (rows: number, all: number): number => (rows < all ? rows : Infinity)

/** The indexes of the rows that stay in the document. */
function toStaying<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  keys: readonly (string | null | undefined)[],
): number[] {
  const stays = new Set(keys.filter((key) => typeof key === 'string'))
  if (stays.size === 0) return []
  return [...rows.keys()].filter((index) => stays.has(keyOf(rows[index] as Row)))
}

interface RowsProps<Row> extends VirtualRowsProps<Row> {
  readonly list: RefObject<HTMLElement | null>
  readonly virtualizer: Virtualizer<Window, HTMLElement> | Virtualizer<HTMLElement, HTMLElement>
  /** Indexes of the rows that stay in the document. */
  readonly staying: readonly number[]
}

const NO_ITEMS: readonly VirtualItem[] = []

/** The element around a row. */
const ITEM = { ol: 'li', ul: 'li', div: 'div', tbody: 'tr' } as const

function Rows<Row>(given: RowsProps<Row>) {
  const { as: List, list, virtualizer, staying, rows, keyOf, gap = 0, layout, rowProps, renderRow, ...props } = given
  const { enabled: isVirtual, scrollMargin } = virtualizer.options
  const Item: ElementType = ITEM[List]
  const isList = List === 'ol' || List === 'ul'
  const measured = useRef(layout)
  useEffect(() => {
    if (measured.current === layout) return
    measured.current = layout
    virtualizer.measure()
  }, [virtualizer, layout])

  const items = usePieces(isVirtual ? virtualizer.getVirtualItems() : NO_ITEMS, {
    range: virtualizer.range,
    keyAt: virtualizer.options.getItemKey,
    isUrgent: (index) => staying.includes(index),
  })

  const row = (index: number): ReactNode => {
    const shown = rows[index]
    if (shown === undefined) return null
    const key = keyOf(shown)
    return (
      <Item
        key={key}
        data-index={index}
        data-row={key}
        ref={isVirtual ? virtualizer.measureElement : null}
        {...(List === 'div' ? { role: 'none' } : {})}
        {...rowProps?.(shown, index)}
        {...(isList && isVirtual ? { 'aria-posinset': index + 1, 'aria-setsize': rows.length } : {})}
      >
        {renderRow(shown)}
      </Item>
    )
  }
  /** A placeholder for rows that are left out. It adds one more gap between rows. */
  const hole = (key: string, heightPx: number): ReactNode =>
    heightPx > gap ? (
      <Item
        key={key}
        className="wr-rows-hole"
        {...(List === 'tbody' ? { 'aria-hidden': true } : { role: isList ? 'presentation' : 'none' })}
        style={{ height: heightPx - gap }}
      >
        {List === 'tbody' ? <td aria-hidden /> : null}
      </Item>
    ) : null

  const contents: ReactNode[] = []
  if (isVirtual) {
    let end: number | null = null
    for (const item of items) {
      contents.push(hole(`before ${item.key}`, item.start - (end === null ? scrollMargin : end + gap)), row(item.index))
      end = item.end
    }
    contents.push(hole('behind', virtualizer.getTotalSize() + scrollMargin - (end ?? scrollMargin)))
  } else contents.push(...rows.map((_, index) => row(index)))
  return (
    <List ref={list as never} className={props.className} role={props.role} aria-label={props['aria-label']}>
      {contents}
    </List>
  )
}

/** Key of the row that has the focus or had it last, so that the focus can return to it. */
function useFocusedRow(list: RefObject<HTMLElement | null>): string | null {
  const [key, setKey] = useState<string | null>(null)
  useEffect(() => {
    const element = list.current
    if (element === null) return undefined
    const handleFocus = ({ target }: FocusEvent): void => {
      let row = target instanceof HTMLElement ? target : null
      // Rows may hold lists of their own.
      while (row !== null && row.parentElement !== element) row = row.parentElement
      if (row !== null) setKey(row.dataset['row'] ?? null)
    }
    element.addEventListener('focusin', handleFocus)
    return () => element.removeEventListener('focusin', handleFocus)
  }, [list])
  return key
}

/** Pixels from the top of the page to the list; what is above it may grow and shrink. */
function usePageOffset(list: RefObject<HTMLElement | null>, isVirtual: boolean): number {
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    if (!isVirtual) return undefined
    const measure = (): void => {
      if (list.current) setOffset(Math.round(list.current.getBoundingClientRect().top + window.scrollY))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list, isVirtual])
  return offset
}

/** If the browser itself anchors what is on screen, adjusting the scroll position as well would move it twice. */
function leaveAnchoring(virtualizer: { shouldAdjustScrollPositionOnItemSizeChange: unknown }): void {
  if (CSS.supports('overflow-anchor', 'auto')) virtualizer.shouldAdjustScrollPositionOnItemSizeChange = () => false
}
