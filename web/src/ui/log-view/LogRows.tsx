import type { Virtualizer } from '@tanstack/react-virtual'
import type { CSSProperties, KeyboardEvent, RefObject } from 'react'

import type { LogColumnSizes } from '../../preferences/logColumns.ts'
import type { LogLine } from './createLogLines.ts'
import type { LineRange } from './lineRange.ts'
import { LogRow, type LogRowLayout } from './LogRow.tsx'

import styles from './logView.module.css'

export type RowsOfLog = Virtualizer<HTMLDivElement, HTMLLIElement>

interface LogRowsProps {
  label: string
  lines: readonly LogLine[]
  rows: RowsOfLog
  scroller: RefObject<HTMLDivElement | null>
  layout: LogRowLayout
  sizes: LogColumnSizes
  isWrapped: boolean
  /** Time and labels stand above the message, as on a phone. */
  isStacked: boolean
  /** Looked for, in small letters. */
  words: readonly string[]
  toTime: ((at: string | null) => string | null) | null
  marked: LineRange | null
  currentMatch: number | null
  onMark: ((index: number, isRange: boolean) => void) | null
  onScroll: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

/** The lines near the window, in a box that scrolls. */
export function LogRows(props: LogRowsProps) {
  const { label, lines, rows, scroller, layout, sizes, isWrapped, marked } = props
  const count = lines.length
  const isMeasured = isWrapped || layout === 'columns'
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it scrolls by keys, and has some of its own
    <div
      ref={scroller}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys reach only what has the focus
      tabIndex={0}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a list cannot be scrolled to its end and stay a list of its rows
      role="group"
      aria-label={`${label}: lines`}
      className={styles['scroller']}
      data-layout={layout}
      data-wrapped={isWrapped || undefined}
      data-stacked={props.isStacked || undefined}
      style={toWidths(sizes)}
      onScroll={props.onScroll}
      onKeyDown={props.onKeyDown}
    >
      <div className={styles['space']} style={{ height: rows.getTotalSize() }}>
        <ol className={styles['rows']} style={toPlace(rows, count)}>
          {rows.getVirtualItems().map(({ index, key }) => {
            const line = lines[index]
            return line === undefined ? null : (
              <LogRow
                key={key}
                line={line}
                index={index}
                count={count}
                layout={layout}
                time={props.toTime === null ? null : props.toTime(line.at)}
                words={props.words}
                isMarked={marked !== null && index + 1 >= marked.from && index + 1 <= marked.to}
                isCurrentMatch={index === props.currentMatch}
                rowRef={isMeasured ? rows.measureElement : null}
                onMark={props.onMark}
              />
            )
          })}
        </ol>
      </div>
    </div>
  )
}

/** For the style sheet, of the head and of the rows. */
export const toWidths = ({ time, labels }: LogColumnSizes): CSSProperties =>
  ({ '--log-time': `${time}px`, '--log-labels': `${labels}px` }) as CSSProperties

/** Where the rows in the document stand, and how wide their numbers are. */
const toPlace = (rows: RowsOfLog, count: number): CSSProperties =>
  ({
    transform: `translateY(${rows.getVirtualItems()[0]?.start ?? 0}px)`,
    '--log-digits': `${String(count).length}ch`,
  }) as CSSProperties
