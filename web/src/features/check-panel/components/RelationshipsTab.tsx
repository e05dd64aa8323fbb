import type { UseQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'

import { useDisabledAreas } from '../../../api/featureFlags.tsx'
import { toQueryState } from '../../../ui/QueryStates.tsx'
import type { TableColumn } from '../../../ui/table/column.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import type { RowLink } from '../../../ui/table/RowCells.tsx'
import { type CheckDetail, type Related, toRelated } from '../queries.ts'

const COLUMNS: readonly TableColumn<Related>[] = [
  { key: 'name', title: 'Name', kind: 'text', isMain: true, value: ({ name }) => name },
  { key: 'kind', title: 'Kind', kind: 'text', value: ({ kind }) => (kind === 'component' ? 'Component' : 'Config') },
  { key: 'type', title: 'Type', kind: 'text', value: ({ type }) => type },
]
const keyOf = ({ href }: Related): string => href
/** A page is gone with its area. */
const AREAS = { component: 'topology', config: 'config' } as const

/** Components and configuration items that the check belongs to; a row leads there. */
export function RelationshipsTab({ detail }: { detail: UseQueryResult<CheckDetail | null> }) {
  const { data } = detail
  const areas = useDisabledAreas()
  const toPlace = useCallback(
    ({ kind, href }: Related): RowLink | null => (areas.has(AREAS[kind]) ? null : { to: href }),
    [areas],
  )
  return (
    <ResourceTable
      name="check-relationships"
      label="Relationships"
      place="part"
      state={{
        ...toQueryState(detail, 'relationships'),
        data: data === undefined ? undefined : data ? toRelated(data) : [],
      }}
      columns={COLUMNS}
      keyOf={keyOf}
      rowLink={toPlace}
      empty={{ text: 'No components or config items are related to this check.' }}
    />
  )
}
