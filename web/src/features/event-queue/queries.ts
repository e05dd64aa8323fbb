import { useQueryClient } from '@tanstack/react-query'
import { EVENT_ROUTES } from '@watchroom/shared/access'
import { eventQueueTopic } from '@watchroom/shared/protocol'
import {
  type EventQueue,
  EventQueueSchema,
  EventsChangedSchema,
  type FailedEvent,
  FailedEventSchema,
  MAX_EVENTS,
} from '@watchroom/shared/settings'

import { request } from '../../api/request.ts'
import { defineTable } from '../../api/tables.ts'
import { useOnBurst } from '../../live/useOnBurst.ts'
import { useTopic } from '../../live/useTopic.ts'

/** Kinds of events there are few. */
const MAX_NAMES = 500

export const queueTable = defineTable<EventQueue>({ name: 'event_queue_summary', row: EventQueueSchema, key: 'name' })
const eventTable = defineTable<FailedEvent>({
  name: 'event_queue',
  row: FailedEventSchema,
  select: 'id,name,properties,error,attempts,created_at,last_attempt',
  filter: 'error=not.is.null',
})
export const eventTables = [queueTable, eventTable] as const

export const queueQuery = queueTable.listQuery({
  order: { by: 'last_failure', direction: 'desc' },
  limit: MAX_NAMES,
})

/** Events of one name that failed, the latest first. */
export const failedEventsQuery = (name: string) =>
  eventTable.listQuery({
    filters: [`name=eq.${encodeURIComponent(name)}`],
    order: { by: 'last_attempt', direction: 'desc' },
    limit: MAX_EVENTS,
  })

/** What was read of the queue is read again when an event comes, fails or goes. */
export function useLiveQueue() {
  const queryClient = useQueryClient()
  const live = useTopic(eventQueueTopic, {})
  useOnBurst([live.rows], () => {
    for (const table of eventTables) void table.invalidate(queryClient)
  })
  return live
}

/** @returns how many of them were still there */
export async function changeEvents(verb: keyof typeof EVENT_ROUTES, ids: readonly string[]): Promise<number> {
  const path = `/api${EVENT_ROUTES[verb].path}`
  return (await request(path, { method: 'POST', body: { ids }, schema: EventsChangedSchema })).count
}
