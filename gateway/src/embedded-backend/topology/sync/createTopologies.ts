// Topologies as one part of the backend: which there are, when they are synced, what may be saved, and a try that writes nothing.
import { hostname } from 'node:os'

import { tryParseSchedule } from '@watchroom/shared/health/check-types'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { scheduleInForce, TopologySpecSchema } from '@watchroom/shared/specs'

import { lookApart } from '../../../check-runner/lookApart.ts'
import { everySchedule, type Schedule, toSchedule } from '../../../check-runner/schedule.ts'
import { ADVISORY_LOCKS } from '../../../platform/database/advisoryLocks.ts'
import type { Family } from '../../catalog/family.ts'
import { createResourceRuns, type ResourceRuns } from '../../jobs/createResourceRuns.ts'
import { RETENTION } from '../../jobs/job.ts'
import type { JobStatus } from '../../jobs/jobHistory.ts'
import { recordResourceRun, type ResourceRow, withResource } from '../../jobs/resourceRun.ts'
import type { BackendContext } from '../../server/context.ts'
import type { JudgeRow } from '../../server/judgeWrite.ts'
import { createTopologyTrials, type TopologyTrials } from './createTopologyTrials.ts'
import { forgetDeleted } from './forgetDeleted.ts'
import { createTopologyJudge } from './judgeTopology.ts'
import { runTopology } from './runTopology.ts'

export interface SyncRecord {
  readonly status: JobStatus
  readonly errors: readonly string[]
  readonly components: number
}

export interface Topologies {
  readonly topologySyncs: ResourceRuns<SyncRecord>
  readonly topologyTrials: TopologyTrials
  readonly judge: JudgeRow
}

const JOB = {
  name: 'TopologySync',
  resourceType: 'topology',
  table: 'topologies',
  lock: ADVISORY_LOCKS.topologySync,
  retention: RETENTION.high,
} as const

/** At once: each holds what it looked up in memory. */
const MAX_CONCURRENT = 2
const DEADLINE_MS = 10 * 60_000
const BROKEN_PERIOD_MS = 10 * 60_000

type Row = ResourceRow & {
  readonly namespace: string
  readonly last: Date | null
  /** Chosen in the form, beside the spec. */
  readonly schedule: string | null
}

/** Those of other agents are theirs to sync. */
const ROWS = `select id, name, namespace, spec, nullif(schedule, '') as schedule, (
    select max(time_start) from job_history
    where resource_type = '${JOB.resourceType}' and resource_id = topologies.id::text and name = '${JOB.name}'
      and job_history.agent_id = '${NIL_UUID}') as last
  from topologies where deleted_at is null and agent_id = '${NIL_UUID}' order by id`

export function createTopologies(context: BackendContext, families: ReadonlyMap<string, Family>): Topologies {
  const { pool, vault, clock } = context
  const logger = context.logger.child({ part: 'topologies' })
  const deps = { pool, vault, clock, logger, families, lookUp: lookApart, hostname: hostname() }
  const judge = createTopologyJudge(lookApart)
  return {
    judge,
    topologyTrials: createTopologyTrials({ ...deps, judge }),
    topologySyncs: createResourceRuns<Row, SyncRecord>(context, {
      part: 'topologies',
      channel: 'watchroom_topologies',
      maxConcurrent: MAX_CONCURRENT,
      deadlineMs: DEADLINE_MS,
      rows: ROWS,
      versionOf: ({ name, namespace, spec, schedule }) => [name, namespace, spec, schedule],
      scheduleOf,
      afterReading: async () => void (await forgetDeleted(pool)),
      run: (id, signal) =>
        withResource(pool, JOB, id, async (row) => {
          const { status, errors, outcome } = await recordResourceRun(JOB, row, deps, () =>
            runTopology(row, signal, deps),
          )
          return { status, errors, components: outcome.successes }
        }),
    }),
  }
}

/** A spec that cannot be read runs all the same: its log says what is wrong with it. */
function scheduleOf({ spec, schedule: chosen }: Pick<Row, 'spec' | 'schedule'>): Schedule {
  const parsed = TopologySpecSchema.safeParse(spec)
  const schedule = tryParseSchedule(scheduleInForce('topologies', { schedule: chosen, spec: parsed.data }) ?? '')
  return parsed.success && schedule ? toSchedule(schedule) : everySchedule(BROKEN_PERIOD_MS)
}
