// Documents that begin anew: another epoch, another layout. Real sockets and a real log.
import { randomUUID } from 'node:crypto'

import {
  type DocumentLayout,
  INCIDENT_LAYOUT,
  projectIncident,
  rootOf,
  schemaOf,
  seedIncident,
  toDocumentName,
} from '@watchroom/shared/collab'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as Y from 'yjs'

import { type BenchClient, openBenchClient } from '#support/benchClient.ts'
import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { type DocumentServer, signedInAs, startDocumentServer } from '#support/documentServer.ts'
import { buildIncidentRows, INCIDENT } from '#support/incidentDocument.ts'
import { until } from '#support/processes.ts'

import { incidentKind } from '../../../../gateway/src/collab/documents/incident/incidentKind.ts'

const NAME = toDocumentName('incident', INCIDENT)

let database: TestDatabase
const servers: DocumentServer[] = []

beforeEach(async () => {
  database = await startTestDatabase()
})

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
  await database.stop()
})

async function start(options: Parameters<typeof startDocumentServer>[1] = {}): Promise<DocumentServer> {
  const server = await startDocumentServer(database, options)
  servers.push(server)
  return server
}

function open(server: DocumentServer, epoch?: string): BenchClient {
  const url = epoch === undefined ? server.url : `${server.url}?epoch=${epoch}`
  return openBenchClient({ url, headers: signedInAs(), prefix: null })
}

/** A client that is in, with everything there is. */
async function openSynced(server: DocumentServer, epoch?: string): Promise<BenchClient> {
  const client = open(server, epoch)
  await until(client.isSynced, { what: 'sync' })
  return client
}

async function closeCodeOf(client: BenchClient): Promise<number | null> {
  await until(() => client.closed() !== null, { what: 'close' })
  return client.closed()
}

const epochOf = ({ doc }: BenchClient): string => String(rootOf(doc, 'meta').get('epoch'))

/** Two fields in turn: what is set again and again alone, Yjs forgets by itself. */
function click(doc: Y.Doc, index: number): void {
  if (index % 2 === 0) rootOf(doc, 'incident').set('severity', index % 4 === 0 ? 'low' : 'critical')
  else rootOf(doc, 'incident').set('type', index % 4 === 1 ? 'cost' : 'security')
}

/** Puts a document with a long history into the log, as years of clicking would. */
async function logHistory(changes: number): Promise<{ doc: Y.Doc; epoch: string }> {
  const epoch = randomUUID()
  const seed = seedIncident(buildIncidentRows(), epoch)
  const doc = new Y.Doc()
  Y.applyUpdate(doc, seed)
  for (let index = 0; index < changes; index++) {
    click(doc, index)
  }
  const { pool } = database
  const insert = 'insert into watchroom.document_update (document, epoch, sequence, update) values ($1, $2, $3, $4)'
  await pool.query('insert into watchroom.document (name, epoch) values ($1, $2)', [NAME, epoch])
  await pool.query(insert, [NAME, epoch, 1, Buffer.from(seed)])
  await pool.query(insert, [NAME, epoch, 2, Buffer.from(Y.encodeStateAsUpdate(doc))])
  return { doc, epoch }
}

describe('[COLLAB-19] a client that brings a copy along', () => {
  it('gets in with one of this epoch, and with none; with one of another it is told so before anything is exchanged', async () => {
    const server = await start()
    const first = await openSynced(server)
    const again = await openSynced(server, epochOf(first))
    expect(await closeCodeOf(open(server, randomUUID()))).toBe(4410)
    expect([first.closed(), again.closed()]).toEqual([null, null])
  })
})

describe('[COLLAB-20] a document whose history outweighs what it says', () => {
  it('is opened in another epoch, with the same content; copies of the former one are refused', async () => {
    await start()
    const former = await logHistory(2_000)
    const insert = 'insert into watchroom.document_update (document, epoch, sequence, update) values ($1, $2, 3, $3)'
    await database.pool.query(insert, [NAME, randomUUID(), Buffer.alloc(2)])
    const server = await start({ compaction: { bytes: 4_000, ratio: 2, urgentBytes: 1_000_000 } })
    const client = await openSynced(server)
    expect(epochOf(client)).not.toBe(former.epoch)
    expect(projectIncident(client.doc)).toEqual(projectIncident(former.doc))
    expect(Y.encodeStateAsUpdate(client.doc).byteLength).toBeLessThan(4_000)
    expect(await closeCodeOf(open(server, former.epoch))).toBe(4410)
    // Edits go on, and there is nothing in the former epoch that anyone could still write behind.
    client.write((doc) => rootOf(doc, 'incident').set('severity', 'blocker'))
    await until(() => client.ackLatencies.length === 2, { what: 'acknowledgement' })
    await expect(database.pool.query(insert, [NAME, former.epoch, Buffer.alloc(2)])).rejects.toThrow('duplicate key')
    // The former one stays for whoever has to look; those before it do not pile up.
    const { rows } = await database.pool.query('select distinct epoch from watchroom.document_update')
    expect(new Set(rows.map(({ epoch }) => epoch))).toEqual(new Set([former.epoch, epochOf(client)]))
  })

  it('is left alone while it is small, or says much', async () => {
    await start()
    const former = await logHistory(200)
    const server = await start({ compaction: { bytes: 2_000, ratio: 50, urgentBytes: 1_000_000 } })
    expect(epochOf(await openSynced(server))).toBe(former.epoch)
  })

  it('is renewed while people have it open when it gets too large: all are closed with 4504 and find everything again', async () => {
    const server = await start({ compaction: { bytes: 4_000, ratio: 1.5, urgentBytes: 8_000 } })
    const [ana, bo] = [await openSynced(server), await openSynced(server)]
    const epoch = epochOf(ana)
    for (let round = 0; ana.closed() === null && round < 2_000; round++) {
      ana.write((doc) => {
        for (let index = 0; index < 20; index++) click(doc, index)
      })
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(await closeCodeOf(ana)).toBe(4504)
    expect(await closeCodeOf(bo)).toBe(4504)
    expect(await closeCodeOf(open(server, epoch))).toBe(4410)
    const back = await openSynced(server)
    expect(epochOf(back)).not.toBe(epoch)
    expect(projectIncident(back.doc).hypotheses).toEqual(projectIncident(ana.doc).hypotheses)
    await until(() => server.tables.rows.incident.severity === projectIncident(back.doc).incident.severity, {
      what: 'rows',
    })
  }, 60_000)
})

describe('a newer layout', () => {
  const LATER: DocumentLayout = {
    version: INCIDENT_LAYOUT.version + 1,
    migrations: [
      ...INCIDENT_LAYOUT.migrations,
      { to: INCIDENT_LAYOUT.version + 1, run: (doc) => rootOf(doc, 'incident').set('type', 'cost') },
    ],
  }
  const updates = async (): Promise<number> => {
    const { rows } = await database.pool.query('select sequence from watchroom.document_update where document = $1', [
      NAME,
    ])
    return rows.length
  }

  it('[DOC-18] is what a document of the former one becomes when it is opened, once, whoever opens it', async () => {
    const old = await start()
    const before = await openSynced(old)
    expect(schemaOf(before.doc)).toBe(INCIDENT_LAYOUT.version)
    before.close()
    await old.stop()
    servers.length = 0
    const count = await updates()
    const first = await start({ kind: { ...incidentKind, layout: LATER } })
    const client = await openSynced(first)
    expect(schemaOf(client.doc)).toBe(LATER.version)
    expect(projectIncident(client.doc).incident.type).toBe('cost')
    expect(epochOf(client)).toBe(epochOf(before))
    expect(await updates()).toBe(count + 1)
    const second = await start({ kind: { ...incidentKind, layout: LATER } })
    await openSynced(second)
    expect(await updates()).toBe(count + 1)
  })

  it('[DOC-1] is not touched by a gateway that does not know it: its editors are told to come back', async () => {
    const later = await start({ kind: { ...incidentKind, layout: LATER } })
    const client = await openSynced(later)
    const count = await updates()
    const old = await start()
    expect(await closeCodeOf(open(old))).toBe(4503)
    expect(await updates()).toBe(count)
    expect(client.closed()).toBeNull()
  })
})
