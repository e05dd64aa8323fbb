// Which components a team answers for, as the selectors of its spec mean them. What people linked by hand stays.
import { TeamSpecSchema } from '@watchroom/shared/specs'
import type { Pool } from 'pg'

import { findResources } from '../resources/findResources.ts'
import { toComponentSelectors } from './componentSelectors.ts'

type Database = Pick<Pool, 'query'>

/** Marks rows that a spec made. */
const BY_SPEC = 'spec'
const MAX_COMPONENTS = 10_000

/** @throws Refusal for a selector that cannot be read; what the team owned stays then */
export async function ownComponents(pool: Database, teamId: string): Promise<void> {
  const { rows } = await pool.query<{ spec: unknown }>('select spec from teams where id = $1 and deleted_at is null', [
    teamId,
  ])
  const spec = TeamSpecSchema.safeParse(rows[0]?.spec ?? {})
  if (!spec.success) return
  const owned = await findResources(pool, 'components', toComponentSelectors(spec.data.components), MAX_COMPONENTS)
  await pool.query(
    `with lost as (
       delete from team_components where team_id = $1 and selector_id = $2 and component_id <> all($3::uuid[]))
     insert into team_components (team_id, component_id, role, selector_id)
     select $1, id, 'owner', $2 from unnest($3::uuid[]) as id on conflict do nothing`,
    [teamId, BY_SPEC, owned.map(({ id }) => id)],
  )
}

/** @returns what went wrong, by team */
export async function ownAllComponents(pool: Database): Promise<{ readonly done: number; readonly errors: string[] }> {
  const { rows } = await pool.query<{ id: string; name: string }>(
    'select id, name from teams where deleted_at is null order by name, id',
  )
  const errors: string[] = []
  for (const { id, name } of rows) {
    try {
      await ownComponents(pool, id)
    } catch (error) {
      errors.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { done: rows.length - errors.length, errors }
}
