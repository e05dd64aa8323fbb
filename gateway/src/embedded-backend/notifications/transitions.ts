// What happened that someone may be told of, kept with its resource as it was then.
import type { Pool } from 'pg'

import { type RaisedEvent, SUBJECT_ROWS, subjectOf, type Subject, toSubject } from './subject.ts'

export interface Transition extends RaisedEvent {
  /** Of the event in the queue. */
  readonly id: string
  readonly happenedAt: Date
  readonly subject: Subject
}

/** Decides what is sent; one for each transition that a rule asks for. */
export const SEND_EVENT = 'notification.send'

/** Writes down what happened and, where a rule asks for it, queues the decision. May run again for the same event. */
export async function recordTransition(
  pool: Pick<Pool, 'query'>,
  { id, name, properties }: RaisedEvent & { readonly id: string },
): Promise<void> {
  const about = subjectOf({ name, properties })
  if (about === null) return
  await pool.query(
    `with recorded as (
       insert into watchroom_internal.transitions (id, event, kind, resource_id, properties, subject)
       select $2, $3, $4, $1::uuid, $5::jsonb, subject.row from (${SUBJECT_ROWS[about.kind]('$1::uuid')}) as subject
       on conflict (id) do update set id = excluded.id
       returning id, resource_id)
     insert into event_queue (name, properties, priority)
     select '${SEND_EVENT}', jsonb_build_object('id', resource_id, 'event', $3::text, 'event_id', id),
       watchroom_internal.event_priority($3)
     from recorded
     where exists (select from notifications where deleted_at is null and $3 = any(events))
     on conflict do nothing`,
    [about.id, id, name, about.kind, JSON.stringify(properties)],
  )
}

interface TransitionRow {
  readonly id: string
  readonly event: string
  readonly kind: Subject['kind']
  readonly resource_id: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly subject: Readonly<Record<string, unknown>>
  readonly happened_at: Date
}

const COLUMNS = 'id, event, kind, resource_id, properties, subject, happened_at'

/** Those that are still kept, in the order in which they happened. */
export async function readTransitionsById(pool: Pick<Pool, 'query'>, ids: readonly string[]): Promise<Transition[]> {
  const { rows } = await pool.query<TransitionRow>(
    `select ${COLUMNS} from watchroom_internal.transitions where id = any($1) order by happened_at, id`,
    [ids],
  )
  return rows.map(toTransition)
}

export interface Transitions {
  /** In the order in which they happened. */
  readonly list: Transition[]
  /** There are more; the newest are listed. */
  readonly isCut: boolean
}

export async function readTransitions(
  pool: Pick<Pool, 'query'>,
  { since, events, limit }: { readonly since: Date; readonly events: readonly string[]; readonly limit: number },
): Promise<Transitions> {
  const { rows } = await pool.query<TransitionRow>(
    `select ${COLUMNS} from watchroom_internal.transitions where happened_at >= $1 and event = any($2)
     order by happened_at desc, id desc limit $3`,
    [since, events, limit + 1],
  )
  return { list: rows.slice(0, limit).toReversed().map(toTransition), isCut: rows.length > limit }
}

function toTransition({
  id,
  event,
  kind,
  resource_id: resourceId,
  properties,
  subject,
  happened_at: at,
}: TransitionRow) {
  const raised = { name: event, properties }
  return { id, ...raised, happenedAt: at, subject: toSubject({ kind, id: resourceId }, subject, raised) }
}
