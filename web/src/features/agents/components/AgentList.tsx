import { Button } from '@blueprintjs/core'
import { Cloud, Plus } from '@blueprintjs/icons'
import { type AgentSummary, agentStatusOf, isThisServer } from '@watchroom/shared/agents'
import { type ReactNode, useState } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { useSession } from '../../../api/session.tsx'
import type { TopicView } from '../../../live/contract.ts'
import { Freshness } from '../../../live/Freshness.tsx'
import { toTopicRowState, toTopicState } from '../../../live/toTopicState.ts'
import { useServerNow } from '../../../ui/clock.tsx'
import { OpenedState } from '../../../ui/dialog/OpenedRow.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { toPaging, toSort } from '../../../ui/table/listSearch.ts'
import { SHORT_PAGE_SIZES } from '../../../ui/table/pages.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import type { RowLink } from '../../../ui/table/RowCells.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { type Installation, TOKEN_PLACEHOLDER } from '../installation.ts'
import { AgentSearchSchema } from '../search.ts'
import { AGENT_COLUMNS } from './agentColumns.tsx'
import { CreateAgentDialog } from './CreateAgentDialog.tsx'
import { EditAgentDialog } from './EditAgentDialog.tsx'
import { InstallationDialog } from './InstallationDialog.tsx'

import styles from '../agents.module.css'

const keyOf = ({ id }: AgentSummary): string => id

/** Opens the agent of a row in a dialog. */
const toAgent = ({ id }: AgentSummary): RowLink => ({ to: '.', search: (current) => ({ ...current, id }) })

const NO_AGENTS = 'No agents yet. Agents run checks in other networks and push the results here.'

/** Only this server is in the list. */
const isAlone = ({ rows, state }: TopicView<AgentSummary>): boolean =>
  state === 'live' && rows.length > 0 && rows.every(isThisServer)

/** The agents page for given rows: from the live topic, or a test. */
export function AgentList({ topic }: { topic: TopicView<AgentSummary> }) {
  const [search, setSearch] = useSearchState(AgentSearchSchema)
  const mayWrite = useSession().can('write', 'agents')
  const mayCreate = useMissing('agents') === null && mayWrite
  const create = { text: 'Create new agent', icon: <Plus />, onClick: () => setSearch({ addAgent: true }) }
  return (
    <>
      <PageHeader
        title="Agents"
        refresh={{ onRefresh: () => topic.refresh(), isLoading: topic.state === 'loading' }}
        action={mayCreate ? create : null}
      >
        <OnlineCount agents={topic.rows} />
        <Freshness view={topic} />
      </PageHeader>
      <ResourceTable
        name="agents"
        label="Agents"
        state={toTopicState(topic, 'agents')}
        columns={AGENT_COLUMNS}
        keyOf={keyOf}
        rowLink={toAgent}
        openKey={search.id}
        sort={toSort(search, setSearch)}
        paging={toPaging(search, setSearch, { sizes: SHORT_PAGE_SIZES, defaultSize: SHORT_PAGE_SIZES[0] })}
        isLive
        toolbar={{}}
        empty={{
          icon: <Cloud size={28} />,
          text: NO_AGENTS,
          ...(mayCreate ? { action: <Button {...create} /> } : {}),
        }}
      />
      {isAlone(topic) ? <p className={`wr-muted ${styles['alone']}`}>{NO_AGENTS}</p> : null}
      <AgentDialogs topic={topic} mayWrite={mayWrite} mayCreate={mayCreate} />
    </>
  )
}

interface AgentDialogsProps {
  topic: TopicView<AgentSummary>
  mayWrite: boolean
  mayCreate: boolean
}

/** The dialogs that the URL opens. Outside of the list, so that changes to the list don't discard what is typed. */
function AgentDialogs({ topic, mayWrite, mayCreate }: AgentDialogsProps): ReactNode {
  const [{ addAgent, id }, setSearch] = useSearchState(AgentSearchSchema)
  // Contains the token, so it must never be in the URL.
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
  if (addAgent && mayCreate) return <CreateAgentDialog onCreated={setInstallation} onClose={handleClose} />
  if (id === '') return null
  const state = toTopicRowState(topic, 'the agent', (row) => row.id === id)
  return (
    <OpenedState key={id} state={state} noun="agent" onClose={handleClose}>
      {(agent) => (
        <EditAgentDialog
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
      )}
    </OpenedState>
  )
}

function OnlineCount({ agents }: { agents: readonly AgentSummary[] }) {
  const now = useServerNow(1_000)
  const others = agents.filter((agent) => !isThisServer(agent))
  if (others.length === 0) return null
  const online = others.filter((agent) => agentStatusOf(agent, now) === 'online').length
  return (
    <span className="wr-muted">
      {online} of {others.length} online
    </span>
  )
}
