import { ChevronDown, ChevronRight } from '@blueprintjs/icons'
import {
  type CheckFacts,
  formatUptime,
  type GroupHealth,
  type Health,
  type Indicator,
  isAgeWorthSaying,
  type SortColumn,
  toBarFill,
  toIndicator,
  toHealthWord,
} from '@watchroom/shared/health'
import type { SilenceFinder } from '@watchroom/shared/notifications'
import type { Silence } from '@watchroom/shared/protocol'
import { formatDuration } from '@watchroom/shared/time'
import { createContext, type ReactNode, useContext } from 'react'

import { CheckTypeIcon } from '../../../ui/CheckTypeIcon.tsx'
import { formatAge, parseMoment } from '../../../ui/formatTime.ts'
import { type GlyphStatus, StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { useExactTime } from '../../../ui/useExactTime.ts'
import { checkPath } from '../../../url/checkPath.ts'
import type { BoardLine } from '../board/boardLines.ts'
import { toWhy } from '../toWhy.ts'
import { LastResults, MemberHealth } from './LastResults.tsx'

import styles from './board.module.css'

/** The server's time, once a minute. A context, so that the minute renders cells and not rows. */
export const BoardNowContext = createContext(0)

/** By which silence nobody is told of a check. */
export const SilenceFinderContext = createContext<SilenceFinder<Silence>>(() => undefined)

interface Figures {
  health: Health | GroupHealth
  passed: number
  failed: number
  latencyMs: number | null
  transitionAt: number | null
  lastRunAt: number | null
}

function toFigures(line: BoardLine): Figures {
  return line.kind === 'check' ? line.unit.check : line.unit.summary
}

const GLYPHS: Record<Indicator, GlyphStatus> = {
  green: 'healthy',
  orange: 'warning',
  red: 'unhealthy',
  grey: 'unknown',
}

/** Health of one check or of several, as shape and word. */
export function HealthGlyph({
  health,
  unknownSinceAt = null,
}: {
  health: Health | GroupHealth
  unknownSinceAt?: number | null
}) {
  const now = useContext(BoardNowContext)
  return <StatusGlyph status={GLYPHS[toIndicator(health)]} word={toHealthWord(health, unknownSinceAt, now)} />
}

const DASH = <span className="wr-muted">–</span>

function CheckName({ line }: { line: BoardLine }) {
  if (line.kind === 'group') {
    const { title, summary, isLeaving } = line.unit
    return (
      <>
        <span className={styles['twisty']} aria-hidden>
          {line.isExpanded ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
        </span>
        <CheckTypeIcon type={summary.type} icon={summary.icon} />
        <span className={styles['title']} title={title} data-name>
          {title}
        </span>
        <span className={styles['count']} title={`${summary.counts.healthy} of ${summary.total} checks are passing`}>
          {summary.counts.healthy} of {summary.total}
        </span>
        {isLeaving ? <LeavingTag isHealthy={summary.health === 'good'} /> : null}
      </>
    )
  }
  const { check, title, isLeaving } = line.unit
  const namespace = check.row.namespace || check.row.canary_namespace
  return (
    <>
      <span className={styles['twisty']} aria-hidden />
      <CheckTypeIcon type={check.row.type} icon={check.row.icon} />
      <a
        className={styles['title']}
        data-name
        href={checkPath(check.id)}
        tabIndex={-1}
        title={check.row.description ? `${title}\n${check.row.description}` : title}
      >
        {title}
      </a>
      {isLeaving ? <LeavingTag isHealthy={check.health === 'healthy'} /> : null}
      <Why check={check} />
      {namespace && line.groupId === null ? <span className={styles['namespace']}>{namespace}</span> : null}
    </>
  )
}

/** Why a check fails: truncated in its row, in full on hover and in the focused row. */
export function Why({ check }: { check: CheckFacts }) {
  const reason = toWhy(check)
  return reason === null ? null : (
    <span className={styles['why']}>
      <span className={styles['whyText']}>{reason}</span>
    </span>
  )
}

/** The tooltip says until when. */
export function SilencedTag({ check: { row } }: { check: CheckFacts }) {
  const silence = useContext(SilenceFinderContext)({ id: row.id, canaryId: row.canary_id })
  const toExact = useExactTime()
  return silence === undefined ? null : (
    <span className={styles['count']} title={`Nobody is notified until ${toExact(parseMoment(silence.until))}`}>
      Silenced
    </span>
  )
}

function LeavingTag({ isHealthy }: { isHealthy: boolean }) {
  return (
    <span className={styles['leaving']} title="Leaves the list once your pointer moves away">
      {isHealthy ? 'Recovered' : 'Leaving the list'}
    </span>
  )
}

function HealthCell({ line }: { line: BoardLine }) {
  const now = useContext(BoardNowContext)
  const { health, lastRunAt } = toFigures(line)
  return (
    <>
      <HealthGlyph health={health} unknownSinceAt={line.kind === 'check' ? line.unit.check.unknownSinceAt : null} />
      {lastRunAt !== null && isAgeWorthSaying(lastRunAt, now) ? (
        <Moment className={`${styles['lastRun']}`} at={lastRunAt} now={now} title="Last run" />
      ) : null}
      {line.kind === 'check' ? <SilencedTag check={line.unit.check} /> : null}
    </>
  )
}

function UptimeCell({ line }: { line: BoardLine }) {
  return (
    <>
      {line.kind === 'check' ? (
        <LastResults check={line.unit.check} />
      ) : (
        <MemberHealth counts={line.unit.summary.counts} />
      )}
      <Uptime {...toFigures(line)} />
    </>
  )
}

/** Two decimals, and below them how much of the time was lost. */
export function Uptime({ passed, failed }: { passed: number; failed: number }) {
  const text = formatUptime({ passed, failed })
  if (text === null) return DASH
  // The bar shows the failed share: its warning colors begin where a bar of the uptime would be at its best.
  const fill = toBarFill((failed / (passed + failed)) * 100)
  return (
    <span className={styles['uptime']} title={`${passed} passed, ${failed} failed in the last hour`}>
      {text}
      {failed > 0 ? (
        <span className={styles['bar']} data-tone={fill.tone} aria-hidden>
          <span style={{ width: `${fill.widthPercent}%` }} />
        </span>
      ) : null}
    </span>
  )
}

export function Latency({ latencyMs }: { latencyMs: number | null }) {
  return latencyMs === null ? DASH : <span>{formatDuration(latencyMs)}</span>
}

export function Transition({ transitionAt }: { transitionAt: number | null }) {
  const now = useContext(BoardNowContext)
  return transitionAt === null ? DASH : <Moment at={transitionAt} now={now} />
}

/** A tooltip component per cell would cost more than the row, so the exact time is a plain `title`. */
export function Moment({ at, now, title, className }: { at: number; now: number; title?: string; className?: string }) {
  const exact = useExactTime()(at)
  return (
    <time className={className} dateTime={new Date(at).toISOString()} title={title ? `${title}: ${exact}` : exact}>
      {formatAge(at, Math.max(at, now))}
    </time>
  )
}

/** The rows arrive in order and in groups (`arrangeBoard`): a column only says what it shows and what a click on its head asks for. */
export interface BoardColumn {
  readonly id: string
  readonly head: ReactNode
  /** Absent where its head sorts nothing. */
  readonly sortBy?: SortColumn
  /** Largest first at the first click. */
  readonly isDescendingFirst?: boolean
  readonly cell: (line: BoardLine) => ReactNode
}

/** How the columns share the width. */
export interface GridTemplate {
  /** For `grid-template-columns`. */
  readonly columns: string
  /** Below this width the list scrolls sideways. */
  readonly minWidth: string
}

export const BOARD_TEMPLATE: GridTemplate = {
  columns: 'minmax(150px, 1fr) 176px 208px 88px 112px',
  minWidth: '0px',
}

/** A column that is named after what it sorts by. */
export const sortedColumn = (sortBy: SortColumn, column: Omit<BoardColumn, 'id' | 'sortBy'>): BoardColumn => ({
  id: sortBy,
  sortBy,
  ...column,
})

export const NAME_COLUMN = sortedColumn('name', { head: 'Checks', cell: (line) => <CheckName line={line} /> })

export const boardColumns: readonly BoardColumn[] = [
  NAME_COLUMN,
  sortedColumn('health', { head: 'Health', cell: (line) => <HealthCell line={line} /> }),
  sortedColumn('uptime', { head: 'Uptime', cell: (line) => <UptimeCell line={line} /> }),
  sortedColumn('latency', {
    head: 'Latency',
    isDescendingFirst: true,
    cell: (line) => <Latency {...toFigures(line)} />,
  }),
  sortedColumn('transition', {
    head: 'Transition',
    isDescendingFirst: true,
    cell: (line) => <Transition {...toFigures(line)} />,
  }),
]
