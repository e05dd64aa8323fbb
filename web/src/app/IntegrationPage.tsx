import { useParams } from '@tanstack/react-router'
import {
  INTEGRATION_TABLES,
  type IntegrationType,
  isIntegrationType,
  SETTINGS_RESOURCES,
  type SettingsRow,
} from '@watchroom/shared/settings'

import { SettingsById, type SettingsExtras } from '../features/settings/screens/SettingsScreen.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import type { RowTab } from '../ui/RowTabs.tsx'
import { SCRAPER_EXTRAS, TOPOLOGY_EXTRAS } from './settingsExtras.tsx'

const EXTRAS: Readonly<Partial<Record<IntegrationType, SettingsExtras>>> = {
  scrapers: SCRAPER_EXTRAS,
  topologies: TOPOLOGY_EXTRAS,
}

/** `/settings/integrations/{type}/{id}`: an integration of any kind; its form returns to the list of integrations. */
export function IntegrationPage({ tabs }: { tabs: Readonly<Record<IntegrationType, readonly RowTab<SettingsRow>[]>> }) {
  const { type = '', id = '' } = useParams({ strict: false })
  if (!isIntegrationType(type)) {
    return (
      <>
        <PageHeader title="Integration" />
        <EmptyState title="Unknown type">No integration has this type.</EmptyState>
      </>
    )
  }
  const definition = SETTINGS_RESOURCES[INTEGRATION_TABLES[type]]
  return (
    <SettingsById
      key={id}
      id={id}
      definition={definition}
      tabs={tabs[type]}
      list="/settings/integrations"
      {...EXTRAS[type]}
    />
  )
}
