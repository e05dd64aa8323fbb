// Shared documents while the gateway is killed again and again. What was acknowledged is there afterwards, once, in the document
// and in the tables.
import { projectIncident } from '@watchroom/shared/collab'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { countTokens, createCountingWriter } from '../support/countingWriter.ts'
import { freePort } from '../support/freePort.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/gatewayProcess.ts'
import { howMany } from '../support/howMany.ts'
import { connectWriter, createIncident } from '../support/incidentGateway.ts'
import { until } from '../support/processes.ts'
import { createRandom } from '../support/random.ts'
import { startTypists, type Typists } from '../support/typists.ts'

const ROUNDS = howMany('WATCHROOM_FAULT_ROUNDS', { short: 20, long: 500 })
/** A round takes about a second; on a busy machine several times that. */
const ROUND_MAX_MS = 10_000
/** Between two tokens of one writer. */
const TYPING_MS = 25
/** Every so many rounds one lasts long enough for snapshots and write-backs. */
const LONG_ROUND_EVERY = 10
const LONG_ROUND_MS = 2_000
const BUSY_MS = 60_000

let typists: Typists

beforeAll(async () => {
  typists = await startTypists()
})

afterAll(() => typists?.stop())

const report = (line: string): boolean => process.stdout.write(`${line}\n`)
const pause = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs))
const percentile = (samples: readonly number[], share: number): number =>
  samples.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * samples.length) - 1)] ?? Number.NaN

describe('kill -9 of the gateway while people type', () => {
  it(
    `[COLLAB-4] loses and doubles nothing that was acknowledged, ${ROUNDS} times`,
    {
      timeout: 60_000 + ROUNDS * ROUND_MAX_MS,
    },
    async () => {
      const random = createRandom(1)
      const [ana] = typists.people
      const incident = await createIncident(typists.backend, ana.id)
      const port = await freePort()
      const start = (): Promise<GatewayProcess> => startGatewayProcess({ ...typists, port })
      let gateway = await start()
      const writers = typists.people.map((person, index) =>
        createCountingWriter({
          url: gateway.url,
          incidentId: incident.id,
          hypothesisId: incident.rootId,
          person,
          label: 'abc'.charAt(index),
        }),
      )
      typists.leftovers.add(() => writers.map((writer) => writer.close()))
      await until(() => writers.every(({ provider }) => provider.synced), { what: 'first sync', maxMs: BUSY_MS })
      const typing = setInterval(() => {
        for (const writer of writers) writer.write()
      }, TYPING_MS)
      typists.leftovers.add(() => clearInterval(typing))
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
          const rows = (await typists.readRows(incident.id))?.comments ?? []
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
