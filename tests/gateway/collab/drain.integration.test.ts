// A gateway that is told to stop while its backend answers nothing.
import { afterAll, beforeAll, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { type DocumentPage, openPage } from '#support/documentPage.ts'
import { everyoneIsWhoTheySay, startDocumentServer } from '#support/documentServer.ts'
import { eventually } from '#support/eventually.ts'
import { FakeClock } from '#support/fakeClock.ts'
import { ANA, INCIDENT, testId } from '#support/incidentDocument.ts'
import { createManyDocuments } from '#support/manyDocuments.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await startTestDatabase()
})

afterAll(async () => {
  await database?.stop()
})

it('[COLLAB-13] tells everyone at once, and leaves to the next gateway what the backend does not take in time', async () => {
  const ids = [testId('i', 11), testId('i', 12), testId('i', 13)]
  const documents = createManyDocuments()
  const clock = new FakeClock(Date.now())
  const server = await startDocumentServer(database, { clock, kind: documents.kind })
  const pages: DocumentPage[] = []
  try {
    for (const id of ids) pages.push(await openPage(server.url.replace(INCIDENT, id), { userId: ANA }))
    documents.hang()
    for (const { edit } of pages) edit.replaceText(edit.incidentText('title'), 'Nothing is printed')
    await eventually(() => expect(pages.map((page) => page.unacknowledged())).toEqual([0, 0, 0]))
    let isDrained = false
    const drained = server.collab.drain().then(() => (isDrained = true))
    // Nobody waits for the backend of someone else, nor for their own.
    await eventually(() => expect(pages.map((page) => page.closed())).toEqual([4503, 4503, 4503]))
    expect(isDrained).toBe(false)
    await clock.advance(5_000)
    await drained
    const { rows } = await database.pool.query<{ name: string }>(
      'select name from watchroom.document where open_mark is not null order by name',
    )
    expect(rows.map(({ name }) => name)).toEqual(ids.map((id) => `incident/${id}`))
  } finally {
    for (const page of pages) page.close()
    await server.stop()
  }
})

it('[COLLAB-13] lets nobody in who came before and whose rights are known only after', async () => {
  let answer: () => void = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  let isAsked = false
  const server = await startDocumentServer(database, {
    access: {
      ...everyoneIsWhoTheySay,
      identify: async (headers, options) => {
        isAsked = true
        await answered
        return everyoneIsWhoTheySay.identify(headers, options)
      },
    },
  })
  try {
    const opening = openPage(server.url, { userId: ANA })
    await eventually(() => expect(isAsked).toBe(true))
    await server.collab.drain()
    answer()
    const page = await opening
    try {
      await eventually(() => expect(page.closed()).toBe(4503))
      expect(await server.metric('watchroom_documents_open')).toBe(0)
    } finally {
      page.close()
    }
  } finally {
    await server.stop()
  }
})
