// Writes what an agent pushes: every row that can be kept, and what became of every other one. Everything in here may be repeated: a
// batch whose answer was lost comes again. Knows nothing of HTTP.
import { PUSHED_KINDS, type PushedKind, type PushedResult, type RefusedRow } from '@watchroom/shared/agents/upstream'
import { NIL_UUID, ownValue, toStorable } from '@watchroom/shared/kernel'
import type { Pool, PoolClient } from 'pg'

import { inTransaction } from '../../platform/database/inTransaction.ts'
import type { SummaryState } from '../checks/createCheckSummary.ts'
import { type StateRow, type StorableResult, toRowJson, toState } from '../checks/createResultStore.ts'
import { runsBefore } from '../playbooks/statusMoves.ts'
import { measureExcess, measureSkew, noteSkew } from './clockSkew.ts'
import { findEnded, writeOutputs } from './pushedSteps.ts'
import { nameOfRow, PUSH_KINDS, type PushedRow } from './pushKinds.ts'
import type { PushFrame, ReadPush } from './readPush.ts'
import { deleteRows, storeRows } from './storeRows.ts'

/** A row that was not kept. */
export interface Unkept {
  readonly told: RefusedRow
  /** As agents of the real product name it. */
  readonly name: string
  /** It would be kept once the rows are here that it refers to, as this agent's own. */
  readonly isOrphan: boolean
}

export interface PushReceipt {
  /** Results that are new; repeated ones are not among them. Times on our clock. */
  readonly results: readonly StorableResult[]
  readonly states: ReadonlyMap<string, SummaryState>
  readonly duplicates: number
  readonly unkept: readonly Unkept[]
  /** Canaries or checks were added, changed or deleted. */
  readonly isDefinitionChanged: boolean
  readonly clockAheadMs: number
  /** Steps that the agent works on and nobody waits for. */
  readonly ended: readonly string[]
}

/** The agent was deleted a moment ago; nothing was written. */
export class AgentGone extends Error {
  override readonly name = 'AgentGone'
}

/** Canaries that an agent brings along itself; it may take them away again. Others were assigned to it. */
const OWN_SOURCE = 'ConfigFile'

const DELETE_CHECKS_BUT = `
update checks set deleted_at = now() where agent_id = $1 and deleted_at is null and id <> all($2::uuid[])`
const DELETE_CANARIES_BUT = `
update canaries set deleted_at = now()
where agent_id = $1 and deleted_at is null and source = '${OWN_SOURCE}' and id <> all($2::uuid[])`

/** A run goes on once one of its actions has ended elsewhere. */
const WAKE_RUNS = `
update playbook_runs set status = 'scheduled'
where status in (${runsBefore('scheduled', ['running', 'waiting', 'sleeping'])})
  and id in (select playbook_run_id from playbook_run_actions where id = any($1::uuid[]))`

const GIVEN_AWAY = 'this check was given to another agent, which tells of it from now on'
const NOT_KNOWN = 'its check is not here, or not of this agent'
const MAX_REASON_LENGTH = 300
const MAX_NAME_LENGTH = 200

/** What identifies a result is what the agent said: the time that is stored for it depends on what is known of its clock. */
const FIND_REPEATED = `
select pushed.index
from (
  select index, check_id, agent_time, row_number() over (partition by check_id, agent_time order by index) as nth
  from jsonb_to_recordset($1::jsonb) as said(index integer, check_id uuid, agent_time timestamptz)
) as pushed
where nth > 1 or exists (
  select from check_statuses as known
  where known.check_id = pushed.check_id and known.agent_time = pushed.agent_time)`

const INSERT_RESULTS = `
insert into check_statuses (check_id, time, agent_time, duration, status, invalid, message, error, details, severity)
select check_id, time, agent_time, duration, status, invalid, message, error, details, severity
from jsonb_to_recordset($1::jsonb) as result(
  check_id uuid, time timestamptz, agent_time timestamptz, duration integer, status boolean, invalid boolean,
  message text, error text, details jsonb, severity text)
on conflict do nothing
returning check_id, time`

/** Two runs whose clocks said different times may be moved to one millisecond: the later one is stored a little later. */
const MAX_STEPS_ASIDE = 20

const UPDATE_STATES = `
update checks
set status = latest.status, last_runtime = latest.last_runtime,
  next_runtime = case when $2 then latest.next_runtime else coalesce(latest.next_runtime, checks.next_runtime) end,
  last_transition_time = coalesce(latest.changed_at, checks.last_transition_time), updated_at = now()
from jsonb_to_recordset($1::jsonb) as latest(
  id uuid, status text, last_runtime timestamptz, next_runtime timestamptz, changed_at timestamptz)
where checks.id = latest.id and (checks.last_runtime is null or checks.last_runtime <= latest.last_runtime)
returning checks.id, checks.status, checks.last_runtime, checks.next_runtime, checks.last_transition_time,
  checks.updated_at`

/**
 * Agents of the real product say of a check when it runs next, ours of a result. It is another time after each run, and no change of
 * what is checked.
 */
const UPDATE_NEXT_RUNTIMES = `
update checks set next_runtime = pushed.next_runtime
from jsonb_to_recordset($1::jsonb) as pushed(id uuid, next_runtime timestamptz)
where checks.id = pushed.id and checks.agent_id = $2
  and checks.next_runtime is distinct from pushed.next_runtime`

/** With them, whether people here gave the canary to an agent, and may have given it to another since. */
const SELECT_CHECKS = `
select checks.id, checks.agent_id, checks.status, checks.last_runtime,
  checks.agent_id <> '${NIL_UUID}' and canaries.source is distinct from '${OWN_SOURCE}' as "isAssigned"
from checks join canaries on canaries.id = checks.canary_id
where checks.id = any($1::uuid[]) order by checks.id for no key update of checks`

interface CheckRow {
  id: string
  agent_id: string
  isAssigned: boolean
  status: string | null
  last_runtime: Date | null
}

/** @param now milliseconds since the epoch, on the clock of the board. @throws AgentGone */
export function receivePush(
  pool: Pool,
  agentId: string,
  { frame, rows, refused }: ReadPush,
  now: number,
): Promise<PushReceipt> {
  return inTransaction(pool, async (client) => {
    await lockAgent(client, agentId)
    // What hangs on a row that is not there is found with that row, and not at the end.
    await client.query('set constraints all immediate')
    const unkept = refused.map(({ kind, row, reason }) => toUnkept(kind, row, reason))
    const changes = new Map<PushedKind, number>()
    let stored: StoredResults = { results: [], states: new Map(), duplicates: 0 }
    let clockAheadMs = 0
    // Before the steps that it is of end.
    await writeOutputs(client, agentId, frame)
    for (const kind of PUSHED_KINDS) {
      if (kind === 'check_statuses') {
        const aheadOf = judgeClock(frame, rows.check_statuses as readonly PushedResult[], now)
        clockAheadMs = aheadOf.aheadMs
        stored = await writeResults(
          client,
          { agentId, frame },
          rows.check_statuses as readonly PushedResult[],
          aheadOf.at,
          unkept,
        )
        continue
      }
      const count = await storeRows(client, PUSH_KINDS[kind], agentId, rows[kind], ({ row, reason, isOrphan }) =>
        unkept.push(toUnkept(kind, row, reason, isOrphan)),
      )
      changes.set(kind, count)
      if (kind === 'checks' && !isExtended(frame)) await writeNextRuntimes(client, agentId, rows.checks)
    }
    if ((changes.get('playbook_actions') ?? 0) > 0) {
      const others = new Set(unkept.map(({ name }) => name))
      const own = rows.playbook_actions.map((row) => nameOfRow(PUSH_KINDS.playbook_actions, row))
      await client.query(WAKE_RUNS, [own.filter((id) => !others.has(id))])
    }
    const removed = await removeAllBut(client, agentId, frame.live)
    await client.query(
      `update agents set last_seen = greatest(last_seen, $2), last_received = greatest(last_received, $2),
         clock_skew_ms = case when $3 then $4 else clock_skew_ms end
       where id = $1`,
      [agentId, new Date(now), isExtended(frame), clockAheadMs],
    )
    const isDefinitionChanged = (changes.get('canaries') ?? 0) + (changes.get('checks') ?? 0) + removed > 0
    return { ...stored, unkept, isDefinitionChanged, clockAheadMs, ended: await findEnded(client, agentId, frame) }
  })
}

/** Whether an agent says more than those of the real product do, and reads more of the answer. */
export const isExtended = ({ sent_at: sentAt }: PushFrame): boolean => sentAt !== undefined && sentAt !== null

/**
 * Deletes rows for good, those first that refer to others. Rows that are not there, or someone else's, are left alone.
 *
 * @returns how many
 * @throws AgentGone; the database's error 23503 while something else refers to one of them
 */
export function receiveDeletion(pool: Pool, agentId: string, { rows }: ReadPush, now: number): Promise<number> {
  return inTransaction(pool, async (client) => {
    await lockAgent(client, agentId)
    await client.query('set constraints all immediate')
    let deleted = 0
    for (const kind of PUSHED_KINDS.toReversed()) {
      deleted += await deleteRows(client, PUSH_KINDS[kind], agentId, rows[kind])
    }
    await client.query(
      'update agents set last_seen = greatest(last_seen, $2), last_received = greatest(last_received, $2) where id = $1',
      [agentId, new Date(now)],
    )
    return deleted
  })
}

/** One push of an agent at a time: the repetition of a batch waits for its first attempt. @throws AgentGone */
export async function lockAgent(client: PoolClient, agentId: string): Promise<void> {
  const { rowCount } = await client.query('select from agents where id = $1 and deleted_at is null for no key update', [
    agentId,
  ])
  if (rowCount === 0) throw new AgentGone()
}

async function removeAllBut(client: PoolClient, agentId: string, live: PushFrame['live']): Promise<number> {
  if (!live) return 0
  const checks = await client.query(DELETE_CHECKS_BUT, [agentId, live.checks])
  const canaries = await client.query(DELETE_CANARIES_BUT, [agentId, live.canaries])
  return (checks.rowCount ?? 0) + (canaries.rowCount ?? 0)
}

function toUnkept(kind: PushedKind, row: PushedRow, reason: string, isOrphan = false): Unkept {
  const text = (key: string): string | null => {
    const value = ownValue(row, key)
    return typeof value === 'string' ? toStorable(value).slice(0, MAX_NAME_LENGTH) : null
  }
  const name = nameOfRow(PUSH_KINDS[kind], row)
  const id = kind === 'check_statuses' ? text('check_id') : toStorable(name).slice(0, MAX_NAME_LENGTH)
  const told = {
    table: kind,
    id: id || 'without an id',
    name: text('name'),
    reason: reason.slice(0, MAX_REASON_LENGTH),
  }
  return { told, name, isOrphan }
}

/** What the times of a push mean on our clock. */
function judgeClock(
  frame: PushFrame,
  pushed: readonly PushedResult[],
  now: number,
): { aheadMs: number; at: (at: number) => number } {
  const times = pushed.map(({ time }) => Date.parse(time))
  const newestAt = times.reduce<number | null>((newest, at) => Math.max(newest ?? -Infinity, at), null)
  const sentAt = frame.sent_at ? Date.parse(frame.sent_at) : null
  const aheadMs = measureSkew(now, { bounds: frame.clock, sentAt, newestAt })
  const excessMs = measureExcess(
    now,
    times.map((at) => at - aheadMs),
  )
  return { aheadMs, at: (at) => (at - aheadMs > now ? aheadMs + excessMs : aheadMs) }
}

async function writeNextRuntimes(client: PoolClient, agentId: string, checks: readonly PushedRow[]): Promise<void> {
  // The last one counts of those that have one id. The zero time of their language says nothing, either.
  const times = new Map(checks.map((row) => [String(row.id).toLowerCase(), Date.parse(String(row.next_runtime))]))
  const said = [...times].flatMap(([id, at]) => (at > 0 ? [{ id, next_runtime: toTime(at) }] : []))
  if (said.length > 0) await client.query(UPDATE_NEXT_RUNTIMES, [JSON.stringify(said), agentId])
}

type StoredResults = Pick<PushReceipt, 'results' | 'states' | 'duplicates'>

async function writeResults(
  client: PoolClient,
  { agentId, frame }: { readonly agentId: string; readonly frame: PushFrame },
  pushed: readonly PushedResult[],
  aheadOf: (at: number) => number,
  unkept: Unkept[],
): Promise<StoredResults> {
  if (pushed.length === 0) return { results: [], states: new Map(), duplicates: 0 }
  const ids = [...new Set(pushed.map((result) => result.check_id.toLowerCase()))]
  const { rows: checks } = await client.query<CheckRow>(SELECT_CHECKS, [ids])
  const known = new Map(checks.map((check) => [check.id, check]))
  const own = pushed.filter((result) => {
    const check = known.get(result.check_id.toLowerCase())
    if (check?.agent_id === agentId) return true
    // Given to another agent since: what still waited at this one is dropped, or all its other results would wait behind it.
    const isLost = check?.isAssigned === true
    unkept.push(toUnkept('check_statuses', { ...result }, isLost ? GIVEN_AWAY : NOT_KNOWN, !isLost))
    return false
  })

  const repeated = await findRepeated(client, own)
  const results = own.filter((_, index) => !repeated.has(index)).map((result) => toResult(result, aheadOf))
  const fresh = await insertResults(client, results)
  const { rows: states } = await client.query<StateRow>(UPDATE_STATES, [
    JSON.stringify(toStates(fresh, known)),
    isExtended(frame),
  ])
  return {
    results: fresh,
    states: new Map(states.map((row) => [row.id, toState(row)])),
    duplicates: own.length - fresh.length,
  }
}

const keyOf = (checkId: string, startedAt: number): string => `${checkId}\n${startedAt}`

const toJson = (results: readonly StorableResult[]): string => `[${results.map(toRowJson).join(',')}]`

/** @returns what was stored, each with the time that it has now */
async function insertResults(client: PoolClient, results: readonly AgentResult[]): Promise<AgentResult[]> {
  const stored: AgentResult[] = []
  let waiting = inOwnMoments(results)
  for (let step = 0; waiting.length > 0 && step <= MAX_STEPS_ASIDE; step++) {
    const { rows } = await client.query<{ check_id: string; time: Date }>(INSERT_RESULTS, [toJson(waiting)])
    const isNew = new Set(rows.map((row) => keyOf(row.check_id, row.time.getTime())))
    stored.push(...waiting.filter((result) => isNew.has(keyOf(result.checkId, result.startedAt))))
    const taken = waiting.filter((result) => !isNew.has(keyOf(result.checkId, result.startedAt)))
    // Told by two agents at once, while a canary changes hands: then it is there already.
    const repeated = taken.length === 0 ? new Set<number>() : await findRepeated(client, taken.map(toSaid))
    waiting = inOwnMoments(
      taken
        .filter((_, index) => !repeated.has(index))
        .map((result) => ({ ...result, startedAt: result.startedAt + 1 })),
    )
  }
  return stored
}

/** Within one push each run of a check has a millisecond of its own. */
function inOwnMoments(results: readonly AgentResult[]): AgentResult[] {
  const taken = new Set<string>()
  return results.map((result) => {
    let { startedAt } = result
    while (taken.has(keyOf(result.checkId, startedAt))) startedAt++
    taken.add(keyOf(result.checkId, startedAt))
    return startedAt === result.startedAt ? result : { ...result, startedAt }
  })
}

/** What the agent said of a result, and nothing that we made of it. */
interface Said {
  readonly check_id: string
  readonly time: string
}
const toSaid = ({ checkId, agentTime }: AgentResult): Said => ({ check_id: checkId, time: agentTime })

type AgentResult = StorableResult & { readonly agentTime: string }

async function findRepeated(client: PoolClient, pushed: readonly Said[]): Promise<Set<number>> {
  const said = pushed.map(({ check_id, time }, index) => ({ index, check_id, agent_time: time }))
  const { rows } = await client.query<{ index: number }>(FIND_REPEATED, [JSON.stringify(said)])
  return new Set(rows.map(({ index }) => index))
}

function toResult(pushed: PushedResult, aheadOf: (at: number) => number): AgentResult {
  const aheadMs = aheadOf(Date.parse(pushed.time))
  return {
    agentTime: pushed.time,
    checkId: pushed.check_id.toLowerCase(),
    startedAt: Date.parse(pushed.time) - aheadMs,
    durationMs: pushed.duration ?? 0,
    passed: pushed.status,
    isInvalid: pushed.invalid ?? false,
    message: pushed.message ?? null,
    error: pushed.error ?? null,
    details: noteSkew(pushed.details ?? null, pushed.time, aheadMs),
    severity: pushed.severity ?? null,
    nextRuntimeAt: pushed.next_runtime ? Date.parse(pushed.next_runtime) - aheadMs : null,
  }
}

const toStatus = (result: StorableResult): string => (result.passed ? 'healthy' : 'unhealthy')

/** Where each check stands after its new results, and when it changed for the last time within them. */
function toStates(results: readonly StorableResult[], known: ReadonlyMap<string, CheckRow>): Record<string, unknown>[] {
  const byCheck = new Map<string, StorableResult[]>()
  for (const result of results) {
    const ofCheck = byCheck.get(result.checkId)
    if (ofCheck) ofCheck.push(result)
    else byCheck.set(result.checkId, [result])
  }
  return Array.from(byCheck, ([id, ofCheck]) => {
    const sorted = ofCheck.toSorted((a, b) => a.startedAt - b.startedAt)
    const lastRunAt = known.get(id)?.last_runtime?.getTime() ?? -Infinity
    let status = known.get(id)?.status ?? null
    let changedAt: number | null = null
    for (const result of sorted) {
      if (result.startedAt < lastRunAt || toStatus(result) === status) continue
      status = toStatus(result)
      changedAt = result.startedAt
    }
    const latest = sorted.at(-1)
    return {
      id,
      status: latest ? toStatus(latest) : status,
      last_runtime: toTime(latest?.startedAt),
      next_runtime: toTime(latest?.nextRuntimeAt),
      changed_at: toTime(changedAt),
    }
  })
}

const toTime = (at: number | null | undefined): string | null =>
  at === null || at === undefined ? null : new Date(at).toISOString()
