// Messages that are told together: each joins the one of its group that still waits, or is the first of a group.
import { randomUUID } from 'node:crypto'

import type { ClientBase } from 'pg'

import type { Recipient } from './findRecipients.ts'

/** What is told to whom. */
interface Message {
  readonly recipient: Recipient
  /** Of those that are told together; null for one that is told alone. */
  readonly groupKey: string | null
}

export interface Folded {
  readonly id: string
  readonly status: 'pending' | 'grouped'
  /** The message that names this one too. */
  readonly grouped_into: string | null
}

/** @returns one for each message, in their order; the database has them when the caller writes them */
export async function foldGroups(
  client: Pick<ClientBase, 'query'>,
  ruleId: string,
  messages: readonly Message[],
): Promise<Folded[]> {
  const leaders = await findLeaders(client, ruleId, messages)
  return messages.map(({ recipient, groupKey }) => {
    const id = randomUUID()
    if (groupKey === null) return { id, status: 'pending', grouped_into: null }
    const group = toGroup(recipient, groupKey)
    const leader = leaders.get(group)
    if (leader === undefined) leaders.set(group, id)
    return { id, status: leader === undefined ? 'pending' : 'grouped', grouped_into: leader ?? null }
  })
}

const idOf = ({ personId, connectionId }: Recipient): string | null => personId ?? connectionId

const toGroup = (recipient: Recipient, groupKey: string): string => JSON.stringify([idOf(recipient), groupKey])

/** The messages that still wait for others, by recipient and group; locked, so that none is sent before these are part of it. */
async function findLeaders(
  client: Pick<ClientBase, 'query'>,
  ruleId: string,
  messages: readonly Message[],
): Promise<Map<string, string>> {
  const groups = new Map<string, { readonly recipient: string | null; readonly group_key: string }>()
  for (const { recipient, groupKey } of messages) {
    if (groupKey !== null) groups.set(toGroup(recipient, groupKey), { recipient: idOf(recipient), group_key: groupKey })
  }
  if (groups.size === 0) return new Map()
  const { rows } = await client.query<{ group: string; id: string }>(
    `select named.group, leader.id
     from jsonb_to_recordset($2) as named ("group" text, recipient uuid, group_key text)
     cross join lateral (
       select id from notification_send_history
       where notification_id = $1 and coalesce(person_id, connection_id) = named.recipient
         and group_key = named.group_key and status = 'pending' and attempts = 0
       order by created_at limit 1 for update) as leader`,
    [ruleId, JSON.stringify([...groups].map(([group, named]) => ({ group, ...named })))],
  )
  return new Map(rows.map(({ group, id }) => [group, id]))
}
