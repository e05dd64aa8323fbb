import type { CheckStatus } from '@watchroom/shared/health'
import { formatDuration } from '@watchroom/shared/time'

import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'

interface HistoryTableProps {
  rows: readonly CheckStatus[]
  /** Somebody is busy in the table, or has left it. */
  onTouch: () => void
  onLeave: () => void
}

/** Results of a check, newest first. */
export function HistoryTable({ rows, onTouch, onLeave }: HistoryTableProps) {
  return (
    <table className="result-table check-history-table" onPointerMove={onTouch} onPointerLeave={onLeave}>
      <thead>
        <tr>
          <th scope="col">Age</th>
          <th scope="col">Status</th>
          <th scope="col" className="result-number">
            Duration
          </th>
          <th scope="col">Message</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((result) => (
          <tr key={result.time}>
            <td className="result-age">
              <TimeAgo at={result.time} />
            </td>
            <td>
              <StatusGlyph
                status={result.invalid ? 'warning' : result.status ? 'healthy' : 'unhealthy'}
                word={result.invalid ? 'Broken' : result.status ? 'Passed' : 'Failed'}
              />
            </td>
            <td className="result-number">{result.duration === null ? '–' : formatDuration(result.duration)}</td>
            <td className="result-text">
              {result.message ? <div>{result.message}</div> : null}
              {result.error ? <div className="result-error">{result.error}</div> : null}
              {result.message || result.error ? null : <span className="wr-muted">–</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
