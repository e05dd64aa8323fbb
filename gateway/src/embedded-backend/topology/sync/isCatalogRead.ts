import { NIL_UUID } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'

import { SCRAPE_JOB } from '../../catalog/recordRun.ts'

/**
 * Whether every scraper that runs here has run once. Before that an item that is not there may only not have been read yet, as after
 * a first start: nothing is wrong with whoever asks for it.
 */
export async function isCatalogRead(pool: Pick<Pool, 'query'>): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from config_scrapers where deleted_at is null and agent_id = '${NIL_UUID}' and not exists (
       select from job_history
       where resource_type = '${SCRAPE_JOB.resourceType}' and resource_id = config_scrapers.id::text
         and name = '${SCRAPE_JOB.name}' and status <> 'RUNNING'
         and job_history.agent_id = '${NIL_UUID}')
     limit 1`,
  )
  return rowCount === 0
}
