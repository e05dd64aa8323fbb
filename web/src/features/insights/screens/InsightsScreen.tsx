import { configInsightsTopic } from '@watchroom/shared/protocol'
import type { ReactNode } from 'react'

import { Freshness } from '../../../live/Freshness.tsx'
import { useTopic } from '../../../live/useTopic.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { InsightTable } from '../components/InsightTable.tsx'
import type { InsightDetail } from '../queries.ts'

const OF_ALL = { configId: '' }

/** `/catalog/insights`: what analyzers found about all items. */
export function InsightsScreen({ renderActions }: { renderActions: (insight: InsightDetail) => ReactNode }) {
  const live = useTopic(configInsightsTopic, OF_ALL)
  return (
    <>
      <PageHeader title="Insights">
        <Freshness view={live} />
      </PageHeader>
      <InsightTable renderActions={renderActions} />
    </>
  )
}
