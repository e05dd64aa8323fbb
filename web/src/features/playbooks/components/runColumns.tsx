import { isEnded, type PlaybookRunSummary } from '@watchroom/shared/playbooks'

import { DASH } from '../../../ui/table/Cell.tsx'
import type { TableColumn } from '../../../ui/table/column.ts'
import type { RowLink } from '../../../ui/table/RowCells.tsx'
import { targetOf, titleOf, whyOf } from '../runParts.ts'
import { RunStatusTag } from './RunStatusTag.tsx'
import { Elapsed } from './RunSteps.tsx'

import styles from '../playbooks.module.css'

export const runKey = ({ id }: PlaybookRunSummary): string => id
export const toRun = ({ id }: PlaybookRunSummary): RowLink => ({ to: `/playbooks/runs/${id}` })

export const RUN_COLUMNS: readonly TableColumn<PlaybookRunSummary>[] = [
  { key: 'playbook', title: 'Playbook', kind: 'text', isMain: true, value: ({ playbooks }) => titleOf(playbooks) },
  {
    key: 'status',
    title: 'Status',
    kind: 'status',
    value: ({ status }) => status,
    render: ({ status }) => <RunStatusTag status={status} />,
  },
  {
    key: 'error',
    title: 'Why',
    kind: 'text',
    value: whyOf,
    render: (run) => {
      const why = whyOf(run)
      return why === null ? (
        DASH
      ) : (
        <span className={styles['why']} title={why}>
          {why}
        </span>
      )
    },
  },
  { key: 'resource', title: 'Resource', kind: 'text', value: (run) => targetOf(run)?.name },
  { key: 'started', title: 'Started', kind: 'time', value: ({ start_time: at, created_at: asked }) => at ?? asked },
  {
    key: 'duration',
    title: 'Duration',
    kind: 'duration',
    value: ({ start_time: from }) => from,
    render: ({ start_time: from, end_time: to, status }) =>
      from ? <Elapsed from={from} to={isEnded(status) ? (to ?? from) : null} /> : DASH,
  },
  { key: 'by', title: 'Triggered By', kind: 'person', value: ({ created_by: by }) => by?.name },
]
