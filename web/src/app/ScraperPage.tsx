import { SETTINGS_RESOURCES, type SettingsRow } from '@watchroom/shared/settings'
import type { ReactNode } from 'react'

import { RunScraper } from '../features/scrapers/RunScraper.tsx'
import { ScraperForm } from '../features/scrapers/ScraperForm.tsx'
import { TryScrape } from '../features/scrapers/TryScrape.tsx'
import type { SettingsTab } from '../features/settings/components/SettingsTabs.tsx'
import type { SpecFormProps } from '../features/settings/renderSpecForm.ts'
import { NewSettingsScreen } from '../features/settings/screens/NewSettingsScreen.tsx'
import { SettingsScreen } from '../features/settings/screens/SettingsScreen.tsx'

const definition = SETTINGS_RESOURCES.config_scrapers

const renderControls = (row: SettingsRow): ReactNode => <RunScraper row={row} />
const renderTrial = (specText: string, scraperId: string | null): ReactNode => (
  <TryScrape specText={specText} scraperId={scraperId} />
)

const renderSpecForm = (props: SpecFormProps): ReactNode => <ScraperForm {...props} />

/** `/catalog/scrapers/{id}` */
export function ScraperPage({ tabs }: { tabs: readonly SettingsTab[] }) {
  return (
    <SettingsScreen
      definition={definition}
      tabs={tabs}
      renderControls={renderControls}
      renderSpecForm={renderSpecForm}
      renderTrial={renderTrial}
    />
  )
}

/** `/catalog/scrapers/new` */
export function NewScraperPage() {
  return <NewSettingsScreen definition={definition} renderSpecForm={renderSpecForm} renderTrial={renderTrial} />
}
