import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { Cloud, Plus } from '@blueprintjs/icons'
import { type AgentSummary, agentStatusOf } from '@watchroom/shared/agents'
import { type ReactNode, useMemo, useState } from 'react'

import { useSession } from '../../../api/session.tsx'
import type { TopicView } from '../../../live/contract.ts'
import { Freshness } from '../../../live/Freshness.tsx'
import { useServerNow } from '../../../ui/clock.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Pagination } from '../../../ui/Pagination.tsx'
import { SizedDialog } from '../../../ui/SizedDialog.tsx'
import { useMediaQuery } from '../../../ui/useMediaQuery.ts'
import { useSearchState } from '../../../url/useSearchState.ts'
import { type Installation, TOKEN_PLACEHOLDER } from '../installation.ts'
import { AGENT_PAGE_SIZES, AgentSearchSchema } from '../search.ts'
import { sortAgents } from '../sortAgents.ts'
import { AgentTable } from './AgentTable.tsx'
import { CreateAgentDialog } from './CreateAgentDialog.tsx'
import { EditAgentDialog } from './EditAgentDialog.tsx'
import { InstallationDialog } from './InstallationDialog.tsx'

/** Same number as in app/breakpoints.ts. */
const PHONE = '(max-width: 639px)'

/** The agents page for rows that come from somewhere: the live topic, or a test. */
export function AgentList({ topic }: { topic: TopicView<AgentSummary> }) {
  const { rows } = topic
  const isOld = topic.state === 'offline' && topic.via !== 'polling'
  const [, setSearch] = useSearchState(AgentSearchSchema)
  const mayWrite = useSession().can('write', 'agents')
  // On a phone the top bar has no room for what is particular to this page.
  const isPhone = useMediaQuery(PHONE)
  const count = rows.length > 0 ? <OnlineCount agents={rows} /> : null
  const handleAdd = (): void => setSearch({ addAgent: true })
  return (
    <section className="agents" data-old={isOld || undefined}>
      <PageHeader
        title="Agents"
        refresh={{ onRefresh: () => topic.refresh(), isLoading: topic.state === 'loading' }}
        controls={
          <>
            <Freshness view={topic} />
            {mayWrite && !isPhone ? <IconButton icon={<Plus />} label="Create new agent" onClick={handleAdd} /> : null}
          </>
        }
      >
        {isPhone ? null : count}
      </PageHeader>
      {isPhone && (mayWrite || count !== null) ? (
        <div className="agents-phone">
          {count}
          {mayWrite ? (
            <Button icon={<Plus />} intent="primary" size="small" text="Create new agent" onClick={handleAdd} />
          ) : null}
        </div>
      ) : null}
      <Contents topic={topic} />
      <AgentDialogs topic={topic} mayWrite={mayWrite} />
    </section>
  )
}

/** The dialogs that the address opens. Beside the list, so that no change of the list takes away what is typed. */
function AgentDialogs({ topic, mayWrite }: { topic: TopicView<AgentSummary>; mayWrite: boolean }): ReactNode {
  const [{ addAgent, id }, setSearch] = useSearchState(AgentSearchSchema)
  // Holds the token, so it must never be in the address.
  const [installation, setInstallation] = useState<Installation | null>(null)
  const handleClose = (): void => setSearch({ addAgent: false, id: '' })
  if (installation) {
    return (
      <InstallationDialog
        installation={installation}
        agent={topic.rows.find(({ name }) => name === installation.agentName)}
        onClose={() => {
          setInstallation(null)
          handleClose()
        }}
      />
    )
  }
  if (addAgent && mayWrite) return <CreateAgentDialog onCreated={setInstallation} onClose={handleClose} />
  if (id === '') return null
  const agent = topic.rows.find((row) => row.id === id)
  if (!agent) return isSettled(topic) ? <NoSuchAgent onClose={handleClose} /> : null
  return (
    <EditAgentDialog
      key={id}
      agent={agent}
      mayWrite={mayWrite}
      onShowInstallation={({ kubernetes, telemetry }) =>
        setInstallation({
          agentName: agent.name,
          token: TOKEN_PLACEHOLDER,
          baseUrl: window.location.origin,
          kubernetes,
          telemetry,
        })
      }
      onClose={handleClose}
    />
  )
}

const isSettled = ({ state }: TopicView<AgentSummary>): boolean => state === 'live' || state === 'delayed'

function NoSuchAgent({ onClose }: { onClose: () => void }) {
  return (
    <SizedDialog isOpen size="very-small" onClose={onClose} title="No such agent" className="agent-dialog">
      <DialogBody>This agent does not exist, or it was deleted.</DialogBody>
      <DialogFooter actions={<Button text="Close" onClick={onClose} />} />
    </SizedDialog>
  )
}

function OnlineCount({ agents }: { agents: readonly AgentSummary[] }) {
  const now = useServerNow(1_000)
  const online = agents.filter((agent) => agentStatusOf(agent, now) === 'online').length
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
    <EmptyState icon={<Cloud size={28} />} title="No data available">
      There are no agents yet. Agents run checks in other clusters and push what they find. The first one to report
      appears here by itself.
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
        onOpen={(id) => setSearch({ id })}
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
