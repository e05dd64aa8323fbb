import { ChangesScreen } from '../features/catalog-changes/screens/ChangesScreen.tsx'
import { useServerNow } from '../ui/clock.tsx'
import { parseMoment } from '../ui/formatTime.ts'
import { useTimeRange } from '../url/useTimeRange.ts'
import { CatalogFrame } from './CatalogFrame.tsx'
import { ChangeActions } from './ChangeActions.tsx'
import { WhatChanged } from './WhatChanged.tsx'

/** `/catalog/changes`: the changes, with incident actions for each. */
export function ChangesPage() {
  return (
    <CatalogFrame>
      <ChangesScreen controls={<ChangesLens />} renderActions={(change) => <ChangeActions change={change} />} />
    </CatalogFrame>
  )
}

/** What changed before the end of the range shown, which is now or a moment that someone chose. */
export function ChangesLens() {
  const [range] = useTimeRange()
  const now = useServerNow()
  const isPast = range?.rangeType === 'absolute' && parseMoment(range.to) < now
  return <WhatChanged start={{ start: 'instant', ...(isPast && { at: range.to }) }} />
}
