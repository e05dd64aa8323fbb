// Shared documents while the gateway is killed again and again, and while the backend is of no use. What was acknowledged is
// there afterwards, once, in the document and in the tables.
import { type IncidentRows, projectIncident, readIncident } from '@watchroom/shared/collab'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createIncidentTables } from '../../gateway/src/collab/incidentTables.ts'
import { createBackendClient } from '../../gateway/src/platform/httpClient.ts'
import { countTokens, createCountingWriter } from '../support/countingWriter.ts'
import { startEmbeddedBackend, type TestBackend } from '../support/embeddedBackend.ts'
import { type Fault, startFaultProxy } from '../support/faultProxy.ts'
import {
  buildGatewayProgram,
  freePort,
  type GatewayProcess,
  type GatewayProgram,
  startGatewayProcess,
} from '../support/gatewayProcess.ts'
import {
  callTable,
  connectWriter,
  createIncident,
  signInPerson,
  type SignedInPerson,
} from '../support/incidentGateway.ts'
import { until } from '../support/processes.ts'
import { createRandom } from '../support/random.ts'

/** More at night: `WATCHROOM_FAULT_ROUNDS=500 npm run test:fault`. */
const ROUNDS = Number(process.env['WATCHROOM_FAULT_ROUNDS'] ?? 100)
/** A round takes about a second; on a busy machine several times that. */
const ROUND_MAX_MS = 10_000
/** Between two tokens of one writer. */
const TYPING_MS = 25
/** Every so many rounds one lasts long enough for snapshots and write-backs. */
const LONG_ROUND_EVERY = 10
const LONG_ROUND_MS = 2_000
const BUSY_MS = 60_000

let backend: TestBackend
let program: GatewayProgram
let people: SignedInPerson[]
/** Only what a failed test left running. */
const leftovers = new Set<() => unknown>()

beforeAll(async () => {
  program = await buildGatewayProgram()
  backend = await startEmbeddedBackend()
  people = await Promise.all(
    ['responder', 'commander', 'editor'].map((role) => signInPerson(backend, role as 'editor')),
  )
})

afterAll(async () => {
  for (const end of leftovers) await end()
  await backend?.stop()
  program?.remove()
})

const report = (line: string): boolean => process.stdout.write(`${line}\n`)
const pause = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs))
const percentile = (samples: readonly number[], share: number): number =>
  samples.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * samples.length) - 1)] ?? Number.NaN

async function readRows(incidentId: string): Promise<IncidentRows | null> {
  const client = createBackendClient({ backendUrl: backend.url, token: backend.serviceToken })
  try {
    return await createIncidentTables(client).read(incidentId)
  } finally {
    await client.close()
  }
}

describe('kill -9 of the gateway while people type', () => {
  it(
    `[COLLAB-4] loses and doubles nothing that was acknowledged, ${ROUNDS} times`,
    {
      timeout: 60_000 + ROUNDS * ROUND_MAX_MS,
    },
    async () => {
      const random = createRandom(1)
      const [ana] = people as [SignedInPerson, ...SignedInPerson[]]
      const incident = await createIncident(backend, ana.id)
      const port = await freePort()
      const start = (): Promise<GatewayProcess> => startGatewayProcess({ program, backend, port })
      let gateway = await start()
      const writers = people.map((person, index) =>
        createCountingWriter({
          url: gateway.url,
          incidentId: incident.id,
          hypothesisId: incident.rootId,
          person,
          label: 'abc'.charAt(index),
        }),
      )
      leftovers.add(() => writers.map((writer) => writer.close()))
      await until(() => writers.every(({ provider }) => provider.synced), { what: 'first sync', maxMs: BUSY_MS })
      const typing = setInterval(() => {
        for (const writer of writers) writer.write()
      }, TYPING_MS)
      leftovers.add(() => clearInterval(typing))
      const recoveries: number[] = []
      let isUnsure = 0
      for (let round = 0; round < ROUNDS; round++) {
        await pause(round % LONG_ROUND_EVERY === LONG_ROUND_EVERY - 1 ? LONG_ROUND_MS : 20 + random() * 250)
        // Within reading, logging, applying or sending of these.
        for (const writer of writers) writer.write()
        await pause(random() * 4)
        const pending = writers.reduce((sum, { issued, acknowledged }) => sum + issued.length - acknowledged.size, 0)
        if (pending > 0) isUnsure += 1
        await gateway.kill()
        const killedAt = performance.now()
        gateway = await start()
        await until(() => writers.every((writer) => writer.acknowledgedAt() > killedAt), {
          what: `recovery of round ${round}`,
          maxMs: BUSY_MS,
        })
        recoveries.push(Math.max(...writers.map((writer) => writer.acknowledgedAt())) - killedAt)
      }
      clearInterval(typing)
      await until(() => writers.every(({ issued, acknowledged }) => issued.length === acknowledged.size), {
        what: 'the last acknowledgements',
        maxMs: BUSY_MS,
      })
      const acknowledged = writers.flatMap((writer) => [...writer.acknowledged])
      // Nothing but the disk may answer: neither the writers' copies nor a process that was there.
      for (const writer of writers) writer.close()
      await gateway.kill()
      gateway = await start()
      const reader = await connectWriter({ url: gateway.url, incidentId: incident.id, person: ana })
      const counts = countTokens(reader.doc)
      const found = acknowledged.filter((token) => counts.has(token)).length
      const doubled = [...counts.values()].filter((count) => count > 1).length
      const lost = acknowledged.length - found
      report(`edits acknowledged / found / lost / doubled = ${acknowledged.length} / ${found} / ${lost} / ${doubled}`)
      report(`kills: ${ROUNDS}, of them with edits on their way: ${isUnsure}`)
      report(
        `recovery p50 / p99 = ${Math.round(percentile(recoveries, 0.5))} / ${Math.round(percentile(recoveries, 0.99))} ms (kill to acknowledgement, start of the process included)`,
      )
      expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 })
      expect(isUnsure).toBeGreaterThan(ROUNDS / 10)

      // The tables follow, each comment once.
      const wanted = projectIncident(reader.doc).comments.map(({ id, comment }) => ({ id, comment }))
      await until(
        async () => {
          const rows = (await readRows(incident.id))?.comments ?? []
          const bodies = new Map(rows.map(({ id, comment }) => [id, comment]))
          return rows.length === wanted.length && wanted.every(({ id, comment }) => bodies.get(id) === comment)
        },
        { what: 'rows equal to the document', maxMs: BUSY_MS },
      )
      reader.close()
      await gateway.stop()
    },
  )
})

describe('a backend that answers 429 and 503, cuts connections, loses answers and falls silent', () => {
  it('[COLLAB-5] gets every row once, in the end', { timeout: 300_000 }, async () => {
    const random = createRandom(2)
    const [ana] = people as [SignedInPerson, ...SignedInPerson[]]
    const incident = await createIncident(backend, ana.id)
    const proxy = await startFaultProxy(backend.socketPath)
    const gateway = await startGatewayProcess({
      program,
      backend: { ...backend, url: proxy.url },
      port: await freePort(),
    })
    leftovers.add(() => gateway.kill())
    const writers = await Promise.all(
      people.map((person) => connectWriter({ url: gateway.url, incidentId: incident.id, person })),
    )
    leftovers.add(() => writers.map((writer) => writer.close()))
    // A gateway that has only just started may have sent somebody away once.
    const closedBefore = writers.flatMap(({ closeCodes }) => closeCodes).length
    const faults: readonly Fault[] = ['lost', 'reset', 503, 429]
    const unsaved: number[] = []
    let edits = 0
    /** Edits for some time while calls meet `choose`; then the backend is well and the rows are awaited. */
    const phase = async (durationMs: number, choose: () => Fault): Promise<void> => {
      proxy.fault = choose
      const endsAt = performance.now() + durationMs
      while (performance.now() < endsAt) {
        const writer = writers[edits % writers.length]
        const view = writer && readIncident(writer.doc)
        if (!writer || !view) throw new Error('no writer')
        edits += 1
        const parent = [...view.hypotheses.values()][Math.floor(random() * view.hypotheses.size)]
        const kind = edits % 4
        if (kind === 0) writer.edit.addComment({ hypothesisId: incident.rootId, body: `note ${edits}` })
        else if (kind === 1 && parent && parent.type !== 'solution') {
          writer.edit.addHypothesis({ title: `idea ${edits}`, parentId: parent.id, afterId: null })
        } else if (kind === 2 && parent)
          writer.edit.setHypothesisStatus(parent.id, edits % 8 === 2 ? 'likely' : 'proven')
        else if (parent) writer.edit.hypothesisTitle(parent.id).insert(0, 'x')
        await pause(40)
      }
      proxy.fault = () => 'none'
      const healedAt = performance.now()
      const isSettled = async (): Promise<boolean> => {
        const rows = await readRows(incident.id)
        // Everybody's: somebody who was cut off meanwhile still has to come back with what they wrote.
        return writers.every(({ doc }) => isEqual(rows, projectIncident(doc)))
      }
      await until(isSettled, {
        what: "rows equal to everybody's document",
        maxMs: BUSY_MS + 30_000,
      })
      unsaved.push(performance.now() - healedAt)
    }
    await phase(8_000, () => (random() < 0.5 ? (faults[Math.floor(random() * faults.length)] ?? 'none') : 'none'))
    await phase(3_000, () => 503)
    // Longer than the gateway waits for an answer.
    await phase(12_000, () => 'silent')

    const rows = await readRows(incident.id)
    const texts = (rows?.comments ?? []).map(({ comment }) => comment)
    const created = await callTable(
      backend,
      `incident_histories?incident_id=eq.${incident.id}&type=eq.hypothesis.created&select=hypothesis_id`,
    )
    const doubled =
      texts.length - new Set(texts).size + created.length - new Set(created.map((row) => row['hypothesis_id'])).size
    report(`backend faults: ${proxy.faults()}, edits: ${edits}, rows doubled: ${doubled}`)
    report(`rows equal after the backend was well again: ${unsaved.map((ms) => Math.round(ms)).join(' / ')} ms`)
    expect(doubled).toBe(0)
    expect(texts.filter((text) => text.startsWith('note')).length).toBe(Math.floor(edits / 4))
    expect(writers.flatMap(({ closeCodes }) => closeCodes)).toHaveLength(closedBefore)
    for (const writer of writers) writer.close()
    await gateway.stop()
    await proxy.close()
  })
})

describe('a backend that fails for one row only', () => {
  it(
    '[COLLAB-21] gets all other rows at once, and that one with its children when it is well',
    { timeout: 180_000 },
    async () => {
      const [ana] = people as [SignedInPerson, ...SignedInPerson[]]
      const incident = await createIncident(backend, ana.id)
      const proxy = await startFaultProxy(backend.socketPath)
      const gateway = await startGatewayProcess({
        program,
        backend: { ...backend, url: proxy.url },
        port: await freePort(),
      })
      leftovers.add(() => gateway.kill())
      const writer = await connectWriter({ url: gateway.url, incidentId: incident.id, person: ana })
      leftovers.add(() => writer.close())
      proxy.fault = (method, path) => (method === 'PATCH' && path.startsWith('/db/incidents?') ? 503 : 'none')
      writer.edit.setSeverity('critical')
      const problem = { entity: 'incidents', id: incident.id, message: 'not now; trying again' }
      await until(
        () =>
          writer.own.some(
            ({ type, value }) =>
              type === 'saved' && 'problems' in value && value.problems[0]?.message === problem.message,
          ),
        { what: 'the problem of the one row', maxMs: BUSY_MS },
      )
      const startedAt = performance.now()
      const parent = writer.edit.addHypothesis({ title: 'Paper', parentId: incident.rootId, afterId: null })
      writer.edit.addComment({ hypothesisId: parent, body: 'Out since nine' })
      await until(async () => (await readRows(incident.id))?.comments.length === 1, {
        what: 'the other rows',
        maxMs: BUSY_MS,
      })
      report(`other rows behind one that fails for ever: ${Math.round(performance.now() - startedAt)} ms`)
      expect(writer.own.findLast(({ type }) => type === 'saved')?.value).toMatchObject({ problems: [problem] })
      proxy.fault = () => 'none'
      await until(async () => isEqual(await readRows(incident.id), projectIncident(writer.doc)), {
        what: 'all rows',
        maxMs: BUSY_MS + 60_000,
      })
      await until(
        () => {
          const last = writer.own.findLast(({ type }) => type === 'saved')?.value
          return last !== undefined && 'problems' in last && last.problems.length === 0
        },
        { what: 'no problem any more' },
      )
      writer.close()
      await gateway.stop()
      await proxy.close()
    },
  )
})

/** Equal as sets of rows. */
function isEqual(rows: IncidentRows | null, wanted: IncidentRows): boolean {
  if (!rows) return false
  const flat = (side: IncidentRows): string[] =>
    [side.incident, ...side.hypotheses, ...side.evidences, ...side.comments]
      .map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))))
      .toSorted()
  return flat(rows).join('\n') === flat(wanted).join('\n')
}
