import { useQueryClient } from '@tanstack/react-query'
import type { PlaybookRunSummary } from '@watchroom/shared/playbooks'
import { playbookRunsTopic } from '@watchroom/shared/protocol'
import { useMemo, useState } from 'react'

import type { TopicView } from '../../live/contract.ts'
import { isTold } from '../../live/isUnproven.ts'
import { useOnBurst } from '../../live/useOnBurst.ts'
import { useTopic } from '../../live/useTopic.ts'
import type { DataState } from '../../ui/dataState.ts'
import { runTable } from './runQueries.ts'

type RunsState = DataState<readonly PlaybookRunSummary[]>

interface LiveRunsOptions {
  /** Whether the list is filtered by status. */
  readonly isByStatus?: boolean
}

/** A page of runs, updated from the live topic. When runs appear, or enter or leave the list, the page is read again. */
export function useLiveRuns(state: RunsState, { isByStatus = false }: LiveRunsOptions = {}) {
  const queryClient = useQueryClient()
  const live = useTopic(playbookRunsTopic, {})
  const listed = useMemo(
    () => live.rows.map(({ id, status }) => (isByStatus ? `${id} ${status}` : id)).join(),
    [live.rows, isByStatus],
  )
  useOnBurst([listed], () => void runTable.invalidate(queryClient))
  const told = useTold(live, state.data)
  const data = useMemo(() => {
    const known = new Map(told.map((run) => [run.id, run]))
    return state.data?.map((run) => known.get(run.id) ?? run)
  }, [state.data, told])
  return { live, state: { ...state, data } satisfies RunsState }
}

const NOTHING: readonly PlaybookRunSummary[] = []

/** The current or last rows of the topic. A page that was read later takes precedence, also over rows of an earlier visit. */
function useTold(topic: TopicView<PlaybookRunSummary>, page: RunsState['data']) {
  const { rows } = topic
  const [last, setLast] = useState({ rows: NOTHING, page })
  const isTelling = isTold(topic)
  if (isTelling && (last.rows !== rows || last.page !== page)) setLast({ rows, page })
  if (isTelling) return rows
  return last.page === page ? last.rows : NOTHING
}
