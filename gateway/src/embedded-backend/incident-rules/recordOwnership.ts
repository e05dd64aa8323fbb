// What a team answers for, worked out anew with a row in the job history of the team: its list and its tab show it.
import { type Clock, messageOf } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'

import { RETENTION } from '../jobs/job.ts'
import { writeOutcome } from '../jobs/jobHistory.ts'
import { ownComponents } from './ownComponents.ts'

/** Not the name of the job that looks at every team: that one plans itself by the rows of its own name. */
const NAME = 'TeamComponents'

export interface OwnershipDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly hostname: string
}

/** @throws what `ownComponents` throws, once it is recorded */
export async function recordOwnership(teamId: string, { pool, clock, hostname }: OwnershipDeps): Promise<void> {
  const run = { name: NAME, resourceType: 'team', resourceId: teamId, hostname, startedAt: clock.now() }
  const startedAt = clock.monotonic()
  const record = (successes: number, errors: readonly string[]): Promise<void> =>
    writeOutcome(pool, {
      id: null,
      run,
      outcome: { successes, errors, durationMs: clock.monotonic() - startedAt, endedAt: clock.now() },
      retention: RETENTION.few,
    })
  let owned: number | null
  try {
    owned = await ownComponents(pool, teamId)
  } catch (error) {
    await record(0, [messageOf(error)])
    throw error
  }
  if (owned !== null) await record(owned, [])
}
