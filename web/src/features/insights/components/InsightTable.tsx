import { useQuery } from '@tanstack/react-query'
import type { ConfigInsight } from '@watchroom/shared/catalog'
import { type ReactNode, Suspense, useMemo } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { componentsQuery } from '../../../api/components.ts'
import { useSession } from '../../../api/session.tsx'
import { useListPage } from '../../../api/useListPage.ts'
import { lazyPart } from '../../../ui/lazyPart.tsx'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import type { RowLink } from '../../../ui/table/RowCells.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { insightColumns } from '../insightColumns.tsx'
import { toInsightFilters } from '../insightFilters.ts'
import {
  analyzersQuery,
  componentInsightTable,
  type InsightDetail,
  insightTable,
  linkedInsightTable,
} from '../queries.ts'
import {
  DEFAULT_PAGE_SIZE,
  type InsightSearch,
  InsightSearchSchema,
  isFiltered,
  isFoundByLinks,
  NO_FILTERS,
  toInsightAsk,
} from '../search.ts'
import { useLiveInsights } from '../useLiveInsights.ts'

const InsightDialog = lazyPart(async () => (await import('./InsightDialog.tsx')).InsightDialog)

interface InsightTableProps {
  /** Insights of this item alone, without the column that names items. */
  configId?: string
  /** What can be done with an insight. */
  renderActions: (insight: InsightDetail) => ReactNode
}

const rowLink = ({ id }: ConfigInsight): RowLink => ({
  to: '.',
  search: (current) => ({ ...current, insight: id }),
})

/** What analyzers found, those of all items or of one. Filters, order and pages are the database's. */
export function InsightTable({ configId, renderActions }: InsightTableProps) {
  const isOfItem = configId !== undefined
  const [address, setSearch] = useSearchState<InsightSearch>(InsightSearchSchema)
  const search = isOfItem ? { ...address, component: '', configType: '' } : address
  const isRanked = useMissing('severityOrder') === null
  const page = useListPage(tableOf(search, isRanked), {
    ask: toInsightAsk(search, configId, isRanked),
    what: 'insights',
    search,
    setSearch,
    defaultSize: DEFAULT_PAGE_SIZE,
  })
  useLiveInsights(configId ?? '')
  const columns = useMemo(() => insightColumns(isOfItem, isRanked), [isOfItem, isRanked])
  const options = useOptions(isOfItem)
  return (
    <>
      <ResourceTable
        name={isOfItem ? 'item-insights' : 'insights'}
        label="Insights"
        {...page.wiring}
        columns={columns}
        rowLink={rowLink}
        openKey={search.insight}
        empty={{
          title: 'No insights',
          text: isOfItem
            ? 'No insights for this item.'
            : 'Insights are findings of analyzers: costs, risks and recommendations. Scraper rules create them.',
        }}
        filteredEmpty={isFiltered(search) ? { title: 'No insights', text: 'No insight matches these filters.' } : null}
        toolbar={{
          filters: toInsightFilters({
            search,
            options,
            keys: isOfItem
              ? ['type', 'severity', 'status', 'analyzer']
              : ['component', 'type', 'severity', 'status', 'analyzer', 'configType'],
            onChange: setSearch,
          }),
          reset: isFiltered(search) ? { text: 'Clear filters', onReset: () => setSearch(NO_FILTERS) } : null,
          count: page.total === undefined ? undefined : `${page.total.toLocaleString()} total`,
        }}
      />
      {search.insight === '' ? null : (
        <Suspense>
          <InsightDialog
            key={search.insight}
            id={search.insight}
            isOfItem={isOfItem}
            renderActions={renderActions}
            onClose={() => setSearch({ insight: '' })}
          />
        </Suspense>
      )}
    </>
  )
}

function tableOf(search: InsightSearch, isRanked: boolean) {
  if (search.component === '') return insightTable
  return isFoundByLinks(search, isRanked) ? linkedInsightTable : componentInsightTable
}

const NONE: readonly never[] = []

function useOptions(isOfItem: boolean) {
  const mayReadComponents = useSession().can('read', 'topologies')
  const { data: components = NONE, isLoading: isNaming } = useQuery({
    ...componentsQuery,
    enabled: !isOfItem && mayReadComponents,
  })
  const analyzers = useQuery(analyzersQuery).data ?? NONE
  return useMemo(
    () => ({
      components: components.map(({ id, name }) => ({ value: id, label: name || id })),
      isNaming,
      analyzers: analyzers.map(({ analyzer }) => analyzer),
    }),
    [components, isNaming, analyzers],
  )
}
