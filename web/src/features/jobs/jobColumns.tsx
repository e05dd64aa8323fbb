import { Link } from '@tanstack/react-router'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { jobErrors, type JobHistory, toJobPlace } from '@watchroom/shared/settings'
import { formatDuration } from '@watchroom/shared/time'
import type { ReactNode } from 'react'

import { AreaLink } from '../../api/AreaLink.tsx'
import { useDisabledAreas } from '../../api/featureFlags.tsx'
import { useServerNow } from '../../ui/clock.tsx'
import { parseMoment } from '../../ui/formatTime.ts'
import { Cell, DASH } from '../../ui/table/Cell.tsx'
import type { TableColumn } from '../../ui/table/column.ts'
import { eventTimeColumn } from '../../ui/table/eventTimes.tsx'
import { JobStatus } from '../../ui/table/JobStatus.tsx'
import { hasDetails } from './jobDetails.ts'

import styles from './jobs.module.css'

type Column = TableColumn<JobHistory>

const TICK_MS = 1_000

const OF_RESOURCE: readonly Column[] = [
  {
    key: 'resource_type',
    title: 'Resource type',
    kind: 'text',
    width: 112,
    isSortable: true,
    value: (job) => job.resource_type,
  },
  {
    key: 'resource_name',
    title: 'Resource',
    kind: 'text',
    width: 136,
    value: (job) => job.resource_name,
    render: (job) => <Resource job={job} />,
  },
]

/** When a job began. */
export const jobTime = (job: JobHistory): string | null | undefined => job.created_at ?? job.time_start

interface JobColumns {
  /** All are of one resource, which the page is about. */
  readonly isOfOne: boolean
  /** Their days are divided. */
  readonly isByTime: boolean
  readonly onDetails: (job: JobHistory) => void
}

export const jobColumns = ({ isOfOne, isByTime, onDetails }: JobColumns): readonly Column[] => [
  eventTimeColumn({ key: 'created_at', title: 'Time', isSortable: true }, jobTime, !isByTime),
  { key: 'name', title: 'Job', kind: 'text', isSortable: true, isMain: true, value: ({ name }) => name },
  ...(isOfOne ? [] : OF_RESOURCE),
  {
    key: 'agent',
    title: 'Agent',
    kind: 'link',
    width: 84,
    value: ({ agent }) =>
      agent && agent.id !== NIL_UUID
        ? { text: agent.name ?? 'Agent', href: `/settings/agents?id=${agent.id}` }
        : undefined,
    render: ({ agent }) => <Agent agent={agent} />,
  },
  {
    key: 'status',
    title: 'Status',
    kind: 'status',
    width: 108,
    isSortable: true,
    value: ({ status }) => status,
    render: ({ status }) => <JobStatus status={status} />,
  },
  {
    key: 'duration_millis',
    title: 'Duration',
    kind: 'duration',
    width: 90,
    isSortable: true,
    value: (job) => job.duration_millis,
    render: (job) => <Duration job={job} />,
  },
  {
    key: 'success_count',
    title: 'Succeeded',
    kind: 'number',
    width: 94,
    isSortable: true,
    value: (job) => job.success_count,
  },
  {
    key: 'error_count',
    title: 'Errors',
    kind: 'number',
    width: 74,
    isSortable: true,
    value: (job) => job.error_count,
  },
  {
    key: 'details',
    title: 'Details',
    kind: 'text',
    width: 158,
    value: (job) => jobErrors(job.details)[0],
    render: (job) => <Details job={job} onOpen={onDetails} />,
  },
]

function Resource({ job }: { job: JobHistory }): ReactNode {
  const areas = useDisabledAreas()
  const place = toJobPlace(job)
  const name = job.resource_name ?? job.resource_id
  if (!name) return DASH
  return place === null || areas.has(place.area) ? <Cell kind="text" value={name} /> : <Link to={place.to}>{name}</Link>
}

function Agent({ agent }: Pick<JobHistory, 'agent'>): ReactNode {
  if (!agent || agent.id === NIL_UUID) return DASH
  return (
    <AreaLink area="agents" to="/settings/agents" search={{ id: agent.id }}>
      {agent.name ?? 'Agent'}
    </AreaLink>
  )
}

function Duration({ job }: { job: JobHistory }): ReactNode {
  if (job.status === 'RUNNING' && job.time_start) return <Ticking from={job.time_start} />
  return <Cell kind="duration" value={job.duration_millis} />
}

function Ticking({ from }: { from: string }): ReactNode {
  const seconds = Math.floor((useServerNow(TICK_MS) - parseMoment(from)) / TICK_MS)
  return formatDuration(Math.max(0, seconds) * TICK_MS)
}

/** The first thing that went wrong, or that there is something to read; opens the rest. */
function Details({ job, onOpen }: { job: JobHistory; onOpen: (job: JobHistory) => void }): ReactNode {
  if (!hasDetails(job)) return DASH
  const [error] = jobErrors(job.details)
  return (
    <button
      type="button"
      className={styles['details']}
      title={error}
      aria-label={`Details for job ${job.name}${error === undefined ? '' : `: ${error}`}`}
      onClick={() => onOpen(job)}
    >
      {error ?? 'Show'}
    </button>
  )
}
