import type { ReactNode } from 'react'

import { PageHeader } from '../../../ui/PageHeader.tsx'
import { InsightTable } from '../components/InsightTable.tsx'
import type { InsightDetail } from '../queries.ts'

/** `/catalog/insights`: what analyzers found about all items. */
export function InsightsScreen({ renderActions }: { renderActions: (insight: InsightDetail) => ReactNode }) {
  return (
    <>
      <PageHeader title="Insights" />
      <InsightTable renderActions={renderActions} />
    </>
  )
}
