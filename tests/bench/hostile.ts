// What one hostile client costs ten honest ones: five who type in an incident, five who read lists. One attack after the other, each
// from a process of its own with the lowest priority, and each several times with quiet between, so that what is measured is the
// product and not what the machine's disk does in one of these moments.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { rootOf } from '@watchroom/shared/collab'
import * as Y from 'yjs'

import { type BenchClient, openBenchClient } from '../support/benchClient.ts'
import { startEmbeddedBackend, type TestBackend } from '../support/embeddedBackend.ts'
import { freePort } from '../support/freePort.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/gatewayProcess.ts'
import { HOSTILE_SCENARIOS, type HostileScenario, type HostileTask } from '../support/hostileAttacks.ts'
import {
  callTable,
  createIncident,
  type SignedInPerson,
  signInPerson,
  type TestIncident,
} from '../support/incidentGateway.ts'
import { until } from '../support/processes.ts'
import { type Part, PARTS, processorTime } from '../support/processorTime.ts'
import { type BenchTable, percentile } from './table.ts'

const HOSTILE = fileURLToPath(new URL('../support/hostileClient.ts', import.meta.url))
const TYPISTS = 5
const READERS = 5
const TYPING_MS = 250
const READING_MS = 200
/** Of quiet and attack in turns. */
const TURNS = 3
const WATCH_MS = 5_000
const WARM_UP_MS = 1_000
/** From the start of an attack to its full force, and for answers that are under way. */
const SETTLE_MS = 1_500
/** Between two attacks, so that what one left behind does not count for the next. */
const REST_MS = 5_000
const LOWEST_PRIORITY = 19

interface Sample {
  readonly acks: number[]
  readonly reads: number[]
  readonly failures: number
}

export async function run(): Promise<BenchTable> {
  const backend = await startEmbeddedBackend({ postgresSettings: {} })
  const gateway = await startGatewayProcess({ backend, port: await freePort() })
  try {
    await until(async () => (await fetch(`${gateway.url}/readyz`)).ok, { what: 'ready', maxMs: 30_000 })
    // Documents are served once the gateway's own database is at hand.
    await pause(1_500)
    const rows: (string | number)[][] = []
    for (const scenario of chosen()) rows.push(await measure(scenario, gateway, backend))
    return {
      title: 'One hostile client',
      columns: [
        'attack',
        'edit acknowledged p95 in quiet',
        'during',
        'list read p95 in quiet',
        'during',
        'honest failures',
        'longest turn',
        'processors',
      ],
      rows,
      notes: [
        'Ten honest clients: five type a letter every 250 ms in one incident, five read a list every 200 ms. p95 over three times 5 s in quiet and 5 s of attack in turns, in milliseconds.',
        'Target: the p95 of the honest at most doubles. Honest failures are refused or unanswered reads and closed documents.',
        'Longest turn: the longest time one turn of the gateway’s event loop took during the attack.',
        `Processors: per cent of one core during the attack, of ${PARTS.join(' / ')}. Apart are processes for passwords and expressions; others are PostgREST’s shells and the attacker.`,
        'HOSTILE=word measures only the attacks with that word in their names.',
        'The attacker is an editor, has a process of its own with the lowest priority, and shares both processors with everything else.',
      ],
    }
  } finally {
    await gateway.stop()
    await backend.stop()
  }
}

/** All, or those whose name has the word that `HOSTILE` gives. */
const chosen = (): HostileScenario[] => HOSTILE_SCENARIOS.filter((name) => name.includes(process.env.HOSTILE ?? ''))

async function measure(scenario: HostileScenario, gateway: GatewayProcess, backend: TestBackend): Promise<string[]> {
  const { url } = gateway
  // Persons of their own each time: what one was slowed down for must not follow into the next row.
  const typist = await signInPerson(backend, 'responder')
  const reader = await signInPerson(backend, 'viewer')
  const incident = await createIncident(backend, typist.id)
  await fillIncident(backend, incident, typist.id)
  const wire = { url: `${url.replace('http', 'ws')}/collab/incident/${incident.id}`, headers: headersOf(typist, url) }
  const typists = Array.from({ length: TYPISTS }, () => openBenchClient({ ...wire, prefix: null }))
  await until(() => typists.every((client) => client.isSynced()), { what: 'sync', maxMs: 30_000 })
  const keys = typists.map((client) => startComment(client, incident.rootId, typist.id))

  const watch = async (durationMs: number): Promise<Sample> => {
    const reads: number[] = []
    let failures = 0
    for (const { ackLatencies } of typists) ackLatencies.length = 0
    const endsAt = performance.now() + durationMs
    const readList = async (): Promise<void> => {
      const startedAt = performance.now()
      const isOk = await fetch(`${url}/api/db/incident_summary?limit=20`, { headers: headersOf(reader, url) })
        .then(async (answer) => (await answer.arrayBuffer()) && answer.ok)
        .catch(() => false)
      reads.push(performance.now() - startedAt)
      if (!isOk) failures += 1
    }
    await Promise.all([
      ...keys.map((type) => every(TYPING_MS, endsAt, async () => type())),
      ...Array.from({ length: READERS }, () => every(READING_MS, endsAt, readList)),
    ])
    // The last letters are still on their way.
    await pause(SETTLE_MS)
    const closed = typists.filter((client) => client.closed() !== null).length
    const refused = typists.reduce((sum, client) => sum + client.rejections(), 0)
    return { acks: typists.flatMap(({ ackLatencies }) => ackLatencies), reads, failures: failures + closed + refused }
  }

  const used = new Map<Part, number>()
  let elapsed = 0
  let turn = 0
  const watchAttack = async (): Promise<Sample> => {
    // A person of its own each time, too.
    const attacker = await signInPerson(backend, 'editor')
    const cookie = `ory_kratos_session=${attacker.session}`
    await gateway.eventLoopDelayMs()
    const ended = attack({ scenario, url, incidentId: incident.id, cookie, durationMs: WATCH_MS + 2 * SETTLE_MS })
    await pause(SETTLE_MS)
    const usedBefore = processorTime()
    const startedAt = performance.now()
    const sample = await watch(WATCH_MS)
    elapsed += (performance.now() - startedAt) / 1_000
    const usedAfter = processorTime()
    for (const part of PARTS) {
      used.set(part, (used.get(part) ?? 0) + (usedAfter.get(part) ?? 0) - (usedBefore.get(part) ?? 0))
    }
    turn = Math.max(turn, await gateway.eventLoopDelayMs())
    await ended
    await pause(REST_MS)
    return sample
  }

  await watch(WARM_UP_MS)
  const quiet: Sample[] = []
  const attacked: Sample[] = []
  for (let index = 0; index < TURNS; index++) {
    quiet.push(await watch(WATCH_MS))
    attacked.push(await watchAttack())
  }
  for (const client of typists) client.close()
  return [
    scenario,
    p95(quiet.flatMap(({ acks }) => acks)),
    p95(attacked.flatMap(({ acks }) => acks)),
    p95(quiet.flatMap(({ reads }) => reads)),
    p95(attacked.flatMap(({ reads }) => reads)),
    String(attacked.reduce((sum, { failures }) => sum + failures, 0)),
    `${turn.toFixed(0)} ms`,
    PARTS.map((part) => (((used.get(part) ?? 0) / elapsed) * 100).toFixed(0)).join(' / '),
  ]
}

const headersOf = (person: SignedInPerson, url: string): Record<string, string> => ({
  cookie: `ory_kratos_session=${person.session}`,
  origin: url,
})

const p95 = (samples: readonly number[]): string =>
  samples.length === 0 ? 'none' : `${percentile(samples, 0.95).toFixed(1)} ms`

async function every(intervalMs: number, endsAt: number, work: () => Promise<void>): Promise<void> {
  while (performance.now() < endsAt) {
    await work()
    await pause(intervalMs)
  }
}

/** Enough rows for nested reads to be heavy. */
async function fillIncident(backend: TestBackend, incident: TestIncident, authorId: string): Promise<void> {
  const comments = Array.from({ length: 300 }, (_, index) => ({
    incident_id: incident.id,
    hypothesis_id: incident.rootId,
    comment: `${index} ${'words '.repeat(40)}`,
    created_by: authorId,
  }))
  await callTable(backend, 'comments', { method: 'POST', body: comments })
}

/** @returns types one more letter */
function startComment(client: BenchClient, hypothesisId: string, authorId: string): () => void {
  const id = randomUUID()
  client.write((doc) => {
    const comment = new Y.Map<unknown>()
    const core = { hypothesis_id: hypothesisId, created_by: authorId, created_at: new Date().toISOString() }
    comment.set('core', { ...core, external_created_by: null, responder_id: null })
    comment.set('body', new Y.Text('x'))
    rootOf(doc, 'comments').set(id, comment)
  })
  return () =>
    client.write((doc) => {
      const entry = rootOf(doc, 'comments').get(id)
      const body = entry instanceof Y.Map ? entry.get('body') : null
      if (body instanceof Y.Text) body.insert(body.length, 'y')
    })
}

async function attack(task: HostileTask): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', HOSTILE], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const gone = once(child, 'exit')
  if (child.pid !== undefined) setPriority(child.pid, LOWEST_PRIORITY)
  child.send(task)
  await gone
}
