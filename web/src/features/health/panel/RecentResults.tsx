import { Callout } from '@blueprintjs/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { CheckStatus } from '@watchroom/shared/health'
import { formatDuration } from '@watchroom/shared/time'
import { type ReactNode, useEffect, useRef } from 'react'

import { errorText } from '../../../api/request.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { checkKeys, checkStatusesQuery } from '../queries.ts'
import { ResultStrip } from './ResultStrip.tsx'

interface RecentResultsProps {
  checkId: string
  /** A new value on the board means that there is a new result. */
  lastRuntime: string | null
}

/** The latest results of a check, newest first, read again whenever the board tells of another run. */
export function RecentResults({ checkId, lastRuntime }: RecentResultsProps) {
  const queryClient = useQueryClient()
  const query = useQuery(checkStatusesQuery(checkId))
  const seen = useRef(lastRuntime)

  useEffect(() => {
    if (seen.current === lastRuntime) return
    seen.current = lastRuntime
    void queryClient.invalidateQueries({ queryKey: checkKeys.statuses(checkId) })
  }, [queryClient, checkId, lastRuntime])

  return (
    <section className="check-results" aria-label="Recent results">
      <h3>Recent results</h3>
      <Results
        statuses={query.data}
        error={query.error}
        onRetry={() => void query.refetch()}
        isRetrying={query.isFetching}
      />
    </section>
  )
}

interface ResultsProps {
  statuses: readonly CheckStatus[] | undefined
  error: Error | null
  onRetry: () => void
  isRetrying: boolean
}

function Results({ statuses, error, onRetry, isRetrying }: ResultsProps): ReactNode {
  if (statuses === undefined) {
    if (error === null) return <LoadingSkeleton rows={6} label="Loading results" />
    return (
      <ErrorState
        title="The results could not be loaded"
        message={errorText(error)}
        onRetry={onRetry}
        isRetrying={isRetrying}
      />
    )
  }
  const [latest] = statuses
  if (latest === undefined) return <EmptyState title="No results yet">The check has not run so far.</EmptyState>
  return (
    <>
      {latest.invalid ? (
        <Callout intent="warning" title="The definition of this check is broken" icon={null}>
          {latest.error || latest.message || 'The backend gave no reason.'}
        </Callout>
      ) : null}
      {error === null ? null : (
        <Callout intent="warning" icon={null}>
          These results may be old: {errorText(error)}
        </Callout>
      )}
      <ResultStrip statuses={statuses} />
      <div className="result-scroll">
        <table className="result-table">
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
            {statuses.map((result) => (
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
      </div>
    </>
  )
}
