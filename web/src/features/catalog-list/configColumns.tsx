import { type Config, countChanges, MANY_CHANGES, toConfigHealth } from '@watchroom/shared/catalog'
import { NIL_UUID } from '@watchroom/shared/kernel'

import { ConfigName } from '../../ui/config/ConfigLink.tsx'
import { ConfigType } from '../../ui/config/ConfigType.tsx'
import { Cost } from '../../ui/config/Cost.tsx'
import { Count } from '../../ui/config/Count.tsx'
import { countByType, InsightCounts } from '../../ui/config/InsightCounts.tsx'
import { StatusGlyph } from '../../ui/StatusGlyph.tsx'
import { DASH } from '../../ui/table/Cell.tsx'
import type { TableColumn } from '../../ui/table/column.ts'

import styles from './catalogList.module.css'

type Column = TableColumn<Config>

function Status({ config: { health, status, deleted_at: deletedAt } }: { config: Config }) {
  if (deletedAt) return <StatusGlyph status="deleted" />
  if (!health && !status) return DASH
  return (
    <span className={styles['status']} title={status ?? undefined}>
      <StatusGlyph status={toConfigHealth(health)} isWordHidden={Boolean(status)} />
      {status ? <span>{status}</span> : null}
    </span>
  )
}

/** Of an item that another cluster pushed. */
function Agent({ agent }: Pick<Config, 'agent'>) {
  if (!agent?.name || agent.id === NIL_UUID) return null
  return <span className={styles['agent']}>{agent.name}</span>
}

interface ColumnOptions {
  readonly areDeletedHidden: boolean
  readonly bucketOf: (updatedAt: string | null | undefined) => string
}

/** Eleven columns, in the order of the third specification, section 2. */
export const configColumns = ({ areDeletedHidden, bucketOf }: ColumnOptions): readonly Column[] => [
  {
    key: 'name',
    title: 'Name',
    kind: 'text',
    isMain: true,
    isSortable: true,
    value: ({ name, type }) => name || type,
    render: (config) => (
      <span className={styles['name']}>
        <ConfigName config={config} isTypeHidden />
        <Agent agent={config.agent} />
      </span>
    ),
  },
  {
    key: 'type',
    title: 'Type',
    kind: 'text',
    width: 124,
    isSortable: true,
    value: ({ type }) => type,
    render: ({ type }) => <ConfigType type={type} />,
  },
  {
    key: 'status',
    title: 'Status',
    kind: 'status',
    width: 104,
    isSortable: true,
    value: ({ status, health }) => status ?? health,
    render: (config) => <Status config={config} />,
  },
  {
    key: 'changes',
    title: 'Changes',
    kind: 'number',
    width: 76,
    value: countChanges,
    render: (config) => {
      const count = countChanges(config)
      return count > 0 ? <Count count={count} many={MANY_CHANGES} /> : DASH
    },
  },
  {
    key: 'tags',
    title: 'Tags',
    kind: 'labels',
    width: 172,
    labelsShown: 1,
    value: ({ tags }) => (isEmpty(tags) ? null : tags),
  },
  {
    key: 'analysis',
    title: 'Analysis',
    kind: 'tags',
    width: 92,
    value: ({ analysis }) => analysis?.length ?? 0,
    render: ({ analysis }) => <InsightCounts counts={countByType(analysis)} />,
  },
  {
    key: 'cost',
    title: 'Cost',
    kind: 'number',
    width: 96,
    isSortable: true,
    value: (config) => config.cost_total_30d,
    render: (config) => <Cost value={config.cost_total_30d} costs={config} />,
  },
  {
    key: 'created_at',
    title: 'Created',
    kind: 'time',
    width: 88,
    isSortable: true,
    value: (config) => config.created_at,
  },
  {
    key: 'updated_at',
    title: 'Updated',
    kind: 'time',
    width: 88,
    isSortable: true,
    value: (config) => config.updated_at,
  },
  {
    key: 'deleted_at',
    title: 'Deleted At',
    kind: 'time',
    isSortable: true,
    isHiddenAtFirst: areDeletedHidden,
    value: (config) => config.deleted_at,
  },
  {
    key: 'changed',
    title: 'Changed',
    kind: 'text',
    width: 108,
    value: (config) => bucketOf(config.updated_at),
  },
]

const isEmpty = (tags: Config['tags']): boolean => Object.keys(tags ?? {}).length === 0
