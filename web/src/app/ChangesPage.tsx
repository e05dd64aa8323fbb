import { ChangesScreen } from '../features/catalog-changes/screens/ChangesScreen.tsx'
import { CatalogFrame } from './CatalogFrame.tsx'
import { ChangeActions } from './ChangeActions.tsx'
import { WhatChanged } from './WhatChanged.tsx'

const NOW = { start: 'instant' } as const

/** `/catalog/changes`: the changes, and what incidents bring to one. */
export function ChangesPage() {
  return (
    <CatalogFrame>
      <ChangesScreen
        controls={<WhatChanged start={NOW} />}
        renderActions={(change) => <ChangeActions change={change} />}
      />
    </CatalogFrame>
  )
}
