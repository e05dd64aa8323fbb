import { useQuery } from '@tanstack/react-query'

import { useMayRead } from '../../api/useMayRead.ts'
import { toQueryState } from '../../ui/QueryStates.tsx'
import type { TableColumn } from '../../ui/table/column.ts'
import { ResourceTable } from '../../ui/table/ResourceTable.tsx'
import type { RowLink } from '../../ui/table/RowCells.tsx'
import { type OwnedComponent, ownedComponentsQuery, POLL_MS } from './queries.ts'

const COLUMNS: readonly TableColumn<OwnedComponent>[] = [
  { key: 'name', title: 'Name', kind: 'text', isMain: true, value: ({ name }) => name },
  { key: 'health', title: 'Health', kind: 'status', value: ({ health }) => health },
  { key: 'type', title: 'Type', kind: 'text', value: ({ type }) => type },
]
const keyOf = ({ id }: OwnedComponent): string => id
const toComponent = ({ id }: OwnedComponent): RowLink => ({ to: `/topology/${id}` })

/** What a team answers for. */
export function OwnedComponents({ teamId }: { teamId: string }) {
  const isThere = useMayRead()('topologies', 'topology')
  const query = useQuery({ ...ownedComponentsQuery(teamId), refetchInterval: POLL_MS })
  return (
    <ResourceTable
      name="team-components"
      label="Components"
      place="part"
      state={toQueryState(query, 'components')}
      columns={COLUMNS}
      keyOf={keyOf}
      {...(isThere ? { rowLink: toComponent } : {})}
      isLive
      empty={{
        title: 'No components',
        text: 'Components owned by the team appear here.',
      }}
    />
  )
}
