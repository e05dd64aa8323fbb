// Items that a complete run did not find any more: deleted softly, with the reason, and what was open of them is resolved.
import { softDeletion } from '../softDeletion.ts'
import type { StoredItem } from './stored.ts'
import type { WriteDeps } from './writeItems.ts'

const ITEMS_PER_BATCH = 500
const FORGET = softDeletion('id = any($3)')
const REASON = 'its scraper did not find it any more'

export async function deleteUnseen(
  unseen: readonly StoredItem[],
  { pool, now, signal, summary }: Pick<WriteDeps, 'pool' | 'now' | 'signal' | 'summary'>,
): Promise<void> {
  for (let at = 0; at < unseen.length; at += ITEMS_PER_BATCH) {
    signal.throwIfAborted()
    const batch = unseen.slice(at, at + ITEMS_PER_BATCH)
    await pool.query(FORGET, [now, REASON, batch.map(({ id }) => id)])
    for (const { type } of batch) summary.count(type, 'deleted')
  }
}
