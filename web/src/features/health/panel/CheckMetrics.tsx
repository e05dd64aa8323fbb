import { type CheckSummary, formatUptime, toWord } from '@watchroom/shared/health'
import { formatDuration } from '@watchroom/shared/time'
import type { ReactNode } from 'react'

import { TimeAgo } from '../../../ui/TimeAgo.tsx'

/** The figures of a check, from its row on the board: they change with it. */
export function CheckMetrics({ check }: { check: CheckSummary }) {
  const { uptime, latency } = check
  return (
    <dl className="check-metrics" aria-label="Metrics">
      <Metric name="Uptime" note={`${uptime.passed} passed, ${uptime.failed} failed`}>
        {formatUptime(uptime) ?? '–'}
      </Metric>
      <Metric name="Latency p95">{toLatency(latency.p95)}</Metric>
      <Metric name="p97">{toLatency(latency.p97)}</Metric>
      <Metric name="p99">{toLatency(latency.p99)}</Metric>
      <Metric name="Severity">{check.severity ? toWord(check.severity) : '–'}</Metric>
      <Metric name="Last Run">
        <TimeAgo at={check.last_runtime} absent="Never" />
      </Metric>
      <Metric name="Transitioned">
        <TimeAgo at={check.last_transition_time} absent="Never" />
      </Metric>
      <Metric name="Next Run">
        <TimeAgo at={check.next_runtime} />
      </Metric>
    </dl>
  )
}

/** Zero means "not measured" on the wire. */
function toLatency(latencyMs: number | null | undefined): string {
  return latencyMs ? formatDuration(latencyMs) : '–'
}

function Metric({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <div className="check-metric">
      <dt>{name}</dt>
      <dd>
        {children}
        {note ? <span className="check-metric-note">{note}</span> : null}
      </dd>
    </div>
  )
}
