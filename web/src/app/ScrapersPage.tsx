import { SETTINGS_RESOURCES } from '@watchroom/shared/settings'

import { SCRAPER_COLUMNS } from '../features/scrapers/scraperColumns.ts'
import { useLiveScrapers } from '../features/scrapers/useLiveScrapers.ts'
import { SettingsListScreen } from '../features/settings/screens/SettingsListScreen.tsx'
import { CatalogFrame } from './CatalogFrame.tsx'

/** `/catalog/scrapers`: scrapers, when they ran, and how many items each one found. */
export function ScrapersPage() {
  useLiveScrapers()
  return (
    <CatalogFrame>
      <SettingsListScreen definition={SETTINGS_RESOURCES.config_scrapers} columns={SCRAPER_COLUMNS} />
    </CatalogFrame>
  )
}
