import { Button } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { placeOf, type SettingsResource, type SettingsRow, settingsTexts } from '@watchroom/shared/settings'
import { useMemo } from 'react'

import { useSession } from '../../../api/session.tsx'
import { useListPage } from '../../../api/useListPage.ts'
import { Freshness } from '../../../live/Freshness.tsx'
import { RunsHeard } from '../../../live/RunsHeard.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import type { TableColumn } from '../../../ui/table/column.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import { Total } from '../../../ui/Total.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { DEFAULT_PAGE_SIZE, SettingsSearchSchema, SOURCE_OPTIONS, toListAsk } from '../search.ts'
import { settingsColumns } from '../settingsColumns.ts'
import { useSettingsTables } from '../useSettingsTables.ts'

interface SettingsListScreenProps {
  definition: SettingsResource
  /** What rows of this table say beside what all settings say. */
  columns?: readonly TableColumn<SettingsRow>[]
}

const NO_COLUMNS: readonly TableColumn<SettingsRow>[] = []

/** `/settings/{table}`: the rows of one table of settings, as they are now. */
export function SettingsListScreen({ definition, columns: own = NO_COLUMNS }: SettingsListScreenProps) {
  const { table: name, title, noun, nouns } = definition
  const { list, live } = useSettingsTables(definition)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const session = useSession()
  const mayWrite = session.can('write', definition.resource, definition.object)
  const [search, setSearch] = useSearchState(SettingsSearchSchema)
  const ask = toListAsk(definition, search)
  const page = useListPage(list, {
    ask,
    what: nouns,
    search: { ...search, sortBy: ask.order.by, sortOrder: ask.order.direction },
    setSearch,
    defaultSize: DEFAULT_PAGE_SIZE,
  })
  const columns = useMemo(() => settingsColumns(definition, own), [definition, own])
  const place = placeOf(definition)
  const rowLink = useMemo(() => (row: SettingsRow) => ({ to: `${place}/${encodeURIComponent(row.id)}` }), [place])
  const isFiltered = search.query !== '' || search.source !== ''
  const add = mayWrite
    ? { text: `Add ${noun}`, icon: <Plus />, onClick: () => void navigate({ to: `${place}/new` }) }
    : null
  return (
    <>
      <PageHeader title={title} action={add}>
        <Total of={page.total} />
        <Freshness view={live} />
        {definition.statusView !== undefined && session.can('read', 'database') ? (
          <RunsHeard onRun={() => void list.invalidate(queryClient)} />
        ) : null}
      </PageHeader>
      <ResourceTable
        name={name}
        label={title}
        {...page.wiring}
        columns={columns}
        rowLink={rowLink}
        empty={{
          title: 'No resources found',
          text: settingsTexts(definition).purpose,
          ...(add ? { action: <Button {...add} /> } : {}),
        }}
        filteredEmpty={isFiltered ? { title: 'No resources found', text: `No ${nouns} match these filters.` } : null}
        toolbar={{
          search: {
            value: search.query,
            placeholder: `Search ${nouns}`,
            onSearch: (query) => setSearch({ query, pageIndex: 0 }, { replace: true }),
          },
          filters: [
            {
              kind: 'choice',
              key: 'source',
              title: 'Source',
              options: SOURCE_OPTIONS,
              value: search.source,
              onChange: (source) => setSearch({ source: source as typeof search.source, pageIndex: 0 }),
            },
          ],
          reset: isFiltered
            ? { text: 'Clear filters', onReset: () => setSearch({ query: '', source: '', pageIndex: 0 }) }
            : null,
        }}
      />
    </>
  )
}
