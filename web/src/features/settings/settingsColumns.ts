import {
  jobErrors,
  type SettingsField,
  type SettingsResource,
  type SettingsRow,
  toOriginWord,
} from '@watchroom/shared/settings'
import { scheduleInForce } from '@watchroom/shared/specs'

import { PicturedName } from '../../ui/config/PicturedName.tsx'
import type { CellKind, TableColumn } from '../../ui/table/column.ts'
import { JobStatus } from '../../ui/table/JobStatus.tsx'

type Column = TableColumn<SettingsRow>

const column = (kind: CellKind, key: keyof SettingsRow, title: string, isSortable = true): Column => ({
  key,
  title,
  kind,
  isSortable,
  value: (row) => row[key],
})

const ofFields = (table: string): Readonly<Record<SettingsField, readonly Column[]>> => ({
  namespace: [column('text', 'namespace', 'Namespace')],
  // Stands before the name.
  icon: [],
  labels: [column('labels', 'labels', 'Labels', false)],
  // Most often it stands in the spec, by which the database orders nothing.
  schedule: [{ ...column('code', 'schedule', 'Schedule', false), value: (row) => scheduleInForce(table, row) }],
  source: [],
})
const toStatus = ({ job_status: status, job_details: details }: SettingsRow) =>
  JobStatus({ status, why: jobErrors(details)[0] })

const OF_JOBS: readonly Column[] = [
  { ...column('time', 'job_time_start', 'Last run'), value: (row) => row.last_runtime ?? row.job_time_start },
  { ...column('status', 'job_status', 'Job status'), render: toStatus },
  column('time', 'job_last_failed', 'Last failed'),
]

/** Columns of a list, in the order of the third specification: those that its rows can fill. @param own of this table alone */
export const settingsColumns = (
  { table, noun, fields, statusView, isListAlone }: SettingsResource,
  own: readonly Column[] = [],
): readonly Column[] => [
  {
    ...column('text', 'name', 'Name'),
    isMain: true,
    ...(fields.includes('icon')
      ? { render: ({ name, icon }: SettingsRow) => PicturedName({ name, icon, type: noun }) }
      : {}),
  },
  ...fields.flatMap((field) => ofFields(table)[field]),
  { ...column('text', 'source', 'Source', false), value: toOriginWord },
  ...(statusView === undefined ? [] : OF_JOBS),
  ...own,
  column('person', 'created_by', 'Created by', false),
  column('time', 'created_at', 'Created'),
  ...(isListAlone ? [] : [column('time', 'updated_at', 'Updated')]),
]
