// Decides for one rule and one event what is sent to whom, and writes that down. May run again for the same event: what is
// written has the event's id as its key.
import { createHash } from 'node:crypto'

import { tryParseRepeatInterval, type SendStatus } from '@watchroom/shared/notifications'
import type { ClientBase, Pool } from 'pg'

import type { LookUp } from '../../check-runner/lookApart.ts'
import { inTransaction } from '../../platform/database/inTransaction.ts'
import { onlyRow } from '../../platform/database/onlyRow.ts'
import { isTrue, TemplateFault } from '../../step-runner/templates.ts'
import { findRecipients, type Recipient } from './findRecipients.ts'
import { toGroupKey } from './groupKey.ts'
import { planFallback, readFallbackDelay } from './planFallback.ts'
import { readRule, type Rule, setRuleError } from './rule.ts'
import { type RaisedEvent, readSubject, type Subject } from './subject.ts'

export interface Transition extends RaisedEvent {
  /** Of the event in the queue. */
  readonly id: string
}

/** Against storms: messages of one rule about one resource. */
const MAX_MESSAGES = 50
const MESSAGES_WITHIN = `interval '4 hours'`
/** How long the first of a group waits for others, where the rule names no wait. */
const GROUP_WAIT_MS = 10_000

interface Plan {
  readonly rule: Rule
  readonly event: Transition
  readonly subject: Subject
}

/** @returns whether something waits to be sent */
export async function planSends(
  { pool, lookUp }: { pool: Pool; lookUp: LookUp },
  ruleId: string,
  event: Transition,
): Promise<boolean> {
  const rule = await readRule(pool, ruleId)
  const subject = rule && (await readSubject(pool, event))
  if (!rule || !subject) return false
  if (!(await passes(pool, lookUp, rule, subject))) return false
  return inTransaction(pool, (client) => write(client, { rule, event, subject }))
}

async function passes(pool: Pool, lookUp: LookUp, rule: Rule, subject: Subject): Promise<boolean> {
  if (rule.filter === null || rule.filter.trim() === '') return true
  try {
    return await isTrue(rule.filter, subject.scope, lookUp)
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error
    await setRuleError(pool, rule.id, `filter: ${error.message}`)
    return false
  }
}

async function write(client: ClientBase, plan: Plan): Promise<boolean> {
  const { rule, event, subject } = plan
  // Two events of one rule are counted one after the other.
  await client.query('select pg_advisory_xact_lock($1)', [lockOf(rule.id)])
  const known = await client.query(
    'select from notification_send_history where notification_id = $1 and transition = $2 limit 1',
    [rule.id, event.id],
  )
  if (known.rowCount !== 0) return false
  const recipients = await findRecipients(client, rule)
  await setRuleError(client, rule.id, recipients.ok ? null : recipients.error)
  if (!recipients.ok) {
    await noteUnsent(client, plan, { status: 'error', error: recipients.error })
    return false
  }
  const silence = await findSilence(client, subject)
  const reason: Unsent | null =
    silence === null ? await findLimit(client, plan) : { status: 'silenced', silenceId: silence }
  if (reason !== null) {
    await noteUnsent(client, plan, reason)
    return false
  }
  for (const recipient of recipients.value) await writeSend(client, plan, recipient)
  const delayMs = readFallbackDelay(rule)
  if (delayMs !== null) {
    const missed = { resourceId: subject.id, event: event.name, properties: event.properties, transition: event.id }
    await planFallback(client, rule, missed, toWaitMs(rule, subject, event.name) + delayMs)
  }
  return true
}

/** A 64-bit number of a text. */
const lockOf = (text: string): string => createHash('sha256').update(text).digest().readBigInt64BE().toString()

async function findSilence(
  client: Pick<ClientBase, 'query'>,
  { kind, id }: Pick<Subject, 'kind' | 'id'>,
): Promise<string | null> {
  const { rows } = await client.query<{ id: string | null }>(
    'select watchroom_internal.matching_silence($1, $2, now()) as id',
    [kind, id],
  )
  return onlyRow(rows).id
}

interface Unsent {
  readonly status: SendStatus
  readonly silenceId?: string
  readonly error?: string
}

async function findLimit(client: ClientBase, { rule, event, subject }: Plan): Promise<Unsent | null> {
  const repeatMs = rule.repeat_interval === null ? null : tryParseRepeatInterval(rule.repeat_interval)
  const { rows } = await client.query<{ repeats: boolean; recent: number }>(
    `select
       coalesce(bool_or(source_event = $3 and created_at > now() - make_interval(secs => $4)), false) as repeats,
       (count(distinct transition) filter (where created_at > now() - ${MESSAGES_WITHIN}))::integer as recent
     from notification_send_history
     where notification_id = $1 and resource_id = $2
       and status in ('pending', 'sending', 'sent', 'grouped') and transition is not null
       and created_at > now() - greatest(${MESSAGES_WITHIN}, make_interval(secs => $4))`,
    [rule.id, subject.id, event.name, (repeatMs ?? 0) / 1_000],
  )
  const { repeats, recent } = onlyRow(rows)
  if (repeats) return { status: 'repeat-interval' }
  return recent >= MAX_MESSAGES ? { status: 'rate-limited' } : null
}

/** What is not sent for the same reason within a day is one row that counts. */
async function noteUnsent(client: ClientBase, { rule, event, subject }: Plan, unsent: Unsent): Promise<void> {
  const { rowCount } = await client.query(
    `update notification_send_history set count = count + 1, created_at = now(), transition = $7
     where id = (
       select id from notification_send_history
       where notification_id = $1 and resource_id = $2 and source_event = $3 and status = $4
         and silence_id is not distinct from $5 and error is not distinct from $6
         and person_id is null and connection_id is null and created_at > now() - interval '1 day'
       order by created_at desc limit 1)`,
    [rule.id, subject.id, event.name, unsent.status, unsent.silenceId ?? null, unsent.error ?? null, event.id],
  )
  if (rowCount !== 0) return
  await client.query(
    `insert into notification_send_history
       (notification_id, resource_id, source_event, status, silence_id, error, transition, event)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      rule.id,
      subject.id,
      event.name,
      unsent.status,
      unsent.silenceId ?? null,
      unsent.error ?? null,
      event.id,
      JSON.stringify(event.properties),
    ],
  )
}

async function writeSend(client: ClientBase, { rule, event, subject }: Plan, recipient: Recipient): Promise<void> {
  const groupKey = toGroupKey(event.name, rule.group_by, subject)
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
      event.name,
      event.id,
      JSON.stringify(event.properties),
      recipient.personId,
      recipient.connectionId,
      recipient.name,
      recipient.receiver,
      groupKey,
      leader === null ? 'pending' : 'grouped',
      leader,
      toWaitMs(rule, subject, event.name) / 1_000,
    ],
  )
}

/** How long a message waits, for what no longer holds then, or for others of its group. */
function toWaitMs(rule: Rule, subject: Subject, eventName: string): number {
  const groupKey = toGroupKey(eventName, rule.group_by, subject)
  return (rule.wait_for ?? 0) / 1e6 || (groupKey === null ? 0 : GROUP_WAIT_MS)
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
