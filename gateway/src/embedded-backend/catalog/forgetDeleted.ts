import { NIL_UUID } from '@watchroom/shared/kernel'

import type { Database } from './run/stored.ts'
import { softDeletion } from './softDeletion.ts'

const FORGET = softDeletion(`agent_id = '${NIL_UUID}'
  and scraper_id in (select id from config_scrapers where deleted_at is not null)`)

/** Items of scrapers that were deleted go with them, softly; those of agents are theirs to delete. */
export async function forgetDeleted(database: Database, now: Date): Promise<void> {
  await database.query(FORGET, [now, 'its scraper was deleted'])
}
