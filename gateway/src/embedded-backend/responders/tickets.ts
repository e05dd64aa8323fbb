import type { Pool } from 'pg'

import { onlyRow } from '../../platform/database/onlyRow.ts'
import { SYSTEMS } from './systems/index.ts'

type Database = Pick<Pool, 'query'>

export interface Responder {
  readonly id: string
  readonly incidentId: string
  readonly teamId: string
  readonly type: string
  /** What the form was filled in with. */
  readonly properties: Readonly<Record<string, string>>
}

/** Some consoles store the option in place of its value. */
const TYPE = `coalesce(responders.properties -> 'responderType' ->> 'value', responders.properties ->> 'responderType')`

/** Null for one that was removed, and for people. */
export async function readResponder(database: Database, id: string): Promise<Responder | null> {
  const { rows } = await database.query<Omit<Responder, 'properties'> & { properties: Record<string, unknown> }>(
    `select id, incident_id as "incidentId", team_id as "teamId", ${TYPE} as type, properties
     from responders where id = $1 and deleted_at is null and team_id is not null and ${TYPE} is not null`,
    [id],
  )
  if (!rows[0]) return null
  const texts = Object.entries(rows[0].properties).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return { ...rows[0], properties: Object.fromEntries(texts) }
}

/** Notes an attempt before it is made, so that the next one looks for what this one may leave. */
export async function startTicket(database: Database, responderId: string) {
  const { rows } = await database.query<{ isMade: boolean; attempts: number }>(
    `insert into watchroom_internal.tickets as ticket (responder_id) values ($1)
     on conflict (responder_id) do update set attempts = ticket.attempts + 1
     returning attempts, external_id is not null as "isMade"`,
    [responderId],
  )
  return onlyRow(rows)
}

export interface OpenTicket {
  readonly responderId: string
  readonly incidentId: string
  readonly teamId: string
  readonly type: string
  readonly externalId: string
  readonly threadId: string | null
  /** For whom comments from outside are kept. */
  readonly createdBy: string
  readonly createdAt: Date
}

const MAX_TICKETS = 200

/** Of incidents that are not closed: those of a comment's incident, or those that were looked at the longest time ago. */
export async function listTickets(database: Database, { commentId }: { commentId?: string }): Promise<OpenTicket[]> {
  const { rows } = await database.query<OpenTicket>(
    `select responders.id as "responderId", responders.incident_id as "incidentId", team_id as "teamId", ${TYPE} as type,
       ticket.external_id as "externalId", thread_id as "threadId", responders.created_by as "createdBy",
       responders.created_at as "createdAt"
     from watchroom_internal.tickets as ticket
     join responders on responders.id = ticket.responder_id
     join incidents on incidents.id = responders.incident_id
     where ticket.external_id is not null and responders.deleted_at is null and team_id is not null
       and ${TYPE} = any($2)
       and case when $1::uuid is null then incidents.status <> 'closed'
         else responders.incident_id = (select incident_id from comments where id = $1) end
     order by synced_at nulls first limit ${MAX_TICKETS}`,
    [commentId ?? null, [...SYSTEMS.keys()]],
  )
  return rows
}
