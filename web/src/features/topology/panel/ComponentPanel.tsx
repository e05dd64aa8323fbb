import type { Component } from '@watchroom/shared/topology'
import type { ReactNode } from 'react'

import { useMayRead } from '../../../api/useMayRead.ts'
import type { OpenCheck } from '../../../live/openCheck.ts'
import { Accordion, AccordionSection } from '../../../ui/Accordion.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { useHasSection } from '../componentSections.ts'
import { CatalogSection } from './CatalogSection.tsx'
import { ChangesSection } from './ChangesSection.tsx'
import { ChecksSection } from './ChecksSection.tsx'
import { ComponentDetails } from './ComponentDetails.tsx'
import { IncidentsSection } from './IncidentsSection.tsx'
import { InsightsSection } from './InsightsSection.tsx'
import { PanelSearchSchema } from './search.ts'
import { TeamsSection } from './TeamsSection.tsx'

/** What other areas bring to the panel. */
export interface PanelParts {
  readonly renderCheck: (open: OpenCheck) => ReactNode
  /** The section of runs; null where there is none for this person. */
  readonly renderRuns: ((component: Component) => ReactNode) | null
  /** Links a config item by hand. */
  readonly renderLinkToCatalog: (component: Component) => ReactNode
}

interface ComponentPanelProps extends PanelParts {
  component: Component
}

/** Everything about the component of the page, one section open at a time. Who may not read what a section lists has no such section. */
export function ComponentPanel({ component, renderCheck, renderRuns, renderLinkToCatalog }: ComponentPanelProps) {
  const [{ panel }, setSearch] = useSearchState(PanelSearchSchema)
  const mayRead = useMayRead()
  const hasCatalog = mayRead('database', 'config')
  const hasTeams = mayRead('database', 'settings.teams')
  const [hasIncidents, hasChecks] = [useHasSection('incidents'), useHasSection('checks')]
  const isHere = new Map([
    ['catalog', hasCatalog],
    ['changes', hasCatalog],
    ['insights', hasCatalog],
    ['incidents', hasIncidents],
    ['checks', hasChecks],
    ['runs', renderRuns !== null],
    ['teams', hasTeams],
  ])
  // A link may name a section that is not here.
  const opened = isHere.get(panel) === false ? 'details' : panel
  return (
    <Accordion
      label="About this component"
      open={opened}
      onOpen={(name) => setSearch({ panel: PanelSearchSchema.shape.panel.parse(name || 'none') })}
    >
      <AccordionSection name="details" title="Details">
        <ComponentDetails component={component} />
      </AccordionSection>
      {hasCatalog ? <CatalogSection component={component} renderLinkToCatalog={renderLinkToCatalog} /> : null}
      {hasIncidents ? <IncidentsSection component={component} /> : null}
      {hasCatalog ? <ChangesSection component={component} isOpen={panel === 'changes'} /> : null}
      {hasChecks ? <ChecksSection component={component} isOpen={panel === 'checks'} renderCheck={renderCheck} /> : null}
      {renderRuns?.(component)}
      {hasTeams ? <TeamsSection component={component} /> : null}
      {hasCatalog ? <InsightsSection component={component} /> : null}
    </Accordion>
  )
}
