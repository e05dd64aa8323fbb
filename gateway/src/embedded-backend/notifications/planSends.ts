// Decides for each rule what is sent to whom about a transition, and writes that down. May run again for the same transition: what a
// rule decided on is decided.
import { createHash } from 'node:crypto'

import { ok } from '@watchroom/shared/kernel'
import type { Decision, SendStatus } from '@watchroom/shared/notifications'
import type { ClientBase, Pool } from 'pg'

import type { LookUp } from '../../check-runner/lookApart.ts'
import { inTransaction } from '../../platform/database/inTransaction.ts'
import { onlyRow } from '../../platform/database/onlyRow.ts'
import {
  askFilter,
  decide,
  decideByFilter,
  type FilterAnswer,
  MESSAGES_WITHIN_MS,
  toRepeatMs,
  toWaitMs,
} from './decide.ts'
import { findRecipients, type Recipient } from './findRecipients.ts'
import { toGroupKey } from './groupKey.ts'
import { planFallback, readFallbackDelay } from './planFallback.ts'
import { readListening, type Rule, setRuleError } from './rule.ts'
import type { Transition } from './transitions.ts'

interface Deps {
  readonly pool: Pool
  readonly lookUp: LookUp
}

interface Plan {
  readonly rule: Rule
  readonly transition: Transition
}

/** @returns whether something waits to be sent. Rejects when a rule could not be decided on, after all the others were */
export async function planSends(deps: Deps, transition: Transition): Promise<boolean> {
  const { pool } = deps
  const decided = await readDecided(pool, transition.id)
  const rules = (await readListening(pool, transition.name)).filter(({ id }) => !decided.has(id))
  // Asked together: what evaluates them is another process.
  const filters = await Promise.all(rules.map(({ filter }) => askFilter(filter, transition.subject, deps.lookUp)))
  const failures: unknown[] = []
  let isWaiting = false
  for (const [index, rule] of rules.entries()) {
    try {
      isWaiting = (await planRule(pool, { rule, transition }, filters[index] ?? null)) || isWaiting
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return isWaiting
}

async function readDecided(pool: Pool, transitionId: string): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ id: string }>(
    'select notification_id as id from watchroom_internal.decisions where transition = $1',
    [transitionId],
  )
  return new Set(rows.map(({ id }) => id))
}

async function planRule(pool: Pool, plan: Plan, filter: FilterAnswer): Promise<boolean> {
  const { rule } = plan
  const decision = decideByFilter(filter)
  if (decision === null) return inTransaction(pool, (client) => write(client, plan))
  if (filter !== null && !filter.ok) await setRuleError(pool, rule.id, filter.error)
  await keepDecision(pool, plan, decision)
  return false
}

async function write(client: ClientBase, plan: Plan): Promise<boolean> {
  const { rule, transition } = plan
  const { subject } = transition
  // Two events of one rule are counted one after the other.
  await client.query('select pg_advisory_xact_lock($1)', [lockOf(rule.id)])
  const standing = await readStanding(client, plan)
  if (standing.is_decided) return false
  const recipients = await findRecipients(client, rule)
  const error = recipients.ok ? null : recipients.error
  if (error !== rule.error) await setRuleError(client, rule.id, error)
  const decision = decide({
    rule,
    recipients: recipients.ok ? ok(recipients.value.map(({ name }) => name)) : recipients,
    silence: standing.silence,
    isRepeated: standing.is_repeated,
    recent: standing.recent,
  })
  await keepDecision(client, plan, decision)
  if (!recipients.ok || decision.outcome !== 'told') {
    await noteUnsent(client, plan, toUnsent(decision, standing, error))
    return false
  }
  for (const recipient of recipients.value) await writeSend(client, plan, recipient)
  const delayMs = readFallbackDelay(rule)
  if (delayMs !== null) {
    const { name: event, properties, id } = transition
    const missed = { resourceId: subject.id, event, properties, transition: id }
    await planFallback(client, rule, missed, toWaitMs(rule, subject, event) + delayMs)
  }
  return true
}

/** A 64-bit number of a text. */
const lockOf = (text: string): string => createHash('sha256').update(text).digest().readBigInt64BE().toString()

interface Standing {
  readonly is_decided: boolean
  readonly silence_id: string | null
  /** As people read it. */
  readonly silence: string | null
  readonly is_repeated: boolean
  readonly recent: number
}

/** What was told and what is silenced when the rule decides. */
async function readStanding(client: ClientBase, { rule, transition }: Plan): Promise<Standing> {
  const { subject } = transition
  const { rows } = await client.query<Standing>(
    `select told.*, silence.id as silence_id, ${SILENCE_NAME} as silence, exists (
       select from watchroom_internal.decisions where transition = $6 and notification_id = $1) as is_decided
     from (
       select
         coalesce(bool_or(source_event = $3 and created_at > now() - make_interval(secs => $4)), false) as is_repeated,
         (count(distinct transition) filter (where created_at > now() - make_interval(secs => $7)))::integer as recent
       from notification_send_history
       where notification_id = $1 and resource_id = $2
         and status in ('pending', 'sending', 'sent', 'grouped') and transition is not null
         and created_at > now() - make_interval(secs => greatest($4::float8, $7::float8))) as told
     left join notification_silences as silence
       on silence.id = watchroom_internal.matching_silence($5, $2, now())`,
    [
      rule.id,
      subject.id,
      transition.name,
      toRepeatMs(rule) / 1_000,
      subject.kind,
      transition.id,
      MESSAGES_WITHIN_MS / 1_000,
    ],
  )
  return onlyRow(rows)
}

/** Of a row called `silence`; null where there is none. */
export const SILENCE_NAME = `case when silence.id is not null then coalesce(nullif(silence.description, ''), 'a silence') end`

async function keepDecision(
  database: Pick<ClientBase, 'query'>,
  { rule, transition }: Plan,
  { outcome, clauses }: Decision,
): Promise<void> {
  await database.query(
    `insert into watchroom_internal.decisions (transition, notification_id, outcome, clauses)
     values ($1, $2, $3, $4) on conflict do nothing`,
    [transition.id, rule.id, outcome, JSON.stringify(clauses)],
  )
}

interface Unsent {
  readonly status: SendStatus
  readonly silenceId: string | null
  readonly error: string | null
}

function toUnsent({ outcome }: Decision, { silence_id: silenceId }: Standing, error: string | null): Unsent {
  if (outcome === 'silenced') return { status: outcome, silenceId, error: null }
  if (outcome === 'repeat-interval' || outcome === 'rate-limited')
    return { status: outcome, silenceId: null, error: null }
  return { status: 'error', silenceId: null, error }
}

/** What is not sent for the same reason within a day is one row that counts. */
async function noteUnsent(client: ClientBase, { rule, transition }: Plan, unsent: Unsent): Promise<void> {
  const { subject, name, id, properties } = transition
  const { rowCount } = await client.query(
    `update notification_send_history set count = count + 1, created_at = now(), transition = $7
     where id = (
       select id from notification_send_history
       where notification_id = $1 and resource_id = $2 and source_event = $3 and status = $4
         and silence_id is not distinct from $5 and error is not distinct from $6
         and person_id is null and connection_id is null and created_at > now() - interval '1 day'
       order by created_at desc limit 1)`,
    [rule.id, subject.id, name, unsent.status, unsent.silenceId, unsent.error, id],
  )
  if (rowCount !== 0) return
  await client.query(
    `insert into notification_send_history
       (notification_id, resource_id, source_event, status, silence_id, error, transition, event)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [rule.id, subject.id, name, unsent.status, unsent.silenceId, unsent.error, id, JSON.stringify(properties)],
  )
}

async function writeSend(client: ClientBase, { rule, transition }: Plan, recipient: Recipient): Promise<void> {
  const { subject, name, id, properties } = transition
  const groupKey = toGroupKey(name, rule.group_by, subject)
  const leader = groupKey === null ? null : await findLeader(client, rule.id, recipient, groupKey)
  await client.query(
    `insert into notification_send_history
       (notification_id, resource_id, source_event, transition, event, person_id, connection_id, recipient, receiver,
        group_key, status, grouped_into, due_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, now() + make_interval(secs => $13))
     on conflict do nothing`,
    [
      rule.id,
      subject.id,
      name,
      id,
      JSON.stringify(properties),
      recipient.personId,
      recipient.connectionId,
      recipient.name,
      recipient.receiver,
      groupKey,
      leader === null ? 'pending' : 'grouped',
      leader,
      toWaitMs(rule, subject, name) / 1_000,
    ],
  )
}

/** The message that still waits for others; locked, so that it is not sent before this one is part of it. */
async function findLeader(
  client: ClientBase,
  ruleId: string,
  { personId, connectionId }: Recipient,
  groupKey: string,
): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    `select id from notification_send_history
     where notification_id = $1 and coalesce(person_id, connection_id) = $2 and group_key = $3
       and status = 'pending' and attempts = 0
     order by created_at limit 1 for update`,
    [ruleId, personId ?? connectionId, groupKey],
  )
  return rows[0]?.id ?? null
}
