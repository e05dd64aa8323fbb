import { useQueryClient } from '@tanstack/react-query'
import type { PlaybookRunSummary } from '@watchroom/shared/playbooks'
import { playbookRunsTopic } from '@watchroom/shared/protocol'
import { useEffect, useMemo, useRef } from 'react'

import { useTopic } from '../../live/useTopic.ts'
import type { DataState } from '../../ui/dataState.ts'
import { runTable } from './runQueries.ts'

type RunsState = DataState<readonly PlaybookRunSummary[]>

/** A page of runs with what the live topic knows better. */
export function useLiveRuns(state: RunsState) {
  const live = useTopic(playbookRunsTopic, {})
  useNewRuns(live.rows)
  const data = useMemo(() => {
    const known = new Map(live.rows.map((run) => [run.id, run]))
    return state.data?.map((run) => known.get(run.id) ?? run)
  }, [state.data, live.rows])
  return { live, state: { ...state, data } satisfies RunsState }
}

/** New runs, and those that now match a filter or no longer do, are read with the page. */
function useNewRuns(rows: readonly PlaybookRunSummary[]): void {
  const queryClient = useQueryClient()
  const states = rows.map(({ id, status }) => `${id} ${status}`).join()
  const seen = useRef(states)
  useEffect(() => {
    if (seen.current === states) return
    seen.current = states
    void runTable.invalidate(queryClient)
  }, [states, queryClient])
}
