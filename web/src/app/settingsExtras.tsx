// What settings of one kind have beyond the common form, on any page that shows their row.
import type { SettingsRow } from '@watchroom/shared/settings'

import { RunScraper } from '../features/scrapers/RunScraper.tsx'
import { ScraperForm } from '../features/scrapers/ScraperForm.tsx'
import { TryScrape } from '../features/scrapers/TryScrape.tsx'
import type { SpecFormProps } from '../features/settings/renderSpecForm.ts'
import { RunTopology } from '../features/topologies/RunTopology.tsx'
import { TryTopology } from '../features/topologies/TryTopology.tsx'

export const SCRAPER_EXTRAS = {
  renderControls: (row: SettingsRow) => <RunScraper row={row} />,
  renderSpecForm: (props: SpecFormProps) => <ScraperForm {...props} />,
  renderTrial: (specText: string, id: string | null) => <TryScrape specText={specText} scraperId={id} />,
}

export const TOPOLOGY_EXTRAS = {
  renderControls: (row: SettingsRow) => <RunTopology row={row} />,
  renderTrial: (specText: string, id: string | null) => <TryTopology specText={specText} topologyId={id} />,
}
