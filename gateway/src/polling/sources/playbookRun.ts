import type { Clock } from '@watchroom/shared/kernel'
import {
  PlaybookApprovalSchema,
  type PlaybookRunAction,
  PlaybookRunActionSchema,
  type PlaybookRunPart,
  PlaybookRunSchema,
} from '@watchroom/shared/playbooks'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readTable } from './readTable.ts'

const RUN =
  '*,created_by(id,name,avatar),playbooks(id,name,title,icon,spec),component:components(id,name,icon),config:config_items(id,name,type,config_class),check:checks(id,name,icon)'
// Whoever is not shown the run is not shown what belongs to it.
const OF_RUN = 'playbook_runs!inner(id)'
const ACTION = `id,name,status,start_time,scheduled_time,end_time,error,agent_id,${OF_RUN}`
const APPROVAL = `*,person:person_id(id,name,avatar),${OF_RUN}`

/** How often the specification has a run looked at; where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 2_000

/** One run with its steps and approvals. */
export function createPlaybookRunSource(deps: {
  backend: BackendClient
  clock: Clock
  runId: string
}): Source<PlaybookRunPart> {
  const { backend, clock, runId } = deps
  const paths = {
    run: `/db/playbook_runs?id=eq.${runId}&select=${encodeURIComponent(RUN)}`,
    // Ids are in the order in which they were made.
    actions: `/db/playbook_run_actions?playbook_run_id=eq.${runId}&order=id&select=${encodeURIComponent(ACTION)}`,
    approvals: `/db/playbook_approvals?run_id=eq.${runId}&select=${encodeURIComponent(APPROVAL)}`,
  }
  return {
    name: 'playbookRun',
    intervalMs: INTERVAL_MS,
    read: async (signal) => {
      const asOf = clock.now()
      const [runs, actions, approvals] = await Promise.all([
        readTable(backend, paths.run, PlaybookRunSchema, signal),
        readTable(backend, paths.actions, PlaybookRunActionSchema, signal),
        readTable(backend, paths.approvals, PlaybookApprovalSchema, signal),
      ])
      const rows: PlaybookRunPart[] = [
        ...runs.rows.map((row) => ({ ...row, kind: 'run' as const })),
        ...countAttempts(actions.rows).map((row) => ({ ...row, kind: 'action' as const })),
        ...approvals.rows.map((row) => ({ ...row, kind: 'approval' as const })),
      ]
      const droppedRows = runs.droppedRows + actions.droppedRows + approvals.droppedRows
      return { kind: 'all', asOf, rows, droppedRows }
    },
  }
}

/** Names of steps are unique within a playbook: what comes again is another attempt. */
function countAttempts(actions: readonly PlaybookRunAction[]): PlaybookRunAction[] {
  const attempts = new Map<string, number>()
  return actions.map((action) => {
    const attempt = (attempts.get(action.name) ?? 0) + 1
    attempts.set(action.name, attempt)
    return { ...action, attempt }
  })
}
