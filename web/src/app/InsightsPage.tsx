import { InsightsScreen } from '../features/insights/screens/InsightsScreen.tsx'
import { CatalogFrame } from './CatalogFrame.tsx'
import { InsightActions } from './InsightActions.tsx'

/** `/catalog/insights`: the insights, with incident actions for each. */
export function InsightsPage() {
  return (
    <CatalogFrame>
      <InsightsScreen renderActions={(insight) => <InsightActions insight={insight} />} />
    </CatalogFrame>
  )
}
