// The fuzz of `tests/fuzz/incidentRows.test.ts` with nothing in memory: real sockets, log, backend and tables, and fewer seeds.
import { randomUUID } from 'node:crypto'

import { createIncidentEditor, createUndoStack, type IncidentRows, projectIncident } from '@watchroom/shared/collab'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { editSomething, pick } from '#support/editSomething.ts'
import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { eventually } from '#support/eventually.ts'
import { type RunningGateway, startGateway, toGatewayBackend } from '#support/gateway.ts'
import { connectWriter, createIncident, signInPerson, type SignedInPerson } from '#support/incidentGateway.ts'
import { createRandom } from '#support/random.ts'

import { createIncidentTables } from '../../../../gateway/src/collab/documents/incident/incidentTables.ts'
import { type BackendClient, createBackendClient } from '../../../../gateway/src/platform/httpClient.ts'

const SEEDS = [1, 2, 3]
const OPERATIONS = 60

let backend: TestBackend
let running: RunningGateway
let client: BackendClient
let people: SignedInPerson[]

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  running = await startGateway({ backend: toGatewayBackend(backend) })
  client = createBackendClient({ backendUrl: backend.url, token: backend.serviceToken })
  people = await Promise.all(
    ['responder', 'commander', 'editor'].map((role) => signInPerson(backend, role as 'editor')),
  )
})

afterAll(async () => {
  await client?.close()
  await running?.stop()
  await backend?.stop()
})

const pause = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs))

/** As text, so that a difference is readable and the order of rows and keys does not count. */
function toText(rows: IncidentRows | null): string {
  const lines = rows ? [rows.incident, ...rows.hypotheses, ...rows.evidences, ...rows.comments] : []
  return lines
    .map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .toSorted()
    .join('\n')
}

it.each(SEEDS)(
  '[COLLAB-5] rows equal everyone’s document once the outbox is empty, seed %i',
  async (seed) => {
    const random = createRandom(seed)
    const [author] = people as [SignedInPerson, ...SignedInPerson[]]
    const incident = await createIncident(backend, author.id)
    const peers = await Promise.all(
      people.map(async (person) => {
        const writer = await connectWriter({ url: running.url, incidentId: incident.id, person })
        const undo = createUndoStack(writer.doc)
        const edit = createIncidentEditor(writer.doc, {
          userId: person.id,
          now: () => new Date().toISOString(),
          newId: randomUUID,
          random,
          onCommand: undo.record,
        })
        return { ...writer, edit, undo }
      }),
    )
    const log: string[] = []
    for (let operation = 0; operation < OPERATIONS; operation++) {
      const peer = pick(random, peers)
      if (!peer) continue
      const dice = random()
      if (dice < 0.06) peer.provider.disconnect()
      else if (dice < 0.2) peer.provider.connect()
      else log.push(editSomething(peer, random))
      await pause(random() * 40)
    }
    for (const { provider } of peers) provider.connect()
    await eventually(
      async () => {
        const rows = toText(await createIncidentTables(client).read(incident.id))
        for (const { doc } of peers) expect(toText(projectIncident(doc)), log.join('\n')).toBe(rows)
      },
      { timeout: 30_000, interval: 100 },
    )
    expect(peers.flatMap(({ own }) => own.filter(({ type }) => type === 'rejected'))).toEqual([])
    for (const peer of peers) peer.close()
  },
  90_000,
)
