// Items that a complete run did not find any more: deleted softly, with the reason, and what was open of them is resolved.
import { inTransaction } from '../../../platform/database/inTransaction.ts'
import type { StoredItem } from './stored.ts'
import type { WriteDeps } from './writeItems.ts'

const ITEMS_PER_BATCH = 500
const REASON = 'its scraper did not find it any more'

export async function deleteUnseen(
  unseen: readonly StoredItem[],
  { pool, now, signal, summary }: Pick<WriteDeps, 'pool' | 'now' | 'signal' | 'summary'>,
): Promise<void> {
  for (let at = 0; at < unseen.length; at += ITEMS_PER_BATCH) {
    signal.throwIfAborted()
    const batch = unseen.slice(at, at + ITEMS_PER_BATCH)
    await inTransaction(pool, async (client) => {
      const ids = batch.map(({ id }) => id)
      await client.query('update config_items set deleted_at = $2, delete_reason = $3 where id = any($1)', [
        ids,
        now,
        REASON,
      ])
      await client.query(
        `update config_analysis set status = 'resolved', last_observed = $2
         where config_id = any($1) and status is distinct from 'resolved'`,
        [ids, now],
      )
    })
    for (const { type } of batch) summary.count(type, 'deleted')
  }
}
