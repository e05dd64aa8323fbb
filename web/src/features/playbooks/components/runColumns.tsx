import { isEnded, type PlaybookRunSummary } from '@watchroom/shared/playbooks'

import { parseMoment } from '../../../ui/formatTime.ts'
import { DASH } from '../../../ui/table/Cell.tsx'
import type { TableColumn } from '../../../ui/table/column.ts'
import { eventTimeColumn } from '../../../ui/table/eventTimes.tsx'
import type { RowLink } from '../../../ui/table/RowCells.tsx'
import { whyColumn } from '../../../ui/table/Why.tsx'
import { targetOf, titleOf, whyOf } from '../runParts.ts'
import { RunStatusTag } from './RunStatusTag.tsx'
import { Elapsed } from './RunSteps.tsx'

export const runKey = ({ id }: PlaybookRunSummary): string => id
export const toRun = ({ id }: PlaybookRunSummary): RowLink => ({ to: `/playbooks/runs/${id}` })

/** When it began, or was asked for. */
export const runTime = ({ start_time: at, created_at: asked }: PlaybookRunSummary): string | null | undefined =>
  at ?? asked

export const RUN_COLUMNS: readonly TableColumn<PlaybookRunSummary>[] = [
  { key: 'playbook', title: 'Playbook', kind: 'text', isMain: true, value: ({ playbooks }) => titleOf(playbooks) },
  {
    key: 'status',
    title: 'Status',
    kind: 'status',
    value: ({ status }) => status,
    render: ({ status }) => <RunStatusTag status={status} />,
  },
  whyColumn(whyOf),
  { key: 'resource', title: 'Resource', kind: 'text', value: (run) => targetOf(run)?.name },
  eventTimeColumn({ key: 'started', title: 'Started' }, runTime),
  {
    key: 'duration',
    title: 'Duration',
    kind: 'duration',
    value: ({ start_time: from, end_time: to, status }) =>
      from && to && isEnded(status) ? parseMoment(to) - parseMoment(from) : null,
    render: ({ start_time: from, end_time: to, status }) =>
      from ? <Elapsed from={from} to={isEnded(status) ? (to ?? from) : null} /> : DASH,
  },
  { key: 'by', title: 'Triggered By', kind: 'person', value: ({ created_by: by }) => by?.name },
]
