import { ChevronDown, ChevronRight } from '@blueprintjs/icons'
import { createColumnHelper, rowSortingFeature, tableFeatures } from '@tanstack/react-table'
import {
  formatUptime,
  type GroupHealth,
  type Health,
  isAgeWorthSaying,
  type SortColumn,
} from '@watchroom/shared/health'
import { formatDuration } from '@watchroom/shared/time'
import { createContext, useContext } from 'react'

import { formatAge, formatExact } from '../../../ui/formatTime.ts'
import { type GlyphStatus, StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import type { BoardLine } from '../board/boardLines.ts'
import { CheckTypeIcon } from './CheckTypeIcon.tsx'

/** The server's time, once a minute. A context, so that the minute renders cells and not rows. */
export const BoardNowContext = createContext(0)

const GLYPHS: Record<Health | GroupHealth, { status: GlyphStatus; word: string }> = {
  healthy: { status: 'healthy', word: 'Healthy' },
  good: { status: 'healthy', word: 'Healthy' },
  mixed: { status: 'warning', word: 'Mixed' },
  unhealthy: { status: 'unhealthy', word: 'Unhealthy' },
  bad: { status: 'unhealthy', word: 'Unhealthy' },
  unknown: { status: 'unknown', word: 'Unknown' },
}

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

const DASH = <span className="wr-muted">–</span>

function CheckName({ line }: { line: BoardLine }) {
  if (line.kind === 'group') {
    const { title, summary, isLeaving } = line.unit
    return (
      <>
        <span className="health-twisty" aria-hidden>
          {line.isExpanded ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
        </span>
        <CheckTypeIcon type={summary.type} />
        <span className="health-title" title={title}>
          {title}
        </span>
        <span className="health-count" title={`${summary.counts.healthy} of ${summary.total} checks are passing`}>
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
      <span className="health-twisty" aria-hidden />
      <CheckTypeIcon type={check.row.type} />
      <a
        className="health-title"
        href={`/health?checkId=${encodeURIComponent(check.id)}`}
        tabIndex={-1}
        title={check.row.description ? `${title}\n${check.row.description}` : title}
      >
        {title}
      </a>
      {isLeaving ? <LeavingTag isHealthy={check.health === 'healthy'} /> : null}
      {namespace && line.groupId === null ? <span className="health-namespace">{namespace}</span> : null}
    </>
  )
}

function LeavingTag({ isHealthy }: { isHealthy: boolean }) {
  return (
    <span className="health-leaving" title="Leaves the list as soon as nobody points at it">
      {isHealthy ? 'Recovered' : 'Leaving the list'}
    </span>
  )
}

function HealthCell({ line }: { line: BoardLine }) {
  const now = useContext(BoardNowContext)
  const { health, lastRunAt } = toFigures(line)
  const { status, word } = GLYPHS[health]
  return (
    <>
      <StatusGlyph status={status} word={word} />
      {lastRunAt !== null && isAgeWorthSaying(lastRunAt, now) ? (
        <Moment className="health-last-run" at={lastRunAt} now={now} title="Last run" />
      ) : null}
    </>
  )
}

function UptimeCell({ line }: { line: BoardLine }) {
  const figures = toFigures(line)
  const text = formatUptime(figures)
  if (text === null) return DASH
  return <span title={`${figures.passed} passed, ${figures.failed} failed`}>{text}</span>
}

function LatencyCell({ line }: { line: BoardLine }) {
  const { latencyMs } = toFigures(line)
  return latencyMs === null ? DASH : <span>{formatDuration(latencyMs)}</span>
}

function TransitionCell({ line }: { line: BoardLine }) {
  const now = useContext(BoardNowContext)
  const { transitionAt } = toFigures(line)
  return transitionAt === null ? DASH : <Moment at={transitionAt} now={now} />
}

/** A tooltip component per cell would cost more than the row: the exact time is a plain title here. */
function Moment({ at, now, title, className }: { at: number; now: number; title?: string; className?: string }) {
  const exact = formatExact(at)
  return (
    <time className={className} dateTime={new Date(at).toISOString()} title={title ? `${title}: ${exact}` : exact}>
      {formatAge(at, Math.max(at, now))}
    </time>
  )
}

export const boardFeatures = tableFeatures({ rowSortingFeature })

const helper = createColumnHelper<typeof boardFeatures, BoardLine>()

/** Columns of the board. The rows arrive in order (`arrangeBoard`), so the accessors only mark a column as sortable. */
export const boardColumns = helper.columns([
  helper.accessor((line) => line.id, {
    id: 'name' satisfies SortColumn,
    header: 'Checks',
    cell: ({ row }) => <CheckName line={row.original} />,
  }),
  helper.accessor((line) => line.id, {
    id: 'health' satisfies SortColumn,
    header: 'Health',
    cell: ({ row }) => <HealthCell line={row.original} />,
  }),
  helper.accessor((line) => line.id, {
    id: 'uptime' satisfies SortColumn,
    header: 'Uptime',
    cell: ({ row }) => <UptimeCell line={row.original} />,
  }),
  helper.accessor((line) => line.id, {
    id: 'latency' satisfies SortColumn,
    header: 'Latency',
    sortDescFirst: true,
    cell: ({ row }) => <LatencyCell line={row.original} />,
  }),
  helper.accessor((line) => line.id, {
    id: 'transition' satisfies SortColumn,
    header: 'Transition',
    sortDescFirst: true,
    cell: ({ row }) => <TransitionCell line={row.original} />,
  }),
])
