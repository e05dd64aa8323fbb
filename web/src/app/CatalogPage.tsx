import { CatalogScreen } from '../features/catalog-list/screens/CatalogScreen.tsx'
import { CatalogFrame } from './CatalogFrame.tsx'

/** `/catalog`: the items, below the tabs of the catalog. */
export function CatalogPage() {
  return (
    <CatalogFrame>
      <CatalogScreen />
    </CatalogFrame>
  )
}
