// Shared documents in front of a backend that is of no use. Every row arrives once, in the end.
import { type IncidentRows, projectIncident, readIncident } from '@watchroom/shared/collab'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Fault, startFaultProxy } from '../support/faultProxy.ts'
import { freePort } from '../support/freePort.ts'
import { startGatewayProcess } from '../support/gatewayProcess.ts'
import { callTable, connectWriter, createIncident } from '../support/incidentGateway.ts'
import { until } from '../support/processes.ts'
import { createRandom } from '../support/random.ts'
import { startTypists, type Typists } from '../support/typists.ts'

const BUSY_MS = 60_000

let typists: Typists

beforeAll(async () => {
  typists = await startTypists()
})

afterAll(() => typists?.stop())

const report = (line: string): boolean => process.stdout.write(`${line}\n`)
const pause = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs))

describe('a backend that answers 429 and 503, cuts connections, loses answers and falls silent', () => {
  it('[COLLAB-5] gets every row once, in the end', { timeout: 300_000 }, async () => {
    const random = createRandom(2)
    const [ana] = typists.people
    const incident = await createIncident(typists.backend, ana.id)
    const proxy = await startFaultProxy(typists.backend.socketPath)
    const gateway = await startGatewayProcess({
      backend: { ...typists.backend, url: proxy.url },
      port: await freePort(),
    })
    typists.leftovers.add(() => gateway.kill())
    const writers = await Promise.all(
      typists.people.map((person) => connectWriter({ url: gateway.url, incidentId: incident.id, person })),
    )
    typists.leftovers.add(() => writers.map((writer) => writer.close()))
    // A gateway that has only just started may have sent someone away once.
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
        const rows = await typists.readRows(incident.id)
        // Everyone's: someone who was cut off meanwhile still has to come back with what they wrote.
        return writers.every(({ doc }) => isEqual(rows, projectIncident(doc)))
      }
      await until(isSettled, {
        what: "rows equal to everyone's document",
        maxMs: BUSY_MS + 30_000,
      })
      unsaved.push(performance.now() - healedAt)
    }
    await phase(8_000, () => (random() < 0.5 ? (faults[Math.floor(random() * faults.length)] ?? 'none') : 'none'))
    await phase(3_000, () => 503)
    // Longer than the gateway waits for an answer.
    await phase(12_000, () => 'silent')

    const rows = await typists.readRows(incident.id)
    const texts = (rows?.comments ?? []).map(({ comment }) => comment)
    const created = await callTable(
      typists.backend,
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
      const [ana] = typists.people
      const incident = await createIncident(typists.backend, ana.id)
      const proxy = await startFaultProxy(typists.backend.socketPath)
      const gateway = await startGatewayProcess({
        backend: { ...typists.backend, url: proxy.url },
        port: await freePort(),
      })
      typists.leftovers.add(() => gateway.kill())
      const writer = await connectWriter({ url: gateway.url, incidentId: incident.id, person: ana })
      typists.leftovers.add(() => writer.close())
      proxy.fault = (method, path) => (method === 'PATCH' && path.startsWith('/db/incidents?') ? 503 : 'none')
      writer.edit.setSeverity('critical')
      const problem = { entity: 'incidents', id: incident.id, message: 'the backend answered 503; trying again' }
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
      await until(async () => (await typists.readRows(incident.id))?.comments.length === 1, {
        what: 'the other rows',
        maxMs: BUSY_MS,
      })
      report(`other rows behind one that fails for ever: ${Math.round(performance.now() - startedAt)} ms`)
      expect(writer.own.findLast(({ type }) => type === 'saved')?.value).toMatchObject({ problems: [problem] })
      proxy.fault = () => 'none'
      await until(async () => isEqual(await typists.readRows(incident.id), projectIncident(writer.doc)), {
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
