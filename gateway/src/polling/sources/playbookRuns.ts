import type { Clock } from '@watchroom/shared/kernel'
import { type PlaybookRunSummary, PlaybookRunSummarySchema } from '@watchroom/shared/playbooks'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readTable } from './readTable.ts'

const COLUMNS =
  'id,playbook_id,status,created_at,start_time,scheduled_time,end_time,check_id,config_id,component_id,agent_id,error'
const FACES =
  'created_by(id,name,avatar),playbooks(id,name,title,icon),component:components(id,name,icon),config:config_items(id,name,type,config_class),check:checks(id,name,icon),failed:playbook_run_actions(name,error)'
/** Of each run the step that failed last. */
const LAST_FAILED = 'failed.status=eq.failed&failed.order=id.desc&failed.limit=1'
const SELECT = encodeURIComponent(`${COLUMNS},${FACES}`)
const NEWEST = 200
/** Of those that have not ended; whoever has more reads the rest page by page. */
const MAX_OPEN = 1_000
const PATHS = [
  `/db/playbook_runs?select=${SELECT}&${LAST_FAILED}&order=created_at.desc&limit=${NEWEST}`,
  `/db/playbook_runs?select=${SELECT}&${LAST_FAILED}&status=not.in.(completed,failed,cancelled)&order=created_at.desc&limit=${MAX_OPEN}`,
]

/** Where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 5_000

/** Runs of playbooks as lists show them. */
export function createPlaybookRunsSource(deps: { backend: BackendClient; clock: Clock }): Source<PlaybookRunSummary> {
  return {
    name: 'playbookRuns',
    intervalMs: INTERVAL_MS,
    read: async (signal) => {
      const asOf = deps.clock.now()
      const read = await Promise.all(
        PATHS.map((path) => readTable(deps.backend, path, PlaybookRunSummarySchema, signal)),
      )
      const rows = new Map(read.flatMap((part) => part.rows).map((row) => [row.id, row]))
      const droppedRows = read.reduce((sum, part) => sum + part.droppedRows, 0)
      return { kind: 'all', asOf, rows: [...rows.values()], droppedRows }
    },
  }
}
