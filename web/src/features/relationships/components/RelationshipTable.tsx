import { countChanges, MANY_CHANGES, type RelatedConfig, toConfigHealth } from '@watchroom/shared/catalog'
import { useMemo } from 'react'

import { ConfigName } from '../../../ui/config/ConfigLink.tsx'
import { ConfigType } from '../../../ui/config/ConfigType.tsx'
import { Count } from '../../../ui/config/Count.tsx'
import type { DataState } from '../../../ui/dataState.ts'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { DASH } from '../../../ui/table/Cell.tsx'
import type { TableColumn } from '../../../ui/table/column.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import type { ToolbarProps } from '../../../ui/table/ResourceToolbar.tsx'
import type { RowLink } from '../../../ui/table/RowCells.tsx'
import type { RowGroup } from '../../../ui/table/TableGrid.tsx'

import styles from '../relationships.module.css'

const COLUMNS: readonly TableColumn<RelatedConfig>[] = [
  {
    key: 'name',
    title: 'Name',
    kind: 'text',
    isMain: true,
    value: ({ name }) => name,
    render: (config) => (
      <span className={config.deleted_at ? styles['deleted'] : undefined}>
        <ConfigName config={config} isTypeHidden />
      </span>
    ),
  },
  {
    key: 'health',
    title: 'Status',
    kind: 'status',
    value: ({ health }) => health,
    render: ({ health, status, deleted_at: deletedAt }) => {
      if (deletedAt) return <StatusGlyph status="deleted" />
      return health || status ? <StatusGlyph status={toConfigHealth(health)} word={status ?? undefined} /> : DASH
    },
  },
  {
    key: 'changes',
    title: 'Changes',
    kind: 'number',
    value: countChanges,
    render: (config) => <Count count={countChanges(config)} many={MANY_CHANGES} />,
  },
  {
    key: 'insights',
    title: 'Insights',
    kind: 'number',
    value: ({ analysis }) => analysis?.length ?? 0,
    render: ({ analysis }) => <Count count={analysis?.length ?? 0} />,
  },
  { key: 'tags', title: 'Tags', kind: 'labels', value: ({ tags }) => tags },
  { key: 'updated', title: 'Updated', kind: 'time', value: ({ updated_at: at }) => at },
]
const keyOf = ({ id }: RelatedConfig): string => id
const toItem = ({ id }: RelatedConfig): RowLink => ({ to: `/catalog/${id}` })

interface RelationshipTableProps {
  state: DataState<readonly RelatedConfig[]>
  toolbar: ToolbarProps
  isFiltered: boolean
}

/** What is related, by type; what was deleted comes last and is grey. */
export function RelationshipTable({ state, toolbar, isFiltered }: RelationshipTableProps) {
  const rows = useMemo(() => state.data?.toSorted(byType), [state.data])
  const groupOf = useMemo(() => toGroups(rows ?? []), [rows])
  return (
    <ResourceTable
      name="config-relationships"
      label="Relationships"
      state={{ ...state, data: rows }}
      columns={COLUMNS}
      keyOf={keyOf}
      rowLink={toItem}
      groupOf={groupOf}
      isLive
      toolbar={toolbar}
      empty={{ title: 'No relationships', text: 'Nothing is related to this item in the selected directions.' }}
      filteredEmpty={isFiltered ? { title: 'Nothing found', text: 'No related item matches these filters.' } : null}
    />
  )
}

function toGroups(rows: readonly RelatedConfig[]): (row: RelatedConfig) => RowGroup {
  const counts = new Map<string, number>()
  for (const { type } of rows) counts.set(type, (counts.get(type) ?? 0) + 1)
  return ({ type }) => ({
    key: type,
    title: (
      <>
        <ConfigType type={type} /> <Count count={counts.get(type) ?? 0} />
      </>
    ),
  })
}

/** By type, within it by name, those that were deleted behind the others. */
function byType(one: RelatedConfig, other: RelatedConfig): number {
  return (
    one.type.localeCompare(other.type) ||
    Number(Boolean(one.deleted_at)) - Number(Boolean(other.deleted_at)) ||
    (one.name ?? '').localeCompare(other.name ?? '')
  )
}
