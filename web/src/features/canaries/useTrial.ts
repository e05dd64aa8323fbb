import { useMutation } from '@tanstack/react-query'
import type { TryChecksResponse } from '@watchroom/shared/health'
import { useEffect, useRef } from 'react'

import { useMissing } from '../../api/backendFacts.ts'
import { tryChecks } from './queries.ts'

interface TrialWork {
  /** The definition that is tried, and what it says. */
  readonly text: string
  readonly spec: Readonly<Record<string, unknown>>
}

export interface Trial {
  /** Why this backend tries nothing; null where it does. */
  readonly refusal: string | null
  readonly isRunning: boolean
  readonly error: Error | null
  readonly result: TryChecksResponse | undefined
  /** What was tried. */
  readonly text: string | undefined
  readonly run: (work: TrialWork) => void
  /** Forgets what came of it, and ends it if it still runs. */
  readonly close: () => void
}

/**
 * Runs unsaved checks, one trial at a time; leaving the page ends it.
 *
 * @param canaryId the stored canary that is being edited
 */
export function useTrial(canaryId: string | null = null): Trial {
  const refusal = useMissing('trials')
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  const trial = useMutation({
    mutationFn: ({ spec }: TrialWork) => {
      running.current = new AbortController()
      return tryChecks(spec, canaryId, running.current.signal)
    },
  })
  return {
    refusal,
    isRunning: trial.isPending,
    error: trial.error,
    result: trial.data,
    text: trial.variables?.text,
    run: (work) => {
      if (!trial.isPending) trial.mutate(work)
    },
    close: () => {
      running.current?.abort()
      trial.reset()
    },
  }
}
