import { z } from 'zod'

/** What the address of the event queue says. */
export type EventQueueSearch = {
  /** Events of this name are open. */
  event: string
}

export const EventQueueSearchSchema: z.ZodType<EventQueueSearch> = z.object({ event: z.string().max(200).catch('') })
