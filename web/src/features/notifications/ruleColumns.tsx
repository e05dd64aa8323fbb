import type { ReactNode } from 'react'

import { PicturedName } from '../../ui/config/PicturedName.tsx'
import { Cell, DASH } from '../../ui/table/Cell.tsx'
import type { CellKind, TableColumn } from '../../ui/table/column.ts'
import type { RuleSummary } from './queries.ts'

import styles from './notifications.module.css'

type Column = TableColumn<RuleSummary>

const column = (kind: CellKind, key: keyof RuleSummary, title: string, isSortable = false): Column => ({
  key,
  title,
  kind,
  isSortable,
  value: (row) => row[key],
})

export const titleOf = ({ title, name }: Pick<RuleSummary, 'title' | 'name'>): string => title || name

function toRecipient({ person, team, custom_services: services }: RuleSummary): string {
  if (team) return team.name ?? 'Team'
  if (person) return person.name ?? 'Person'
  return services && services.length > 0 ? services.map(toServiceName).join(', ') : ''
}

/** The name of a connection referred to by name. An address may contain a credential and is not shown. */
const toServiceName = ({
  name,
  connection,
}: {
  name?: string | null | undefined
  connection?: string | null | undefined
}): string => name || /^connection:\/\/(?:[^/]+\/)?([^/]+)$/.exec(connection ?? '')?.[1] || 'Connection'

/** Author and creation time are rarely needed, and would make the list scroll sideways on a laptop. */
export const ruleColumns = (onFailed: (rule: RuleSummary) => void): readonly Column[] => [
  { ...column('text', 'title', 'Title', true), isMain: true, value: titleOf },
  { ...column('tags', 'events', 'Events'), width: 200, labelsShown: 2 },
  {
    key: 'recipient',
    title: 'Recipient',
    kind: 'text',
    width: 150,
    value: toRecipient,
    render: (rule) => <Recipient rule={rule} />,
  },
  {
    ...column('code', 'filter', 'Filter'),
    width: 140,
    render: ({ filter }) => (filter ? <Filter expression={filter} /> : DASH),
  },
  { ...column('text', 'repeat_interval', 'Repeat'), width: 80 },
  { ...column('number', 'pending', 'Pending', true), width: 92 },
  { ...column('number', 'sent', 'Sent', true), width: 72 },
  {
    ...column('number', 'failed', 'Failed', true),
    width: 80,
    render: (rule) => <Failed rule={rule} onOpen={onFailed} />,
  },
  { ...column('duration', 'avg_duration_ms', 'Average duration'), width: 128 },
  { ...column('text', 'source', 'Source'), isHiddenAtFirst: true },
  { ...column('person', 'created_by', 'Created by'), isHiddenAtFirst: true },
  { ...column('time', 'created_at', 'Created', true), isHiddenAtFirst: true },
  { ...column('time', 'updated_at', 'Updated', true), isHiddenAtFirst: true },
]

const Recipient = ({ rule }: { rule: RuleSummary }): ReactNode =>
  rule.team ? (
    <PicturedName name={toRecipient(rule)} type="team" icon={rule.team.icon} />
  ) : (
    <Cell kind="text" value={toRecipient(rule)} />
  )

/** Its beginning; the whole on hover and in the rule's form. */
const Filter = ({ expression }: { expression: string }): ReactNode => (
  <code className={styles['filter']} title={expression}>
    {expression}
  </code>
)

/** Opens the most common error, including when nothing was sent because the rule itself is broken. */
function Failed({ rule, onOpen }: { rule: RuleSummary; onOpen: (rule: RuleSummary) => void }): ReactNode {
  if (!rule.most_common_error) return rule.failed === 0 ? DASH : rule.failed.toLocaleString()
  return (
    <button
      type="button"
      className={styles['failed']}
      aria-label={`Most common error of ${titleOf(rule)}`}
      onClick={() => onOpen(rule)}
    >
      {rule.failed === 0 ? 'Error' : rule.failed.toLocaleString()}
    </button>
  )
}
