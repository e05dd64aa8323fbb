import { Box, History } from '@blueprintjs/icons'
import { useParams } from '@tanstack/react-router'
import { isUuid } from '@watchroom/shared/kernel'
import { topologyTopic } from '@watchroom/shared/protocol'
import type { Burst, Component } from '@watchroom/shared/topology'
import { type ReactNode, Suspense, useState } from 'react'

import { useMissing } from '../api/backendFacts.ts'
import { useMayRead } from '../api/useMayRead.ts'
import { logsPath } from '../features/logs/logsPath.ts'
import { PastSearchSchema, toInstant } from '../features/topology-history/search.ts'
import { TopologyScreen } from '../features/topology/screens/TopologyScreen.tsx'
import type { LiveClient } from '../live/createLiveClient.ts'
import { PHONE } from '../ui/breakpoints.ts'
import { useScreenClock } from '../ui/clock.tsx'
import { CommandButton } from '../ui/CommandButton.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { LoadingSkeleton } from '../ui/LoadingSkeleton.tsx'
import { useMediaQuery } from '../ui/useMediaQuery.ts'
import { useSearchState } from '../url/useSearchState.ts'
import { renderCheckPanel } from './checkPanel.tsx'
import { ComponentMenu } from './ComponentMenu.tsx'
import { DemoNotice } from './DemoNotice.tsx'
import { MakeIncident } from './MakeIncident.tsx'
import { ViewLogs } from './ViewLogs.tsx'

import styles from './topologyPage.module.css'

// The page of the top-level components needs none of these.
const TargetPlaybooks = lazyPart(
  async () => (await import('../features/playbooks/components/TargetPlaybooks.tsx')).TargetPlaybooks,
)
const ComponentPanel = lazyPart(
  async () => (await import('../features/topology/panel/ComponentPanel.tsx')).ComponentPanel,
)
const ComponentRuns = lazyPart(
  async () => (await import('../features/playbooks/components/ComponentRuns.tsx')).ComponentRuns,
)
const SilencedNotice = lazyPart(
  async () => (await import('../features/check-panel/components/SilencedNotice.tsx')).SilencedNotice,
)
const PastTopology = lazyPart(async () => (await import('./PastTopology.tsx')).PastTopology)
const LinkToCatalogDialog = lazyPart(async () => {
  const { LinkToCatalogDialog: Dialog } = await import('../features/incident-room/evidence/LinkToCatalogDialog.tsx')
  return Dialog
})

const renderMenu = (component: Component): ReactNode => <ComponentMenu component={component} />

const renderMakeIncident = (burst: Burst): ReactNode => <MakeIncident burst={burst} />

const renderActions = (component: Component): ReactNode => <PageActions component={component} />

/** On a phone the menu alone leads to the playbooks. */
function PageActions({ component }: { component: Component }) {
  const isPhone = useMediaQuery(PHONE)
  return (
    <>
      <ViewLogs isIcon path={logsPath({ topologyId: component.id })} />
      {isPhone ? null : (
        <Suspense fallback={null}>
          <TargetPlaybooks target={{ kind: 'component', id: component.id }} />
        </Suspense>
      )}
      <ComponentMenu component={component} />
    </>
  )
}

const renderRuns = ({ id }: Component): ReactNode => <ComponentRuns componentId={id} />

const renderLinkToCatalog = (component: Component): ReactNode => <LinkToCatalog component={component} />

const renderPanel = (component: Component): ReactNode => <Panel component={component} />

function Panel({ component }: { component: Component }) {
  const mayRead = useMayRead()
  const hasPlaybooks = useMissing('playbooks') === null
  return (
    <Suspense fallback={<LoadingSkeleton label="Loading details" />}>
      <div className={styles['panel']}>
        <SilencedNotice id={component.id} path={component.path} />
        <ComponentPanel
          component={component}
          renderCheck={renderCheckPanel}
          renderRuns={hasPlaybooks && mayRead('playbook_runs', 'playbooks') ? renderRuns : null}
          renderLinkToCatalog={renderLinkToCatalog}
        />
      </div>
    </Suspense>
  )
}

/** Starts loading the cards of a page: a screen mounted within the next seconds takes over the subscription. */
export function watchCards(client: LiveClient, id: string): void {
  if (id === '' || isUuid(id)) client.watch(topologyTopic, { id }).release()
}

/** `/topology`: the cards, and what other areas add to a component. */
export function TopologyPage() {
  const { id = '' } = useParams({ strict: false })
  const [past, setPast] = useSearchState(PastSearchSchema)
  const { serverNow } = useScreenClock()
  // Anything that is not an id never existed.
  if (past.at !== '' && (id === '' || isUuid(id))) {
    return (
      <Suspense fallback={<LoadingSkeleton label="Loading the past" />}>
        <PastTopology id={id} search={past} setSearch={setPast} />
      </Suspense>
    )
  }
  return (
    <TopologyScreen
      id={id}
      notice={id === '' ? <DemoNotice /> : null}
      controls={
        <CommandButton
          isIcon
          command="Replay"
          label="Replay: the topology as it was"
          icon={<History />}
          onClick={() => setPast({ at: toInstant(serverNow()) })}
        />
      }
      renderMenu={renderMenu}
      renderActions={renderActions}
      renderPanel={renderPanel}
      renderMakeIncident={renderMakeIncident}
    />
  )
}

function LinkToCatalog({ component: { id, name } }: { component: Component }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <CommandButton
        size="small"
        variant="outlined"
        icon={<Box size={12} />}
        command="Link to catalog"
        onClick={() => setOpen(true)}
      />
      <Suspense fallback={null}>
        {isOpen ? <LinkToCatalogDialog component={{ id, name }} onClose={() => setOpen(false)} /> : null}
      </Suspense>
    </>
  )
}
