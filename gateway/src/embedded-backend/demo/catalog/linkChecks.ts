import type { Pool } from 'pg'

import { estateWorkloads } from '../harbourParcel.ts'
import { workloadId } from './estateItems.ts'
import { ESTATE } from './estateScraper.ts'

const SELECTOR = 'demo'

/** Each check of a service belongs to what runs that service. */
export async function linkChecks(pool: Pick<Pool, 'query'>): Promise<void> {
  const workloads = estateWorkloads()
  await pool.query(
    `insert into check_config_relationships (config_id, check_id, canary_id, selector_id)
     select item.id, checks.id, canaries.id, '${SELECTOR}'
     from unnest($1::text[], $2::text[], $3::text[]) as workload(namespace, name, external_id)
     join canaries on canaries.namespace = workload.namespace and canaries.source = 'demo' and canaries.deleted_at is null
     join checks on checks.canary_id = canaries.id and checks.name = workload.name and checks.deleted_at is null
     join config_items as item on item.scraper_id = $4 and item.external_id[1] = workload.external_id
     on conflict do nothing`,
    [
      workloads.map(({ namespace }) => namespace),
      workloads.map(({ name }) => name),
      workloads.map(workloadId),
      ESTATE.id,
    ],
  )
}
