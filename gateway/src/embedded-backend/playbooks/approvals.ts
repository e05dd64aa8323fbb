// Whose approval a run or a step needs, and whether it has it.
import type { PlaybookSpec } from '@watchroom/shared/playbooks'
import type { Pool } from 'pg'

export type Approval = NonNullable<PlaybookSpec['approval']>

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
         select id::text from people where lower(people.email) = lower(listed.email) and deleted_at is null) as people
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
