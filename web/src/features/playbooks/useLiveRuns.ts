import { useQueryClient } from '@tanstack/react-query'
import type { PlaybookRunSummary } from '@watchroom/shared/playbooks'
import { playbookRunsTopic } from '@watchroom/shared/protocol'
import { useMemo } from 'react'

import { useOnBurst } from '../../live/useOnBurst.ts'
import { useTopic } from '../../live/useTopic.ts'
import type { DataState } from '../../ui/dataState.ts'
import { runTable } from './runQueries.ts'

type RunsState = DataState<readonly PlaybookRunSummary[]>

interface LiveRunsOptions {
  /** What a run stands at decides whether it is listed. */
  readonly isByStatus?: boolean
}

/** A page of runs with what the live topic knows better. New ones, and those that are listed or no longer are, are read with the page. */
export function useLiveRuns(state: RunsState, { isByStatus = false }: LiveRunsOptions = {}) {
  const queryClient = useQueryClient()
  const live = useTopic(playbookRunsTopic, {})
  const listed = useMemo(
    () => live.rows.map(({ id, status }) => (isByStatus ? `${id} ${status}` : id)).join(),
    [live.rows, isByStatus],
  )
  useOnBurst([listed], () => void runTable.invalidate(queryClient))
  const data = useMemo(() => {
    const known = new Map(live.rows.map((run) => [run.id, run]))
    return state.data?.map((run) => known.get(run.id) ?? run)
  }, [state.data, live.rows])
  return { live, state: { ...state, data } satisfies RunsState }
}
