// Connections that are tested by the clock, where someone switched that on. Nothing that sends a message is.
import { testEveryMs } from '@watchroom/shared/settings/connections'
import type { Pool } from 'pg'

import { everySchedule } from '../../check-runner/schedule.ts'
import { type Job, RETENTION } from '../jobs/job.ts'
import type { BackendContext } from '../server/context.ts'
import type { ConnectionTests, TestVerdict } from './createConnectionTests.ts'
import { isFaultOfRow, readConnection } from './readConnection.ts'
import { recordTest } from './recordTest.ts'

const MINUTE_MS = 60_000
/** In place of the person who asks for a test. */
const CLOCK = 'clock'

interface Deps {
  readonly context: Pick<BackendContext, 'pool' | 'vault'>
  readonly tests: ConnectionTests
}

/** One test after the other: people who test go before them. */
export const createRegularTests = ({ context, tests }: Deps): Job => ({
  name: 'ConnectionTest',
  resourceType: 'connection',
  schedule: everySchedule(MINUTE_MS),
  deadlineMs: 10 * MINUTE_MS,
  retention: RETENTION.failed,
  run: async ({ signal, report, now }) => {
    for (const id of await listDue(context.pool, now)) {
      signal.throwIfAborted()
      const verdict = await testOne({ context, tests }, id, signal)
      // What was given up says nothing of the connection.
      signal.throwIfAborted()
      // Deleted meanwhile, or others are testing: the next run comes soon.
      if (verdict === null) continue
      await recordTest(context.pool, id, null, verdict)
      // Readers of jobs need not be readers of connections.
      if (verdict.outcome === 'failed') report.failure(`the connection ${id} failed its test`)
      else report.success()
    }
  },
})

interface TestedRow {
  readonly id: string
  readonly type: string
  readonly properties: Record<string, unknown>
  readonly tested_at: Date | null
}

/** The one that was tested least recently first. */
async function listDue(pool: Pick<Pool, 'query'>, now: number): Promise<string[]> {
  const { rows } = await pool.query<TestedRow>(
    `select connections.id, type, properties, tested_at from connections
     left join watchroom_internal.connection_tests on connection_id = connections.id
     where deleted_at is null and properties ? 'testEvery' order by tested_at nulls first, connections.id`,
  )
  return rows
    .filter((row) => {
      const every = testEveryMs(row)
      return every !== null && (row.tested_at === null || row.tested_at.getTime() + every <= now)
    })
    .map(({ id }) => id)
}

async function testOne({ context, tests }: Deps, id: string, signal: AbortSignal): Promise<TestVerdict | null> {
  try {
    const stored = await readConnection(context, id)
    const verdict = stored && (await tests.run(CLOCK, stored, signal))
    return verdict?.ok ? verdict.value : null
  } catch (error) {
    if (isFaultOfRow(error)) return { outcome: 'failed', message: error.message }
    throw error
  }
}
