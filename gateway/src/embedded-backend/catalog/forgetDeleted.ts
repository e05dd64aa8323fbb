import { NIL_UUID } from '@watchroom/shared/kernel'

import type { Database } from './run/stored.ts'

/** Items of scrapers that were deleted go with them, softly; those of agents are theirs to delete. */
export async function forgetDeleted(database: Database): Promise<void> {
  await database.query(
    `update config_items set deleted_at = now(), delete_reason = 'its scraper was deleted'
     where deleted_at is null and agent_id = '${NIL_UUID}'
       and scraper_id in (select id from config_scrapers where deleted_at is not null)`,
  )
}
