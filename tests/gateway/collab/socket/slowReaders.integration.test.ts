import { randomUUID } from 'node:crypto'

import { rootOf } from '@watchroom/shared/collab'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as Y from 'yjs'

import { type BenchClient, openBenchClient, type SentEdits } from '#support/benchClient.ts'
import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { type DocumentServer, signedInAs, startDocumentServer } from '#support/documentServer.ts'
import { ANA } from '#support/incidentDocument.ts'
import { until } from '#support/processes.ts'

const CUT = 'watchroom_document_rejected_total{code="tooSlow"}'

let database: TestDatabase
let server: DocumentServer

beforeAll(async () => {
  database = await startTestDatabase()
  server = await startDocumentServer(database, { readerSettings: { askMs: 200, cutMs: 2_500 } })
})

afterAll(async () => {
  await server?.stop()
  await database?.stop()
})

const sent: SentEdits = new Map()
const open = (to = server): BenchClient => openBenchClient({ url: to.url, headers: signedInAs(), prefix: null }, sent)

function addComment(client: BenchClient, body: string): void {
  client.write((doc) => {
    const comment = new Y.Map<unknown>()
    const core = { hypothesis_id: null, created_by: ANA, created_at: new Date().toISOString() }
    comment.set('core', { ...core, external_created_by: null, responder_id: null })
    comment.set('body', new Y.Text(body))
    rootOf(doc, 'comments').set(randomUUID(), comment)
  })
}

describe('[COLLAB-12] a reader that stops reading its socket', () => {
  it('is cut by time, though the kernel takes every byte for it, and reads the reason when it reads again', async () => {
    const [writer, healthy, slow] = [open(), open(), open()]
    await until(() => [writer, healthy, slow].every((client) => client.isSynced()), { what: 'sync' })
    slow.socket.pause()
    const before = await server.metric(CUT)
    addComment(writer, 'a few bytes')
    await until(async () => (await server.metric(CUT)) > before, { what: 'the cut' })
    const { length } = healthy.latencies
    addComment(writer, 'after the cut')
    await until(() => healthy.latencies.length > length, { what: 'the others go on' })
    slow.socket.resume()
    await until(() => slow.closed() !== null, { what: 'end of the slow one' })
    expect(slow.closed()).toBe(4508)
    expect([writer.closed(), healthy.closed()]).toEqual([null, null])
    for (const client of [writer, healthy]) client.close()
  })

  it('is not cut while it reads, however little there is to read', async () => {
    const quiet = open()
    await until(quiet.isSynced, { what: 'sync' })
    const before = await server.metric(CUT)
    // More than twice the limit.
    await new Promise((resolve) => setTimeout(resolve, 6_000))
    expect(quiet.closed()).toBeNull()
    expect(await server.metric(CUT)).toBe(before)
    quiet.close()
  })

  it('is cut by bytes too, before its share of the memory grows', async () => {
    const other = await startDocumentServer(database, { readerSettings: { askMs: 60_000, cutMs: 60_000 } })
    const writers = Array.from({ length: 4 }, () => open(other))
    const slow = open(other)
    await until(() => [...writers, slow].every((client) => client.isSynced()), { what: 'sync' })
    slow.socket.pause()
    const before = await other.metric(CUT)
    // What is replaced is forgotten by the document, but not by the socket of someone who does not read.
    const typing = setInterval(() => {
      for (const writer of writers) {
        writer.write((doc) => {
          const text = rootOf(doc, 'incident').get('description') as Y.Text
          text.delete(0, text.length)
          text.insert(0, 'x'.repeat(5_000))
        })
      }
    }, 20)
    await until(async () => (await other.metric(CUT)) > before, { what: 'the cut', maxMs: 25_000 })
    clearInterval(typing)
    slow.socket.resume()
    await until(() => slow.closed() !== null, { what: 'end of the slow one' })
    expect(writers.map((writer) => writer.closed())).toEqual([null, null, null, null])
    for (const writer of writers) writer.close()
    await other.stop()
  })
})
