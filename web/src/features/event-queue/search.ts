import { z } from 'zod'

/** Columns that the list can be ordered by; they stand in the address. */
const QUEUE_SORT_KEYS = ['name', 'pending', 'failed', 'average_attempts', 'first_failure', 'last_failure'] as const

/** What the address of the event queue says; nonsense falls back key by key. */
export type EventQueueSearch = {
  /** Events of this name are open. */
  event: string
  sortBy: (typeof QUEUE_SORT_KEYS)[number]
  sortOrder: 'asc' | 'desc'
}

export const EventQueueSearchSchema: z.ZodType<EventQueueSearch> = z.object({
  event: z.string().max(200).catch(''),
  sortBy: z.enum(QUEUE_SORT_KEYS).catch('last_failure'),
  sortOrder: z.enum(['asc', 'desc']).catch('desc'),
})
