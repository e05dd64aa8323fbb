import { Cloud } from '@blueprintjs/icons'
import { type AgentSummary, toAgentStatus } from '@watchroom/shared/agents'
import { type ReactNode, useMemo } from 'react'

import type { TopicView } from '../../../live/contract.ts'
import { Freshness } from '../../../live/Freshness.tsx'
import { useServerNow } from '../../../ui/clock.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Pagination } from '../../../ui/Pagination.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { AGENT_PAGE_SIZES, AgentSearchSchema } from '../search.ts'
import { sortAgents } from '../sortAgents.ts'
import { AgentTable } from './AgentTable.tsx'

/** The agents page for rows that come from somewhere: the live topic, or a test. */
export function AgentList({ topic }: { topic: TopicView<AgentSummary> }) {
  const { rows } = topic
  const isOld = topic.state === 'offline' && topic.via !== 'polling'
  return (
    <section className="agents" data-old={isOld || undefined}>
      <PageHeader
        title="Agents"
        refresh={{ onRefresh: () => topic.refresh(), isLoading: topic.state === 'loading' }}
        controls={<Freshness view={topic} />}
      >
        {rows.length > 0 ? <OnlineCount agents={rows} /> : null}
      </PageHeader>
      <Contents topic={topic} />
    </section>
  )
}

function OnlineCount({ agents }: { agents: readonly AgentSummary[] }) {
  const now = useServerNow(1_000)
  const online = agents.filter((agent) => toAgentStatus(agent, now) === 'online').length
  return (
    <span className="wr-muted">
      {online} of {agents.length} online
    </span>
  )
}

function Contents({ topic }: { topic: TopicView<AgentSummary> }): ReactNode {
  const { rows, state, error } = topic
  if (state === 'denied') {
    return <ErrorState title="Unauthorized" message="You do not have permission to access this page" />
  }
  if (rows.length > 0) return <AgentPage agents={rows} />
  if (state === 'loading') return <LoadingSkeleton rows={6} label="Loading agents" />
  if (state === 'failed' || state === 'offline') {
    return (
      <ErrorState
        title="The agents could not be loaded"
        message={error?.message ?? 'There is no connection to the server.'}
        onRetry={() => topic.refresh()}
      />
    )
  }
  return (
    <EmptyState icon={<Cloud size={28} />} title="No agents yet">
      Agents run checks in other clusters and push what they find. The first one to report appears here by itself.
    </EmptyState>
  )
}

function AgentPage({ agents }: { agents: readonly AgentSummary[] }) {
  const [search, setSearch] = useSearchState(AgentSearchSchema)
  const { pageSize, sortBy, sortOrder } = search
  const sorted = useMemo(() => sortAgents(agents, sortBy, sortOrder), [agents, sortBy, sortOrder])
  // An old link may point behind the last page.
  const pageIndex = Math.min(search.pageIndex, Math.ceil(sorted.length / pageSize) - 1)
  return (
    <>
      <AgentTable
        agents={sorted.slice(pageIndex * pageSize, (pageIndex + 1) * pageSize)}
        sortBy={sortBy}
        sortOrder={sortOrder}
        onSort={(nextBy, nextOrder) => setSearch({ sortBy: nextBy, sortOrder: nextOrder, pageIndex: 0 })}
      />
      {sorted.length > AGENT_PAGE_SIZES[0] ? (
        <Pagination
          pageIndex={pageIndex}
          pageSize={pageSize}
          total={sorted.length}
          pageSizes={AGENT_PAGE_SIZES}
          onPageChange={(next) => setSearch({ pageIndex: next })}
          onPageSizeChange={(next) => setSearch({ pageSize: next, pageIndex: 0 })}
        />
      ) : null}
    </>
  )
}
