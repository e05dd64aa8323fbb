// What the measurements say of rows that the backend does not have. Sockets and the log are real.
import { afterAll, beforeAll, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { openPage } from '#support/documentPage.ts'
import { startDocumentServer } from '#support/documentServer.ts'
import { eventually } from '#support/eventually.ts'
import { FakeClock } from '#support/fakeClock.ts'
import { ANA, testId } from '#support/incidentDocument.ts'

const QUEUE = testId('h', 2)
const PRINTER = testId('h', 3)

let database: TestDatabase

beforeAll(async () => {
  database = await startTestDatabase()
})

afterAll(async () => {
  await database?.stop()
})

it('[COLLAB-5] measures how many rows wait and since when, while the backend refuses, and nothing afterwards', async () => {
  const clock = new FakeClock(Date.now())
  const server = await startDocumentServer(database, { clock })
  const { tables } = server
  const measured = async (): Promise<number[]> => [
    await server.metric('watchroom_document_unsaved_rows'),
    await server.metric('watchroom_document_unsaved_age_seconds'),
    await server.metric('watchroom_document_refused_rows'),
  ]
  const page = await openPage(server.url, { userId: ANA })
  try {
    expect(await measured()).toEqual([0, 0, 0])
    tables.answer = ({ id }) =>
      id === PRINTER ? { kind: 'refused', message: 'value too long' } : { kind: 'later', message: 'away' }
    page.edit.setHypothesisStatus(QUEUE, 'proven')
    page.edit.setHypothesisStatus(PRINTER, 'disproven')
    await eventually(() => expect(page.unacknowledged()).toBe(0))
    await eventually(async () => {
      await clock.advance(10_000)
      const [rows = 0, ageSeconds = 0, refused] = await measured()
      expect([rows, ageSeconds >= 60, refused]).toEqual([1, true, 1])
    })
    tables.answer = () => ({ kind: 'written' })
    await eventually(async () => {
      await clock.advance(10_000)
      expect(await measured()).toEqual([0, 0, 1])
    })
    page.edit.setHypothesisStatus(PRINTER, 'likely')
    await eventually(async () => {
      await clock.advance(1_000)
      expect(await measured()).toEqual([0, 0, 0])
    })
  } finally {
    page.close()
    await server.stop()
  }
})
