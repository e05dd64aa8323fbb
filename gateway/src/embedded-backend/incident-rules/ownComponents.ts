// Which components a team answers for, as the selectors of its spec mean them. What people linked by hand stays.
import { messageOf } from '@watchroom/shared/kernel'
import { TeamSpecSchema } from '@watchroom/shared/specs'
import type { Pool } from 'pg'

import { inTransaction } from '../../platform/database/inTransaction.ts'
import { findResources } from '../resources/findResources.ts'
import { toComponentSelectors } from './componentSelectors.ts'

/** Marks rows that a spec made. */
const BY_SPEC = 'spec'
const MAX_COMPONENTS = 10_000

/**
 * One at a time for each team: of two that looked at different moments the older look must not be written last.
 *
 * @returns how many its spec selects; null when the team is not there any more
 * @throws Refusal for a selector that cannot be read; what the team owned stays then
 */
export const ownComponents = (pool: Pool, teamId: string): Promise<number | null> =>
  inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ spec: unknown }>(
      'select spec from teams where id = $1 and deleted_at is null for no key update',
      [teamId],
    )
    const spec = TeamSpecSchema.safeParse(rows[0]?.spec ?? {})
    if (rows.length === 0) return null
    if (!spec.success) return 0
    const owned = await findResources(client, 'components', toComponentSelectors(spec.data.components), MAX_COMPONENTS)
    await client.query(
      `with lost as (
         delete from team_components where team_id = $1 and selector_id = $2 and component_id <> all($3::uuid[]))
       insert into team_components (team_id, component_id, role, selector_id)
       select $1, id, 'owner', $2 from unnest($3::uuid[]) as id on conflict do nothing`,
      [teamId, BY_SPEC, owned.map(({ id }) => id)],
    )
    return owned.length
  })

/** @returns what went wrong, by team. @param own for one team, where something of it is to be kept */
export async function ownAllComponents(
  pool: Pool,
  own: (teamId: string) => Promise<unknown> = (teamId) => ownComponents(pool, teamId),
): Promise<{ readonly done: number; readonly errors: string[] }> {
  const { rows } = await pool.query<{ id: string; name: string }>(
    'select id, name from teams where deleted_at is null order by name, id',
  )
  const errors: string[] = []
  for (const { id, name } of rows) {
    try {
      await own(id)
    } catch (error) {
      errors.push(`${name}: ${messageOf(error)}`)
    }
  }
  return { done: rows.length - errors.length, errors }
}
