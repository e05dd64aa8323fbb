import { SETTINGS_RESOURCES, type SettingsRow } from '@watchroom/shared/settings'

import { NewSettingsScreen } from '../features/settings/screens/NewSettingsScreen.tsx'
import { SettingsScreen } from '../features/settings/screens/SettingsScreen.tsx'
import type { RowTab } from '../ui/RowTabs.tsx'
import { TOPOLOGY_EXTRAS } from './settingsExtras.tsx'

const definition = SETTINGS_RESOURCES.topologies

/** `/settings/topologies/{id}` */
export const TopologySettingsPage = ({ tabs }: { tabs: readonly RowTab<SettingsRow>[] }) => (
  <SettingsScreen definition={definition} tabs={tabs} {...TOPOLOGY_EXTRAS} />
)

/** `/settings/topologies/new` */
export const NewTopologyPage = () => (
  <NewSettingsScreen definition={definition} renderTrial={TOPOLOGY_EXTRAS.renderTrial} />
)
