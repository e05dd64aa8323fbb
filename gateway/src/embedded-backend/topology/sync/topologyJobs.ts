// Internal jobs of the topology: the safety net below syncs, and what nobody needs any more.
import { everySchedule } from '../../../check-runner/schedule.ts'
import { deleteInBatches } from '../../jobs/deleteInBatches.ts'
import { type Job, type JobContext, RETENTION } from '../../jobs/job.ts'
import { oldestKept } from '../../jobs/properties.ts'
import { forgetDeleted } from './forgetDeleted.ts'
import { type LinkKind, relateComponents } from './relate.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const relating = (name: string, kind: LinkKind, minutes: number): Job => ({
  name,
  resourceType: 'components',
  schedule: everySchedule(minutes * MINUTE_MS),
  deadlineMs: 10 * MINUTE_MS,
  retention: RETENTION.few,
  run: async ({ pool, report }) => {
    const { components, problems } = await relateComponents(pool, kind)
    report.success(components)
    for (const problem of problems) report.failure(problem)
  },
})

/** Nobody points at it, and nothing is below it. */
const IS_UNUSED = `deleted_at < $1
  and not exists (select from components as child where child.parent_id = components.id)
  and not exists (select from evidences where evidences.component_id = components.id)
  and not exists (select from playbook_runs where playbook_runs.component_id = components.id)
  and not exists (select from notification_silences where notification_silences.component_id = components.id)
  and not exists (select from permissions where permissions.component_id = components.id)`

/** Parents go after what was below them. */
async function deleteLevels(context: JobContext, before: Date): Promise<void> {
  let isFound = true
  const report = {
    ...context.report,
    success: (count = 1) => {
      isFound ||= count > 0
      context.report.success(count)
    },
  }
  while (isFound) {
    isFound = false
    await deleteInBatches({ ...context, report }, { table: 'components', condition: IS_UNUSED, values: [before] })
  }
}

export const TOPOLOGY_JOBS: readonly Job[] = [
  relating('ComponentRelationshipSync', 'components', 5),
  relating('ComponentCheckRun', 'checks', 2),
  relating('ComponentConfigRun', 'configs', 2),
  {
    name: 'CleanupComponents',
    resourceType: 'components',
    schedule: everySchedule(HOUR_MS),
    deadlineMs: 10 * MINUTE_MS,
    retention: RETENTION.few,
    run: async ({ pool, report }) => report.success(await forgetDeleted(pool)),
  },
  {
    name: 'CleanupSoftDeletedComponents',
    resourceType: 'components',
    schedule: everySchedule(24 * HOUR_MS),
    deadlineMs: HOUR_MS,
    retention: RETENTION.few,
    run: async (context) => {
      await deleteLevels(context, await oldestKept(context, 'component.retention.period', '7d'))
    },
  },
]
