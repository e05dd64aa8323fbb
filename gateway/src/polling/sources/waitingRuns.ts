import { type Clock, NIL_UUID } from '@watchroom/shared/kernel'
import { type WaitingRun, waitingRunsTopic } from '@watchroom/shared/protocol'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readTable } from './readTable.ts'

const COLUMNS = 'id,created_at,playbooks(name,title)'
const MAX_ROWS = 1_000
const NEWEST = `order=created_at.desc&limit=${MAX_ROWS}`
/** A step that waits for an agent names it. */
const WAITS_FOR_PEOPLE = `steps.status=eq.waiting&steps.or=(agent_id.is.null,agent_id.eq.${NIL_UUID})`
const PATHS = [
  `/db/playbook_runs?select=${COLUMNS}&status=eq.pending&${NEWEST}`,
  `/db/playbook_runs?select=${COLUMNS},steps:playbook_run_actions!inner(id)&status=eq.waiting&${WAITS_FOR_PEOPLE}&${NEWEST}`,
]

/** Where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 10_000

/** Runs that wait for people. */
export function createWaitingRunsSource(deps: { backend: BackendClient; clock: Clock }): Source<WaitingRun> {
  return {
    name: 'waitingRuns',
    intervalMs: INTERVAL_MS,
    read: async (signal) => {
      const asOf = deps.clock.now()
      const read = await Promise.all(PATHS.map((path) => readTable(deps.backend, path, waitingRunsTopic.row, signal)))
      const droppedRows = read.reduce((sum, part) => sum + part.droppedRows, 0)
      return { kind: 'all', asOf, rows: read.flatMap(({ rows }) => rows), droppedRows }
    },
  }
}
