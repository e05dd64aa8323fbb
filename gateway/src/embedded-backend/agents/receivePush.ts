// Writes what an agent pushes, all of it or nothing. Everything in here may be repeated: a batch whose answer was lost comes
// again. Knows nothing of HTTP.
import type { PushedCheck, PushedResult } from '@watchroom/shared/agents/upstream'
import { NIL_UUID } from '@watchroom/shared/kernel'
import type { Pool, PoolClient } from 'pg'

import { inTransaction } from '../../platform/database/inTransaction.ts'
import type { SummaryState } from '../checks/createCheckSummary.ts'
import { type CheckResult, type StateRow, toRowJson, toState } from '../checks/createResultStore.ts'
import { measureExcess, measureSkew, noteSkew } from './clockSkew.ts'
import type { ParsedPush } from './readPush.ts'

/** Why a push was not taken; nothing of it was written. */
export type PushRefusal =
  /** Rows of somebody else. */
  | { readonly kind: 'foreign'; readonly ids: readonly string[] }
  /** Results of checks, or checks of canaries, that were never pushed, or are long deleted. */
  | { readonly kind: 'unknown'; readonly ids: readonly string[] }
  /** The agent was deleted a moment ago. */
  | { readonly kind: 'gone' }

export interface PushReceipt {
  /** Results that are new; repeated ones are not among them. Times on our clock. */
  readonly results: readonly CheckResult[]
  readonly states: ReadonlyMap<string, SummaryState>
  readonly duplicates: number
  /** Checks that were given to another agent since: what this one still had of them is not kept. */
  readonly lost: readonly string[]
  /** Canaries or checks were added, changed or deleted. */
  readonly isDefinitionChanged: boolean
  readonly clockAheadMs: number
}

/** Thrown inside the transaction, so that nothing stays. */
export class PushRefused extends Error {
  override readonly name = 'PushRefused'
  readonly refusal: PushRefusal

  constructor(refusal: PushRefusal) {
    super(`push refused: ${refusal.kind}`)
    this.refusal = refusal
  }
}

/** Canaries that an agent brings along itself; it may take them away again. Others were assigned to it. */
const OWN_SOURCE = 'ConfigFile'

const UPSERT_CANARIES = `
insert into canaries (id, agent_id, name, namespace, labels, spec, source)
select id, $2, name, namespace, labels, spec, coalesce(source, '${OWN_SOURCE}')
from jsonb_to_recordset($1::jsonb) as pushed(id uuid, name text, namespace text, labels jsonb, spec jsonb, source text)
order by id
on conflict (id) do update set
  name = excluded.name, namespace = excluded.namespace, labels = excluded.labels, spec = excluded.spec,
  source = excluded.source, updated_at = now(), deleted_at = null
where (canaries.name, canaries.namespace, canaries.labels, canaries.spec, canaries.source, canaries.deleted_at)
  is distinct from (excluded.name, excluded.namespace, excluded.labels, excluded.spec, excluded.source, null)`

const UPSERT_CHECKS = `
insert into checks (id, agent_id, canary_id, type, name, namespace, description, icon, spec, labels, owner, severity)
select id, $2, canary_id, type, name, namespace, description, icon, spec, labels, owner, severity
from jsonb_to_recordset($1::jsonb) as pushed(
  id uuid, canary_id uuid, type text, name text, namespace text, description text, icon text, spec jsonb, labels jsonb,
  owner text, severity text)
order by id
on conflict (id) do update set
  agent_id = excluded.agent_id,
  canary_id = excluded.canary_id, type = excluded.type, name = excluded.name, namespace = excluded.namespace,
  description = excluded.description, icon = excluded.icon, spec = excluded.spec, labels = excluded.labels,
  owner = excluded.owner, severity = excluded.severity, updated_at = now(), deleted_at = null
where (checks.agent_id, checks.canary_id, checks.type, checks.name, checks.namespace, checks.description, checks.icon,
    checks.spec, checks.labels, checks.owner, checks.severity, checks.deleted_at)
  is distinct from (excluded.agent_id, excluded.canary_id, excluded.type, excluded.name, excluded.namespace,
    excluded.description, excluded.icon, excluded.spec, excluded.labels, excluded.owner, excluded.severity, null)`

const DELETE_CHECKS_BUT = `
update checks set deleted_at = now() where agent_id = $1 and deleted_at is null and id <> all($2::uuid[])`
const DELETE_CANARIES_BUT = `
update canaries set deleted_at = now()
where agent_id = $1 and deleted_at is null and source = '${OWN_SOURCE}' and id <> all($2::uuid[])`

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
set status = latest.status, last_runtime = latest.last_runtime, next_runtime = latest.next_runtime,
  last_transition_time = coalesce(latest.changed_at, checks.last_transition_time), updated_at = now()
from jsonb_to_recordset($1::jsonb) as latest(
  id uuid, status text, last_runtime timestamptz, next_runtime timestamptz, changed_at timestamptz)
where checks.id = latest.id and (checks.last_runtime is null or checks.last_runtime <= latest.last_runtime)
returning checks.id, checks.status, checks.last_runtime, checks.next_runtime, checks.last_transition_time,
  checks.updated_at`

/** Those of somebody else. Checks of a canary that was given to this agent are its own from then on: it takes them over. */
const FIND_FOREIGN = {
  canaries: 'select id from canaries where id = any($1::uuid[]) and agent_id <> $2',
  checks: `select checks.id from checks join canaries on canaries.id = checks.canary_id
    where checks.id = any($1::uuid[]) and checks.agent_id <> $2 and canaries.agent_id <> $2`,
} as const

/** With them, whether people here gave the canary to an agent, and may have given it to another since. */
const SELECT_CHECKS = `
select checks.id, checks.agent_id, checks.status, checks.last_runtime,
  checks.agent_id <> '${NIL_UUID}' and canaries.source is distinct from '${OWN_SOURCE}' as "isAssigned"
from checks join canaries on canaries.id = checks.canary_id
where checks.id = any($1::uuid[]) for update of checks`

interface CheckRow {
  id: string
  agent_id: string
  isAssigned: boolean
  status: string | null
  last_runtime: Date | null
}

/**
 * @param now milliseconds since the epoch, on the clock of the board
 * @throws PushRefused; the database's errors, 23505 when two checks of one canary would have the same type and name
 */
export function receivePush(pool: Pool, agentId: string, push: ParsedPush, now: number): Promise<PushReceipt> {
  return inTransaction(pool, async (client) => {
    // One push of an agent at a time: the repetition of a batch waits for its first attempt.
    const { rowCount } = await client.query('select from agents where id = $1 and deleted_at is null for update', [
      agentId,
    ])
    if (rowCount === 0) throw new PushRefused({ kind: 'gone' })

    const isDefinitionChanged = await writeDefinitions(client, agentId, push)
    const pushed = push.check_statuses ?? []
    const newestAt = pushed.reduce<number | null>(
      (newest, { time }) => Math.max(newest ?? -Infinity, Date.parse(time)),
      null,
    )
    const sentAt = push.sent_at ? Date.parse(push.sent_at) : null
    const aheadMs = measureSkew(now, { bounds: push.clock, sentAt, newestAt })
    const excessMs = measureExcess(
      now,
      pushed.map(({ time }) => Date.parse(time) - aheadMs),
    )
    const aheadOf = (at: number): number => (at - aheadMs > now ? aheadMs + excessMs : aheadMs)
    const stored = await writeResults(client, agentId, pushed, aheadOf)
    await client.query(
      `update agents set last_seen = greatest(last_seen, $2), last_received = greatest(last_received, $2),
         clock_skew_ms = case when $3 then $4 else clock_skew_ms end
       where id = $1`,
      [agentId, new Date(now), push.sent_at !== null && push.sent_at !== undefined, aheadMs],
    )
    return { ...stored, isDefinitionChanged, clockAheadMs: aheadMs }
  })
}

/** Deletes rows the agent says are gone. Rows that are not there, or somebody else's, are left alone. @returns how many */
export async function receiveDeletion(
  pool: Pick<Pool, 'query'>,
  agentId: string,
  ids: { canaries: readonly string[]; checks: readonly string[] },
): Promise<number> {
  const checks = await pool.query(
    `update checks set deleted_at = now()
     where agent_id = $1 and deleted_at is null and (id = any($2::uuid[]) or canary_id = any($3::uuid[]))`,
    [agentId, ids.checks, ids.canaries],
  )
  const canaries = await pool.query(
    'update canaries set deleted_at = now() where agent_id = $1 and deleted_at is null and id = any($2::uuid[])',
    [agentId, ids.canaries],
  )
  return (checks.rowCount ?? 0) + (canaries.rowCount ?? 0)
}

async function writeDefinitions(client: PoolClient, agentId: string, push: ParsedPush): Promise<boolean> {
  const canaries = push.canaries ?? []
  const checks = push.checks ?? []
  let changes = 0
  const count = ({ rowCount }: { rowCount: number | null }): void => {
    changes += rowCount ?? 0
  }
  if (canaries.length > 0) {
    await refuseForeign(client, 'canaries', agentId, canaries)
    count(await client.query(UPSERT_CANARIES, [JSON.stringify(canaries), agentId]))
  }
  if (checks.length > 0) {
    await refuseForeign(client, 'checks', agentId, checks)
    await refuseForeignCanaries(client, agentId, checks)
    count(await client.query(UPSERT_CHECKS, [JSON.stringify(checks), agentId]))
  }
  if (push.live) {
    count(await client.query(DELETE_CHECKS_BUT, [agentId, push.live.checks]))
    count(await client.query(DELETE_CANARIES_BUT, [agentId, push.live.canaries]))
  }
  return changes > 0
}

async function refuseForeign(
  client: PoolClient,
  table: 'canaries' | 'checks',
  agentId: string,
  pushed: readonly { id: string }[],
): Promise<void> {
  const { rows } = await client.query<{ id: string }>(FIND_FOREIGN[table], [pushed.map(({ id }) => id), agentId])
  if (rows.length > 0) throw new PushRefused({ kind: 'foreign', ids: rows.map(({ id }) => id) })
}

async function refuseForeignCanaries(
  client: PoolClient,
  agentId: string,
  checks: readonly PushedCheck[],
): Promise<void> {
  const wanted = [...new Set(checks.map((check) => check.canary_id.toLowerCase()))]
  const { rows } = await client.query<{ id: string; agent_id: string }>(
    'select id, agent_id from canaries where id = any($1::uuid[])',
    [wanted],
  )
  refuse(wanted, new Map(rows.map((row) => [row.id, row.agent_id])), agentId)
}

/** @throws PushRefused when some of the wanted rows belong to somebody else, or are not there */
function refuse(wanted: readonly string[], owners: ReadonlyMap<string, string>, agentId: string): void {
  const foreign = wanted.filter((id) => owners.has(id) && owners.get(id) !== agentId)
  if (foreign.length > 0) throw new PushRefused({ kind: 'foreign', ids: foreign })
  const unknown = wanted.filter((id) => !owners.has(id))
  if (unknown.length > 0) throw new PushRefused({ kind: 'unknown', ids: unknown })
}

async function writeResults(
  client: PoolClient,
  agentId: string,
  pushed: readonly PushedResult[],
  aheadOf: (at: number) => number,
): Promise<Pick<PushReceipt, 'results' | 'states' | 'duplicates' | 'lost'>> {
  if (pushed.length === 0) return { results: [], states: new Map(), duplicates: 0, lost: [] }
  const ids = [...new Set(pushed.map((result) => result.check_id.toLowerCase()))]
  const { rows: checks } = await client.query<CheckRow>(SELECT_CHECKS, [ids])
  const known = new Map(checks.map((check) => [check.id, check]))
  // Given to another agent since: what still waited at this one is dropped, or all its other results would wait behind it.
  const lost = new Set(checks.flatMap((check) => (check.isAssigned && check.agent_id !== agentId ? [check.id] : [])))
  const owners = new Map(checks.map((check) => [check.id, check.agent_id]))
  const claimed = ids.filter((id) => !lost.has(id))
  refuse(claimed, owners, agentId)
  const own = pushed.filter((result) => !lost.has(result.check_id.toLowerCase()))

  const repeated = await findRepeated(client, own)
  const results = own.filter((_, index) => !repeated.has(index)).map((result) => toResult(result, aheadOf))
  const fresh = await insertResults(client, results)
  const { rows: states } = await client.query<StateRow>(UPDATE_STATES, [JSON.stringify(toStates(fresh, known))])
  return {
    results: fresh,
    states: new Map(states.map((row) => [row.id, toState(row)])),
    duplicates: own.length - fresh.length,
    lost: [...lost],
  }
}

const keyOf = (checkId: string, startedAt: number): string => `${checkId}\n${startedAt}`

const toJson = (results: readonly CheckResult[]): string => `[${results.map(toRowJson).join(',')}]`

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

type AgentResult = CheckResult & { readonly agentTime: string }

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

const toStatus = (result: CheckResult): string => (result.passed ? 'healthy' : 'unhealthy')

/** Where each check stands after its new results, and when it changed for the last time within them. */
function toStates(results: readonly CheckResult[], known: ReadonlyMap<string, CheckRow>): Record<string, unknown>[] {
  const byCheck = new Map<string, CheckResult[]>()
  for (const result of results) byCheck.set(result.checkId, [...(byCheck.get(result.checkId) ?? []), result])
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
