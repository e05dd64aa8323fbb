// What the recorder writes. Every call is one statement or part of a transaction of the connection that holds the recorder's lock, so
// that a recorder that lost the lock writes nothing any more.
import type { EstateChanges, RecordedEstate } from '@watchroom/shared/topology/history'
import type { PoolClient } from 'pg'

import { inClientTransaction } from '../platform/database/inTransaction.ts'
import { allowLonger } from '../platform/database/statementDeadline.ts'

const HOUR_MS = 3_600_000
/** What is dropped is mostly ten minutes' worth, but after a pause of days, or under another bound, millions of rows at once. */
const DROP_TIMEOUT_MS = 600_000
/** What a row costs besides its texts. */
const ROW_BYTES = 90

export interface Step {
  readonly at: Date
  /** Where the present recording began; it begins now when both are equal. */
  readonly startedAt: Date
  /** Null where nothing is known of before. */
  readonly before: RecordedEstate | null
  readonly after: RecordedEstate
  readonly changes: EstateChanges
  readonly withCheckpoint: boolean
}

export async function writeStep(client: PoolClient, step: Step): Promise<void> {
  const { at, startedAt, changes, withCheckpoint } = step
  const transitions = step.before === null ? [] : toTransitions(step.before, changes)
  const structures = [...changes.structures].flatMap(([id, structure]) =>
    structure === null ? [] : [{ id, structure }],
  )
  const states = withCheckpoint ? Object.fromEntries([...step.after].map(([id, { state }]) => [id, state])) : null
  const parts = [
    transitions.length > 0 ? JSON.stringify(transitions) : '',
    structures.length > 0 ? JSON.stringify(structures) : '',
    states === null ? '' : JSON.stringify(states),
  ] as const
  const rows = transitions.length + structures.length
  const bytes = parts.reduce((sum, part) => sum + part.length, 0) + rows * ROW_BYTES

  await inClientTransaction(client, async () => {
    await client.query(
      `insert into watchroom.topology_recording (started_at, seen_until) values ($1, $2)
       on conflict (started_at) do update set seen_until = excluded.seen_until`,
      [startedAt, at],
    )
    if (bytes === 0) return
    if (transitions.length > 0) {
      await client.query(
        `insert into watchroom.topology_transition (at, component_id, health, status, reason, from_health, from_status)
         select $1, id, health, status, reason, from_health, from_status from jsonb_to_recordset($2::jsonb)
           as rows (id uuid, health text, status text, reason text, from_health text, from_status text)`,
        [at, parts[0]],
      )
    }
    if (structures.length > 0) {
      await client.query(
        `insert into watchroom.topology_structure (component_id, at, structure)
         select id, $1, structure from jsonb_to_recordset($2::jsonb) as rows (id uuid, structure jsonb)`,
        [at, parts[1]],
      )
    }
    if (states !== null) {
      await client.query('insert into watchroom.topology_checkpoint (at, states) values ($1, $2)', [at, parts[2]])
    }
    await client.query(
      `insert into watchroom.topology_history_hour (hour, bytes) values ($1, $2)
       on conflict (hour) do update set bytes = topology_history_hour.bytes + excluded.bytes`,
      [new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS), bytes],
    )
  })
}

function toTransitions(before: RecordedEstate, { states, structures }: EstateChanges) {
  const from = (id: string) => {
    const state = before.get(id)?.state
    return { from_health: state?.health ?? null, from_status: state?.status ?? null }
  }
  return [
    ...[...states].map(([id, state]) => ({ id, ...state, ...from(id) })),
    ...[...structures].flatMap(([id, structure]) =>
      structure === null ? [{ id, health: null, status: null, reason: null, ...from(id) }] : [],
    ),
  ]
}

export interface Retention {
  readonly keepMs: number
  readonly maxBytes: number
}

/** Takes away the oldest hours: those that are too old, and as many as are too much. The hour that is being written stays. */
export async function dropOldHistory(client: PoolClient, now: number, { keepMs, maxBytes }: Retention): Promise<void> {
  const { rows } = await client.query<{ hour: Date; bytes: string }>(
    'select hour, bytes from watchroom.topology_history_hour order by hour desc',
  )
  let sum = 0
  const kept = rows.filter(({ hour, bytes }, index) => {
    sum += Number(bytes)
    return index === 0 || (hour.getTime() + HOUR_MS > now - keepMs && sum <= maxBytes)
  })
  const horizon = kept.at(-1)?.hour
  if (horizon === undefined || kept.length === rows.length) return
  // Without a checkpoint after it the horizon would take what leads to the present.
  const { rows: first } = await client.query<{ at: Date | null }>(
    'select min(at) as at from watchroom.topology_checkpoint where at >= $1',
    [horizon],
  )
  const from = first[0]?.at
  if (!from) return
  await inClientTransaction(client, async () => {
    const drop = await allowLonger(client, DROP_TIMEOUT_MS)
    await drop('delete from watchroom.topology_transition where at < $1', [from])
    await drop('delete from watchroom.topology_checkpoint where at < $1', [from])
    await drop('delete from watchroom.topology_recording where seen_until < $1', [from])
    await drop('delete from watchroom.topology_history_hour where hour < $1', [horizon])
    await drop(
      `delete from watchroom.topology_structure as old
       where at < $1 and (
         exists (select from watchroom.topology_structure as newer
           where newer.component_id = old.component_id and newer.at > old.at and newer.at <= $1)
         or not (
           exists (select from watchroom.topology_transition where component_id = old.component_id)
           or (select states ? old.component_id::text from watchroom.topology_checkpoint where at = $1)))`,
      [from],
    )
  })
}
