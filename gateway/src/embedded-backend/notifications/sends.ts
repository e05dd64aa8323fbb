// The rows of messages: which one is next, and what became of it. Whoever takes a row has it on loan for a while; when that process
// dies, the row is taken again, under the same id.
import type { Pool } from 'pg'

import { onlyRow } from '../../platform/database/onlyRow.ts'

/** Longer than one send may take. */
const LOAN_MS = 15_000

export interface Send {
  readonly id: string
  readonly notification_id: string
  readonly resource_id: string
  readonly source_event: string
  readonly transition: string
  readonly event: Readonly<Record<string, unknown>> | null
  readonly person_id: string | null
  readonly connection_id: string | null
  readonly receiver: string
  readonly is_fallback: boolean
  /** Of those that are told together; null for one that is told alone. */
  readonly group_key: string | null
  /** Under which it is sent again because somebody asked; null for one that is sent by its rule. */
  readonly resent_key: string | null
  /** This one included; the loan's number. */
  readonly attempts: number
}

export interface Sends {
  /**
   * @param busy recipients who are being told something else, and machines that have enough to do
   */
  take(busy: { readonly recipients: readonly string[]; readonly receivers: readonly string[] }): Promise<Send | null>
  /** Until the next one is due; null when nothing waits. */
  nextInMs(): Promise<number | null>
  members(leader: Send): Promise<Send[]>
  /** Of these transitions those that one took whom the rule names first, alone or in a message that named them too. */
  findTaken(ruleId: string, transitions: readonly string[]): Promise<ReadonlySet<string>>
  /** With an error it is the end of its members, too. */
  settle(send: Send, outcome: Outcome): Promise<void>
  /** Makes an ended one due, with all its attempts and members. @returns false when there is none */
  again(id: string): Promise<boolean>
  /** Members of a group that are part of no message. */
  holdBack(ids: readonly string[]): Promise<void>
}

export type Outcome =
  | { readonly status: 'sent' | 'fallback'; readonly title: string; readonly body: string; readonly durationMs: number }
  | { readonly status: 'held-back' }
  | { readonly status: 'error'; readonly error: string; readonly durationMs: number }
  | { readonly status: 'pending'; readonly error: string; readonly durationMs: number; readonly retryMs: number }

const COLUMNS = `id, notification_id, resource_id, source_event, transition, event, person_id, connection_id, receiver, is_fallback, group_key, resent_key, attempts`

export function createSends(pool: Pick<Pool, 'query'>): Sends {
  return {
    take: async ({ recipients, receivers }) => {
      const { rows } = await pool.query<Send>(
        `with recursive recipients (id) as (
           (select coalesce(person_id, connection_id) from notification_send_history
            where status in ('pending', 'sending') and coalesce(person_id, connection_id) is not null
            order by coalesce(person_id, connection_id) limit 1)
           union all
           select next.id from recipients cross join lateral (
             select coalesce(person_id, connection_id) as id from notification_send_history
             where status in ('pending', 'sending') and coalesce(person_id, connection_id) > recipients.id
             order by coalesce(person_id, connection_id) limit 1) as next)
         update notification_send_history
         set status = 'sending', attempts = attempts + 1, due_at = now() + make_interval(secs => ${LOAN_MS / 1_000})
         where id = (
           select first.id from recipients cross join lateral (
             select id, due_at from notification_send_history
             where status in ('pending', 'sending') and due_at <= now()
               and coalesce(person_id, connection_id) = recipients.id and receiver <> all($2)
             order by due_at limit 1 for update skip locked) as first
           where recipients.id <> all($1::uuid[])
           order by first.due_at, first.id limit 1)
         returning ${COLUMNS}`,
        [recipients, receivers],
      )
      return rows[0] ?? null
    },

    nextInMs: async () => {
      const { rows } = await pool.query<{ ms: number | null }>(
        `select (extract(epoch from min(due_at) - now()) * 1000)::float8 as ms
         from notification_send_history where status in ('pending', 'sending') and due_at > now()`,
      )
      return onlyRow(rows).ms
    },

    members: async ({ id }) => {
      const { rows } = await pool.query<Send>(
        `select ${COLUMNS} from notification_send_history
         where grouped_into = $1 and status = 'grouped' order by created_at, id`,
        [id],
      )
      return rows
    },

    findTaken: async (ruleId, transitions) => {
      const { rows } = await pool.query<{ transition: string }>(
        `select distinct history.transition from notification_send_history as history
         left join notification_send_history as leader on history.status = 'grouped' and leader.id = history.grouped_into
         where history.notification_id = $1 and history.transition = any($2)
           and coalesce(leader.status, history.status) = 'sent'`,
        [ruleId, transitions],
      )
      return new Set(rows.map(({ transition }) => transition))
    },

    settle: async (send, outcome) => {
      await pool.query(
        `with settled as (
         update notification_send_history set status = $3, error = $4,
           duration_millis = coalesce($5, duration_millis), title = coalesce($6, title), body = coalesce($7, body),
           due_at = case when $8::float8 is null then null else now() + make_interval(secs => $8) end
         where id = $1 and attempts = $2 and status = 'sending'
         returning id, status, error)
         update notification_send_history as member set status = settled.status, error = settled.error
         from settled
         where settled.status = 'error' and member.grouped_into = settled.id and member.status = 'grouped'`,
        [
          send.id,
          send.attempts,
          outcome.status,
          'error' in outcome ? outcome.error : null,
          'durationMs' in outcome ? Math.round(outcome.durationMs) : null,
          'title' in outcome ? outcome.title : null,
          'body' in outcome ? outcome.body : null,
          'retryMs' in outcome ? outcome.retryMs / 1_000 : null,
        ],
      )
    },

    again: async (id) => {
      const { rowCount } = await pool.query(
        `with ended as (
           select id, status from notification_send_history
           where id = $1 and status in ('sent', 'error', 'fallback', 'held-back')
             and coalesce(person_id, connection_id) is not null
           for update),
         due as (
           update notification_send_history as history
           set status = 'pending', attempts = 0, error = null, due_at = now(),
             -- Whoever has the message drops what comes under the same key.
             resent_key = case when ended.status in ('sent', 'fallback') then gen_random_uuid()
               else coalesce(history.resent_key, history.id) end
           from ended where history.id = ended.id),
         members as (
           update notification_send_history as member set status = 'grouped', error = null
           from ended where member.grouped_into = ended.id and member.status = ended.status)
         select from ended`,
        [id],
      )
      return rowCount === 1
    },

    holdBack: async (ids) => {
      await pool.query(
        `update notification_send_history set status = 'held-back' where id = any($1::uuid[]) and status = 'grouped'`,
        [ids],
      )
    },
  }
}
