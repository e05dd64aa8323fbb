// Whose approval a run or a step needs, and whether it has it.
import { rolesThatMay } from '@watchroom/shared/access'
import type { PlaybookSpec } from '@watchroom/shared/playbooks'
import type { Pool } from 'pg'

import { IS_ACTIVE_PERSON } from '../people/activePerson.ts'

export type Approval = NonNullable<PlaybookSpec['approval']>

/** People of this address. One that is only said, by whoever has it, names nobody. SQL on `people` and `listed`. */
const HAS_LISTED_ADDRESS = `lower(people.email) = lower(listed.email) and not exists (
  select from watchroom_identity.identities as identity
  where identity.id = people.id and identity.is_address_claimed and identity.email_verified_at is null
    and identity.address_confirmed_at is null)`

/** One side that must agree: any of these people. */
interface Party {
  readonly people: ReadonlySet<string>
}

export interface ApprovalQuestion {
  readonly approval: Approval
  readonly requesterId: string | null
}

/**
 * Who may approve, each listed person and each listed team as a party of their own.
 *
 * @returns null when nobody is listed: then everyone who may run playbooks may
 */
async function findParties(pool: Pick<Pool, 'query'>, { approvers }: Approval): Promise<Party[] | null> {
  const { people = [], teams = [] } = approvers
  if (people.length + teams.length === 0) return null
  const { rows } = await pool.query<{ people: string[] }>(
    `select array(
         select id::text from people where ${HAS_LISTED_ADDRESS} and deleted_at is null) as people
       from unnest($1::text[]) as listed (email)
     union all
     select array(
         select team_members.person_id::text from team_members
         join teams on teams.id = team_members.team_id
         where teams.name = listed.name and teams.deleted_at is null)
       from unnest($2::text[]) as listed (name)`,
    [people, teams],
  )
  return rows.map(({ people: ids }) => ({ people: new Set(ids) }))
}

const APPROVERS = rolesThatMay('write', 'playbook_runs')

/**
 * Whose word a run would wait for in vain: they are not here, or may not run playbooks.
 *
 * @returns names as people read them; none where the others are enough
 */
export async function findUnable(pool: Pick<Pool, 'query'>, { approvers, type }: Approval): Promise<string[]> {
  const { people = [], teams = [] } = approvers
  if (people.length + teams.length === 0) return []
  const able = `select people.id from people
    where ${IS_ACTIVE_PERSON} and exists (
      select from casbin_rule where ptype = 'g' and v0 = people.id::text and v1 = any($3))`
  const { rows } = await pool.query<{ name: string; is_able: boolean }>(
    `with able as (${able})
     select listed.email as name, exists (
       select from people join able using (id) where ${HAS_LISTED_ADDRESS}) as is_able
     from unnest($1::text[]) as listed (email)
     union all
     select 'team ' || listed.name, exists (
       select from teams join team_members on team_members.team_id = teams.id join able on able.id = team_members.person_id
       where teams.name = listed.name and teams.deleted_at is null)
     from unnest($2::text[]) as listed (name)`,
    [people, teams, APPROVERS],
  )
  const unable = rows.filter((row) => !row.is_able).map(({ name }) => name)
  return type === 'all' || unable.length === rows.length ? unable : []
}

export async function mayApprove(
  pool: Pick<Pool, 'query'>,
  { approval, requesterId }: ApprovalQuestion,
  personId: string,
): Promise<boolean> {
  if (approval.excludeRequester === true && personId === requesterId) return false
  const parties = await findParties(pool, approval)
  return parties === null || parties.some(({ people }) => people.has(personId))
}

/** Whether those who approved are enough. */
export async function isApproved(
  pool: Pick<Pool, 'query'>,
  { approval, requesterId }: ApprovalQuestion,
  approverIds: readonly string[],
): Promise<boolean> {
  const counted = approverIds.filter((id) => approval.excludeRequester !== true || id !== requesterId)
  const parties = await findParties(pool, approval)
  if (parties === null) return counted.length > 0
  const agreed = parties.map(({ people }) => counted.some((id) => people.has(id)))
  return approval.type === 'all' ? agreed.every(Boolean) : agreed.some(Boolean)
}
