// Comments of an incident and those of a ticket, both ways. Each is carried once: what is on its way is noted before it goes, and
// looked for at the other side before it goes again.
import { createHash } from 'node:crypto'

import { toStorable } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'

import { lockKey } from '../../platform/database/advisoryLocks.ts'
import { inTransaction } from '../../platform/database/inTransaction.ts'
import type { OpenTicket } from './tickets.ts'
import type { TicketComment, TicketSystem } from './ticketSystem.ts'

const MAX_CARRIED = 50
const MAX_CHARACTERS = 30_000
const MARK_DIGITS = 12

/** The first line of what was carried out, by which it is known again. */
const CARRIED = /^\s*.{1,200} on Watchroom \[([0-9a-f]{12})\]:/

interface OwnComment {
  readonly id: string
  readonly text: string
  readonly author: string
  readonly is_noted: boolean
}

export async function syncComments(pool: Pool, system: TicketSystem, ticket: OpenTicket): Promise<void> {
  // Before: one that cannot be reached must not keep its turn.
  await pool.query('update watchroom_internal.tickets set synced_at = now() where responder_id = $1', [
    ticket.responderId,
  ])
  const theirs = await system.comments({ ...ticket, link: '' })
  const arrived = new Set(theirs.flatMap(({ text }) => CARRIED.exec(text)?.[1] ?? []))
  const known = await listTakenIn(pool, ticket, theirs)
  for (const comment of theirs) {
    if (!known.has(comment.externalId) && !CARRIED.test(comment.text)) await takeIn(pool, ticket, comment)
  }
  for (const comment of await listUnsent(pool, ticket)) {
    const mark = toMark(comment.id, ticket.responderId)
    if (!(comment.is_noted && arrived.has(mark))) {
      await pool.query(
        'insert into comment_responders (comment_id, responder_id) values ($1, $2) on conflict do nothing',
        [comment.id, ticket.responderId],
      )
      const text = `${comment.author.slice(0, 100)} on Watchroom [${mark}]:\n\n${comment.text}`
      await system.comment({ ...ticket, link: '' }, text.slice(0, MAX_CHARACTERS))
    }
    await pool.query('update comment_responders set external_id = $3 where comment_id = $1 and responder_id = $2', [
      comment.id,
      ticket.responderId,
      mark,
    ])
  }
}

/** Written since the team was called in, and not by the ticket itself. */
async function listUnsent(pool: Pool, { responderId, incidentId, createdAt }: OpenTicket): Promise<OwnComment[]> {
  const { rows } = await pool.query<OwnComment>(
    `select comments.id, comment as text, coalesce(external_created_by, people.name, 'Someone') as author,
       carried.id is not null as is_noted
     from comments
     join people on people.id = comments.created_by
     left join comment_responders as carried on carried.comment_id = comments.id and carried.responder_id = $1
     where incident_id = $2 and comments.created_at >= $3 and comments.responder_id is distinct from $1
       and carried.external_id is null
     order by comments.created_at, comments.id limit ${MAX_CARRIED}`,
    [responderId, incidentId, createdAt],
  )
  return rows
}

/** Which of their comments are here already: nearly all of them, so that this is asked once for all. */
async function listTakenIn(
  pool: Pool,
  { responderId }: OpenTicket,
  theirs: readonly TicketComment[],
): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ id: string }>(
    'select external_id as id from comment_responders where responder_id = $1 and external_id = any($2)',
    [responderId, theirs.map(({ externalId }) => externalId)],
  )
  return new Set(rows.map(({ id }) => id))
}

async function takeIn(pool: Pool, ticket: OpenTicket, { externalId, text, author }: TicketComment): Promise<void> {
  if (text.trim() === '') return
  await inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [lockKey('responder', ticket.responderId)])
    await client.query(
      `with comment as (
         insert into comments (created_by, comment, external_id, external_created_by, incident_id, responder_id)
         select $1, $2, $3, $4, $5, $6
         where not exists (select from comment_responders where responder_id = $6 and external_id = $3)
         returning id)
       insert into comment_responders (comment_id, responder_id, external_id) select id, $6, $3 from comment`,
      [
        ticket.createdBy,
        toStorable(text).slice(0, MAX_CHARACTERS),
        externalId,
        toStorable(author).slice(0, 200),
        ticket.incidentId,
        ticket.responderId,
      ],
    )
  })
}

const toMark = (commentId: string, responderId: string): string =>
  createHash('sha256').update(`${commentId} ${responderId}`).digest('hex').slice(0, MARK_DIGITS)
