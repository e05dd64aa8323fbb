import type { SettingsResource } from '../settingsResource.ts'

/** What fills the catalog. Third specification: name, source, spec; its place is in the catalog. */
export const configScrapers: SettingsResource = {
  table: 'config_scrapers',
  path: '/catalog/scrapers',
  resource: 'config_scrapers',
  area: 'settings.config_scraper',
  title: 'Scrapers',
  noun: 'catalog scraper',
  nouns: 'catalog scrapers',
  fields: ['source'],
  statusView: 'config_scrapers_with_status',
  hasAgent: true,
  jobs: 'config_scraper',
}
