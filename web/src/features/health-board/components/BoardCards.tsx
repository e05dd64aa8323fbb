/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/interactive-supports-focus -- rows of cards are placed absolutely; the cards take the focus, their grid the events */
import { ChevronDown, ChevronRight } from '@blueprintjs/icons'
import { useVirtualizer } from '@tanstack/react-virtual'
import { isAgeWorthSaying } from '@watchroom/shared/health'
import {
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type ReactNode,
  useContext,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'

import { CheckTypeIcon } from '../../../ui/CheckTypeIcon.tsx'
import { checkPath } from '../../../url/checkPath.ts'
import { type CardRow, type CheckLine, type GroupLine, moveInCards, toCardRows } from '../board/cardRows.ts'
import { BoardNowContext, HealthGlyph, Latency, Moment, SilencedTag, Transition, Uptime, Why } from './boardColumns.tsx'
import type { BoardGridProps } from './BoardGrid.tsx'
import { LastResults } from './LastResults.tsx'

import styles from './board.module.css'

const CARD_MIN_PX = 250
/** Heights until a card or heading is measured; gap and padding are the third and fourth step of the theme. */
const CARD_PX = 130
const GAP_PX = 12
const HEADING_PX = 44
const PADDING_PX = 16

type BoardCardsProps = Pick<
  BoardGridProps,
  'lines' | 'openCheckId' | 'onOpen' | 'onToggle' | 'onTouch' | 'onLeave' | 'onVisible' | 'ref'
>

/** How many cards stand side by side. */
function useColumnCount(scroller: { readonly current: HTMLElement | null }): number {
  const [count, setCount] = useState(1)
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    const measure = (): void => {
      const width = element.offsetWidth - 2 * PADDING_PX + GAP_PX
      setCount(Math.max(1, Math.floor(width / (CARD_MIN_PX + GAP_PX))))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])
  return count
}

/** The checks as cards below the headings of their groups. One tab stop; the arrows move in two directions. */
export function BoardCards({
  lines,
  openCheckId,
  onOpen,
  onToggle,
  onTouch,
  onLeave,
  onVisible,
  ref,
}: BoardCardsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const columns = useColumnCount(scroller)
  const rows = useMemo(() => toCardRows(lines, columns), [lines, columns])
  // A new object each time: choosing the same card again must render, too, which focuses it.
  const [chosen, setChosen] = useState<{ id: string } | null>(null)
  const mustFocus = useRef(false)
  const active = (lines.find(({ id }) => id === chosen?.id) ?? lines[0])?.id ?? null

  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by the compiler; cards are compared by their unit
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === 'group' ? HEADING_PX : CARD_PX + GAP_PX),
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 4,
    paddingEnd: GAP_PX,
  })
  useEffect(() => virtualizer.measure(), [virtualizer, rows])

  const items = virtualizer.getVirtualItems()
  const visible = items.flatMap(({ index }) => {
    const row = rows[index]
    return row?.kind === 'cards' ? row.cards.map(({ id }) => id) : []
  })
  const visibleKey = visible.join()
  const lastVisible = useRef('')
  useEffect(() => {
    if (lastVisible.current === visibleKey) return
    lastVisible.current = visibleKey
    onVisible?.(visible)
  })

  function moveTo(id: string | null): void {
    if (id === null) return
    mustFocus.current = true
    setChosen({ id })
    virtualizer.scrollToIndex(rows.findIndex((row) => holds(row, id)))
  }

  useImperativeHandle(ref, () => ({
    focusLine: (lineId) => moveTo(lines.some(({ id }) => id === lineId) ? lineId : active),
    focusActive: () => moveTo(active),
  }))

  useLayoutEffect(() => {
    if (!mustFocus.current || active === null) return
    const card = scroller.current?.querySelector<HTMLElement>(`[data-line="${CSS.escape(active)}"]`)
    if (!card) return
    mustFocus.current = false
    card.focus({ preventScroll: true })
  })

  function handleKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || active === null) return
    const next = moveInCards(rows, active, event.key)
    if (next === null) return
    event.preventDefault()
    onTouch()
    moveTo(next)
  }

  function handleClick(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-line]') : null
    const line = lines.find(({ id }) => id === target?.dataset['line'])
    // A link opened in a new tab or window is the browser's business.
    if (line === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    setChosen({ id: line.id })
    if (line.kind === 'check') onOpen(line.id)
    else onToggle(line.id, !line.isExpanded)
  }

  return (
    <div
      ref={scroller}
      className={styles['cards']}
      role="grid"
      aria-label="Checks"
      aria-rowcount={rows.length}
      onKeyDown={handleKeyDown}
      onClick={handleClick}
      onPointerMove={onTouch}
      onPointerLeave={onLeave}
    >
      <div role="presentation" className={styles['cardsBody']} style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index]
          if (row === undefined) return null
          return (
            <div
              key={item.key}
              role="row"
              aria-rowindex={item.index + 1}
              className={styles['cardRow']}
              style={{
                transform: `translateY(${item.start}px)`,
                gridTemplateColumns: `repeat(${row.kind === 'group' ? 1 : columns}, minmax(0, 1fr))`,
              }}
            >
              {row.kind === 'group' ? (
                <GroupHeading line={row.line} isActive={row.line.id === active} />
              ) : (
                row.cards.map((line) => (
                  <CheckCard
                    key={line.id}
                    line={line}
                    isActive={line.id === active}
                    isSelected={line.id === openCheckId}
                  />
                ))
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

const holds = (row: CardRow, id: string): boolean =>
  row.kind === 'group' ? row.line.id === id : row.cards.some((card) => card.id === id)

function GroupHeading({ line, isActive }: { line: GroupLine; isActive: boolean }) {
  const { title, summary } = line.unit
  return (
    <div role="gridcell" className={styles['cardHeading']} style={{ paddingLeft: (line.level - 1) * GAP_PX }}>
      <button type="button" data-line={line.id} aria-expanded={line.isExpanded} tabIndex={isActive ? 0 : -1}>
        {line.isExpanded ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
        <span className={styles['title']} data-name>
          {title}
        </span>
        <HealthGlyph health={summary.health} />
        <span className={styles['count']} title={`${summary.counts.healthy} of ${summary.total} checks are passing`}>
          {summary.counts.healthy} of {summary.total}
        </span>
      </button>
    </div>
  )
}

interface CheckCardProps {
  line: CheckLine
  isActive: boolean
  isSelected: boolean
}

function CheckCardView({ line, isActive, isSelected }: CheckCardProps) {
  const now = useContext(BoardNowContext)
  const { check, title, isLeaving } = line.unit
  const { health, unknownSinceAt, lastRunAt, passed, failed, latencyMs, transitionAt } = check
  const namespace = check.row.namespace || check.row.canary_namespace
  return (
    <div role="gridcell" className={styles['cardCell']}>
      <a
        className={styles['card']}
        href={checkPath(check.id)}
        data-line={line.id}
        data-health={health}
        data-leaving={isLeaving || undefined}
        aria-current={isSelected || undefined}
        tabIndex={isActive ? 0 : -1}
        title={check.row.description ? `${title}\n${check.row.description}` : title}
      >
        <span className={styles['cardTop']}>
          <CheckTypeIcon type={check.row.type} icon={check.row.icon} />
          <span className={styles['title']} data-name>
            {title}
          </span>
          {namespace ? <span className={styles['namespace']}>{namespace}</span> : null}
        </span>
        <span className={styles['cardHealth']}>
          <HealthGlyph health={health} unknownSinceAt={unknownSinceAt} />
          {lastRunAt !== null && isAgeWorthSaying(lastRunAt, now) ? (
            <Moment className={`${styles['lastRun']}`} at={lastRunAt} now={now} title="Last run" />
          ) : null}
          <SilencedTag check={check} />
          <LastResults check={check} />
        </span>
        <Why check={check} />
        <span className={styles['cardFigures']}>
          <Figure name="Uptime">
            <Uptime passed={passed} failed={failed} />
          </Figure>
          <Figure name="Latency">
            <Latency latencyMs={latencyMs} />
          </Figure>
          <Figure name="Transition">
            <Transition transitionAt={transitionAt} />
          </Figure>
        </span>
      </a>
    </div>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span className={styles['cardFigure']}>
      <span className={styles['cardName']}>{name}</span>
      {children}
    </span>
  )
}

/** Renders again only when its own contents change. */
const CheckCard = memo(
  CheckCardView,
  (before, after) =>
    before.line.unit === after.line.unit &&
    before.isActive === after.isActive &&
    before.isSelected === after.isSelected,
)
