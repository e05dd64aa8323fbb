import { Button } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import { SETTINGS_RESOURCES, settingsTexts } from '@watchroom/shared/settings'
import { CONNECTION_TYPES, type ConnectionSummary } from '@watchroom/shared/settings/connections'

import { useSession } from '../../../api/session.tsx'
import { useListPage } from '../../../api/useListPage.ts'
import { Freshness } from '../../../live/Freshness.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import type { RowLink } from '../../../ui/table/RowCells.tsx'
import { Total } from '../../../ui/Total.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { ConnectionDialogs } from '../components/ConnectionDialogs.tsx'
import { CONNECTION_COLUMNS } from '../connectionColumns.tsx'
import { ConnectionSearchSchema, DEFAULT_PAGE_SIZE, PICK, toListAsk } from '../search.ts'
import { useConnections } from '../useConnections.ts'

const { purpose } = settingsTexts(SETTINGS_RESOURCES.connections)

const TYPE_OPTIONS = Object.entries(CONNECTION_TYPES)
  .map(([value, { title }]) => ({ value, label: title }))
  .toSorted((a, b) => a.label.localeCompare(b.label))

/** A row opens its connection beside the list. */
const toConnection = ({ id }: ConnectionSummary): RowLink => ({ to: '.', search: (current) => ({ ...current, id }) })

/** `/settings/connections`: how other systems are reached, whether it works, and who relies on it. */
export function ConnectionsScreen() {
  const { table, live } = useConnections()
  const mayWrite = useSession().can('write', 'connections')
  const [search, setSearch] = useSearchState(ConnectionSearchSchema)
  const page = useListPage(table, {
    ask: toListAsk(search),
    what: 'connections',
    search,
    setSearch,
    defaultSize: DEFAULT_PAGE_SIZE,
  })
  const isFiltered = search.query !== '' || search.type !== ''
  const add = mayWrite
    ? { text: 'Add connection', icon: <Plus />, onClick: () => setSearch({ new: PICK, id: '' }) }
    : null
  return (
    <>
      <PageHeader title="Connections" action={add}>
        <Total of={page.total} />
        <Freshness view={live} />
      </PageHeader>
      <ResourceTable
        name="connections"
        label="Connections"
        {...page.wiring}
        columns={CONNECTION_COLUMNS}
        rowLink={toConnection}
        openKey={search.id}
        empty={{ title: 'No connections yet', text: purpose, ...(add ? { action: <Button {...add} /> } : {}) }}
        filteredEmpty={isFiltered ? { title: 'No resources found', text: 'No connections match these filters.' } : null}
        toolbar={{
          search: {
            value: search.query,
            placeholder: 'Search connections',
            onSearch: (query) => setSearch({ query, pageIndex: 0 }, { replace: true }),
          },
          filters: [
            {
              kind: 'choice',
              key: 'type',
              title: 'Type',
              options: TYPE_OPTIONS,
              value: search.type,
              onChange: (type) => setSearch({ type, pageIndex: 0 }),
            },
          ],
          reset: isFiltered
            ? { text: 'Clear filters', onReset: () => setSearch({ query: '', type: '', pageIndex: 0 }) }
            : null,
        }}
      />
      <ConnectionDialogs />
    </>
  )
}
