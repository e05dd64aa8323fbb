import { SETTINGS_RESOURCES } from '@watchroom/shared/settings'

import type { SettingsTab } from '../features/settings/components/SettingsTabs.tsx'
import { NewSettingsScreen } from '../features/settings/screens/NewSettingsScreen.tsx'
import { SettingsScreen } from '../features/settings/screens/SettingsScreen.tsx'
import { TOPOLOGY_EXTRAS } from './settingsExtras.tsx'

const definition = SETTINGS_RESOURCES.topologies

/** `/settings/topologies/{id}` */
export const TopologySettingsPage = ({ tabs }: { tabs: readonly SettingsTab[] }) => (
  <SettingsScreen definition={definition} tabs={tabs} {...TOPOLOGY_EXTRAS} />
)

/** `/settings/topologies/new` */
export const NewTopologyPage = () => (
  <NewSettingsScreen definition={definition} renderTrial={TOPOLOGY_EXTRAS.renderTrial} />
)
