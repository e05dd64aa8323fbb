import { toSettingsOrigin } from '@watchroom/shared/settings'
import {
  CONNECTION_TYPES,
  type ConnectionSummary,
  isConnectionType,
  testEveryOf,
} from '@watchroom/shared/settings/connections'

import { HoverCard } from '../../ui/HoverCard.tsx'
import { type GlyphStatus, StatusGlyph } from '../../ui/StatusGlyph.tsx'
import type { CellKind, TableColumn } from '../../ui/table/column.ts'
import { Why } from '../../ui/table/Why.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { ConnectionIcon } from './ConnectionIcon.tsx'

import styles from './connections.module.css'

const titleOfType = (type: string): string => (isConnectionType(type) ? CONNECTION_TYPES[type].title : type)

const column = (kind: CellKind, key: keyof ConnectionSummary, title: string): TableColumn<ConnectionSummary> => ({
  key,
  title,
  kind,
  isSortable: true,
  value: (row) => row[key],
})

const VERDICTS: Readonly<Record<NonNullable<ConnectionSummary['test_outcome']>, readonly [GlyphStatus, string]>> = {
  ok: ['healthy', 'Works'],
  failed: ['unhealthy', 'Failed'],
  unsupported: ['unknown', 'Not supported'],
}

function LastTest({ row }: { row: ConnectionSummary }) {
  const { test_outcome: outcome, test_message: message, tested_at: at } = row
  const every = testEveryOf(row)
  const rhythm = every === null ? '' : `every ${every}`
  if (!outcome) return <span className="wr-muted">{rhythm === '' ? 'Never' : `Not yet, ${rhythm}`}</span>
  const [status, word] = VERDICTS[outcome]
  return (
    <span className={styles['tested']}>
      <span className={styles['lastTest']}>
        <StatusGlyph status={status} word={word} />
        <span className="wr-muted">
          <TimeAgo at={at} />
          {rhythm === '' ? null : `, ${rhythm}`}
        </span>
      </span>
      {message && outcome === 'failed' ? <Why text={message} /> : null}
    </span>
  )
}

function UsedBy({ users }: { users: ConnectionSummary['used_by'] }) {
  if (users.length === 0) return <span className="wr-muted">Nothing</span>
  return (
    <HoverCard
      opensOnClick
      content={users.map(({ kind, id, name }) => (
        <p key={id}>{`${name} (${kind})`}</p>
      ))}
    >
      <button type="button" className="wr-hover-text">
        {users.length === 1 ? users[0]?.name : `${users.length} users`}
      </button>
    </HoverCard>
  )
}

export const CONNECTION_COLUMNS: readonly TableColumn<ConnectionSummary>[] = [
  { ...column('text', 'name', 'Name'), isMain: true },
  { ...column('text', 'namespace', 'Namespace'), width: 120 },
  {
    ...column('text', 'type', 'Type'),
    width: 136,
    value: ({ type }) => titleOfType(type),
    render: ({ type }) => (
      <span className={styles['type']}>
        <ConnectionIcon type={type} />
        {titleOfType(type)}
      </span>
    ),
  },
  {
    ...column('text', 'used_by', 'Used by'),
    width: 124,
    isSortable: false,
    value: ({ used_by }) => used_by.map(({ name }) => name).join(', '),
    render: ({ used_by }) => <UsedBy users={used_by} />,
  },
  { ...column('text', 'tested_at', 'Last test'), width: 184, render: (row) => <LastTest row={row} /> },
  {
    ...column('text', 'source', 'Source'),
    width: 100,
    isSortable: false,
    value: (row) =>
      toSettingsOrigin({ id: row.id, source: row.source, agentId: null }).kind === 'file' ? 'Local file' : row.source,
  },
  {
    ...column('person', 'created_by', 'Created by'),
    width: 104,
    isSortable: false,
    value: ({ created_by }) => created_by?.name,
  },
  { ...column('time', 'created_at', 'Created'), width: 88 },
  { ...column('time', 'updated_at', 'Updated'), width: 88 },
]
