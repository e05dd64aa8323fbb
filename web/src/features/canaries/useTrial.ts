import type { TryChecksResponse } from '@watchroom/shared/health'
import { useEffect, useRef, useState } from 'react'

import { useMissing } from '../../api/backendFacts.ts'
import { tryChecks } from './queries.ts'

type TrialState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly text: string }
  | { readonly kind: 'failed'; readonly text: string; readonly error: unknown }
  | { readonly kind: 'done'; readonly text: string; readonly result: TryChecksResponse }

export interface Trial {
  readonly state: TrialState
  /** Why this backend tries nothing; null where it does. */
  readonly refusal: string | null
  /** @param text the definition that is tried */
  readonly run: (text: string, spec: Readonly<Record<string, unknown>>) => void
  readonly cancel: () => void
  readonly close: () => void
}

/**
 * Runs unsaved checks, one trial at a time; leaving the page ends it.
 *
 * @param canaryId the stored canary that is being edited
 */
export function useTrial(canaryId: string | null = null): Trial {
  const refusal = useMissing('trials')
  const [state, setState] = useState<TrialState>({ kind: 'idle' })
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function run(text: string, spec: Readonly<Record<string, unknown>>): Promise<void> {
    if (running.current) return
    const stop = new AbortController()
    running.current = stop
    setState({ kind: 'running', text })
    try {
      const result = await tryChecks(spec, canaryId, stop.signal)
      if (!stop.signal.aborted) setState({ kind: 'done', text, result })
    } catch (error) {
      if (stop.signal.aborted) return
      setState({ kind: 'failed', text, error })
    } finally {
      if (running.current === stop) running.current = null
    }
  }

  function cancel(): void {
    running.current?.abort()
    running.current = null
    setState({ kind: 'idle' })
  }

  return { state, refusal, run: (text, spec) => void run(text, spec), cancel, close: cancel }
}
