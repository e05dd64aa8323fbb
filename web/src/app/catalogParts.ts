import type { ConfigTab } from '../features/config-item/configTabs.ts'
import type { ScreenModule, ScreenPath } from './screens.ts'

// Separate from the other screens, whose names and parts take a few kilobytes.

/** The pages of the catalog beside the first. Its scrapers are settings like others. */
export type CatalogPath = Extract<ScreenPath, '/catalog/changes' | '/catalog/insights' | `/catalog/$id${string}`>

/** A page of a config item. */
const configTab = (tab: ConfigTab) => async (): ScreenModule => {
  const { loadConfigPage } = await import('./ConfigPage.tsx')
  return { Screen: await loadConfigPage(tab) }
}

/** What each of them shows, by its address. */
export const CATALOG_PARTS: Readonly<Record<CatalogPath, () => ScreenModule>> = {
  '/catalog/changes': async () => ({ Screen: (await import('./ChangesPage.tsx')).ChangesPage }),
  '/catalog/insights': async () => ({ Screen: (await import('./InsightsPage.tsx')).InsightsPage }),
  '/catalog/$id': configTab('config'),
  '/catalog/$id/changes': configTab('changes'),
  '/catalog/$id/insights': configTab('insights'),
  '/catalog/$id/relationships': configTab('relationships'),
  '/catalog/$id/playbooks': configTab('playbooks'),
  '/catalog/$id/checks': configTab('checks'),
}
