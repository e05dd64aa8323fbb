import type { ReactNode } from 'react'

import { Freshness } from '../../../live/Freshness.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { ZoneLabel } from '../../../ui/table/eventTimes.tsx'
import { Total } from '../../../ui/Total.tsx'
import { type ChangeForActions, ChangesTable } from '../components/ChangesTable.tsx'
import { ViewSwitch } from '../components/ViewSwitch.tsx'
import { useChanges } from '../useChanges.ts'

interface ChangesScreenProps {
  /** What other areas bring to the page. */
  controls?: ReactNode
  renderActions: (change: ChangeForActions) => ReactNode
}

/** `/catalog/changes`: what changed in all items. */
export function ChangesScreen({ controls, renderActions }: ChangesScreenProps) {
  const changes = useChanges()
  return (
    <>
      <PageHeader title="Changes" controls={controls}>
        <Total of={changes.total} />
        <ZoneLabel />
        <Freshness view={changes.live} />
      </PageHeader>
      <ViewSwitch />
      <ChangesTable changes={changes} renderActions={renderActions} />
    </>
  )
}
