// Turns canaries into checks: the rows, and what the engine needs in memory to run them. Only canaries of the local agent:
// those of other agents are executed there.
import { boundLabels } from '@watchroom/shared/health'
import { type ExpandedCheck, expandCanary, type SpecProblem } from '@watchroom/shared/health/check-types'
import { NIL_UUID } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'
import type { Logger } from 'pino'

import type { RunnableCheck } from '../../check-runner/contract.ts'
import { everySchedule, type Schedule, toSchedule } from '../../check-runner/schedule.ts'
import { type CheckColumns, toCheckColumns } from '../../check-runner/toCheckColumns.ts'
import { inTransaction } from '../../platform/database/inTransaction.ts'
import { isDataFault, isTransient } from '../../platform/database/sqlState.ts'
import type { StoredSecret, Vault } from '../secrets/createVault.ts'
import type { SealedElement } from './createCheckOpener.ts'
import type { SummaryCheck, SummaryState } from './createCheckSummary.ts'
import { type StateRow, toState } from './createResultStore.ts'

/** What a run of the check does: execute it, or report what is wrong with its definition. */
export type CheckWork =
  | { kind: 'run'; check: RunnableCheck; sealed?: SealedElement }
  | { kind: 'broken'; reason: string }

/** A live check of the local agent. */
export interface EngineCheck {
  readonly id: string
  readonly canaryId: string
  readonly work: CheckWork
  readonly schedule: Schedule
  readonly severity: string | null
  readonly summary: SummaryCheck
  readonly state: SummaryState
}

export interface SyncDeps {
  readonly pool: Pool
  readonly vault: Pick<Vault, 'list'>
}

export interface SyncedCanaries {
  /** Canaries that were looked at; their checks that are not in `checks` are gone. */
  canaryIds: ReadonlySet<string>
  checks: EngineCheck[]
}

/** Key of a check within its canary. */
interface CheckKey {
  type: string
  name: string
}

interface CanaryRow {
  id: string
  name: string
  namespace: string
  labels: Record<string, string> | null
  spec: unknown
  deleted_at: Date | null
}

/** A row of `checks` as it should be, and how to run it. */
interface WantedCheck {
  canaryId: string
  columns: CheckColumns
  endpoint: string | null
  schedule: Schedule
  work: CheckWork
}

/** Canaries per transaction: large enough to start with 10,000 checks in seconds, small enough to let others work between. */
const CHUNK = 20
const BROKEN_PERIOD_MS = 60_000
const MAX_ATTEMPTS = 3

const UPSERT = `
insert into checks (canary_id, type, name, namespace, description, icon, spec, labels, owner, severity)
select canary_id, type, name, namespace, description, icon, spec, labels, owner, severity
from jsonb_to_recordset($1::jsonb) as wanted(
  canary_id uuid, type text, name text, namespace text, description text, icon text,
  spec jsonb, labels jsonb, owner text, severity text)
order by canary_id, type, name
on conflict (canary_id, type, name, agent_id) do update set
  namespace = excluded.namespace, description = excluded.description, icon = excluded.icon, spec = excluded.spec,
  labels = excluded.labels, owner = excluded.owner, severity = excluded.severity, deleted_at = null
where (checks.namespace, checks.description, checks.icon, checks.spec, checks.labels, checks.owner, checks.severity,
    checks.deleted_at)
  is distinct from (excluded.namespace, excluded.description, excluded.icon, excluded.spec, excluded.labels,
    excluded.owner, excluded.severity, null)`

const SOFT_DELETE = `
update checks set deleted_at = now()
where canary_id = any($1::uuid[]) and agent_id = '${NIL_UUID}' and deleted_at is null
  and not exists (
    select from jsonb_to_recordset($2::jsonb) as wanted(canary_id uuid, type text, name text)
    where wanted.canary_id = checks.canary_id and wanted.type = checks.type and wanted.name = checks.name)`

const SELECT_LIVE = `
select id, canary_id, type, name, silenced_at, created_at,
  status, last_runtime, next_runtime, last_transition_time, updated_at
from checks
where canary_id = any($1::uuid[]) and agent_id = '${NIL_UUID}' and deleted_at is null`

interface LiveRow extends CheckKey, StateRow {
  canary_id: string
  silenced_at: Date | null
  created_at: Date | null
}

const keyOf = (canaryId: string, { type, name }: CheckKey): string => `${canaryId}\n${type}\n${name}`

/** Undefined when nothing of the element is hidden. */
function toSealed(
  canary: CanaryRow,
  { type, index }: ExpandedCheck,
  stored: readonly StoredSecret[],
): SealedElement | undefined {
  const place = ['spec', type, String(index)]
  const secrets = stored
    .filter(({ path }) => place.every((step, at) => path[at] === step))
    .map((secret) => ({ ...secret, path: secret.path.slice(place.length) }))
  if (secrets.length === 0) return undefined
  const list = new Map<string, unknown>(Object.entries(Object(canary.spec) as Record<string, unknown>)).get(type)
  return { element: Array.isArray(list) ? (list[index] as unknown) : undefined, secrets }
}

function toWanted(
  canary: CanaryRow,
  check: ExpandedCheck,
  schedule: Schedule,
  stored: readonly StoredSecret[],
): WantedCheck {
  const sealed = toSealed(canary, check, stored)
  return {
    canaryId: canary.id,
    columns: toCheckColumns(check, canary.namespace),
    endpoint: check.endpoint,
    schedule,
    work: { kind: 'run', check, ...(sealed && { sealed }) },
  }
}

const describeProblem = ({ path, message }: SpecProblem): string => (path === '' ? message : `${path}: ${message}`)

/** One broken check per malformed element; it fails with the reason until someone fixes the definition. */
function toBroken(canary: CanaryRow, problems: readonly SpecProblem[], taken: ReadonlySet<string>): WantedCheck[] {
  const groups = new Map<string, SpecProblem[]>()
  for (const problem of problems) {
    const element = `${problem.type}\n${problem.index ?? ''}`
    groups.set(element, [...(groups.get(element) ?? []), problem])
  }
  return Array.from(groups.values(), (group) => {
    const first = group[0]
    const type = first?.type ?? 'canary'
    const place = first?.index === undefined ? 'spec' : `${type} ${first.index + 1}`
    const isFree = first?.name !== undefined && !taken.has(keyOf(canary.id, { type, name: first.name }))
    const name = isFree && first.name !== undefined ? first.name : place
    const labels = { ...first?.labels }
    const nothing = { description: null, icon: null, spec: null, labels, owner: null, severity: null }
    return {
      canaryId: canary.id,
      columns: { ...nothing, type, name, namespace: canary.namespace },
      endpoint: null,
      schedule: everySchedule(BROKEN_PERIOD_MS),
      work: { kind: 'broken', reason: `This check cannot run: ${group.map(describeProblem).join('; ')}` },
    }
  })
}

/** The checks a canary should have; a malformed part costs that part alone. */
function toWantedChecks(canary: CanaryRow, stored: readonly StoredSecret[] = []): WantedCheck[] {
  const { schedule, checks, problems } = expandCanary(canary.spec)
  const sound = checks.map((check) => toWanted(canary, check, toSchedule(schedule), stored))
  const taken = new Set(sound.map(({ columns }) => keyOf(canary.id, columns)))
  const broken = toBroken(canary, problems, taken).filter(({ columns }) => !taken.has(keyOf(canary.id, columns)))
  const byKey = new Map([...broken, ...sound].map((check) => [keyOf(canary.id, check.columns), check]))
  return [...byKey.values()]
}

function toEngineCheck(row: LiveRow, canary: CanaryRow, wanted: WantedCheck): EngineCheck {
  const { spec: _, ...columns } = wanted.columns
  return {
    id: row.id,
    canaryId: canary.id,
    work: wanted.work,
    schedule: wanted.schedule,
    severity: columns.severity,
    state: toState(row),
    summary: {
      ...columns,
      id: row.id,
      canaryId: canary.id,
      canaryName: canary.name,
      canaryNamespace: canary.namespace,
      endpoint: wanted.endpoint,
      agentId: NIL_UUID,
      labels: boundLabels({ ...canary.labels, ...columns.labels }),
      createdAt: row.created_at?.getTime() ?? null,
      silencedAt: row.silenced_at?.getTime() ?? null,
    },
  }
}

async function syncChunk({ pool, vault }: SyncDeps, canaryIds: readonly string[]): Promise<EngineCheck[]> {
  return inTransaction(pool, async (client) => {
    const { rows: canaries } = await client.query<CanaryRow>(
      `select id, name, namespace, labels, spec, deleted_at from canaries
       where id = any($1::uuid[]) and agent_id = $2 order by id for share`,
      [canaryIds, NIL_UUID],
    )
    const live = new Map(canaries.filter((canary) => canary.deleted_at === null).map((canary) => [canary.id, canary]))
    const stored = await vault.list(client, 'canaries', [...live.keys()])
    const wanted = new Map(
      [...live.values()]
        .flatMap((canary) => toWantedChecks(canary, stored.get(canary.id)))
        .map((check) => [keyOf(check.canaryId, check.columns), check]),
    )
    const rows = Array.from(wanted.values(), ({ canaryId, columns }) => ({ canary_id: canaryId, ...columns }))
    const json = JSON.stringify(rows)
    await client.query(UPSERT, [json])
    await client.query(SOFT_DELETE, [canaryIds, json])
    const { rows: liveRows } = await client.query<LiveRow>(SELECT_LIVE, [[...live.keys()]])
    return liveRows.flatMap((row) => {
      const canary = live.get(row.canary_id)
      const check = wanted.get(keyOf(row.canary_id, row))
      return canary && check ? [toEngineCheck(row, canary, check)] : []
    })
  })
}

async function syncPatiently(deps: SyncDeps, canaryIds: readonly string[]): Promise<EngineCheck[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await syncChunk(deps, canaryIds)
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || !isTransient(error)) throw error
    }
  }
}

/**
 * Brings the checks of canaries in line with their specs.
 *
 * A canary that the database refuses is logged and left as it was; the others are not held up by it.
 *
 * @param which ids of canaries, which may no longer exist
 * @throws when the database cannot be reached
 */
export async function syncCanaries(
  deps: SyncDeps & { logger: Logger },
  which: Iterable<string>,
): Promise<SyncedCanaries> {
  const ids = [...which]
  const canaryIds = new Set(ids)
  const checks: EngineCheck[] = []
  for (let start = 0; start < ids.length; start += CHUNK) {
    const chunk = ids.slice(start, start + CHUNK)
    try {
      checks.push(...(await syncPatiently(deps, chunk)))
    } catch (error) {
      if (!isDataFault(error)) throw error
      for (const id of chunk) {
        try {
          checks.push(...(await syncPatiently(deps, [id])))
        } catch (error) {
          if (!isDataFault(error)) throw error
          canaryIds.delete(id)
          deps.logger.error({ err: error, canaryId: id }, 'checks of a canary could not be written')
        }
      }
    }
  }
  return { canaryIds, checks }
}

/** Canaries of the local agent, each with a text that changes when its checks may. */
export async function readCanaryVersions(pool: Pick<Pool, 'query'>): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ id: string; version: string }>(
    `select id, md5(concat_ws(chr(10), spec, labels, name, namespace, deleted_at, (
       select string_agg(secrets.id::text, ' ' order by secrets.id) from watchroom_internal.secrets
       where table_name = 'canaries' and row_id = canaries.id))) as version
     from canaries where agent_id = $1 order by id`,
    [NIL_UUID],
  )
  return new Map(rows.map(({ id, version }) => [id, version]))
}
