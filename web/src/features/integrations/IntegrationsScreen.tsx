import { Button } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import { useQueryClient } from '@tanstack/react-query'
import { type Integration, isIntegrationType, jobErrors, toOriginWord } from '@watchroom/shared/settings'

import { useSession } from '../../api/session.tsx'
import { useListPage } from '../../api/useListPage.ts'
import { Freshness } from '../../live/Freshness.tsx'
import { RunsHeard } from '../../live/RunsHeard.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import type { TableColumn } from '../../ui/table/column.ts'
import { JobStatus } from '../../ui/table/JobStatus.tsx'
import { ResourceTable } from '../../ui/table/ResourceTable.tsx'
import type { RowLink } from '../../ui/table/RowCells.tsx'
import { Total } from '../../ui/Total.tsx'
import { useSearchState } from '../../url/useSearchState.ts'
import { AddIntegrationDialog } from './AddIntegrationDialog.tsx'
import { integrationTable, useLiveIntegrations } from './queries.ts'
import { DEFAULT_PAGE_SIZE, IntegrationSearchSchema, toListAsk } from './search.ts'

const TITLES: ReadonlyMap<string, string> = new Map([
  ['scrapers', 'Catalog scraper'],
  ['topologies', 'Topology'],
  ['logging_backends', 'Log backend'],
])

const COLUMNS: readonly TableColumn<Integration>[] = [
  { key: 'name', title: 'Name', kind: 'text', isMain: true, isSortable: true, value: ({ name }) => name },
  // Servers without the column cannot sort by it.
  { key: 'namespace', title: 'Namespace', kind: 'text', value: ({ namespace }) => namespace },
  {
    key: 'integration_type',
    title: 'Type',
    kind: 'text',
    isSortable: true,
    value: ({ integration_type: type }) => TITLES.get(type) ?? type,
  },
  { key: 'source', title: 'Source', kind: 'text', value: toOriginWord },
  {
    key: 'job_status',
    title: 'Job',
    kind: 'status',
    isSortable: true,
    value: (row) => row.job_status,
    render: (row) => <JobStatus status={row.job_status} why={jobErrors(row.job_details)[0]} />,
  },
  { key: 'job_time_start', title: 'Last run', kind: 'time', isSortable: true, value: (row) => row.job_time_start },
  { key: 'creator_name', title: 'Created by', kind: 'person', value: (row) => row.creator_name },
  { key: 'created_at', title: 'Created', kind: 'time', isSortable: true, value: (row) => row.created_at },
  { key: 'updated_at', title: 'Updated', kind: 'time', isSortable: true, value: (row) => row.updated_at },
]

const toIntegration = ({ integration_type: type, id }: Integration): RowLink | null =>
  isIntegrationType(type) ? { to: `/settings/integrations/${type}/${encodeURIComponent(id)}` } : null

/** `/settings/integrations`: whatever brings data in, of all kinds. */
export function IntegrationsScreen() {
  const [search, setSearch] = useSearchState(IntegrationSearchSchema)
  const live = useLiveIntegrations()
  const queryClient = useQueryClient()
  const session = useSession()
  const mayAdd = session.can('write', 'integrations')
  const page = useListPage(integrationTable, {
    ask: toListAsk(search),
    what: 'integrations',
    search,
    setSearch,
    defaultSize: DEFAULT_PAGE_SIZE,
  })
  const add = mayAdd ? { text: 'Add Integration', icon: <Plus />, onClick: () => setSearch({ add: 'true' }) } : null
  return (
    <>
      <PageHeader title="Integrations" action={add}>
        <Total of={page.total} />
        <Freshness view={live} />
        {session.can('read', 'database') ? (
          <RunsHeard onRun={() => void integrationTable.invalidate(queryClient)} />
        ) : null}
      </PageHeader>
      <ResourceTable
        name="integrations"
        label="Integrations"
        {...page.wiring}
        columns={COLUMNS}
        rowLink={toIntegration}
        empty={{
          title: 'No resources found',
          text: 'Integrations connect your clusters, clouds and log stores through scrapers, topologies and log backends.',
          ...(add ? { action: <Button {...add} /> } : {}),
        }}
        filteredEmpty={
          search.query === '' ? null : { title: 'No resources found', text: 'No integration matches this name.' }
        }
        toolbar={{
          search: {
            value: search.query,
            placeholder: 'Search integrations',
            onSearch: (query) => setSearch({ query, pageIndex: 0 }, { replace: true }),
          },
          reset:
            search.query === ''
              ? null
              : { text: 'Clear filters', onReset: () => setSearch({ query: '', pageIndex: 0 }) },
        }}
      />
      {search.add !== '' && mayAdd ? (
        <AddIntegrationDialog
          chart={search.add === 'true' ? null : search.add}
          onChoose={(chart) => setSearch({ add: chart ?? 'true' })}
          onClose={() => setSearch({ add: '' })}
        />
      ) : null}
    </>
  )
}
