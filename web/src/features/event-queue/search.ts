import { z } from 'zod'

import { sortFields } from '../../ui/table/listSearch.ts'

/** Columns that the list can be ordered by; they stand in the address. */
const QUEUE_SORT_KEYS = ['name', 'pending', 'failed', 'average_attempts', 'first_failure', 'last_failure'] as const

/** What the address of the event queue says; nonsense falls back key by key. */
export const EventQueueSearchSchema = z.object({
  /** Events of this name are open. */
  event: z.string().max(200).catch(''),
  ...sortFields(QUEUE_SORT_KEYS, 'last_failure'),
})
