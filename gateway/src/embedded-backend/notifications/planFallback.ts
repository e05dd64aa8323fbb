// Who is told instead when a message was given up, or not taken in the time that its rule allows.
import { isUuid } from '@watchroom/shared/kernel'
import { tryParseDuration } from '@watchroom/shared/time'
import type { ClientBase } from 'pg'

import { findRecipients } from './findRecipients.ts'
import { foldGroups } from './foldGroups.ts'
import { lockRule, type Rule, setRuleError, textProperty } from './rule.ts'

type Database = Pick<ClientBase, 'query'>

/** What the message is about that nobody took. */
interface Missed {
  readonly resourceId: string
  /** The event's name. */
  readonly event: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly transition: string
  /** The message that would have told of it and of others; null where it would have been told alone. */
  readonly message: string | null
  /** When the others are told. */
  readonly inMs: number
}

const idProperty = (rule: Rule, name: string): string | null => {
  const id = textProperty(rule, name)
  return id !== null && isUuid(id) ? id : null
}

/** How long the recipients of a rule have before others are told; null where that is not limited. Milliseconds. */
export function readFallbackDelay(rule: Rule): number | null {
  const text = textProperty(rule, 'fallback_after')
  return text === null ? null : tryParseDuration(text)
}

/**
 * Writes down who is told, once for each transition: of what one message would have told, in one message. One who waits already is
 * told at the earlier time.
 *
 * @returns whether there is someone
 */
export async function planFallback(client: Database, rule: Rule, missed: readonly Missed[]): Promise<boolean> {
  const connection = textProperty(rule, 'fallback_connection')
  const named = {
    person_id: idProperty(rule, 'fallback_person'),
    team_id: idProperty(rule, 'fallback_team'),
    custom_services: connection === null ? null : [{ connection }],
  }
  if (Object.values(named).every((each) => each === null)) return false
  // Two messages about the same that are given up at once plan one after the other.
  await lockRule(client, rule.id)
  const recipients = await findRecipients(client, { ...named, properties: rule.properties })
  if (!recipients.ok) {
    await setRuleError(client, rule.id, `fallback: ${recipients.error}`)
    return false
  }
  const planned = await hurry(client, rule, missed)
  const sends = missed.flatMap(({ message, ...about }) =>
    recipients.value
      .filter((recipient) => !planned.has(keyOf(about.transition, recipient.personId ?? recipient.connectionId)))
      .map((recipient) => ({ about, recipient, groupKey: message && JSON.stringify(['fallback', message]) })),
  )
  const folded = await foldGroups(client, rule.id, sends)
  const rows = sends.map(({ about, recipient, groupKey }, index) => ({
    ...folded[index],
    resource_id: about.resourceId,
    source_event: about.event,
    transition: about.transition,
    event: about.properties,
    person_id: recipient.personId,
    connection_id: recipient.connectionId,
    recipient: recipient.name,
    receiver: recipient.receiver,
    group_key: groupKey,
    wait_s: about.inMs / 1_000,
  }))
  await client.query(
    `insert into notification_send_history
       (notification_id, id, resource_id, source_event, transition, event, person_id, connection_id, recipient, receiver,
        group_key, is_fallback, status, grouped_into, due_at)
     select $1, id, resource_id, source_event, transition, event, person_id, connection_id, recipient, receiver,
       group_key, true, status, grouped_into, now() + make_interval(secs => wait_s)
     from jsonb_to_recordset($2) as missed (id uuid, resource_id uuid, source_event text, transition uuid, event jsonb,
       person_id uuid, connection_id uuid, recipient text, receiver text, group_key text, status text, grouped_into uuid,
       wait_s float8)
     on conflict do nothing`,
    [rule.id, JSON.stringify(rows)],
  )
  return true
}

const keyOf = (transition: string, recipient: string | null): string => `${transition} ${recipient ?? ''}`

/**
 * Brings the messages that wait for such a fallback forward, with all that they name.
 *
 * @returns what is told, or was, of these transitions, to whomever: by `keyOf`
 */
async function hurry(client: Database, rule: Rule, missed: readonly Missed[]): Promise<ReadonlySet<string>> {
  const values = [rule.id, JSON.stringify(missed.map(({ transition, inMs }) => ({ transition, wait_s: inMs / 1_000 })))]
  await client.query(
    `update notification_send_history as history set due_at = least(history.due_at, now() + make_interval(secs => sooner.wait_s))
     from (
       select coalesce(told.grouped_into, told.id) as id, min(missed.wait_s) as wait_s
       from jsonb_to_recordset($2) as missed (transition uuid, wait_s float8)
       join notification_send_history as told
         on told.notification_id = $1 and told.transition = missed.transition and told.is_fallback
       group by 1) as sooner
     where history.id = sooner.id and history.status = 'pending' and history.attempts = 0`,
    values,
  )
  const { rows } = await client.query<{ transition: string; recipient: string | null }>(
    `select history.transition, coalesce(history.person_id, history.connection_id) as recipient
     from jsonb_to_recordset($2) as missed (transition uuid)
     join notification_send_history as history
       on history.notification_id = $1 and history.transition = missed.transition`,
    values,
  )
  return new Set(rows.map(({ transition, recipient }) => keyOf(transition, recipient)))
}
