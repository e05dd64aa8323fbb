import { useParams } from '@tanstack/react-router'
import {
  INTEGRATION_TABLES,
  type IntegrationType,
  isIntegrationType,
  SETTINGS_RESOURCES,
} from '@watchroom/shared/settings'
import type { ReactNode } from 'react'

import { ScraperForm } from '../features/scrapers/ScraperForm.tsx'
import type { SettingsTab } from '../features/settings/components/SettingsTabs.tsx'
import type { SpecFormProps } from '../features/settings/renderSpecForm.ts'
import { SettingsById } from '../features/settings/screens/SettingsScreen.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'

const renderScraperForm = (props: SpecFormProps): ReactNode => <ScraperForm {...props} />

/** `/settings/integrations/{type}/{id}`: the row of an integration, whatever its kind; its form leads back to their list. */
export function IntegrationPage({ tabs }: { tabs: Readonly<Record<IntegrationType, readonly SettingsTab[]>> }) {
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
      renderSpecForm={type === 'scrapers' ? renderScraperForm : undefined}
      list="/settings/integrations"
    />
  )
}
