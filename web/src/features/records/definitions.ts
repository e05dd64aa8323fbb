import { z } from 'zod'

import { defineTable } from '../../api/tables.ts'
import type { CellKind, TableColumn } from '../../ui/table/column.ts'

const RowSchema = z.record(z.string(), z.unknown())
export type RecordRow = z.infer<typeof RowSchema>

type RecordColumn = TableColumn<RecordRow>

export interface RecordDefinition {
  title: string
  /** What one row is, for sentences. */
  noun: string
  /** Table or view behind /api/db. */
  view: string
  /** Embeds and the like; all columns when absent. */
  select?: string
  /** Fixed filters, as they stand in the address of the request. */
  filter?: string
  order: { by: string; direction: 'asc' | 'desc' }
  columns: readonly RecordColumn[]
  /** Column that the search box looks in; without it there is none. */
  searchColumn?: string
  /** More rows are loaded at the end, instead of pages. */
  isEndless?: true
  /** Address of one record; `{id}` stands for its key. Without it rows lead nowhere. */
  detailPath?: string
}

const column =
  (kind: CellKind, isSortable = true) =>
  (key: string, title: string): RecordColumn => ({ key, title, kind, isSortable, value: (row) => row[key] })

const text = column('text')
const time = column('time')
const number = column('number')
const status = column('status')
// The database cannot order these in a useful way.
const labels = column('labels', false)
const tags = column('tags', false)

const NEWEST_FIRST = { by: 'created_at', direction: 'desc' } as const
const BY_NAME = { by: 'name', direction: 'asc' } as const
const LIVE = 'deleted_at=is.null'

/** Every list that has no screen of its own yet: view and column names of the backend, words of the specification. */
export const RECORDS = {
  topology: {
    title: 'Dashboard',
    noun: 'components',
    view: 'components',
    select: 'id,name,type,status,health,namespace,labels,updated_at',
    filter: `${LIVE}&hidden=is.false`,
    order: BY_NAME,
    searchColumn: 'name',
    isEndless: true,
    detailPath: '/topology/{id}',
    columns: [
      text('name', 'Name'),
      text('type', 'Type'),
      status('health', 'Health'),
      text('status', 'Status'),
      text('namespace', 'Namespace'),
      labels('labels', 'Labels'),
      time('updated_at', 'Updated'),
    ],
  },
  notifications: {
    title: 'Notifications',
    noun: 'notifications',
    view: 'notifications_summary',
    select: '*,person:person_id(id,name,avatar),team:team_id(id,name,icon),created_by(id,name,avatar)',
    order: NEWEST_FIRST,
    searchColumn: 'name',
    columns: [
      text('name', 'Name'),
      tags('events', 'Events'),
      number('pending', 'Pending'),
      number('sent', 'Sent'),
      number('failed', 'Failed'),
      text('most_common_error', 'Most common error'),
      time('created_at', 'Created'),
    ],
  },
} as const satisfies Record<string, RecordDefinition>

export type RecordKind = keyof typeof RECORDS

/** The definition as the screens see it, without the literal types of the table above. */
export function recordDefinition(kind: RecordKind): RecordDefinition {
  return RECORDS[kind]
}

/** How the rows of a list are read and kept. */
export const recordTable = ({ view, select, filter }: RecordDefinition) =>
  defineTable({
    name: view,
    row: RowSchema,
    // One record is shown with everything that is known of it.
    selectOne: '*',
    ...(select === undefined ? {} : { select }),
    ...(filter === undefined ? {} : { filter }),
  })
