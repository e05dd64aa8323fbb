// oxlint-disable jsx-a11y/prefer-tag-over-role -- a select shows no code, and cannot hold a hundred thousand lines
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type KeyboardEvent, memo, useEffect, useId, useRef, useState } from 'react'

import { PHONE } from '../breakpoints.ts'
import { useLatest } from '../useLatest.ts'
import { useMediaQuery } from '../useMediaQuery.ts'
import { toSelection } from './codeKeys.ts'
import { type CodeLanguage, colorLine } from './colorLine.ts'
import { includesLine, type LineRanges, rangeOf, toggleLine } from './lineRanges.ts'

import styles from './code.module.css'

/** As in the style sheet. */
const ROW_PX = 24
/** Third specification, section 9. */
const OVERSCAN = 20
/** Maximum characters rendered per line: a whole document on one line would block the page for seconds. */
const MAX_SHOWN = 2_000

interface CodeLinesProps {
  /** For screen readers. */
  label: string
  lines: readonly string[]
  language: CodeLanguage
  /** Counted from 1. They are scrolled into view once they exist. */
  selected: LineRanges
  onSelect: (selected: LineRanges) => void
}

/** Code of any length. Lines are selected by clicking their numbers, with Shift as a range, or by keyboard. */
export function CodeLines({ label, lines, language, selected, onSelect }: CodeLinesProps) {
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const isWrapped = useMediaQuery(PHONE)
  const [cursor, setCursor] = useState<number | null>(null)
  const anchor = useRef<number | null>(null)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by the compiler; rows compare their own contents
  const rows = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    initialRect: { width: 0, height: 600 },
  })
  const wanted = useRef(selected[0]?.from ?? null)
  useEffect(() => {
    if (wanted.current === null || lines.length < wanted.current) return
    rows.scrollToIndex(wanted.current - 1, { align: 'center' })
    wanted.current = null
  }, [rows, lines])

  const choose = useLatest((line: number, how: 'only' | 'range' | 'toggle'): void => {
    const isAlone = selected.length === 1 && selected[0]?.from === line && selected[0].to === line
    if (how === 'range') onSelect(rangeOf(anchor.current ?? selected[0]?.from ?? line, line))
    else if (how === 'toggle') onSelect(toggleLine(selected, line))
    else onSelect(isAlone ? [] : rangeOf(line, line))
    if (how !== 'range' || anchor.current === null) anchor.current = line
    setCursor(line)
  })
  const handleKeyDown = (event: KeyboardEvent): void => {
    const top = (rows.getVirtualItemForOffset(scroller.current?.scrollTop ?? 0)?.index ?? 0) + 1
    const next = toSelection({ event, cursor, anchor: anchor.current, top, count: lines.length, selected })
    if (next === null) return
    event.preventDefault()
    event.stopPropagation()
    anchor.current = next.anchor
    setCursor(next.cursor)
    if (next.selected !== selected) onSelect(next.selected)
    if (next.cursor !== null) rows.scrollToIndex(next.cursor - 1, { align: 'auto' })
  }
  const items = rows.getVirtualItems()
  return (
    <div
      ref={scroller}
      className={styles['code']}
      data-wrapped={isWrapped || undefined}
      role="listbox"
      tabIndex={0}
      aria-multiselectable
      aria-label={`${label}: lines`}
      aria-activedescendant={cursor === null ? undefined : `${id}-${cursor}`}
      onKeyDown={handleKeyDown}
      style={{ '--code-digits': `${String(lines.length).length}ch` } as CSSProperties}
    >
      <div role="presentation" className={styles['space']} style={{ height: rows.getTotalSize() }}>
        <div
          role="presentation"
          className={styles['lines']}
          style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}
        >
          {items.map(({ index, key }) => (
            <CodeLine
              key={key}
              id={`${id}-${index + 1}`}
              line={index + 1}
              count={lines.length}
              text={lines[index] ?? ''}
              language={language}
              isSelected={includesLine(selected, index + 1)}
              isCursor={cursor === index + 1}
              measure={isWrapped ? rows.measureElement : null}
              onChoose={choose}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

interface CodeLineProps {
  id: string
  /** Counted from 1. */
  line: number
  count: number
  text: string
  language: CodeLanguage
  isSelected: boolean
  isCursor: boolean
  measure: ((row: HTMLDivElement | null) => void) | null
  onChoose: (line: number, how: 'only' | 'range' | 'toggle') => void
}

const CodeLine = memo(function CodeLine({
  id,
  line,
  count,
  text,
  language,
  isSelected,
  isCursor,
  measure,
  onChoose,
}: CodeLineProps) {
  const left = text.length - MAX_SHOWN
  return (
    <div
      ref={measure}
      id={id}
      role="option"
      aria-selected={isSelected}
      aria-posinset={line}
      aria-setsize={count}
      data-index={line - 1}
      data-cursor={isCursor || undefined}
      className={styles['line']}
    >
      <span
        aria-hidden
        className={styles['number']}
        title="Select this line; with Shift, extend to another"
        onPointerDown={(event) => {
          if (event.button !== 0) return
          onChoose(line, event.shiftKey ? 'range' : event.ctrlKey || event.metaKey ? 'toggle' : 'only')
        }}
        onPointerEnter={(event) => {
          if (event.buttons === 1 && event.pointerType === 'mouse') onChoose(line, 'range')
        }}
      >
        {line}
      </span>
      <span className={styles['text']}>
        {colorLine(text.slice(0, MAX_SHOWN), language).map((piece, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- pieces of a line may say the same, and never move
          <span key={at} data-kind={piece.kind}>
            {piece.text}
          </span>
        ))}
        {left > 0 ? <span className={styles['cut']}>{` … ${left.toLocaleString()} more characters`}</span> : null}
      </span>
    </div>
  )
})
