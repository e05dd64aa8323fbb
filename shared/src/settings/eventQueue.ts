import { z } from 'zod'

const count = z.coerce.number().nullish()
const text = z.string().nullish()

/** A row of `event_queue_summary`: how the events of one name fare. */
export const EventQueueSchema = z.object({
  name: z.string(),
  pending: count,
  failed: count,
  average_attempts: count,
  first_failure: text,
  last_failure: text,
  most_common_error: text,
})
export type EventQueue = z.infer<typeof EventQueueSchema>

/** An event that waits with the reason why it could not be handled. */
export const FailedEventSchema = z.object({
  id: z.string(),
  name: z.string(),
  properties: z.record(z.string(), z.unknown()).nullish().catch(null),
  error: text,
  attempts: z.number().nullish(),
  created_at: text,
  last_attempt: text,
})
export type FailedEvent = z.infer<typeof FailedEventSchema>

/** As many as a page of failed events shows. */
export const MAX_EVENTS = 100

/** Which failed events are meant. */
export const EventIdsSchema = z.strictObject({
  ids: z.array(z.guid('Must be the id of an event')).min(1, 'This field is required').max(MAX_EVENTS),
})

/** How many of them were still there and failed. */
export const EventsChangedSchema = z.object({ count: z.number() })
