import { memo, type ReactNode, type Ref } from 'react'

import { type AnsiSegment, type AnsiStyle, parseAnsi, PLAIN, toPlainText } from './ansi.ts'
import type { LogLine } from './createLogLines.ts'
import { toLinks } from './links.ts'

import styles from './logView.module.css'

/** Characters of one line that are drawn. A line of megabytes would stop the page; the download has all of it. */
const MAX_SHOWN = 4_000

/** `numbered`: what a program printed. `columns`: time, labels and message of lines of services, whose places change. */
export type LogRowLayout = 'numbered' | 'columns'

interface LogRowProps {
  line: LogLine
  /** Counted from 0. */
  index: number
  count: number
  layout: LogRowLayout
  /** Before the line, already in the zone of the reader. */
  time: string | null
  /** Marked in every line, in small letters. */
  words: readonly string[]
  isMarked: boolean
  isCurrentMatch: boolean
  rowRef: Ref<HTMLLIElement>
  /** Null: lines cannot be marked. */
  onMark: ((index: number, isRange: boolean) => void) | null
}

/** A line of a log. It is drawn once and never moves by itself. */
export const LogRow = memo(function LogRow(props: LogRowProps) {
  const { line, index, count, layout, time, words, isMarked, isCurrentMatch, rowRef, onMark } = props
  const segments = toSegments(line)
  const left = line.text.length - MAX_SHOWN
  return (
    <li
      ref={rowRef}
      aria-posinset={index + 1}
      aria-setsize={count}
      aria-current={isCurrentMatch || undefined}
      data-index={index}
      data-marked={isMarked || undefined}
      data-current={isCurrentMatch || undefined}
      data-stream={line.stream}
      data-remark={line.isRemark || undefined}
      className={styles['row']}
    >
      {onMark === null || line.isRemark ? null : (
        <button
          type="button"
          tabIndex={-1}
          className={styles['number']}
          aria-label={`Mark line ${index + 1}`}
          aria-pressed={isMarked}
          onClick={(event) => onMark(index, event.shiftKey)}
        >
          {layout === 'numbered' ? index + 1 : <span className={styles['box']} />}
        </button>
      )}
      {time === null || line.isRemark ? null : (
        <time className={styles['time']} dateTime={line.at ?? undefined}>
          {time}
        </time>
      )}
      {layout === 'numbered' || line.isRemark ? null : <Labels labels={line.labels ?? {}} />}
      <span className={styles['text']}>
        {line.stream === 'stderr' ? <span className="wr-visually-hidden">Error output: </span> : null}
        {withMatches(segments, words)}
        {left > 0 ? (
          <span className={styles['cut']}>{` … ${left.toLocaleString()} more characters in the download`}</span>
        ) : null}
        {'\n'}
      </span>
    </li>
  )
})

/** A message may have several lines, a trace for example; each begins with the looks that the one before ended with. */
function toSegments({ text, start }: LogLine): AnsiSegment[] {
  let style = start
  return text
    .slice(0, MAX_SHOWN)
    .split('\n')
    .flatMap((part, index) => {
      const { segments, end } = parseAnsi(part, style)
      style = end
      return index === 0 ? segments : [{ text: '\n', style: PLAIN }, ...segments]
    })
}

function Labels({ labels }: { labels: Readonly<Record<string, string>> }) {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}: ${value}`)
  return (
    <span className={styles['labels']} title={pairs.join('\n')}>
      {pairs.map((pair) => (
        <span key={pair} className={styles['label']}>
          {toPlainText(pair)}
        </span>
      ))}
    </span>
  )
}

/** The segments of a line, cut where the text that is looked for begins and ends. */
function withMatches(segments: readonly AnsiSegment[], words: readonly string[]): ReactNode[] {
  const text = segments.map((segment) => segment.text).join('')
  const ranges = words.flatMap((word) => toRanges(text.toLowerCase(), word))
  const links = toLinks(text)
  const cuts = [...ranges, ...links].flatMap(({ from, to }) => [from, to])
  const shown: ReactNode[] = []
  let at = 0
  for (const { text: piece, style } of segments) {
    const inside = cuts.filter((cut) => cut > at && cut < at + piece.length).toSorted((a, b) => a - b)
    let from = at
    for (const to of [...inside, at + piece.length]) {
      const isMatch = ranges.some((range) => range.from <= from && to <= range.to)
      const link = links.find((range) => range.from <= from && to <= range.to)
      const part = piece.slice(from - at, to - at)
      shown.push(
        <Piece key={from} style={style} isMatch={isMatch} href={link?.href}>
          {part}
        </Piece>,
      )
      from = to
    }
    at += piece.length
  }
  return shown
}

interface Range {
  readonly from: number
  readonly to: number
}

function toRanges(text: string, word: string): Range[] {
  const ranges: Range[] = []
  for (let from = text.indexOf(word); from !== -1; from = text.indexOf(word, from + word.length)) {
    ranges.push({ from, to: from + word.length })
  }
  return ranges
}

interface PieceProps {
  style: AnsiStyle
  isMatch: boolean
  href: string | undefined
  children: string
}

function Piece({ style, isMatch, href, children }: PieceProps): ReactNode {
  const content = isMatch ? <mark>{children}</mark> : children
  const looks = toClasses(style)
  const text =
    href === undefined ? (
      content
    ) : (
      <a href={href} target="_blank" rel="noreferrer noopener" tabIndex={-1}>
        {content}
      </a>
    )
  return looks === null ? text : <span {...looks}>{text}</span>
}

/** Attributes for the style sheet; null for text without looks of its own. */
function toClasses(style: AnsiStyle) {
  const isSwapped = style.isInverse === true
  const color = isSwapped ? (style.background ?? 'page') : style.color
  const background = isSwapped ? (style.color ?? 'text') : style.background
  const looks = [
    style.isBold && 'bold',
    style.isDim && 'dim',
    style.isItalic && 'italic',
    style.isUnderlined && 'underline',
    style.isStruck && 'strike',
  ].filter(Boolean)
  if (color === undefined && background === undefined && looks.length === 0) return null
  return { 'data-color': color, 'data-background': background, 'data-looks': looks.join(' ') || undefined }
}
