import type { Component } from '@watchroom/shared/topology'
import type { ReactNode } from 'react'

import { useDisabledAreas } from '../../../api/featureFlags.tsx'
import { useSession } from '../../../api/session.tsx'
import { Accordion, AccordionSection } from '../../../ui/Accordion.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { CatalogSection } from './CatalogSection.tsx'
import { ChangesSection } from './ChangesSection.tsx'
import { type OpenComponentCheck, ChecksSection } from './ChecksSection.tsx'
import { ComponentDetails } from './ComponentDetails.tsx'
import { IncidentsSection } from './IncidentsSection.tsx'
import { InsightsSection } from './InsightsSection.tsx'
import { PanelSearchSchema } from './search.ts'
import { TeamsSection } from './TeamsSection.tsx'

/** What other areas bring to the panel. */
export interface PanelParts {
  readonly renderCheck: (open: OpenComponentCheck) => ReactNode
  /** The section of runs, for those who may see it. */
  readonly renderRuns: (component: Component) => ReactNode
  /** Links a config item by hand. */
  readonly renderLinkToCatalog: (component: Component) => ReactNode
}

interface ComponentPanelProps extends PanelParts {
  component: Component
}

/** Everything about the component of the page, one section open at a time. Who may not read what a section lists has no such section. */
export function ComponentPanel({ component, renderCheck, renderRuns, renderLinkToCatalog }: ComponentPanelProps) {
  const [{ panel }, setSearch] = useSearchState(PanelSearchSchema)
  const { can } = useSession()
  const areas = useDisabledAreas()
  const hasCatalog = can('read', 'database') && !areas.has('config')
  return (
    <Accordion label="About this component" open={panel} onOpen={(name) => setSearch({ panel: name || 'none' })}>
      <AccordionSection name="details" title="Details">
        <ComponentDetails component={component} />
      </AccordionSection>
      {hasCatalog ? <CatalogSection component={component} renderLinkToCatalog={renderLinkToCatalog} /> : null}
      {can('read', 'incident') && !areas.has('incidents') ? <IncidentsSection component={component} /> : null}
      {hasCatalog ? <ChangesSection component={component} isOpen={panel === 'changes'} /> : null}
      {can('read', 'canaries') && !areas.has('health') ? (
        <ChecksSection component={component} isOpen={panel === 'checks'} renderCheck={renderCheck} />
      ) : null}
      {renderRuns(component)}
      {can('read', 'database') && !areas.has('settings.teams') ? <TeamsSection component={component} /> : null}
      {hasCatalog ? <InsightsSection component={component} /> : null}
    </Accordion>
  )
}
