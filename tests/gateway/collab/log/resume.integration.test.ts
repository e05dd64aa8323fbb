// A gateway that ends before the backend had everything, and the one after it.
import { afterAll, beforeAll, expect, it } from 'vitest'

import { openBenchClient } from '#support/benchClient.ts'
import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { signedInAs, startDocumentServer } from '#support/documentServer.ts'
import { eventually } from '#support/eventually.ts'
import { FakeClock } from '#support/fakeClock.ts'
import { buildIncidentRows } from '#support/incidentDocument.ts'
import { until } from '#support/processes.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await startTestDatabase()
})

afterAll(async () => {
  await database?.stop()
})

const marks = async (): Promise<number> => {
  const { rows } = await database.pool.query('select name from watchroom.document where open_mark is not null')
  return rows.length
}

it('[COLLAB-23] writes back what the one before it could not, though nobody comes', async () => {
  const first = await startDocumentServer(database)
  first.tables.answer = () => ({ kind: 'later', message: 'the backend is away' })
  const client = openBenchClient({ url: first.url, headers: signedInAs(), prefix: null })
  await until(client.isSynced, { what: 'sync' })
  client.write((doc) => doc.getMap('incident').set('severity', 'critical'))
  await until(() => first.tables.sent.length > 0, { what: 'the attempt to write' })
  client.close()
  await first.stop()
  expect(first.tables.rows.incident.severity).toBe('high')
  expect(await marks()).toBe(1)

  const clock = new FakeClock(Date.now())
  const second = await startDocumentServer(database, { clock, rows: buildIncidentRows() })
  const pass = (ms: number, isDone: () => Promise<boolean> | boolean): Promise<void> =>
    eventually(async () => {
      await clock.advance(ms)
      expect(await isDone()).toBe(true)
    })
  try {
    await pass(500, () => second.tables.rows.incident.severity === 'critical')
    // And closed in order, once nobody came.
    await pass(5_000, async () => (await marks()) === 0)
  } finally {
    await second.stop()
  }
})
