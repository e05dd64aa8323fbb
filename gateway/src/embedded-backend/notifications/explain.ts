// Why a rule told someone of a transition, or did not: what it decided then, and what became of its messages.
import {
  type Clause,
  type Explanation,
  ExplanationSchema,
  type TransitionSummary,
} from '@watchroom/shared/notifications'
import type { Pool } from 'pg'

interface Ask {
  readonly resource_id?: string | undefined
  readonly event?: string | undefined
  readonly limit: number
  readonly offset: number
}

interface SummaryRow extends Omit<TransitionSummary, 'happened_at'> {
  readonly happened_at: Date
}

const SUMMARY = `select transitions.id, event, resource_id, happened_at,
    coalesce(nullif(subject ->> 'title', ''), nullif(subject ->> 'name', ''), resource_id::text) as resource,
    (select count(*)::integer from watchroom_internal.decisions where transition = transitions.id) as decided,
    (select count(*)::integer from watchroom_internal.decisions
     where transition = transitions.id and outcome = 'told') as told
  from watchroom_internal.transitions`

const toSummary = ({ happened_at: at, ...row }: SummaryRow): TransitionSummary => ({
  ...row,
  happened_at: at.toISOString(),
})

export async function listTransitions(
  pool: Pick<Pool, 'query'>,
  { resource_id: resourceId, event, limit, offset }: Ask,
): Promise<{ transitions: TransitionSummary[]; total: number }> {
  const condition = '($1::uuid is null or resource_id = $1) and ($2::text is null or event = $2)'
  const values = [resourceId ?? null, event ?? null]
  const [{ rows }, counted] = await Promise.all([
    pool.query<SummaryRow>(`${SUMMARY} where ${condition} order by happened_at desc, id limit $3 offset $4`, [
      ...values,
      limit,
      offset,
    ]),
    pool.query<{ total: number }>(
      `select count(*)::integer as total from watchroom_internal.transitions where ${condition}`,
      values,
    ),
  ])
  return { transitions: rows.map(toSummary), total: counted.rows[0]?.total ?? 0 }
}

const NOT_ASKED: Clause = { clause: 'event', isMet: false, detail: null }
const NOT_THEN: Clause = { clause: 'event', isMet: false, detail: 'The rule did not ask for it yet.' }

/** Null for a transition that is not kept any more. */
export async function explainTransition(pool: Pick<Pool, 'query'>, id: string): Promise<Explanation | null> {
  const { rows } = await pool.query<SummaryRow>(`${SUMMARY} where transitions.id = $1`, [id])
  if (!rows[0]) return null
  const summary = toSummary(rows[0])
  const rules = await pool.query<{ id: string; asks: boolean; outcome: string | null; clauses: unknown }>(
    `select notifications.id, coalesce(nullif(title, ''), name) as title, $2 = any(events) as asks, outcome, clauses,
       coalesce((
         select jsonb_agg(jsonb_build_object('id', history.id, 'recipient', recipient, 'status', coalesce(status, 'sent'),
           'error', history.error) order by history.created_at, history.id)
         from notification_send_history as history
         where notification_id = notifications.id and history.transition = $1), '[]') as sends
     from notifications
     left join watchroom_internal.decisions on notification_id = notifications.id and decisions.transition = $1
     where outcome is not null or deleted_at is null
     order by outcome is null, title, notifications.id`,
    [id, summary.event],
  )
  const decided = rules.rows.map(({ asks, ...rule }) =>
    rule.outcome === null ? { ...rule, outcome: 'not-asked', clauses: [asks ? NOT_THEN : NOT_ASKED] } : rule,
  )
  return ExplanationSchema.parse({ ...summary, rules: decided })
}
