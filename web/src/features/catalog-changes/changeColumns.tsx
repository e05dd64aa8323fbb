import type { ConfigChange } from '@watchroom/shared/catalog'
import type { ReactNode } from 'react'

import { ConfigLink } from '../../ui/config/ConfigLink.tsx'
import { SeverityBars } from '../../ui/SeverityBars.tsx'
import { Cell, DASH } from '../../ui/table/Cell.tsx'
import type { TableColumn } from '../../ui/table/column.ts'
import { eventTimeColumn } from '../../ui/table/eventTimes.tsx'
import type { ThreeWayChoice } from '../../url/threeWay.ts'
import { type CellFilter, toCellFilters } from './cellFilters.ts'
import { Filterable } from './components/Filterable.tsx'

type Column = TableColumn<ConfigChange>

export const changeTime = (change: ConfigChange): string | null | undefined => change.created_at

export interface ChangeColumnOptions {
  /** Whether dividers say the day. */
  readonly isByTime: boolean
  readonly personOf: (id: string) => string | undefined
  readonly onFilter: (filter: CellFilter, choice: ThreeWayChoice) => void
}

const toAuthor = (change: ConfigChange, personOf: ChangeColumnOptions['personOf']): string | null | undefined =>
  (change.created_by && (personOf(change.created_by) ?? change.created_by)) || change.external_created_by

/** Columns of changes. Those that hold a value to filter by offer it. */
export function changeColumns({ isByTime, personOf, onFilter }: ChangeColumnOptions): readonly Column[] {
  const offering = (column: Column): Column => ({
    ...column,
    render: (change) => {
      const content = column.render?.(change) ?? <Cell kind={column.kind} value={column.value(change)} />
      const filter = toCellFilters(change, personOf).find(({ key }) => key === column.key)
      return filter === undefined ? content : withFilter(content, filter, onFilter)
    },
  })
  return [
    eventTimeColumn<ConfigChange>({ key: 'created_at', title: 'Time', isSortable: true }, changeTime, !isByTime),
    offering({
      key: 'name',
      title: 'Item',
      kind: 'link',
      isSortable: true,
      width: 190,
      value: (change) => change.name ?? change.config_id,
      render: ({ config_id: id, name, type }) => <ConfigLink config={{ id, name, type }} isTypeHidden />,
    }),
    offering({ key: 'type', title: 'Type', kind: 'text', isHiddenAtFirst: true, value: ({ type }) => type }),
    offering({
      key: 'change_type',
      title: 'Change',
      kind: 'text',
      isSortable: true,
      width: 140,
      value: (change) => change.change_type,
    }),
    offering({
      key: 'severity',
      title: 'Severity',
      kind: 'status',
      width: 104,
      value: ({ severity }) => severity,
      render: ({ severity }) => (severity ? <SeverityBars severity={severity} /> : DASH),
    }),
    {
      key: 'summary',
      title: 'Summary',
      kind: 'text',
      isSortable: true,
      isMain: true,
      value: (change) => change.summary || change.change_type || 'Change',
    },
    offering({
      key: 'source',
      title: 'Source',
      kind: 'text',
      width: 120,
      isSortable: true,
      value: ({ source }) => source,
    }),
    offering({ key: 'by', title: 'By', kind: 'text', width: 100, value: (change) => toAuthor(change, personOf) }),
    { key: 'count', title: 'Count', kind: 'number', width: 72, isSortable: true, value: ({ count }) => count },
    eventTimeColumn<ConfigChange>(
      // With this column, the summary would be the narrowest even on a desktop.
      { key: 'first_observed', title: 'First observed', isHiddenAtFirst: true },
      (change) => change.first_observed,
      true,
    ),
    { key: 'tags', title: 'Tags', kind: 'labels', isHiddenAtFirst: true, value: ({ tags }) => tags },
  ]
}

const withFilter = (content: ReactNode, filter: CellFilter, onFilter: ChangeColumnOptions['onFilter']): ReactNode => (
  <Filterable filter={filter} onFilter={onFilter}>
    {content}
  </Filterable>
)
