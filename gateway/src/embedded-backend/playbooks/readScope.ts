// What templates and expressions of a playbook may look at.
import { NIL_UUID } from '@watchroom/shared/kernel'
import { TARGET_KINDS, type TargetKind } from '@watchroom/shared/playbooks'
import type { Pool } from 'pg'

/** What a run is about. */
export type Target = { readonly kind: TargetKind; readonly id: string } | null

export type TargetIds = Readonly<Partial<Record<`${TargetKind}_id`, string | null | undefined>>>

/** A row as templates see it: its definition and what it inherits stay home. */
const ROWS: Readonly<Record<TargetKind, string>> = {
  check: `select to_jsonb(checks) - 'spec' || jsonb_build_object('agent', agents.name) as row
    from checks left join agents on agents.id = checks.agent_id
    where checks.id = $1 and checks.deleted_at is null`,
  component: `select to_jsonb(components) || jsonb_build_object('agent', agents.name) as row
    from components left join agents on agents.id = components.agent_id
    where components.id = $1 and components.deleted_at is null`,
  config: `select to_jsonb(config_items) || jsonb_build_object('agent', agents.name) as row
    from config_items left join agents on agents.id = config_items.agent_id
    where config_items.id = $1 and config_items.deleted_at is null`,
}

export function targetsOf(ids: TargetIds): NonNullable<Target>[] {
  return TARGET_KINDS.flatMap((kind) => {
    const id = ids[`${kind}_id`]
    return id ? [{ kind, id }] : []
  })
}

export type TargetRow = Readonly<Record<string, unknown>>

/** Null when it is not there. */
export async function readTarget(pool: Pick<Pool, 'query'>, target: Target): Promise<TargetRow | null> {
  if (target === null) return {}
  const { rows } = await pool.query<{ row: TargetRow }>(ROWS[target.kind], [target.id])
  return rows[0]?.row ?? null
}

export interface ScopeFacts {
  readonly target: Target
  readonly row: TargetRow
  readonly params: Readonly<Record<string, unknown>>
  readonly playbook: { readonly id: string; readonly name: string; readonly title: string }
  readonly user: { readonly id: string; readonly name: string; readonly email: string | null } | null
  readonly run?: { readonly id: string; readonly created_at: Date }
  readonly request?: unknown
}

export function toScope({ target, row, params, playbook, user, run, request }: ScopeFacts): Record<string, unknown> {
  return {
    check: {},
    component: {},
    config: {},
    ...(target && { [target.kind]: row }),
    params,
    playbook,
    user: user ?? { id: NIL_UUID, name: '', email: '' },
    run: run ? { id: run.id, created_at: run.created_at.toISOString() } : {},
    request: request ?? {},
    env: {},
    actions: {},
  }
}

/** Of a printed text, what later steps may look at. */
const MAX_SEEN_CHARACTERS = 64 * 1024

export function toSeen(result: Record<string, unknown> | null): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(result ?? {}).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.slice(0, MAX_SEEN_CHARACTERS) : value,
    ]),
  )
}

/** In words, with where it is. */
export function describeFaults(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): string {
  return issues.map(({ path, message }) => `${path.map(String).join('.') || 'spec'}: ${message}`).join('; ')
}
