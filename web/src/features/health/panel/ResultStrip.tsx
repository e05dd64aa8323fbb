import type { CheckStatus } from '@watchroom/shared/health'
import { formatDuration } from '@watchroom/shared/time'

import { formatExact, parseMoment } from '../../../ui/formatTime.ts'

/** The last results as bars, oldest on the left. A failure is taller as well as red, so that it is seen without colour. */
export function ResultStrip({ statuses }: { statuses: readonly CheckStatus[] }) {
  const failures = statuses.filter((result) => !result.status)
  const lastFailure = failures[0]
  const summary =
    failures.length === 0
      ? `${statuses.length} results, none failed`
      : `${statuses.length} results, ${failures.length} failed, last failed ${formatExact(parseMoment(lastFailure?.time))}`
  return (
    <figure className="result-strip" aria-label={summary}>
      {statuses.toReversed().map((result) => (
        <span
          aria-hidden
          key={result.time}
          data-passed={result.status}
          title={`${result.status ? 'Passed' : 'Failed'} ${formatExact(parseMoment(result.time))}${result.duration === null ? '' : `, ${formatDuration(result.duration)}`}`}
        />
      ))}
    </figure>
  )
}
