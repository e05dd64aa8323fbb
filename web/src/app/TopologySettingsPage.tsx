import { SETTINGS_RESOURCES, type SettingsRow } from '@watchroom/shared/settings'
import type { ReactNode } from 'react'

import type { SettingsTab } from '../features/settings/components/SettingsTabs.tsx'
import { NewSettingsScreen } from '../features/settings/screens/NewSettingsScreen.tsx'
import { SettingsScreen } from '../features/settings/screens/SettingsScreen.tsx'
import { RunTopology } from '../features/topologies/RunTopology.tsx'
import { TryTopology } from '../features/topologies/TryTopology.tsx'

const definition = SETTINGS_RESOURCES.topologies

const renderControls = (row: SettingsRow): ReactNode => <RunTopology row={row} />
const renderTrial = (specText: string, topologyId: string | null): ReactNode => (
  <TryTopology specText={specText} topologyId={topologyId} />
)

/** `/settings/topologies/{id}` */
export const TopologySettingsPage = ({ tabs }: { tabs: readonly SettingsTab[] }) => (
  <SettingsScreen definition={definition} tabs={tabs} renderControls={renderControls} renderTrial={renderTrial} />
)

/** `/settings/topologies/new` */
export const NewTopologyPage = () => <NewSettingsScreen definition={definition} renderTrial={renderTrial} />
