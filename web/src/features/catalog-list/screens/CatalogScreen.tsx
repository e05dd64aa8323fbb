import { Link } from '@tanstack/react-router'
import { Suspense, useCallback, useState } from 'react'

import { useDisabledAreas } from '../../../api/featureFlags.tsx'
import { useSession } from '../../../api/session.tsx'
import { useDeletedConfigsHidden } from '../../../preferences/deletedConfigs.ts'
import { lazyPart } from '../../../ui/lazyPart.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { isFiltered, NO_FILTERS, toCatalogFilters } from '../catalogFilters.ts'
import { CatalogSummary } from '../components/CatalogSummary.tsx'
import type { CatalogViewProps } from '../components/catalogView.ts'
import { type CatalogSearch, CatalogSearchSchema, isSummary } from '../search.ts'
import { useCatalogOptions } from '../useCatalogOptions.ts'

// Most people start with the summary. A link to items is recognized before the screen renders, so that their list loads early.
const loadList = async () => (await import('../components/ConfigList.tsx')).ConfigList
const ConfigList = lazyPart(loadList)
if (/[?&](?:configType|search)=/.test(location.search)) loadList().catch(() => undefined)

/** `/catalog`: what there is, by type or one by one. */
export function CatalogScreen() {
  const [search, setSearch] = useSearchState<CatalogSearch>(CatalogSearchSchema)
  const [hidden] = useDeletedConfigsHidden()
  const hidesDeleted = hidden === 'yes'
  const [areOptionsWanted, setOptionsWanted] = useState(false)
  const options = useCatalogOptions(areOptionsWanted)
  const wantOptions = useCallback(() => setOptionsWanted(true), [])
  const hasFilters = isFiltered(search) || search.groupBy !== '' || search.groupByProp !== ''
  const view: CatalogViewProps = {
    search,
    setSearch,
    hidesDeleted,
    onAnswered: wantOptions,
    toolbar: {
      onReach: wantOptions,
      search: {
        value: search.search,
        placeholder: 'Search for configs',
        onSearch: (text) => setSearch({ search: text }, { replace: true }),
      },
      filters: toCatalogFilters(search, options, setSearch),
      reset: hasFilters ? { text: 'Clear filters', onReset: () => setSearch(NO_FILTERS) } : null,
    },
    empty: { title: 'Nothing in the catalog yet', text: <EmptyText /> },
    filteredEmpty: isFiltered(search)
      ? {
          title: 'No matching config items',
          text: hidesDeleted
            ? 'Deleted items are hidden. Show them in Preferences.'
            : 'No config item matches these filters.',
        }
      : null,
  }
  if (isSummary(search)) return <CatalogSummary {...view} />
  return (
    <Suspense fallback={<LoadingSkeleton label="Loading config items" />}>
      <ConfigList {...view} />
    </Suspense>
  )
}

function EmptyText() {
  const mayOpenScrapers = useSession().can('read', 'config_scrapers')
  const isSwitchedOff = useDisabledAreas().has('settings.config_scraper')
  return (
    <>
      Scrapers bring in hosts, files, clusters and clouds as config items.{' '}
      {mayOpenScrapers && !isSwitchedOff ? <Link to="/catalog/scrapers">Open scrapers</Link> : null}
    </>
  )
}
