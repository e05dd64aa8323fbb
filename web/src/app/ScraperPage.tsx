import { SETTINGS_RESOURCES, type SettingsRow } from '@watchroom/shared/settings'

import { NewSettingsScreen } from '../features/settings/screens/NewSettingsScreen.tsx'
import { SettingsScreen } from '../features/settings/screens/SettingsScreen.tsx'
import type { RowTab } from '../ui/RowTabs.tsx'
import { SCRAPER_EXTRAS } from './settingsExtras.tsx'

const definition = SETTINGS_RESOURCES.config_scrapers
const { renderSpecForm, renderTrial } = SCRAPER_EXTRAS

/** `/catalog/scrapers/{id}` */
export const ScraperPage = ({ tabs }: { tabs: readonly RowTab<SettingsRow>[] }) => (
  <SettingsScreen definition={definition} tabs={tabs} {...SCRAPER_EXTRAS} />
)

/** `/catalog/scrapers/new` */
export const NewScraperPage = () => (
  <NewSettingsScreen definition={definition} renderSpecForm={renderSpecForm} renderTrial={renderTrial} />
)
