import { Pin } from '@blueprintjs/icons'
import { MANY_CHANGES } from '@watchroom/shared/catalog'

import { ConfigType } from '../../ui/config/ConfigType.tsx'
import { ConfigTypeIcon } from '../../ui/config/ConfigTypeIcon.tsx'
import { Cost } from '../../ui/config/Cost.tsx'
import { Count } from '../../ui/config/Count.tsx'
import { HealthBar } from '../../ui/config/HealthBar.tsx'
import { InsightCounts } from '../../ui/config/InsightCounts.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { DASH } from '../../ui/table/Cell.tsx'
import type { TableColumn } from '../../ui/table/column.ts'
import type { SummaryRow } from './summaryRows.ts'

import styles from './catalogList.module.css'

type Column = TableColumn<SummaryRow>

const costOf = ({ summary }: SummaryRow) => summary.cost_total_30d ?? summary.cost_30d

/** `3 healthy, 1 unhealthy` */
const toCounts = (counts: Readonly<Record<string, number>> | null | undefined): string =>
  Object.entries(counts ?? {})
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')

/** @param isClassHidden the class stands above the rows */
export const summaryColumns = (
  isClassHidden: boolean,
  onPin: (type: string, isPinned: boolean) => void,
): readonly Column[] => [
  {
    key: 'type',
    title: 'Type',
    kind: 'text',
    isMain: true,
    isSortable: true,
    value: ({ summary }) => summary.type,
    render: ({ summary: { type }, isPinned }) => (
      <span className={styles['type']}>
        <ConfigTypeIcon type={type} />
        <ConfigType type={type} isClassHidden={isClassHidden && !isPinned} />
      </span>
    ),
  },
  {
    key: 'pin',
    title: 'Pin',
    kind: 'actions',
    value: () => null,
    render: ({ summary: { type }, isPinned }) => (
      <IconButton
        icon={<Pin />}
        size="small"
        className={styles['pin'] ?? ''}
        active={isPinned}
        aria-pressed={isPinned}
        label={`Pin ${type}`}
        onClick={() => onPin(type, !isPinned)}
      />
    ),
  },
  {
    key: 'count',
    title: 'Items',
    kind: 'number',
    width: 88,
    isSortable: true,
    value: ({ summary }) => summary.count,
    render: ({ summary }) => <Count count={summary.count} />,
  },
  {
    key: 'health',
    title: 'Health',
    kind: 'text',
    width: 160,
    value: ({ summary }) => toCounts(summary.health),
    render: ({ summary }) => <HealthBar health={summary.health} count={summary.count} />,
  },
  {
    key: 'changes',
    title: 'Changes · 30 d',
    kind: 'number',
    isSortable: true,
    value: ({ summary }) => summary.changes ?? 0,
    render: ({ summary: { changes } }) => (changes ? <Count count={changes} many={MANY_CHANGES} /> : DASH),
  },
  {
    key: 'analysis',
    title: 'Analysis · 30 d',
    kind: 'tags',
    value: ({ summary }) => toCounts(summary.analysis),
    render: ({ summary }) => <InsightCounts counts={summary.analysis} />,
  },
  {
    key: 'cost',
    title: 'Cost · 30 d',
    kind: 'number',
    isSortable: true,
    value: costOf,
    render: (row) => <Cost value={costOf(row)} />,
  },
  { key: 'created_at', title: 'Created', kind: 'time', isSortable: true, value: ({ summary }) => summary.created_at },
  { key: 'updated_at', title: 'Updated', kind: 'time', isSortable: true, value: ({ summary }) => summary.updated_at },
]
