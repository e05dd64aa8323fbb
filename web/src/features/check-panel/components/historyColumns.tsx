import type { CheckStatus } from '@watchroom/shared/health'

import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { DASH } from '../../../ui/table/Cell.tsx'
import type { TableColumn } from '../../../ui/table/column.ts'

import styles from '../checkPanel.module.css'

/** Results of a check. */
export const HISTORY_COLUMNS: readonly TableColumn<CheckStatus>[] = [
  { key: 'time', title: 'Age', kind: 'time', value: (result) => result.time },
  {
    key: 'status',
    title: 'Status',
    kind: 'status',
    value: (result) => result.status,
    render: ({ invalid, status }) => (
      <StatusGlyph
        status={invalid ? 'warning' : status ? 'healthy' : 'unhealthy'}
        word={invalid ? 'Broken' : status ? 'Passed' : 'Failed'}
      />
    ),
  },
  { key: 'duration', title: 'Duration', kind: 'duration', value: (result) => result.duration },
  {
    key: 'message',
    title: 'Message',
    kind: 'text',
    isMain: true,
    isWrapped: true,
    value: (result) => result.message,
    render: ({ message, error }) => (
      <>
        {message ? <div>{message}</div> : null}
        {error ? <div className={styles['resultError']}>{error}</div> : null}
        {message || error ? null : DASH}
      </>
    ),
  },
]
