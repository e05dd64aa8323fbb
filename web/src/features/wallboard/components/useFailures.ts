import type { CheckSummary } from '@watchroom/shared/health'
import { useEffect, useRef, useState } from 'react'

import { useScreenClock } from '../../../ui/clock.tsx'
import { listNames } from '../../../ui/listNames.ts'
import { useLatest } from '../../../ui/useLatest.ts'
import { type Failure, findNewFailures, type HealthMemory } from '../board/findTransitions.ts'

/** A screen reader is not told more often than this, whatever happens. */
const ANNOUNCE_MS = 5_000
/** Checks named in one sentence; the others are counted. */
const NAMED = 3

export interface Failures {
  /** The check that failed last, while this page was open. */
  readonly latest: Failure | null
  /** Said politely: new failures, several in one sentence. */
  readonly announcement: string
}

/** Notices checks that begin to fail. `onFailure` is called once per change of rows, with the first of them. */
export function useFailures(
  rows: readonly CheckSummary[],
  isReady: boolean,
  onFailure: (failure: Failure) => void,
): Failures {
  const { clock } = useScreenClock()
  const memory = useRef<HealthMemory | null>(null)
  const [latest, setLatest] = useState<Failure | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const waiting = useRef<string[]>([])
  const toldAt = useRef(-Infinity)
  const cancel = useRef((): void => undefined)
  const handleFailure = useLatest(onFailure)
  useEffect(() => {
    // Before the first answer everything would look new.
    if (!isReady) return
    const { memory: next, failures } = findNewFailures(memory.current, rows)
    memory.current = next
    const [first] = failures
    if (first === undefined) return
    setLatest(first)
    handleFailure(first)
    const isPlanned = waiting.current.length > 0
    waiting.current.push(...failures.map(({ title }) => title))
    if (isPlanned) return
    const tell = (): void => {
      toldAt.current = clock.monotonic()
      const names = waiting.current
      waiting.current = []
      setAnnouncement(
        `${names.length === 1 ? 'Failing now' : `${names.length} failing now`}: ${listNames(names, NAMED)}`,
      )
    }
    cancel.current = clock.schedule(tell, Math.max(0, toldAt.current + ANNOUNCE_MS - clock.monotonic()))
  }, [clock, rows, isReady, handleFailure])
  useEffect(() => () => cancel.current(), [])
  return { latest, announcement }
}
