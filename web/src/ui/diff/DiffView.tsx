import { Button } from '@blueprintjs/core'
import { type DiffHunk, type DiffLine, type DiffPair, parseUnifiedDiff, toDiffPairs } from '@watchroom/shared/catalog'
import { type ReactNode, useMemo, useState } from 'react'

import { PHONE } from '../breakpoints.ts'
import { useMediaQuery } from '../useMediaQuery.ts'

import styles from './diff.module.css'

export type DiffLayout = 'unified' | 'sides'

/** Lines that are drawn at once: more cost the browser seconds. */
const STEP_LINES = 1_000

interface DiffViewProps {
  /** A unified diff, of which anything else is shown as it is, or what differs. */
  diff: string | readonly DiffHunk[]
  layout?: DiffLayout
}

/** What a change took away and brought, by sign and color. Beside each other only where there is room. */
export function DiffView({ diff, layout = 'unified' }: DiffViewProps) {
  const isPhone = useMediaQuery(PHONE)
  const isSides = layout === 'sides' && !isPhone
  const rows = useMemo(() => {
    const hunks = typeof diff === 'string' ? parseUnifiedDiff(diff) : diff
    if (typeof diff === 'string' && hunks.length === 0) return toRawRows(diff)
    return isSides ? toSideRows(hunks) : toRows(hunks)
  }, [diff, isSides])
  const [shown, setShown] = useState(STEP_LINES)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <figure className={styles['diff']} aria-label="Diff" tabIndex={0}>
      <div className={styles['rows']}>{rows.slice(0, shown)}</div>
      {rows.length > shown ? (
        <Button
          variant="minimal"
          size="small"
          text={`Show ${Math.min(STEP_LINES, rows.length - shown).toLocaleString()} more lines`}
          onClick={() => setShown(shown + STEP_LINES)}
        />
      ) : null}
    </figure>
  )
}

const SIGNS = { same: ' ', removed: '-', added: '+' } as const

const Cut = () => (
  <div className={styles['cut']} aria-hidden>
    ⋯
  </div>
)

/** Hunks below each other, with a mark where lines are left out. */
const joinHunks = (hunks: readonly DiffHunk[], render: (hunk: DiffHunk, at: number) => ReactNode[]): ReactNode[] =>
  // oxlint-disable-next-line react/no-array-index-key -- a hunk has no identity but its place
  hunks.flatMap((hunk, at) => [...(at > 0 ? [<Cut key={`cut ${at}`} />] : []), ...render(hunk, at)])

const toRows = (hunks: readonly DiffHunk[]): ReactNode[] =>
  joinHunks(hunks, ({ lines }, hunk) =>
    lines.map((line, at) => (
      // oxlint-disable-next-line react/no-array-index-key -- a line has no identity but its place
      <div key={`${hunk} ${at}`} className={styles['row']} data-kind={line.kind}>
        <span className={styles['number']}>{line.before}</span>
        <span className={styles['number']}>{line.after}</span>
        <Text line={line} />
      </div>
    )),
  )

const toSideRows = (hunks: readonly DiffHunk[]): ReactNode[] =>
  joinHunks(hunks, (lines, hunk) =>
    toDiffPairs(lines).map((pair, at) => (
      // oxlint-disable-next-line react/no-array-index-key -- a line has no identity but its place
      <div key={`${hunk} ${at}`} className={styles['pair']}>
        <Side pair={pair} side="left" />
        <Side pair={pair} side="right" />
      </div>
    )),
  )

function Side({ pair, side }: { pair: DiffPair; side: 'left' | 'right' }) {
  const line = pair[side]
  if (line === null) return <div className={styles['row']} data-kind="absent" />
  return (
    <div className={styles['row']} data-kind={line.kind}>
      <span className={styles['number']}>{side === 'left' ? line.before : line.after}</span>
      <Text line={line} />
    </div>
  )
}

const Text = ({ line: { kind, text } }: { line: DiffLine }) => (
  <code>
    {SIGNS[kind]}
    {toShown(text)}
  </code>
)

/** Characters of a line that are drawn: a document on one line would hold the page for seconds. */
const MAX_SHOWN = 2_000

const toShown = (text: string): string =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… ${(text.length - MAX_SHOWN).toLocaleString()} more` : text

/** Some sources give changed lines alone. */
const toRawRows = (text: string): ReactNode[] =>
  text.split('\n').map((line, at) => (
    // oxlint-disable-next-line react/no-array-index-key -- a line has no identity but its place
    <div key={at} className={styles['row']} data-kind={toRawKind(line)}>
      <code>{toShown(line) || ' '}</code>
    </div>
  ))

function toRawKind(line: string): DiffLine['kind'] {
  if (/^(?:---|\+\+\+) /.test(line)) return 'same'
  return line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same'
}
