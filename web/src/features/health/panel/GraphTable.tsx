import { formatDuration } from '@watchroom/shared/time'

import { formatExact } from '../../../ui/formatTime.ts'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import type { GraphPoint } from './graph.ts'

/** The chart as figures, newest first. */
export function GraphTable({ points }: { points: readonly GraphPoint[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reachable by keys
    <section className="graph-scroll" tabIndex={0} aria-label="Chart as a table">
      <table className="result-table">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Status</th>
            <th scope="col" className="result-number">
              Latency
            </th>
            <th scope="col" className="result-number">
              Passed
            </th>
            <th scope="col" className="result-number">
              Failed
            </th>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map(({ at, durationMs, passed, failed }) => (
            <tr key={at}>
              <td>{formatExact(at)}</td>
              <td>
                <StatusGlyph status={failed > 0 ? 'unhealthy' : 'healthy'} word={failed > 0 ? 'Failed' : 'Passed'} />
              </td>
              <td className="result-number">{formatDuration(durationMs)}</td>
              <td className="result-number">{passed}</td>
              <td className="result-number">{failed}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
