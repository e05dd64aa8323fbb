import { type AgentSummary, agentStatusOf, isThisServer } from '@watchroom/shared/agents'

import { useServerNow } from '../../../ui/clock.tsx'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { Cell } from '../../../ui/table/Cell.tsx'
import type { CellKind, TableColumn } from '../../../ui/table/column.ts'
import type { AgentSortKey } from '../search.ts'

/** Seconds matter here: an agent falls silent 61 s after it was last seen. */
const STATUS_TICK_MS = 1_000

function AgentStatusCell({ agent }: { agent: AgentSummary }) {
  const now = useServerNow(STATUS_TICK_MS)
  // This server does not report: that the page works is proof enough.
  if (isThisServer(agent)) return 'This server'
  const status = agentStatusOf(agent, now)
  return status === null ? <StatusGlyph status="unknown" word="Never seen" /> : <Cell kind="status" value={status} />
}

type AgentColumn = TableColumn<AgentSummary> & { readonly key: AgentSortKey }

const column =
  (kind: CellKind) =>
  (key: AgentSortKey, title: string): AgentColumn => ({ key, title, kind, isSortable: true, value: (row) => row[key] })
const count = (key: AgentSortKey, title: string, width = 88): AgentColumn => ({
  ...column('number')(key, title),
  width,
  value: (row) => row[key] ?? 0,
})
const time = column('time')

export const AGENT_COLUMNS: readonly AgentColumn[] = [
  { ...column('text')('name', 'Name'), isMain: true },
  count('config_count', 'Configs'),
  count('checks_count', 'Checks'),
  count('config_scrapper_count', 'Scrapers'),
  count('playbook_runs_count', 'Playbook Runs', 124),
  {
    // Sorted by when it was last seen, which its status is derived from.
    ...time('last_seen', 'Status'),
    render: (agent) => <AgentStatusCell agent={agent} />,
  },
  time('last_received', 'Last Pushed'),
  time('created_at', 'Created At'),
  time('updated_at', 'Updated At'),
  { ...column('person')('created_by', 'Created By'), width: 130 },
]
