// How things stand when a rule decides: what it told lately, and what is silenced.
import type { ClientBase, Pool } from 'pg'

import { type Facts, MESSAGES_WITHIN_MS, toRepeatMs } from './decide.ts'
import type { Rule } from './rule.ts'
import type { Transition } from './transitions.ts'

export interface Silence {
  readonly id: string
  /** As people read it. */
  readonly name: string
}

/** Of a row called `silence`; null where there is none. */
export const SILENCE_NAME = `case when silence.id is not null then coalesce(nullif(silence.description, ''), 'a silence') end`

/** The silences that hold now, by the ids of the transitions whose resource they are about. */
export async function readSilences(
  pool: Pick<Pool, 'query'>,
  transitions: readonly Transition[],
): Promise<ReadonlyMap<string, Silence>> {
  const { rows } = await pool.query<Silence & { transition: string }>(
    `select about.transition, silence.id, ${SILENCE_NAME} as name
     from unnest($1::uuid[], $2::text[], $3::uuid[]) as about (transition, kind, id)
     join notification_silences as silence on silence.id = watchroom_internal.matching_silence(about.kind, about.id, now())`,
    [
      transitions.map(({ id }) => id),
      transitions.map(({ subject }) => subject.kind),
      transitions.map(({ subject }) => subject.id),
    ],
  )
  return new Map(rows.map(({ transition, ...silence }) => [transition, silence]))
}

/** What a rule told of some resources, which grows while it decides. */
export interface Told {
  standing(transition: Transition): Pick<Facts, 'isRepeated' | 'recent'>
  note(transition: Transition): void
}

/** Of the history: what the others are told is told of messages that count already, or that nobody took. */
const IS_TOLD = `status in ('pending', 'sending', 'sent', 'grouped') and transition is not null and not is_fallback`

/** One transition that a rule told. */
export interface Mention {
  readonly resource: string
  readonly event: string
  readonly at: number
}

/** What a rule told of some resources before a moment, as far back as it may keep the rule quiet after it. */
export async function readToldBefore(
  pool: Pick<Pool, 'query'>,
  rule: Pick<Rule, 'id' | 'repeat_interval'>,
  resources: readonly string[],
  moment: Date,
): Promise<Mention[]> {
  const { rows } = await pool.query<{ resource: string; event: string; at: Date }>(
    `select resource_id as resource, source_event as event, max(created_at) as at
     from notification_send_history
     where notification_id = $1 and resource_id = any($2) and ${IS_TOLD}
       and created_at < $3 and created_at > $3::timestamptz - make_interval(secs => $4)
     group by resource_id, source_event, transition`,
    [rule.id, resources, moment, Math.max(toRepeatMs(rule), MESSAGES_WITHIN_MS) / 1_000],
  )
  return rows.map((row) => ({ ...row, at: row.at.getTime() }))
}

export async function readTold(client: ClientBase, rule: Rule, transitions: readonly Transition[]): Promise<Told> {
  const { rows } = await client.query<{ resource: string; event: string; recent: number; is_repeated: boolean }>(
    `select resource_id as resource, source_event as event,
       coalesce(bool_or(created_at > now() - make_interval(secs => $3)), false) as is_repeated,
       (count(distinct transition) filter (where created_at > now() - make_interval(secs => $4)))::integer as recent
     from notification_send_history
     where notification_id = $1 and resource_id = any($2) and ${IS_TOLD}
       and created_at > now() - make_interval(secs => greatest($3::float8, $4::float8))
     group by resource_id, source_event`,
    [
      rule.id,
      [...new Set(transitions.map(({ subject }) => subject.id))],
      toRepeatMs(rule) / 1_000,
      MESSAGES_WITHIN_MS / 1_000,
    ],
  )
  const recent = new Map<string, number>()
  const count = (resource: string, more: number): void => void recent.set(resource, (recent.get(resource) ?? 0) + more)
  for (const row of rows) count(row.resource, row.recent)
  const repeated = new Set(rows.filter((row) => row.is_repeated).map(({ resource, event }) => `${resource} ${event}`))
  const isRepeating = toRepeatMs(rule) > 0
  return {
    standing: ({ subject, name }) => ({
      // Without an interval, too, the database counts what was written while this waited for its turn.
      isRepeated: isRepeating && repeated.has(`${subject.id} ${name}`),
      recent: recent.get(subject.id) ?? 0,
    }),
    note: ({ subject, name }) => {
      count(subject.id, 1)
      if (isRepeating) repeated.add(`${subject.id} ${name}`)
    },
  }
}
