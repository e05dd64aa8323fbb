import '../../../ui/table.css'
import { CaretDown, CaretUp } from '@blueprintjs/icons'
import { Link } from '@tanstack/react-router'
import { type AgentSummary, agentStatusOf } from '@watchroom/shared/agents'
import type { ReactNode } from 'react'

import { useServerNow } from '../../../ui/clock.tsx'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import type { FlatSearch } from '../../../url/searchParams.ts'
import type { AgentSortKey } from '../sortAgents.ts'

interface AgentColumn {
  readonly title: string
  readonly sortKey: AgentSortKey
  readonly isNumber?: boolean
  readonly render: (agent: AgentSummary) => ReactNode
}

const DASH = <span className="wr-muted">–</span>

const COLUMNS: readonly AgentColumn[] = [
  { title: 'Name', sortKey: 'name', render: (agent) => <AgentName agent={agent} /> },
  { title: 'Configs', sortKey: 'config_count', isNumber: true, render: (agent) => agent.config_count ?? 0 },
  { title: 'Checks', sortKey: 'checks_count', isNumber: true, render: (agent) => agent.checks_count ?? 0 },
  {
    title: 'Scrapers',
    sortKey: 'config_scrapper_count',
    isNumber: true,
    render: (agent) => agent.config_scrapper_count ?? 0,
  },
  {
    title: 'Playbook Runs',
    sortKey: 'playbook_runs_count',
    isNumber: true,
    render: (agent) => agent.playbook_runs_count ?? 0,
  },
  { title: 'Status', sortKey: 'last_seen', render: (agent) => <AgentStatusCell agent={agent} /> },
  { title: 'Last Pushed', sortKey: 'last_received', render: (agent) => <TimeAgo at={agent.last_received} /> },
  { title: 'Created At', sortKey: 'created_at', render: (agent) => <TimeAgo at={agent.created_at} /> },
  { title: 'Updated At', sortKey: 'updated_at', render: (agent) => <TimeAgo at={agent.updated_at} /> },
  { title: 'Created By', sortKey: 'created_by', render: (agent) => agent.created_by?.name || DASH },
]

function AgentName({ agent }: { agent: AgentSummary }) {
  return (
    <Link
      to="."
      search={(current: FlatSearch) => ({ ...current, id: agent.id })}
      className="agents-name"
      title={agent.description ?? undefined}
      // The row opens it as well, and twice would be one step of the history too many.
      onClick={(event) => event.stopPropagation()}
    >
      {agent.name}
    </Link>
  )
}

/** Seconds matter here: an agent falls silent 61 s after it was last seen. */
const STATUS_TICK_MS = 1_000

function AgentStatusCell({ agent }: { agent: AgentSummary }) {
  const status = agentStatusOf(agent, useServerNow(STATUS_TICK_MS))
  if (status === null) return null
  return status === 'online' ? (
    <StatusGlyph status="healthy" word="Online" />
  ) : (
    <StatusGlyph status="unhealthy" word="Offline" />
  )
}

interface AgentTableProps {
  agents: readonly AgentSummary[]
  sortBy: AgentSortKey
  sortOrder: 'asc' | 'desc'
  onOpen: (id: string) => void
  onSort: (sortBy: AgentSortKey, sortOrder: 'asc' | 'desc') => void
}

/** One page of agents. A row opens its agent; its name is the same as a link, for keyboards and new tabs. */
export function AgentTable({ agents, sortBy, sortOrder, onOpen, onSort }: AgentTableProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
    <section className="wr-table-scroll" tabIndex={0} aria-label="Table of agents">
      <table className="wr-table agents-table" data-fold="pairs">
        <thead>
          <tr>
            {COLUMNS.map(({ title, sortKey, isNumber }) => {
              const isSorted = sortKey === sortBy
              const isAscending = sortOrder === 'asc'
              return (
                <th
                  key={sortKey}
                  scope="col"
                  data-number={isNumber}
                  aria-sort={isSorted ? (isAscending ? 'ascending' : 'descending') : 'none'}
                >
                  <button type="button" onClick={() => onSort(sortKey, isSorted && isAscending ? 'desc' : 'asc')}>
                    {title}
                    {isSorted ? isAscending ? <CaretUp size={14} /> : <CaretDown size={14} /> : null}
                  </button>
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {agents.map((agent) => (
            <tr key={agent.id} onClick={() => onOpen(agent.id)}>
              {COLUMNS.map(({ title, sortKey, isNumber, render }) => (
                <td key={sortKey} data-number={isNumber} data-title={title}>
                  {render(agent)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
