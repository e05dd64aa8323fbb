// What people decide about runs that are there: they approve, cancel, retry and confirm. Knows nothing of HTTP.
import { isEnded, PlaybookSpecSchema } from '@watchroom/shared/playbooks'
import type { Pool, PoolClient } from 'pg'

import { inTransaction } from '../../platform/database/inTransaction.ts'
import { type ApprovalQuestion, isApproved, mayApprove } from './approvals.ts'
import { runsBefore } from './statusMoves.ts'

export type RunRefusal = { readonly status: 400 | 403 | 404 | 409; readonly error: string }

export interface RunDecisions {
  approve(runId: string, personId: string): Promise<RunRefusal | null>
  cancel(runId: string): Promise<RunRefusal | null>
  /** Runs a failed run again, from the step that failed on. */
  retry(runId: string): Promise<RunRefusal | null>
  /**
   * Says that one of two people is there for a dangerous step. The word of whoever has left the page meanwhile counts no more.
   *
   * @param present who is on the page of each run
   */
  confirm(actionId: string, personId: string, present: PresentPeople): Promise<RunRefusal | null>
}

/** By id of the run. */
export type PresentPeople = Readonly<Record<string, readonly string[]>>

interface RunRow {
  readonly id: string
  readonly status: string
  readonly spec: unknown
  readonly created_by: string | null
  readonly isDeleted: boolean
  readonly waiting_id: string | null
  readonly waiting_name: string | null
}

const FIND_RUN = `
select playbook_runs.id, playbook_runs.status, coalesce(playbook_runs.spec, playbooks.spec) as spec,
  playbook_runs.created_by, playbooks.deleted_at is not null as "isDeleted", waiting.id as waiting_id, waiting.name as waiting_name
from playbook_runs
join playbooks on playbooks.id = playbook_runs.playbook_id
left join lateral (
  select id, name from playbook_run_actions
  where playbook_run_id = playbook_runs.id and status = 'waiting' order by id desc limit 1) as waiting on true
where playbook_runs.id = $1`

export const notFound = (what: string): RunRefusal => ({ status: 404, error: `${what} not found` })
export const refused = (status: RunRefusal['status'], error: string): RunRefusal => ({ status, error })

/** To bring it back is to let it execute anew, and is asked again. */
const playbookDeleted = (): RunRefusal => refused(409, 'the playbook of this run was deleted')

export function createRunDecisions(pool: Pool): RunDecisions {
  const findRun = async (runId: string): Promise<RunRow | null> =>
    (await pool.query<RunRow>(FIND_RUN, [runId])).rows[0] ?? null

  const addApproval = (client: Pick<PoolClient, 'query'>, runId: string, actionId: string | null, personId: string) =>
    client.query(
      `insert into playbook_approvals (run_id, action_id, person_id) values ($1, $2, $3) on conflict do nothing`,
      [runId, actionId, personId],
    )

  /** A run that waits for its approval goes on once it has it. */
  const letGo = async (client: PoolClient, runId: string, question: ApprovalQuestion): Promise<void> => {
    const { rows } = await client.query<{ person_id: string }>(
      'select person_id from playbook_approvals where run_id = $1 and action_id is null and person_id is not null',
      [runId],
    )
    const approvers = rows.map(({ person_id }) => person_id)
    if (!(await isApproved(client, question, approvers))) return
    await client.query(
      `update playbook_runs set status = 'scheduled', scheduled_time = now()
       where id = $1 and status in (${runsBefore('scheduled', ['pending'])})`,
      [runId],
    )
  }

  return {
    approve: async (runId, personId) => {
      const run = await findRun(runId)
      if (!run) return notFound(`playbook run(id=${runId})`)
      const spec = PlaybookSpecSchema.safeParse(run.spec).data
      const step = run.waiting_name === null ? undefined : spec?.actions.find(({ name }) => name === run.waiting_name)
      const isOfStep = run.status !== 'pending' && step?.approval !== undefined
      const approval = isOfStep ? step.approval : spec?.approval
      if (!approval) return refused(400, 'this playbook does not require approval')
      if (isEnded(run.status)) return refused(400, `this run is ${run.status}`)
      if (run.isDeleted) return playbookDeleted()
      const question = { approval, requesterId: run.created_by }
      if (!(await mayApprove(pool, question, personId)))
        return refused(403, 'you are not allowed to approve this playbook run')
      await inTransaction(pool, async (client) => {
        // One after another: of two who approve at once the later one sees both.
        await client.query('select from playbook_runs where id = $1 for no key update', [runId])
        await addApproval(client, runId, isOfStep ? run.waiting_id : null, personId)
        if (run.status === 'pending') await letGo(client, runId, question)
      })
      return null
    },

    cancel: async (runId) => {
      const { rowCount } = await pool.query(
        `update playbook_runs set status = 'cancelled', end_time = now()
         where id = $1 and status in (${runsBefore('cancelled')})`,
        [runId],
      )
      if (rowCount !== 0) return null
      const run = await findRun(runId)
      return run ? refused(409, `this run is ${run.status}`) : notFound(`playbook run(id=${runId})`)
    },

    retry: (runId) =>
      inTransaction(pool, async (client) => {
        const { rows } = await client.query<Pick<RunRow, 'status' | 'spec' | 'isDeleted'>>(
          `select playbook_runs.status, playbook_runs.spec, playbooks.deleted_at is not null as "isDeleted"
           from playbook_runs join playbooks on playbooks.id = playbook_id
           where playbook_runs.id = $1 for no key update of playbook_runs`,
          [runId],
        )
        const [run] = rows
        if (!run) return notFound(`playbook run(id=${runId})`)
        if (run.status !== 'failed') return refused(409, `this run is ${run.status}: only a failed one is run again`)
        if (run.isDeleted) return playbookDeleted()
        const spec = PlaybookSpecSchema.safeParse(run.spec).data
        const { rows: failures } = await client.query<{ name: string }>(
          `select name from (
             select distinct on (name) name, status from playbook_run_actions where playbook_run_id = $1 order by name, id desc
           ) as latest where status = 'failed'`,
          [runId],
        )
        const first = spec?.actions.findIndex(({ name }) => failures.some((failure) => failure.name === name)) ?? -1
        if (!spec || first < 0) return refused(409, 'no step of this run failed: run the playbook again')
        for (const { name } of spec.actions.slice(first)) {
          await client.query(
            `insert into playbook_run_actions (playbook_run_id, name, status) values ($1, $2, 'scheduled')`,
            [runId, name],
          )
        }
        await client.query(
          `update playbook_runs set status = 'scheduled', scheduled_time = now(), end_time = null, error = null
           where id = $1 and status in (${runsBefore('scheduled', ['failed'])})`,
          [runId],
        )
        return null
      }),

    confirm: async (actionId, personId, present) => {
      const { rows } = await pool.query<
        Pick<RunRow, 'status' | 'spec' | 'isDeleted'> & { run_id: string; name: string }
      >(
        `select playbook_run_id as run_id, playbook_run_actions.name, playbook_run_actions.status, playbook_runs.spec,
           playbooks.deleted_at is not null as "isDeleted"
         from playbook_run_actions join playbook_runs on playbook_runs.id = playbook_run_id
         join playbooks on playbooks.id = playbook_runs.playbook_id
         where playbook_run_actions.id = $1`,
        [actionId],
      )
      const [action] = rows
      if (!action) return notFound(`step(id=${actionId})`)
      const { actions = [] } = PlaybookSpecSchema.safeParse(action.spec).data ?? {}
      const isAsked = actions.some(({ name, isDangerous }) => name === action.name && isDangerous === true)
      if (!isAsked || action.status !== 'waiting') return refused(409, 'this step does not wait for two people')
      if (action.isDeleted) return playbookDeleted()
      const people = present[action.run_id] ?? []
      if (!people.includes(personId)) return refused(409, 'open the page of this run to confirm a step of it')
      await inTransaction(pool, async (client) => {
        await client.query('delete from playbook_approvals where action_id = $1 and person_id <> all($2::uuid[])', [
          actionId,
          people,
        ])
        await addApproval(client, action.run_id, actionId, personId)
      })
      return null
    },
  }
}
