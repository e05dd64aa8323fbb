import { Button } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import { SETTINGS_RESOURCES, settingsTexts } from '@watchroom/shared/settings'
import { CONNECTION_TYPES, type ConnectionSummary } from '@watchroom/shared/settings/connections'

import { useSession } from '../../../api/session.tsx'
import { useTablePage } from '../../../api/useTablePage.ts'
import { Freshness } from '../../../live/Freshness.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { toPaging, toSort } from '../../../ui/table/listSearch.ts'
import { PAGE_SIZES } from '../../../ui/table/pages.ts'
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
  const page = useTablePage(table, toListAsk(search), 'connections', () =>
    setSearch({ pageIndex: 0 }, { replace: true }),
  )
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
        state={page.state}
        columns={CONNECTION_COLUMNS}
        keyOf={table.keyOf}
        rowLink={toConnection}
        openKey={search.id}
        isLive
        sort={toSort(search, setSearch)}
        paging={toPaging(search, setSearch, {
          sizes: PAGE_SIZES,
          defaultSize: DEFAULT_PAGE_SIZE,
          total: page.total ?? 0,
        })}
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
