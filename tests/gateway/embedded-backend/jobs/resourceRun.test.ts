import type { Pool } from 'pg'
import { expect, it } from 'vitest'

import { withResource } from '../../../../gateway/src/embedded-backend/jobs/resourceRun.ts'

it('answers with what was done when the lock cannot be given back, and closes the connection that has it', async () => {
  const released: unknown[] = []
  const client = {
    query: async (sql: string) => {
      if (sql.includes('pg_advisory_unlock')) throw new Error('Client has encountered a connection error')
      return { rows: [{ isOurs: true }] }
    },
    release: (isBroken: unknown) => released.push(isBroken),
  }
  // All that a run asks of a pool.
  const pool = {
    connect: async () => client,
    query: async () => ({ rows: [{ id: 'a', name: 'nightly', spec: {} }] }),
  } as unknown as Pool

  const answer = await withResource(pool, { table: 'topologies', lock: 1 }, 'a', async ({ name }) => `ran ${name}`)

  expect(answer).toBe('ran nightly')
  expect(released).toEqual([true])
})
