import type { UseQueryResult } from '@tanstack/react-query'
import { type CheckSummary, formatPercent, formatUptime } from '@watchroom/shared/health'
import { capitalize } from '@watchroom/shared/kernel'
import { formatDuration } from '@watchroom/shared/time'
import type { ReactNode } from 'react'

import { useServerNow } from '../../../ui/clock.tsx'
import { countOf } from '../../../ui/countOf.ts'
import { parseMoment } from '../../../ui/formatTime.ts'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import type { CheckGraphAnswer } from '../queries.ts'

import styles from '../checkPanel.module.css'

interface CheckMetricsProps {
  check: CheckSummary
  graph: UseQueryResult<CheckGraphAnswer>
  /** The choice of the time range that the figures are for. */
  children: ReactNode
}

/** The figures of a check: for the chosen time range if they depend on one, otherwise from its row on the board. */
export function CheckMetrics({ check, graph, children }: CheckMetricsProps) {
  const { data, isPlaceholderData } = graph
  const measured = (value: (answer: CheckGraphAnswer) => ReactNode): ReactNode => {
    if (data !== undefined) return value(data)
    return graph.isError ? <span className="wr-muted">–</span> : <span className={styles['metricWaiting']} />
  }
  return (
    <div className={styles['figures']}>
      <dl className={styles['metrics']} aria-label="Metrics" data-old={isPlaceholderData || undefined}>
        <Metric
          name="Uptime"
          note={measured(({ uptime }) => `${uptime.passed} passed, ${uptime.failed} failed`)}
          isWide
        >
          {measured(({ uptime }) => formatUptime(uptime) ?? '–')}
        </Metric>
        <Metric name="Latency p95" note={data && toPrecisionNote(data.latency)}>
          {measured(({ latency }) => toLatency(latency.p95))}
        </Metric>
        <Metric name="p97">{measured(({ latency }) => toLatency(latency.p97))}</Metric>
        <Metric name="p99">{measured(({ latency }) => toLatency(latency.p99))}</Metric>
        <Metric name="Severity">{check.severity ? capitalize(check.severity) : '–'}</Metric>
        <Metric name="Last Run">
          <TimeAgo at={check.last_runtime} absent="Never" />
        </Metric>
        <Metric name="Transitioned">
          <TimeAgo at={check.last_transition_time} absent="Never" />
        </Metric>
        <Metric name="Next Run">
          {check.deleted_at ? (
            <span className="wr-muted">Never</span>
          ) : check.unknown_since ? (
            // Its agent is silent: what was planned is nobody's word any more.
            <span className="wr-muted">Unknown</span>
          ) : (
            <NextRun at={check.next_runtime} />
          )}
        </Metric>
      </dl>
      {children}
    </div>
  )
}

const SOON_MS = 60_000

/** The next minute is no "just now": that is for what has happened. */
function NextRun({ at }: { at: string | null | undefined }) {
  const now = useServerNow()
  const inMs = parseMoment(at) - now
  if (Number.isNaN(inMs) || inMs >= SOON_MS) return <TimeAgo at={at} />
  return <time dateTime={at ?? undefined}>{inMs >= 0 ? 'in <1m' : 'due now'}</time>
}

/** Zero means "not measured" on the wire. */
function toLatency(latencyMs: number | null | undefined): string {
  return latencyMs ? formatDuration(latencyMs) : '–'
}

/** How precise the percentiles are, if not exact: durations of old runs are kept only as sketches. */
function toPrecisionNote({ relative_error: error, unmeasured }: CheckGraphAnswer['latency']): string | undefined {
  const words = [
    ...(error ? [`within ${formatPercent(error * 100)}`] : []),
    ...(unmeasured ? [`without ${countOf(unmeasured, 'older run')}`] : []),
  ]
  return words.length === 0 ? undefined : words.join(', ')
}

interface MetricProps {
  name: string
  note?: ReactNode
  isWide?: boolean
  children: ReactNode
}

function Metric({ name, note, isWide = false, children }: MetricProps) {
  return (
    <div className={styles['metric']} data-wide={isWide || undefined}>
      <dt>{name}</dt>
      <dd>
        {children}
        {note ? <span className={styles['metricNote']}>{note}</span> : null}
      </dd>
    </div>
  )
}
