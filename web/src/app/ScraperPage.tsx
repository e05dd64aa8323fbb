import { SETTINGS_RESOURCES } from '@watchroom/shared/settings'

import type { SettingsTab } from '../features/settings/components/SettingsTabs.tsx'
import { NewSettingsScreen } from '../features/settings/screens/NewSettingsScreen.tsx'
import { SettingsScreen } from '../features/settings/screens/SettingsScreen.tsx'
import { SCRAPER_EXTRAS } from './settingsExtras.tsx'

const definition = SETTINGS_RESOURCES.config_scrapers
const { renderSpecForm, renderTrial } = SCRAPER_EXTRAS

/** `/catalog/scrapers/{id}` */
export const ScraperPage = ({ tabs }: { tabs: readonly SettingsTab[] }) => (
  <SettingsScreen definition={definition} tabs={tabs} {...SCRAPER_EXTRAS} />
)

/** `/catalog/scrapers/new` */
export const NewScraperPage = () => (
  <NewSettingsScreen definition={definition} renderSpecForm={renderSpecForm} renderTrial={renderTrial} />
)
