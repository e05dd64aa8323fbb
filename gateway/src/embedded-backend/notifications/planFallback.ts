// Who is told instead when a message was given up, or not taken in the time that its rule allows.
import { isUuid } from '@watchroom/shared/kernel'
import { tryParseDuration } from '@watchroom/shared/time'
import type { ClientBase } from 'pg'

import { findRecipients } from './findRecipients.ts'
import { type Rule, setRuleError, textProperty } from './rule.ts'

/** What the message is about that nobody took. */
interface Missed {
  readonly resourceId: string
  /** The event's name. */
  readonly event: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly transition: string
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
 * Writes down who is told, once for each transition. One who waits already is told at the earlier time.
 *
 * @returns whether there is someone
 */
export async function planFallback(
  client: Pick<ClientBase, 'query'>,
  rule: Rule,
  missed: readonly Missed[],
): Promise<boolean> {
  const connection = textProperty(rule, 'fallback_connection')
  const named = {
    person_id: idProperty(rule, 'fallback_person'),
    team_id: idProperty(rule, 'fallback_team'),
    custom_services: connection === null ? null : [{ connection }],
  }
  if (Object.values(named).every((each) => each === null)) return false
  const recipients = await findRecipients(client, { ...named, properties: rule.properties })
  if (!recipients.ok) {
    await setRuleError(client, rule.id, `fallback: ${recipients.error}`)
    return false
  }
  const rows = missed.flatMap(({ resourceId, event, properties, transition, inMs }) =>
    recipients.value.map(({ personId, connectionId, name, receiver }) => ({
      resource_id: resourceId,
      source_event: event,
      transition,
      event: properties,
      person_id: personId,
      connection_id: connectionId,
      recipient: name,
      receiver,
      wait_s: inMs / 1_000,
    })),
  )
  await client.query(
    `insert into notification_send_history as history
       (notification_id, resource_id, source_event, transition, event, person_id, connection_id, recipient, receiver,
        is_fallback, status, due_at)
     select $1, resource_id, source_event, transition, event, person_id, connection_id, recipient, receiver,
       true, 'pending', now() + make_interval(secs => wait_s)
     from jsonb_to_recordset($2) as missed (resource_id uuid, source_event text, transition uuid, event jsonb,
       person_id uuid, connection_id uuid, recipient text, receiver text, wait_s float8)
     on conflict (notification_id, coalesce(person_id, connection_id), transition)
       do update set due_at = least(history.due_at, excluded.due_at)
       where history.is_fallback and history.status = 'pending' and history.attempts = 0`,
    [rule.id, JSON.stringify(rows)],
  )
  return true
}
