import { rolesThatMay } from '@watchroom/shared/access'
import { type Clock, NIL_UUID } from '@watchroom/shared/kernel'
import type { WaitingRun } from '@watchroom/shared/protocol'
import { z } from 'zod'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readTable } from './readTable.ts'
import { isRefused } from './upstream.ts'

// Backends differ in the columns of runs and approvals: all of them are asked for. Runs that wait are few.
const COLUMNS = '*,playbooks(name,title,spec),approvals:playbook_approvals(*)'
const MAX_ROWS = 1_000
const NEWEST = `order=created_at.desc&limit=${MAX_ROWS}`
/** A step that waits for an agent names it. */
const WAITS_FOR_PEOPLE = `steps.status=eq.waiting&steps.or=(agent_id.is.null,agent_id.eq.${NIL_UUID})`
const PATHS = [
  `/db/playbook_runs?select=${COLUMNS}&status=eq.pending&${NEWEST}`,
  `/db/playbook_runs?select=${COLUMNS},steps:playbook_run_actions!inner(id,name)&status=eq.waiting&${WAITS_FOR_PEOPLE}&${NEWEST}`,
]

/** Where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 10_000

const texts = z.array(z.string()).nullish().catch(null)
const ApprovalSchema = z
  .object({ approvers: z.object({ people: texts, teams: texts }), excludeRequester: z.boolean().nullish().catch(null) })
  .nullish()
  .catch(null)
type Approval = z.infer<typeof ApprovalSchema>

const SpecSchema = z
  .object({
    approval: ApprovalSchema,
    actions: z.array(z.object({ name: z.string(), approval: ApprovalSchema })).catch([]),
  })
  .nullish()
  .catch(null)

const RunSchema = z.object({
  id: z.string(),
  created_at: z.string().nullish(),
  created_by: z.string().nullish(),
  /** As it was when someone asked; older servers keep none. */
  spec: SpecSchema,
  playbooks: z.object({ name: z.string(), title: z.string().nullish(), spec: SpecSchema }).nullish().catch(null),
  approvals: z.array(z.object({ person_id: z.string().nullish(), action_id: z.string().nullish() })).catch([]),
  steps: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
})
type Run = z.infer<typeof RunSchema>

/** Runs that wait for people, and for whom. */
export function createWaitingRunsSource(deps: { backend: BackendClient; clock: Clock }): Source<WaitingRun> {
  const { backend, clock } = deps
  return {
    name: 'waitingRuns',
    intervalMs: INTERVAL_MS,
    read: async (signal) => {
      const asOf = clock.now()
      const read = await Promise.all(PATHS.map((path) => readTable(backend, path, RunSchema, signal)))
      const droppedRows = read.reduce((sum, part) => sum + part.droppedRows, 0)
      const asked = read.flatMap(({ rows }) => rows).map((run) => ({ run, approval: approvalOf(run) }))
      const listed = await findListed(backend, asked.map(({ approval }) => approval).filter(isListing), signal)
      const rows = asked.map(({ run, approval }) => toWaitingRun(run, approval, listed))
      return { kind: 'all', asOf, rows, droppedRows }
    },
  }
}

/** Of the step that waits, else of the run. A dangerous step has none: anyone who may run playbooks confirms it. */
function approvalOf({ spec, playbooks, steps }: Run): Approval {
  const { approval, actions = [] } = spec ?? playbooks?.spec ?? {}
  return steps === undefined ? approval : actions.find(({ name }) => name === steps[0]?.name)?.approval
}

const isListing = (approval: Approval): approval is NonNullable<Approval> =>
  (approval?.approvers.people?.length ?? 0) + (approval?.approvers.teams?.length ?? 0) > 0

/** Ids of people by e-mail address, in small letters, and by name of team. Null: this credential may not know. */
interface Listed {
  readonly byEmail: ReadonlyMap<string, readonly string[]>
  readonly byTeam: ReadonlyMap<string, readonly string[]>
  /** Who may run playbooks, and so approve, and is not switched off. */
  readonly able: ReadonlySet<string>
}

const APPROVERS = rolesThatMay('write', 'playbook_runs').join()

const IdSchema = z.object({ id: z.string() })
const PersonSchema = z.object({ id: z.string(), email: z.string() })
const TeamSchema = z.object({ name: z.string(), team_members: z.array(z.object({ person_id: z.string() })) })

async function findListed(
  backend: BackendClient,
  approvals: readonly NonNullable<Approval>[],
  signal: AbortSignal,
): Promise<Listed | null> {
  const emails = new Set(
    approvals.flatMap(({ approvers }) => approvers.people ?? []).map((email) => email.toLowerCase()),
  )
  const teams = new Set(approvals.flatMap(({ approvers }) => approvers.teams ?? []))
  try {
    const [able, inactive, people, members] = await Promise.all([
      approvals.length === 0
        ? []
        : readAll(backend, `people_roles?select=id&roles=ov.{${APPROVERS}}`, IdSchema, signal),
      approvals.length === 0 ? [] : readInactive(backend, signal),
      emails.size === 0
        ? []
        : readAll(
            backend,
            `people?select=id,email&deleted_at=is.null&or=(${[...emails].map(toEmailFilter).join()})`,
            PersonSchema,
            signal,
          ),
      teams.size === 0
        ? []
        : readAll(
            backend,
            `teams?select=name,team_members(person_id)&deleted_at=is.null&name=in.(${[...teams].map(quote).join()})`,
            TeamSchema,
            signal,
          ),
    ])
    const off = new Set(inactive.map(({ id }) => id))
    return {
      byEmail: groupIds(people.map(({ id, email }) => [email.toLowerCase(), [id]])),
      byTeam: groupIds(members.map(({ name, team_members }) => [name, team_members.map(({ person_id: id }) => id)])),
      able: new Set(able.map(({ id }) => id).filter((id) => !off.has(id))),
    }
  } catch (error) {
    if (isRefused(error)) return null
    throw error
  }
}

/** People who are switched off keep their roles. Where this credential may not know of them, they count as the others do. */
async function readInactive(backend: BackendClient, signal: AbortSignal): Promise<z.infer<typeof IdSchema>[]> {
  try {
    return await readAll(backend, 'identities?select=id&state=eq.inactive', IdSchema, signal)
  } catch (error) {
    if (isRefused(error)) return []
    throw error
  }
}

const readAll = async <Row>(backend: BackendClient, path: string, schema: z.ZodType<Row>, signal: AbortSignal) =>
  (await readTable(backend, `/db/${path}`, schema, signal)).rows

const quote = (text: string): string => encodeURIComponent(`"${text.replaceAll(/[\\"]/g, String.raw`\$&`)}"`)
/** Finds some more than it means, where the address has `_`: what is found is looked up by the whole of it. */
const toEmailFilter = (email: string): string => `email.ilike.${quote(email)}`

function groupIds(entries: readonly (readonly [string, readonly string[]])[]): Map<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>()
  for (const [name, ids] of entries) groups.set(name, [...(groups.get(name) ?? []), ...ids])
  return groups
}

function toWaitingRun(run: Run, approval: Approval, listed: Listed | null): WaitingRun {
  const { id, created_at, created_by: requester, playbooks, approvals, steps } = run
  const stepId = steps?.[0]?.id ?? null
  const done = approvals.filter(({ action_id: actionId }) => (actionId ?? null) === stepId)
  const found = listed !== null && isListing(approval) ? toParties(approval, listed) : null
  const without = new Set(done.flatMap(({ person_id: person }) => person ?? []))
  if (approval?.excludeRequester && requester) without.add(requester)
  return {
    id,
    created_at,
    playbooks: playbooks && { name: playbooks.name, title: playbooks.title },
    people: found && [...new Set(found.flatMap(({ ids }) => ids))],
    without: [...without],
    unable: (found ?? []).filter(({ ids }) => !ids.some((each) => listed?.able.has(each))).map(({ name }) => name),
  }
}

const toParties = ({ approvers: { people, teams } }: NonNullable<Approval>, { byEmail, byTeam }: Listed) => [
  ...(people ?? []).map((email) => ({ name: email, ids: byEmail.get(email.toLowerCase()) ?? [] })),
  ...(teams ?? []).map((team) => ({ name: `team ${team}`, ids: byTeam.get(team) ?? [] })),
]
