/* oxlint-disable jsx-a11y/prefer-tag-over-role -- pictures made of spans: there is no file that an img could show */
import type { CheckFacts, HealthCounts } from '@watchroom/shared/health'
import { createContext, useCallback, useContext, useSyncExternalStore } from 'react'

import { useExactTime } from '../../../ui/useExactTime.ts'
import { MAX_RESULTS, type Result, type ResultStrips } from '../board/createResultStrips.ts'

import styles from './board.module.css'

/** The result strips of the surrounding board; null if there are none. */
export const ResultStripsContext = createContext<ResultStrips | null>(null)

const NO_RESULTS: readonly Result[] = []
const subscribeToNothing = (): (() => void) => () => undefined

function describe(results: readonly Result[], toExact: (moment: number) => string): string {
  const failures = results.filter(({ hasPassed }) => !hasPassed)
  const last = failures.at(-1)
  const count = `${results.length === 1 ? 'Last result' : `Last ${results.length} results`}: ${failures.length} failed`
  return last === undefined ? count : `${count}, the last at ${toExact(last.at)}`
}

/** The last results of a check, oldest first. Failures are taller, so that color is not needed. */
export function LastResults({ check }: { check: CheckFacts }) {
  const strips = useContext(ResultStripsContext)
  const toExact = useExactTime()
  const { id } = check
  const subscribe = useCallback(
    (listener: () => void) => strips?.subscribe(id, listener) ?? (() => undefined),
    [strips, id],
  )
  const results = useSyncExternalStore(
    strips === null ? subscribeToNothing : subscribe,
    () => strips?.read(id) ?? NO_RESULTS,
  )

  if (results.length === 0) return <span className={styles['lastResults']} />
  const text = describe(results, toExact)
  return (
    <span className={styles['lastResults']} role="img" aria-label={text} title={text}>
      {results.slice(-MAX_RESULTS).map(({ at, hasPassed }) => (
        <span key={at} data-failed={!hasPassed || undefined} />
      ))}
    </span>
  )
}

const HEALTHS = ['unhealthy', 'unknown', 'healthy'] as const

/** How the members of a group stand to each other. */
export function MemberHealth({ counts }: { counts: HealthCounts }) {
  const text = `${counts.healthy} passing, ${counts.unhealthy} failing, ${counts.unknown} unknown`
  return (
    <span className={styles['memberHealth']} role="img" aria-label={text} title={text}>
      {HEALTHS.map((health) =>
        // A part of nothing would still have the gap beside it.
        counts[health] > 0 ? <span key={health} style={{ flexGrow: counts[health] }} data-health={health} /> : null,
      )}
    </span>
  )
}
