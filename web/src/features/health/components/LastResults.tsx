/* oxlint-disable jsx-a11y/prefer-tag-over-role -- pictures made of spans: there is no file that an img could show */
import type { CheckFacts, HealthCounts } from '@watchroom/shared/health'
import { createContext, useCallback, useContext, useEffect, useSyncExternalStore } from 'react'

import { formatExact } from '../../../ui/formatTime.ts'
import { MAX_RESULTS, type Result, type ResultStrips } from '../board/createResultStrips.ts'

/** The strips of the board around; null where there are none. */
export const ResultStripsContext = createContext<ResultStrips | null>(null)

const NO_RESULTS: readonly Result[] = []
const subscribeToNothing = (): (() => void) => () => undefined

function describe(results: readonly Result[]): string {
  const failures = results.filter(({ hasPassed }) => !hasPassed)
  const last = failures.at(-1)
  const count = `${results.length === 1 ? 'Last result' : `Last ${results.length} results`}: ${failures.length} failed`
  return last === undefined ? count : `${count}, the last at ${formatExact(last.at)}`
}

/** The last results of a check, oldest first: failures are taller, so that colour is not needed. */
export function LastResults({ check }: { check: CheckFacts }) {
  const strips = useContext(ResultStripsContext)
  const { id, lastRunAt, health } = check
  const subscribe = useCallback(
    (listener: () => void) => strips?.subscribe(id, listener) ?? (() => undefined),
    [strips, id],
  )
  const results = useSyncExternalStore(
    strips === null ? subscribeToNothing : subscribe,
    () => strips?.read(id) ?? NO_RESULTS,
  )
  useEffect(() => {
    if (lastRunAt !== null && health !== 'unknown') strips?.add(id, { at: lastRunAt, hasPassed: health === 'healthy' })
  }, [strips, id, lastRunAt, health])

  if (results.length === 0) return <span className="last-results" />
  const text = describe(results)
  return (
    <span className="last-results" role="img" aria-label={text} title={text}>
      {results.slice(-MAX_RESULTS).map(({ at, hasPassed }) => (
        <span key={at} data-failed={!hasPassed || undefined} />
      ))}
    </span>
  )
}

/** How the members of a group stand to each other. */
export function MemberHealth({ counts }: { counts: HealthCounts }) {
  const text = `${counts.healthy} passing, ${counts.unhealthy} failing, ${counts.unknown} unknown`
  return (
    <span className="member-health" role="img" aria-label={text} title={text}>
      <span style={{ flexGrow: counts.unhealthy }} data-health="unhealthy" />
      <span style={{ flexGrow: counts.unknown }} data-health="unknown" />
      <span style={{ flexGrow: counts.healthy }} data-health="healthy" />
    </span>
  )
}
