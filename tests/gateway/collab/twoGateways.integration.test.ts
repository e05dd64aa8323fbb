// Two whole gateways on one database in front of one backend, which no operator should have (ADR 29).
import { randomUUID } from 'node:crypto'

import { createIncidentEditor, projectIncident, toDocumentName } from '@watchroom/shared/collab'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as Y from 'yjs'

import { type BenchClient, openBenchClient } from '#support/benchClient.ts'
import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { eventually } from '#support/eventually.ts'
import { type RunningGateway, startGateway, toGatewayBackend } from '#support/gateway.ts'
import { callTable, createIncident, type SignedInPerson, signInPerson } from '#support/incidentGateway.ts'
import { until } from '#support/processes.ts'

import { createDocumentLog } from '../../../gateway/src/collab/log/createDocumentLog.ts'
import { createPool } from '../../../gateway/src/embedded-backend/postgres/createPool.ts'

const EDITS = 8
const logger = pino({ level: 'silent' })

let backend: TestBackend
let person: SignedInPerson
const gateways: RunningGateway[] = []

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  person = await signInPerson(backend, 'responder')
  for (let count = 0; count < 2; count++) gateways.push(await startGateway({ backend: toGatewayBackend(backend) }))
})

afterAll(async () => {
  for (const gateway of gateways) await gateway.stop()
  await backend?.stop()
})

/** A page that has all of the incident, however often it is sent away before. */
const enter = ({ url }: RunningGateway, incidentId: string): Promise<BenchClient> =>
  eventually(
    async () => {
      const page = openBenchClient({
        url: `${url.replace('http', 'ws')}/collab/incident/${incidentId}`,
        headers: { cookie: `ory_kratos_session=${person.session}`, origin: url },
        prefix: null,
      })
      await eventually(() => expect(page.isSynced() || page.closed() !== null).toBe(true))
      expect(page.closed()).toBe(null)
      return page
    },
    { timeout: 30_000, interval: 200 },
  )

function comment(page: BenchClient, hypothesisId: string, body: string): void {
  const edit = createIncidentEditor(page.doc, {
    userId: person.id,
    now: () => new Date().toISOString(),
    newId: randomUUID,
    random: Math.random,
  })
  page.write(() => edit.addComment({ hypothesisId, body }))
}

/** @returns whether the edit is durable; else the gateway sent the page away */
const isAcknowledged = (page: BenchClient): Promise<boolean> =>
  eventually(() => {
    const { sent, acknowledged } = page.frames()
    expect(acknowledged === sent || page.closed() !== null).toBe(true)
    return acknowledged === sent
  })

/** What the comments of the log say. */
async function readLog(incidentId: string): Promise<string[]> {
  const pool = createPool(backend.databaseUrl, logger)
  const log = createDocumentLog({ pool: () => pool, logger })
  try {
    const stored = await log.load(toDocumentName('incident', incidentId))
    const doc = new Y.Doc()
    if (stored?.snapshot) Y.applyUpdate(doc, stored.snapshot.state)
    for (const { update } of stored?.updates ?? []) Y.applyUpdate(doc, update)
    return projectIncident(doc).comments.map((row) => row.comment)
  } finally {
    await log.close()
    await pool.end()
  }
}

const readRows = async (incidentId: string): Promise<unknown[]> =>
  (await callTable(backend, `comments?incident_id=eq.${incidentId}&select=comment`)).map((row) => row['comment'])

it(
  '[COLLAB-3] one of two ends with each edit, and every acknowledged edit is in the log and in the rows, once',
  { timeout: 120_000 },
  async () => {
    const [here, there] = gateways as [RunningGateway, RunningGateway]
    const { id, rootId } = await createIncident(backend, person.id)
    let editor = { gateway: here, page: await enter(here, id) }
    let other = { gateway: there, page: await enter(there, id) }
    const acknowledged: string[] = []
    /** Close codes of the pages at the gateway that was not edited at. */
    const ends: (number | null)[] = []
    for (let count = 0; count < EDITS; count++) {
      const body = `note ${count}`
      comment(editor.page, rootId, body)
      if (await isAcknowledged(editor.page)) {
        acknowledged.push(body)
        // It hears of the new row, and finds its place in the log taken.
        await until(() => other.page.closed() !== null, { what: 'the end of the other room', maxMs: 20_000 })
        ends.push(other.page.closed())
      }
      for (const one of [editor, other]) if (one.page.closed() !== null) one.page = await enter(one.gateway, id)
      ;[editor, other] = [other, editor]
    }
    editor.page.close()
    other.page.close()
    expect(acknowledged.length).toBeGreaterThanOrEqual(EDITS / 2)
    expect(new Set(ends)).toEqual(new Set([4503]))
    const kept = await readLog(id)
    expect(kept).toEqual(expect.arrayContaining(acknowledged))
    expect(new Set(kept).size).toBe(kept.length)
    await eventually(async () => {
      const rows = await readRows(id)
      expect(rows).toHaveLength(kept.length)
      expect(new Set(rows)).toEqual(new Set(kept))
    })
  },
)
