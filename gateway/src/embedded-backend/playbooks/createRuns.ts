// Runs as they are asked for: by people, by callers of a webhook, by a moment of a schedule, by an event. Knows nothing of HTTP.
import type { Role } from '@watchroom/shared/access'
import { failed, ok, type Result } from '@watchroom/shared/kernel'
import { type PlaybookSpec, PlaybookSpecSchema } from '@watchroom/shared/playbooks'
import type { Pool, PoolClient } from 'pg'

import type { LookUp } from '../../check-runner/lookApart.ts'
import type { Seal } from '../../platform/createSeal.ts'
import { inTransaction } from '../../platform/database/inTransaction.ts'
import { onlyRow } from '../../platform/database/onlyRow.ts'
import { TemplateFault } from '../../step-runner/templateFault.ts'
import { isTrue, type Scope } from '../../step-runner/templates.ts'
import { secretFault } from './agentSteps.ts'
import { mayApprove } from './approvals.ts'
import { notFound, refused, type RunDecisions, type RunRefusal } from './createRunDecisions.ts'
import { fillParameters } from './fillParameters.ts'
import { namedFault, targetFault } from './fitRun.ts'
import { readTarget, type Target, toScope } from './readScope.ts'
import type { FirstRunStatus } from './statusMoves.ts'

export interface PlaybookRow {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly spec: unknown
}

export interface Requester {
  readonly id: string
  readonly name: string
  readonly email: string | null
}

export interface RunRequest {
  readonly playbook: PlaybookRow
  readonly target: Target
  readonly params: Readonly<Record<string, string>>
  /** Null: a webhook, a moment or an event. */
  readonly by: Requester | null
  /** What came with a webhook or an event. */
  readonly request?: Readonly<Record<string, unknown>>
  /** Of a schedule: the run is made once for it. */
  readonly moment?: Date
  /** Of an event, which may come again: the run is made once for it. */
  readonly eventId?: string
  /** Of someone who chose the resource and the values: these are asked whether they fit. Absent: what starts by itself chose nothing. */
  readonly roles?: readonly Role[]
}

export interface AskedRun {
  readonly run_id: string
  readonly starts_at: string
}

export interface Runs {
  findPlaybook(id: string): Promise<PlaybookRow | null>
  /** Null when the run of this moment or event was made before. */
  ask(request: RunRequest): Promise<Result<AskedRun | null, RunRefusal>>
}

export interface RunsDeps {
  readonly pool: Pool
  readonly seal: Seal
  readonly lookUp: LookUp
  readonly decisions: Pick<RunDecisions, 'approve'>
}

const MOMENT =
  'insert into watchroom_internal.playbook_moments (playbook_id, due_at) values ($1, $2) on conflict do nothing'
const EVENT =
  'insert into watchroom_internal.playbook_events (playbook_id, event_id) values ($1, $2) on conflict do nothing'

export function createRuns({ pool, seal, lookUp, decisions }: RunsDeps): Runs {
  const store = (request: RunRequest, shown: unknown, secret: Record<string, string>, isPending: boolean) =>
    inTransaction(pool, async (client): Promise<AskedRun | null> => {
      const { playbook, target, by, moment, eventId } = request
      if (moment && !(await isFirst(client, MOMENT, playbook.id, moment))) return null
      if (eventId !== undefined && !(await isFirst(client, EVENT, playbook.id, eventId))) return null
      const ofKind = (kind: string): string | null => (target?.kind === kind ? target.id : null)
      // Its secrets are there before the runner hears of it.
      const { rows } = await client.query<{ id: string; scheduled_time: Date }>(
        `insert into playbook_runs (playbook_id, status, spec, parameters, request, created_by, check_id, component_id, config_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id, scheduled_time`,
        [
          playbook.id,
          (isPending ? 'pending' : 'scheduled') satisfies FirstRunStatus,
          JSON.stringify(playbook.spec),
          JSON.stringify(shown),
          request.request === undefined ? null : JSON.stringify(request.request),
          by?.id ?? null,
          ofKind('check'),
          ofKind('component'),
          ofKind('config'),
        ],
      )
      const { id, scheduled_time: startsAt } = onlyRow(rows)
      if (Object.values(secret).some((value) => value !== '')) {
        await client.query('insert into watchroom_internal.playbook_run_secrets (run_id, sealed) values ($1, $2)', [
          id,
          seal.seal(JSON.stringify(secret)),
        ])
      }
      return { run_id: id, starts_at: startsAt.toISOString() }
    })

  return {
    findPlaybook: async (id) => {
      const { rows } = await pool.query<PlaybookRow>(
        'select id, name, title, spec from playbooks where id = $1 and deleted_at is null',
        [id],
      )
      return rows[0] ?? null
    },

    ask: async (request) => {
      const { playbook, target, params, by, roles } = request
      const row = await readTarget(pool, target)
      if (row === null) return failed(notFound(`${target?.kind ?? 'resource'}(id=${target?.id ?? ''})`))
      const parsed = PlaybookSpecSchema.safeParse(playbook.spec)
      // A run of a broken playbook is taken on and fails with the reason, where people look for it.
      const spec: Partial<PlaybookSpec> = parsed.data ?? {}
      const misfit = roles && parsed.success ? await targetFault(pool, { spec, target, roles }) : null
      if (misfit !== null) return failed(refused(400, misfit))
      const facts = { target, row, playbook, user: by, ...(request.request && { request: request.request }) }
      try {
        const given = parsed.success
          ? await fillParameters(spec.parameters ?? [], params, toScope({ ...facts, params: {} }), lookUp)
          : ok({ shown: params, secret: {} })
        if (!given.ok) return failed(refused(400, given.error))
        const { shown, secret } = given.value
        const sealed = parsed.success ? secretFault(parsed.data, Object.keys(secret)) : null
        if (sealed !== null) return failed(refused(400, sealed))
        const named = roles && (await namedFault(pool, { parameters: spec.parameters ?? [], values: shown, roles }))
        if (named) return failed(refused(400, named))
        const scope = toScope({ ...facts, params: { ...shown, ...secret } })
        const filter = await findRefusingFilter(spec.filters ?? [], scope, lookUp)
        if (filter !== null) return failed(refused(400, `Playbook validation failed: ${filter} is false`))
        const { approval } = spec
        const asked = await store(request, shown, { ...secret }, approval !== undefined)
        if (asked && approval && by && (await mayApprove(pool, { approval, requesterId: by.id }, by.id))) {
          await decisions.approve(asked.run_id, by.id)
        }
        return ok(asked)
      } catch (error) {
        if (error instanceof TemplateFault) return failed(refused(400, error.message))
        throw error
      }
    },
  }
}

/** Whether the run of this moment or event is yet to be made. */
async function isFirst(client: PoolClient, insert: string, playbookId: string, cause: Date | string): Promise<boolean> {
  const { rowCount } = await client.query(insert, [playbookId, cause])
  return rowCount !== 0
}

/** @throws TemplateFault */
async function findRefusingFilter(filters: readonly string[], scope: Scope, lookUp: LookUp): Promise<string | null> {
  for (const filter of filters) {
    if (!(await isTrue(filter, scope, lookUp))) return filter
  }
  return null
}
