// Checks of other agents: they are executed there and their rows are pushed into our tables. Read again from time to time.
import { boundLabels } from '@watchroom/shared/health'
import { checkEndpoint, tryParseCheckSpec } from '@watchroom/shared/health/check-types'
import { NIL_UUID } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'

import type { AgentSighting } from './createAgentWatch.ts'
import type { SummaryCheck, SummaryState } from './createCheckSummary.ts'
import { type StateRow, toState } from './createResultStore.ts'

export interface RemoteCheck {
  readonly summary: SummaryCheck
  readonly state: SummaryState
}

interface RemoteRow extends StateRow {
  canary_id: string
  canary_name: string
  canary_namespace: string
  canary_labels: Record<string, string> | null
  agent_id: string
  type: string
  name: string
  namespace: string | null
  description: string | null
  icon: string | null
  spec: unknown
  labels: Record<string, string> | null
  owner: string | null
  severity: string | null
  silenced_at: Date | null
  created_at: Date | null
}

/** An agent of another version may have types that are unknown here: then there is no endpoint to show. */
function toEndpoint(type: string, spec: unknown): string | null {
  const parsed = tryParseCheckSpec(type, spec)
  return parsed.ok ? checkEndpoint(parsed.value) : null
}

/** Live checks that are not executed here. */
export async function readRemoteChecks(pool: Pick<Pool, 'query'>): Promise<RemoteCheck[]> {
  const { rows } = await pool.query<RemoteRow>(
    `select checks.id, canary_id, canaries.name as canary_name, canaries.namespace as canary_namespace,
       canaries.labels as canary_labels, checks.agent_id, type, checks.name, checks.namespace, description, icon,
       checks.spec, checks.labels, owner, severity, silenced_at, checks.created_at, status, last_runtime, next_runtime,
       last_transition_time, checks.updated_at
     from checks join canaries on canaries.id = canary_id
     where checks.agent_id <> $1 and checks.deleted_at is null`,
    [NIL_UUID],
  )
  return rows.map((row) => ({
    state: toState(row),
    summary: {
      id: row.id,
      canaryId: row.canary_id,
      canaryName: row.canary_name,
      canaryNamespace: row.canary_namespace,
      name: row.name,
      namespace: row.namespace,
      type: row.type,
      severity: row.severity,
      description: row.description,
      icon: row.icon,
      owner: row.owner,
      endpoint: toEndpoint(row.type, row.spec),
      agentId: row.agent_id,
      labels: boundLabels({ ...row.canary_labels, ...row.labels }),
      createdAt: row.created_at?.getTime() ?? null,
      silencedAt: row.silenced_at?.getTime() ?? null,
    },
  }))
}

/** Agents that run checks elsewhere, deleted ones included: what they pushed may still be there. */
export async function readAgents(pool: Pick<Pool, 'query'>): Promise<AgentSighting[]> {
  const { rows } = await pool.query<{ id: string; last_seen: Date | null; created_at: Date; deleted_at: Date | null }>(
    'select id, last_seen, created_at, deleted_at from agents where id <> $1',
    [NIL_UUID],
  )
  return rows.map((row) => ({
    id: row.id,
    lastSeenAt: row.last_seen?.getTime() ?? null,
    createdAt: row.created_at.getTime(),
    isGone: row.deleted_at !== null,
  }))
}

/** The agent named `local` is this process: it is online for as long as it runs checks. */
export async function markLocalAgent(pool: Pick<Pool, 'query'>, now: number): Promise<void> {
  await pool.query('update agents set last_seen = greatest(last_seen, $2) where id = $1', [NIL_UUID, new Date(now)])
}

export interface LocalMarks {
  /** When a check was silenced, milliseconds since the epoch. */
  readonly silencedAt: ReadonlyMap<string, number>
  readonly deleted: ReadonlySet<string>
}

/** What people change in the rows of local checks themselves, past the canary. */
export async function readLocalMarks(pool: Pick<Pool, 'query'>): Promise<LocalMarks> {
  const { rows } = await pool.query<{ id: string; silenced_at: Date | null; deleted_at: Date | null }>(
    `select id, silenced_at, deleted_at from checks
     where agent_id = $1 and (silenced_at is not null or deleted_at is not null)`,
    [NIL_UUID],
  )
  return {
    silencedAt: new Map(rows.flatMap((row) => (row.silenced_at ? [[row.id, row.silenced_at.getTime()] as const] : []))),
    deleted: new Set(rows.filter((row) => row.deleted_at !== null).map((row) => row.id)),
  }
}
