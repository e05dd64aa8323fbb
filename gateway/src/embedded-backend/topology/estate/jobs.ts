import { NIL_UUID } from '@watchroom/shared/kernel'

import { everySchedule } from '../../../check-runner/schedule.ts'
import { type Job, RETENTION } from '../../jobs/job.ts'

const MINUTE_MS = 60_000

/** Schema reference 7.11: each item counts once for a component, however many ways lead to it. */
const SUM_UP_COSTS = `
  with recursive below (id, member, level) as (
    select id, id, 0 from public.components where deleted_at is null and agent_id = $1
    union
    select below.id, child.id, below.level + 1
    from below join public.components as child on child.parent_id = below.member and child.deleted_at is null
    where below.level < 10
  ),
  members as (
    select id, member from below
    union
    select below.id, edge.relationship_id
    from below join public.component_relationships as edge on edge.component_id = below.member and edge.deleted_at is null
    where below.level > 0
  ),
  items as (
    select distinct members.id, link.config_id
    from members
    join public.config_component_relationships as link on link.component_id = members.member and link.deleted_at is null
  ),
  costs as (
    select items.id, sum(cost_per_minute) as per_minute, sum(cost_total_1d) as day, sum(cost_total_7d) as week,
      sum(cost_total_30d) as month
    from items join public.config_items on config_items.id = items.config_id and config_items.deleted_at is null
    group by items.id
  )
  update public.components set cost_per_minute = costs.per_minute, cost_total_1d = costs.day,
    cost_total_7d = costs.week, cost_total_30d = costs.month
  from costs
  where components.id = costs.id
    and (components.cost_per_minute, components.cost_total_1d, components.cost_total_7d, components.cost_total_30d)
      is distinct from (costs.per_minute, costs.day, costs.week, costs.month)`

/** @param sync works the whole estate out again and writes what is different. @returns how many rows */
export const toEstateJobs = (sync: () => Promise<number>): readonly Job[] => [
  {
    name: 'ComponentStatusSummarySync',
    resourceType: 'topology',
    schedule: everySchedule(2 * MINUTE_MS),
    deadlineMs: MINUTE_MS,
    retention: RETENTION.few,
    run: async ({ report }) => report.success(await sync()),
  },
  {
    name: 'ComponentCostSync',
    resourceType: 'topology',
    schedule: everySchedule(60 * MINUTE_MS),
    deadlineMs: 10 * MINUTE_MS,
    retention: RETENTION.few,
    run: async ({ pool, report }) => {
      const { rowCount } = await pool.query(SUM_UP_COSTS, [NIL_UUID])
      report.success(rowCount ?? 0)
    },
  },
]
