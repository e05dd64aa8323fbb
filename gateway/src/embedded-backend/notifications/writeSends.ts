// Writes down what a rule decided: the rows of many transitions with one statement.
import type { Decision, SendStatus } from '@watchroom/shared/notifications'
import type { ClientBase } from 'pg'

import { toWaitMs } from './decide.ts'
import type { Recipient } from './findRecipients.ts'
import { foldGroups } from './foldGroups.ts'
import { toGroupKey } from './groupKey.ts'
import type { Rule } from './rule.ts'
import type { Transition } from './transitions.ts'

type Database = Pick<ClientBase, 'query'>

export async function keepDecisions(
  database: Database,
  rule: Rule,
  decisions: readonly { readonly transition: Transition; readonly decision: Decision }[],
): Promise<void> {
  if (decisions.length === 0) return
  const rows = decisions.map(({ transition, decision }) => ({ transition: transition.id, ...decision }))
  await database.query(
    `insert into watchroom_internal.decisions (transition, notification_id, outcome, clauses)
     select transition, $1, outcome, clauses
     from jsonb_to_recordset($2) as decided (transition uuid, outcome text, clauses jsonb)
     on conflict do nothing`,
    [rule.id, JSON.stringify(rows)],
  )
}

export interface Unsent {
  readonly transition: Transition
  readonly status: SendStatus
  readonly silenceId: string | null
  readonly error: string | null
}

/** What is not sent for the same reason within a day is one row that counts, and names the last transition. */
export async function noteUnsent(client: Database, rule: Rule, unsent: readonly Unsent[]): Promise<void> {
  if (unsent.length === 0) return
  const rows = new Map<string, Readonly<Record<string, unknown>> & { readonly times: number }>()
  for (const { transition, status, silenceId, error } of unsent) {
    const { subject, name, id, properties } = transition
    const same = { resource_id: subject.id, source_event: name, status, silence_id: silenceId, error }
    const key = JSON.stringify(same)
    rows.set(key, { ...same, transition: id, event: properties, times: (rows.get(key)?.times ?? 0) + 1 })
  }
  await client.query(
    `with noted as (
       select * from jsonb_to_recordset($2) as noted (resource_id uuid, source_event text, status text, silence_id uuid,
         error text, transition uuid, event jsonb, times integer)),
     counted as (
       update notification_send_history as history
       set count = history.count + noted.times, created_at = now(), transition = noted.transition
       from noted cross join lateral (
         select id from notification_send_history as former
         where former.notification_id = $1 and former.resource_id = noted.resource_id
           and former.source_event = noted.source_event and former.status = noted.status
           and former.silence_id is not distinct from noted.silence_id and former.error is not distinct from noted.error
           and former.person_id is null and former.connection_id is null
           and former.created_at > now() - interval '1 day'
         order by former.created_at desc limit 1) as latest
       where history.id = latest.id
       returning noted.transition)
     insert into notification_send_history
       (notification_id, resource_id, source_event, status, silence_id, error, transition, event, count)
     select $1, resource_id, source_event, status, silence_id, error, transition, event, times from noted
     where transition not in (select transition from counted)`,
    [rule.id, JSON.stringify([...rows.values()])],
  )
}

/**
 * A message for each transition and recipient, those of a group as members of the one that still waits.
 *
 * @returns by transition the message that names it to the first recipient; none for what is told alone
 */
export async function writeSends(
  client: Database,
  rule: Rule,
  transitions: readonly Transition[],
  recipients: readonly Recipient[],
): Promise<ReadonlyMap<string, string>> {
  const sends = transitions.flatMap((transition) => {
    const groupKey = toGroupKey(transition.name, rule.group_by, transition.subject)
    return recipients.map((recipient) => ({ transition, recipient, groupKey }))
  })
  const folded = await foldGroups(client, rule.id, sends)
  const told = new Map<string, string>()
  const rows = sends.flatMap(({ transition, recipient, groupKey }, index) => {
    const own = folded[index]
    if (!own) return []
    const { subject, name, id: transitionId, properties } = transition
    if (groupKey !== null && !told.has(transitionId)) told.set(transitionId, own.grouped_into ?? own.id)
    return {
      ...own,
      resource_id: subject.id,
      source_event: name,
      transition: transitionId,
      event: properties,
      person_id: recipient.personId,
      connection_id: recipient.connectionId,
      recipient: recipient.name,
      receiver: recipient.receiver,
      group_key: groupKey,
      wait_s: toWaitMs(rule, subject, name) / 1_000,
    }
  })
  await client.query(
    `insert into notification_send_history
       (notification_id, id, resource_id, source_event, transition, event, person_id, connection_id, recipient, receiver,
        group_key, status, grouped_into, due_at, created_at)
     select $1, id, resource_id, source_event, transition, event, person_id, connection_id, recipient, receiver,
       group_key, status, grouped_into, now() + make_interval(secs => wait_s), clock_timestamp()
     from jsonb_to_recordset($2) as send (id uuid, resource_id uuid, source_event text, transition uuid, event jsonb,
       person_id uuid, connection_id uuid, recipient text, receiver text, group_key text, status text, grouped_into uuid,
       wait_s float8)
     on conflict do nothing`,
    [rule.id, JSON.stringify(rows)],
  )
  return told
}
