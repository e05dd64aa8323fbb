import type { ConfigDetail } from '@watchroom/shared/catalog'
import type { CheckSummary } from '@watchroom/shared/health'
import { lazy, type ReactNode, Suspense } from 'react'

import type { EvidenceDraft } from '../api/incidentCreation.ts'
import type { ChangeForActions } from '../features/catalog-changes/components/ChangesTable.tsx'
import { loadCheckPanel } from '../features/check-panel/parts.ts'
import { ConfigChecks, type OpenConfigCheck } from '../features/config-item/components/ConfigChecks.tsx'
import type { ConfigTab } from '../features/config-item/configTabs.ts'
import { ConfigItemScreen } from '../features/config-item/screens/ConfigItemScreen.tsx'
import { DownloadSnapshot } from '../features/incident-room/evidence/DownloadSnapshot.tsx'
import type { InsightDetail } from '../features/insights/queries.ts'
import { TargetPlaybooks } from '../features/playbooks/components/TargetPlaybooks.tsx'
import { LoadingSkeleton } from '../ui/LoadingSkeleton.tsx'
import { AttachEvidence } from './AttachEvidence.tsx'
import { ChangeActions } from './ChangeActions.tsx'
import { InsightActions } from './InsightActions.tsx'
import { WhatChanged } from './WhatChanged.tsx'

const CheckPanel = lazy(async () => ({ default: (await loadCheckPanel()).CheckPanel }))
const CheckActions = lazy(async () => ({ default: (await import('./CheckActions.tsx')).CheckActions }))
const ItemChanges = lazy(async () => ({
  default: (await import('../features/catalog-changes/components/ItemChanges.tsx')).ItemChanges,
}))
const InsightTable = lazy(async () => ({
  default: (await import('../features/insights/components/InsightTable.tsx')).InsightTable,
}))
const ConfigRelationships = lazy(async () => ({
  default: (await import('../features/relationships/components/ConfigRelationships.tsx')).ConfigRelationships,
}))
const ConfigRuns = lazy(async () => ({
  default: (await import('../features/playbooks/components/ConfigRuns.tsx')).ConfigRuns,
}))

/** `/catalog/{id}` and its tabs: a config item, and what other areas know of it. */
export function ConfigPage({ tab }: { tab: ConfigTab }) {
  return (
    <ConfigItemScreen tab={tab} renderControls={renderControls} renderAttach={renderAttach} renderTab={renderTab} />
  )
}

const renderControls = ({ id, name }: ConfigDetail): ReactNode => (
  <>
    <WhatChanged start={{ start: 'config', id }} />
    <TargetPlaybooks target={{ kind: 'config', id }} />
    <DownloadSnapshot subject={{ kind: 'config', id, name: name || id }} />
  </>
)

const renderAttach = (evidence: EvidenceDraft, disabledReason: string | undefined): ReactNode => (
  <AttachEvidence command="Link to incident" evidence={evidence} disabledReason={disabledReason} isSmall />
)

const renderTab = (tab: Exclude<ConfigTab, 'config'>, { id }: ConfigDetail): ReactNode => (
  <Suspense fallback={<LoadingSkeleton label={`Loading ${tab}`} />}>{toTab(tab, id)}</Suspense>
)

function toTab(tab: Exclude<ConfigTab, 'config'>, id: string): ReactNode {
  switch (tab) {
    case 'changes':
      return <ItemChanges configId={id} renderActions={renderChangeActions} />
    case 'insights':
      return <InsightTable configId={id} renderActions={renderInsightActions} />
    case 'relationships':
      return <ConfigRelationships configId={id} />
    case 'playbooks':
      return <ConfigRuns configId={id} />
    case 'checks':
      return <ConfigChecks configId={id} renderPanel={renderPanel} />
  }
}

const renderChangeActions = (change: ChangeForActions): ReactNode => <ChangeActions change={change} />

const renderInsightActions = (insight: InsightDetail): ReactNode => <InsightActions insight={insight} />

const renderPanel = (open: OpenConfigCheck): ReactNode => (
  <Suspense fallback={null}>
    <CheckPanel {...open} renderActions={renderCheckActions} />
  </Suspense>
)

const renderCheckActions = (check: CheckSummary): ReactNode => (
  <Suspense fallback={null}>
    <CheckActions check={check} />
  </Suspense>
)
