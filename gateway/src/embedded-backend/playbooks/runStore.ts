// Rows of runs, steps and output. What is written while the database restarts is written when it is back.
import { backoffMs, type Clock, sleep, toStorablePart } from '@watchroom/shared/kernel'
import type { Pool, QueryResultRow } from 'pg'

import type { LeftFile } from '../../executor/contract.ts'
import { onlyRow } from '../../platform/database/onlyRow.ts'
import { isDatabaseAway } from '../../platform/database/sqlState.ts'
import type { WrittenChunk } from '../../step-runner/createOutputWriter.ts'
import { toStepFileRow } from '../../step-runner/stepFile.ts'
import {
  actionsBefore,
  ENDED_RUNS,
  type FirstActionStatus,
  type NextActionStatus,
  type NextRunStatus,
  runsBefore,
} from './statusMoves.ts'

export interface StoredRun {
  readonly id: string
  readonly playbook_id: string
  readonly status: string
  readonly spec: unknown
  readonly parameters: Record<string, unknown> | null
  readonly request: unknown
  readonly created_by: string | null
  readonly created_at: Date
  readonly scheduled_time: Date
  readonly check_id: string | null
  readonly config_id: string | null
  readonly component_id: string | null
  /** The playbook still says what it said when the run was asked for, so its stored secrets belong to the run's places. */
  readonly has_same_spec: boolean
  readonly playbook: { readonly id: string; readonly name: string; readonly title: string }
  readonly requester: { readonly id: string; readonly name: string; readonly email: string | null } | null
  readonly sealed: string | null
}

export interface StoredAction {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly start_time: Date | null
  readonly scheduled_time: Date
  readonly end_time: Date | null
  readonly result: Record<string, unknown> | null
  readonly error: string | null
  readonly agent_id: string | null
  /** Attempts before this one that the playbook's own `retry` made. */
  readonly retry_count: number
}

interface ActionFacts {
  readonly startedAt?: number
  readonly scheduledAt?: number
  readonly endedAt?: number
  readonly result?: Record<string, unknown> | null
  readonly error?: string | null
}

export interface ActionChange extends ActionFacts {
  readonly status: NextActionStatus
}

/** Of a new row. */
export interface ActionStart extends ActionFacts {
  readonly status: FirstActionStatus
  /** Attempts before this one that the playbook's own `retry` made. */
  readonly retries?: number
}

/** What the runner makes of a run; people and agents have it go on or end. */
type SetRunStatus = Exclude<NextRunStatus, 'scheduled' | 'cancelled'>

export interface RunStore {
  /** Does work that only reads, again and again while the database restarts. */
  whileAway<Value>(work: () => Promise<Value>): Promise<Value>
  find(runId: string): Promise<StoredRun | null>
  actions(runId: string): Promise<StoredAction[]>
  /** Status of a run now; null when it is gone. */
  status(runId: string): Promise<string | null>
  /** Runs that the runner must look at, and when. */
  open(): Promise<{ id: string; status: string; scheduled_time: Date }[]>
  /** Changes nothing where the run cannot become that, as once it has ended. @returns whether it did */
  setRun(runId: string, status: SetRunStatus, more?: { error?: string; scheduledAt?: number }): Promise<boolean>
  addAction(runId: string, name: string, start: ActionStart): Promise<string>
  /** Changes nothing where the step cannot become that. */
  setAction(actionId: string, change: ActionChange): Promise<void>
  /** One attempt fails and the next stands there, in one statement: a crash between the two would end the run. */
  retryAction(
    failed: ActionFacts & { readonly id: string },
    runId: string,
    name: string,
    next: ActionStart,
  ): Promise<string>
  /** Ends steps of a run that has ended; of all such runs but these, when given a list. */
  endLeft(runs: string | { readonly except: readonly string[] }): Promise<void>
  addOutput(actionId: string, chunks: readonly WrittenChunk[]): Promise<void>
  addFiles(actionId: string, files: readonly LeftFile[]): Promise<void>
  /** Null: the backend itself. @returns undefined when there is no such agent */
  agentOf(names: readonly string[]): Promise<string | null | undefined>
  /** The run then waits for that agent. */
  giveAction(actionId: string, agentId: string): Promise<void>
  action(actionId: string): Promise<StoredAction | null>
  /** Ids of people who approved the run, or the step. */
  approvers(runId: string, actionId: string | null): Promise<string[]>
}

const BACKOFF = { firstMs: 200, maxMs: 5_000 }

const INSERT_ACTION = `
insert into playbook_run_actions
  (id, status, start_time, scheduled_time, end_time, result, error, playbook_run_id, name, retry_count)
values ($1, $2, $3, coalesce($4, now()), $5, $6, $7, $8, $9, $10) on conflict (id) do nothing`

const INSERT_FILE = `
with kept as (
  insert into artifacts (id, playbook_run_action_id, path, filename, content_type, size, checksum, is_data_pushed)
  values ($1, $2, $3, $4, $5, $6, $7, true) on conflict (id) do nothing returning id)
insert into watchroom_internal.artifact_contents (artifact_id, content) select id, $8 from kept`

const updateTo = (status: NextActionStatus): string => `
update playbook_run_actions set status = $2, start_time = coalesce($3, start_time),
  scheduled_time = coalesce($4, scheduled_time), end_time = $5, result = coalesce($6, result), error = $7
where id = $1 and status in (${actionsBefore(status)})`

/** The run waits with it: both at once, because an agent that takes it at once has the run go on. */
const GIVE = `
with given as (
  update playbook_run_actions set status = 'waiting', agent_id = $2
  where id = $1 and status in (${actionsBefore('waiting')}) returning playbook_run_id)
update playbook_runs set status = 'waiting' from given
where id = playbook_run_id and status in (${runsBefore('waiting')})`

const time = (ms: number | undefined): Date | null => (ms === undefined ? null : new Date(ms))

export function createRunStore({
  pool,
  clock,
  signal,
}: {
  pool: Pick<Pool, 'query'>
  clock: Clock
  /** Nobody waits for the database any more. */
  signal: AbortSignal
}): RunStore {
  async function whileAway<Value>(work: () => Promise<Value>): Promise<Value> {
    for (let failures = 0; ;) {
      try {
        return await work()
      } catch (error) {
        if (signal.aborted || !isDatabaseAway(error)) throw error
        failures += 1
        await sleep(clock, backoffMs(failures, BACKOFF), signal)
      }
    }
  }

  const query = <Row extends QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> =>
    whileAway(async () => (await pool.query<Row>(text, values)).rows)

  const newId = async (): Promise<string> =>
    onlyRow(await query<{ id: string }>('select public.generate_ulid() as id', [])).id

  return {
    whileAway,
    find: async (runId) => {
      const [run] = await query<StoredRun>(
        `select playbook_runs.*, coalesce(playbook_runs.spec, playbooks.spec) as spec,
           playbook_runs.spec is null or playbook_runs.spec = playbooks.spec as has_same_spec,
           jsonb_build_object('id', playbooks.id, 'name', playbooks.name, 'title', playbooks.title) as playbook,
           case when people.id is not null
             then jsonb_build_object('id', people.id, 'name', people.name, 'email', people.email) end as requester,
           secrets.sealed
         from playbook_runs
         join playbooks on playbooks.id = playbook_runs.playbook_id
         left join people on people.id = playbook_runs.created_by
         left join watchroom_internal.playbook_run_secrets as secrets on secrets.run_id = playbook_runs.id
         where playbook_runs.id = $1`,
        [runId],
      )
      return run ?? null
    },
    actions: (runId) =>
      query<StoredAction>('select * from playbook_run_actions where playbook_run_id = $1 order by id', [runId]),
    status: async (runId) =>
      (await query<{ status: string }>('select status from playbook_runs where id = $1', [runId]))[0]?.status ?? null,
    open: () =>
      query(
        `select id, status, scheduled_time from playbook_runs
         where status in ('scheduled', 'running', 'waiting', 'sleeping') order by scheduled_time`,
        [],
      ),
    setRun: async (runId, status, { error, scheduledAt } = {}) => {
      const changed = await query(
        `update playbook_runs set status = $2, error = coalesce($3, error), scheduled_time = coalesce($4, scheduled_time),
           start_time = case when $2 in ('running', 'completed') then coalesce(start_time, now()) else start_time end,
           end_time = case when $2 in (${ENDED_RUNS}) then now() end
         where id = $1 and status in (${runsBefore(status)})
           and (status, error, scheduled_time) is distinct from ($2, coalesce($3, error), coalesce($4, scheduled_time))
         returning id`,
        [runId, status, error ?? null, time(scheduledAt)],
      )
      return changed.length > 0
    },
    addAction: async (runId, name, start) => {
      const id = await newId()
      await query(INSERT_ACTION, [id, ...valuesOf(start), runId, name, start.retries ?? 0])
      return id
    },
    setAction: async (actionId, change) => {
      await query(updateTo(change.status), [actionId, ...valuesOf(change)])
    },
    retryAction: async (failed, runId, name, next) => {
      const id = await newId()
      await query(
        `with failed as (${updateTo('failed')})
         insert into playbook_run_actions (id, status, scheduled_time, playbook_run_id, name, retry_count)
         values ($8, $9, $10, $11, $12, $13) on conflict (id) do nothing`,
        [
          failed.id,
          ...valuesOf({ ...failed, status: 'failed' }),
          id,
          next.status,
          time(next.scheduledAt),
          runId,
          name,
          next.retries ?? 0,
        ],
      )
      return id
    },
    endLeft: async (runs) => {
      const [only, except] = typeof runs === 'string' ? [runs, []] : [null, runs.except]
      await query(
        `update playbook_run_actions set end_time = now(),
           status = case when playbook_run_actions.status in (${actionsBefore('skipped')}) then 'skipped' else 'cancelled' end
         from playbook_runs
         where playbook_runs.id = playbook_run_id and playbook_runs.status in ('failed', 'cancelled')
           and playbook_run_actions.status in (${actionsBefore('cancelled', ['scheduled', 'running', 'waiting', 'sleeping'])})
           and ($1::uuid is null or playbook_run_id = $1) and playbook_run_id <> all($2::uuid[])`,
        [only, except],
      )
    },
    addOutput: async (actionId, chunks) => {
      // Said again when the answer was lost: what is there already stays.
      await query(
        `insert into playbook_run_outputs (action_id, seq, at, stream, text, place)
         select $1, chunk.* from jsonb_to_recordset($2::jsonb)
           as chunk(seq integer, at timestamptz, stream text, text text, place bigint)
         on conflict do nothing`,
        [actionId, JSON.stringify(chunks)],
      )
    },
    addFiles: async (actionId, files) => {
      for (const file of files) {
        const { path, filename, content_type: contentType, size, checksum } = toStepFileRow(file)
        await query(INSERT_FILE, [await newId(), actionId, path, filename, contentType, size, checksum, file.content])
      }
    },
    agentOf: async (names) => {
      if (names.length === 0) return null
      const [agent] = await query<{ id: string }>(
        'select id from agents where name = any($1) and deleted_at is null order by last_seen desc nulls last limit 1',
        [names],
      )
      return agent?.id
    },
    giveAction: async (actionId, agentId) => {
      await query(GIVE, [actionId, agentId])
    },
    action: async (actionId) =>
      (await query<StoredAction>('select * from playbook_run_actions where id = $1', [actionId]))[0] ?? null,
    approvers: async (runId, actionId) => {
      const rows = await query<{ person_id: string }>(
        `select distinct person_id from playbook_approvals
         where run_id = $1 and action_id is not distinct from $2 and person_id is not null`,
        [runId, actionId],
      )
      return rows.map(({ person_id }) => person_id)
    },
  }
}

function valuesOf({ status, startedAt, scheduledAt, endedAt, result, error }: ActionChange | ActionStart): unknown[] {
  const json = result === undefined || result === null ? null : JSON.stringify(result, toStorablePart)
  return [status, time(startedAt), time(scheduledAt), time(endedAt), json, error ?? null]
}
