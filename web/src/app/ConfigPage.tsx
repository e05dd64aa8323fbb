import type { ConfigDetail } from '@watchroom/shared/catalog'
import { type ComponentType, type ReactNode, Suspense } from 'react'

import type { EvidenceDraft } from '../api/incidentCreation.ts'
import type { ChangeForActions } from '../features/catalog-changes/components/ChangesTable.tsx'
import type { ConfigTab } from '../features/config-item/configTabs.ts'
import { ConfigItemScreen } from '../features/config-item/screens/ConfigItemScreen.tsx'
import { DownloadSnapshot } from '../features/incident-room/evidence/DownloadSnapshot.tsx'
import type { InsightDetail } from '../features/insights/queries.ts'
import { TargetPlaybooks } from '../features/playbooks/components/TargetPlaybooks.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { AttachEvidence } from './AttachEvidence.tsx'
import { ChangeActions } from './ChangeActions.tsx'
import { renderCheckPanel } from './checkPanel.tsx'
import { InsightActions } from './InsightActions.tsx'
import { WhatChanged } from './WhatChanged.tsx'

const SilencedNotice = lazyPart(
  async () => (await import('../features/check-panel/components/SilencedNotice.tsx')).SilencedNotice,
)
/**
 * `/catalog/{id}` and its tabs: a config item, and what other areas know about it. The part of a tab loads with the page, because
 * React delays showing content that suspends after the first render by a third of a second.
 */
export async function loadConfigPage(tab: ConfigTab): Promise<ComponentType> {
  const renderPart = tab === 'config' ? () => null : await TAB_PARTS[tab]()
  return () => (
    <ConfigItemScreen
      tab={tab}
      renderControls={renderControls}
      renderAttach={renderAttach}
      renderNotice={renderNotice}
      renderTab={(_, { id }) => renderPart(id)}
    />
  )
}

type RenderPart = (configId: string) => ReactNode

const TAB_PARTS: Readonly<Record<Exclude<ConfigTab, 'config'>, () => Promise<RenderPart>>> = {
  changes: async () => {
    const { ItemChanges } = await import('../features/catalog-changes/components/ItemChanges.tsx')
    return (id) => <ItemChanges configId={id} renderActions={renderChangeActions} />
  },
  insights: async () => {
    const { InsightTable } = await import('../features/insights/components/InsightTable.tsx')
    return (id) => <InsightTable configId={id} renderActions={renderInsightActions} />
  },
  relationships: async () => {
    const { ConfigRelationships } = await import('../features/relationships/components/ConfigRelationships.tsx')
    return (id) => <ConfigRelationships configId={id} />
  },
  playbooks: async () => {
    const { ConfigRuns } = await import('../features/playbooks/components/ConfigRuns.tsx')
    return (id) => <ConfigRuns configId={id} />
  },
  checks: async () => {
    const { ConfigChecks } = await import('../features/config-item/components/ConfigChecks.tsx')
    return (id) => <ConfigChecks configId={id} renderPanel={renderCheckPanel} />
  },
}

const renderControls = ({ id, name }: ConfigDetail): ReactNode => (
  <>
    <WhatChanged start={{ start: 'config', id }} />
    <TargetPlaybooks target={{ kind: 'config', id }} />
    <DownloadSnapshot subject={{ kind: 'config', id, name: name || id }} />
  </>
)

const renderNotice = ({ id, path }: ConfigDetail): ReactNode => (
  <Suspense fallback={null}>
    <SilencedNotice id={id} path={path} />
  </Suspense>
)

const renderAttach = (evidence: EvidenceDraft, disabledReason: string | undefined): ReactNode => (
  <AttachEvidence command="Link to incident" evidence={evidence} disabledReason={disabledReason} isSmall />
)

const renderChangeActions = (change: ChangeForActions): ReactNode => <ChangeActions change={change} />

const renderInsightActions = (insight: InsightDetail): ReactNode => <InsightActions insight={insight} />
