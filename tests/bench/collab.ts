// Shared documents side by side with @hocuspocus/server and @y/websocket-server, each in its default configuration and in a
// process of its own, measured by the same raw clients. Scaled to two cores and about three minutes. `--hocuspocus <folder>` takes
// the version that is installed in that folder; `--foreign` has the gateway in front of a backend that announces no changes of rights.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

import { rootOf } from '@watchroom/shared/collab'
import * as Y from 'yjs'

import { type BenchClient, openBenchClient, type SentEdits, type Wire } from '../support/benchClient.ts'
import { startEmbeddedBackend } from '../support/embeddedBackend.ts'
import { freePort } from '../support/freePort.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/gatewayProcess.ts'
import { createIncident, signInPerson } from '../support/incidentGateway.ts'
import { cpuMs, residentMiB, until } from '../support/processes.ts'
import { type BenchTable, percentile } from './table.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const OPPONENT = fileURLToPath(new URL('../support/collabOpponent.ts', import.meta.url))
const MINE = 'Watchroom'
const HOCUSPOCUS = '@hocuspocus/server'
const OPPONENTS = [HOCUSPOCUS, '@y/websocket-server'] as const
/** Under the gateway's bound on sockets of one person. */
const MAX_CLIENTS = 90

/** Of each half of B1: nobody types, then someone does. */
const TYPING_MS = 10_000

/** A server under test. */
interface Contender {
  readonly name: string
  /** A document that nobody has open. */
  newDocument(): Promise<Wire & { readonly authorId: string }>
  pid(): number
  /** kill -9, and back at the same address. */
  restart(): Promise<void>
  stop(): Promise<void>
}

type Measures = Record<string, string>

export async function run(args: string[]): Promise<BenchTable> {
  const { values } = parseArgs({ args, options: { hocuspocus: { type: 'string' }, foreign: { type: 'boolean' } } })
  const results = new Map<string, Measures>()
  for (const name of [MINE, ...OPPONENTS]) {
    const contender =
      name === MINE ? await startMine(values.foreign !== true) : await startOpponent(name, values.hocuspocus)
    const measures: Measures = {}
    for (const scenario of [typingRoom, coldOpen, durability, slowReaders, presence]) {
      Object.assign(measures, await scenario(contender))
    }
    results.set(contender.name, measures)
    await contender.stop()
  }
  const titles = [...new Set([...results.values()].flatMap((measures) => Object.keys(measures)))]
  const cell = (name: string, title: string): string => results.get(name)?.[title] ?? '–'
  return {
    title: 'Shared documents',
    columns: ['measure', ...results.keys()],
    rows: titles.map((title) => [title, ...[...results.keys()].map((name) => cell(name, title))]),
    notes: [
      'Watchroom checks every update against the rules of the document and logs it in PostgreSQL before anyone sees it; the others do neither in their default configuration.',
      'Clients and servers share the machine; latencies are from sending to arrival at the other clients of the same process.',
      'B4: an edit counts as promised when the server acknowledged it, or, where it gives no acknowledgement, when another client received it. PostgreSQL stays up; the document server gets kill -9.',
      'B1: server CPU without what the process costs while nobody types. B5: 10 of 40 clients stop reading for 25 s of about 0.8 MB/s.',
      'Documents are warm in B1, B5 and B7, cold in B3. One run, no spread: for direction, not for print.',
    ],
  }
}

// ---- scenarios ------------------------------------------------------------------------------------------------------

/** B1: one document, most read and some type. */
async function typingRoom(contender: Contender): Promise<Measures> {
  const measures: Measures = {}
  for (const count of [10, 50]) {
    const room = await openRoom(contender, count)
    const writers = room.clients.slice(0, Math.max(1, count / 10))
    const typists = writers.map((writer) => startComment(writer, room.authorId))
    // Warm, and then what the process costs while nobody types: polling, checks, the sockets themselves.
    for (let index = 0; index < 20; index++) {
      for (const type of typists) type('some twenty letters ')
      await pause(100)
    }
    await pause(1_500)
    for (const client of room.clients) {
      client.latencies.length = 0
      client.ackLatencies.length = 0
    }
    const idleFrom = cpuMs(contender.pid())
    await pause(TYPING_MS)
    const before = cpuMs(contender.pid())
    const startedAt = performance.now()
    let edits = 0
    while (performance.now() - startedAt < TYPING_MS) {
      for (const type of typists) {
        type('some twenty letters ')
        edits += 1
      }
      await pause(200)
    }
    const cpu = cpuMs(contender.pid()) - before - (before - idleFrom)
    await pause(300)
    const readers = room.clients.slice(writers.length).flatMap(({ latencies }) => latencies)
    const acks = writers.flatMap(({ ackLatencies }) => ackLatencies)
    measures[`B1 ${count} clients: to readers p50 / p99 ms`] = pair(readers)
    if (acks.length > 0) measures[`B1 ${count} clients: durable ack p50 / p99 ms`] = pair(acks)
    measures[`B1 ${count} clients: server CPU ms per edit`] = (Math.max(0, cpu) / edits).toFixed(2)
    room.close()
  }
  return measures
}

/** B3: many open one cold document of about 110 KiB at the same time. */
async function coldOpen(contender: Contender): Promise<Measures> {
  const wire = await contender.newDocument()
  const sent: SentEdits = new Map()
  const author = openBenchClient(wire, sent)
  await until(author.isSynced, { what: 'sync' })
  for (let index = 0; index < 300; index++) {
    startComment(author, wire.authorId, 'x'.repeat(300))
    if (index % 25 === 24) await pause(500)
  }
  await pause(1_500)
  // Watchroom reads it from its log; for the others a cold document would be an empty one, so theirs stays in memory, held open.
  if (contender.name === MINE) {
    author.close()
    await contender.restart()
  }
  const startedAt = performance.now()
  const clients = Array.from({ length: MAX_CLIENTS }, () => openBenchClient(wire, sent))
  const syncedAt: number[] = []
  const waiting = new Set(clients)
  await until(
    () => {
      for (const client of waiting) {
        if (!client.isSynced() || rootOf(client.doc, 'comments').size < 300) continue
        waiting.delete(client)
        syncedAt.push(performance.now() - startedAt)
      }
      return waiting.size === 0
    },
    { what: 'cold open', maxMs: 30_000 },
  )
  for (const client of [author, ...clients]) client.close()
  const title = `B3 ${MAX_CLIENTS} clients open 110 KiB: p50 / all ms`
  return { [title]: `${percentile(syncedAt, 0.5).toFixed(0)} / ${Math.max(...syncedAt).toFixed(0)}` }
}

/** B4: writers, and kill -9. */
async function durability(contender: Contender): Promise<Measures> {
  let promised = 0
  let found = 0
  for (let round = 0; round < 5; round++) {
    const room = await openRoom(contender, 6)
    const [reader, ...writers] = room.clients as [BenchClient, ...BenchClient[]]
    const tokens = writers.map((writer) => ({ writer, type: startComment(writer, room.authorId), count: 0 }))
    const endsAt = performance.now() + 1_000 + Math.random() * 500
    while (performance.now() < endsAt) {
      for (const entry of tokens) entry.type(`t${entry.count++};`)
      await pause(100)
    }
    const acknowledged = writers.reduce((sum, { ackLatencies }) => sum + ackLatencies.length, 0)
    const received = reader.latencies.length
    await contender.restart()
    // The first answer to our question counts as a frame too, so it is taken off again.
    promised += acknowledged > 0 ? acknowledged - writers.length : received
    room.close()
    const after = openBenchClient(room.wire)
    await until(after.isSynced, { what: 'sync after kill', maxMs: 30_000 })
    await pause(300)
    const bodies = [...rootOf(after.doc, 'comments').values()].map((entry) =>
      entry instanceof Y.Map ? String(entry.get('body')) : '',
    )
    // Each comment starts with one edit of its own.
    found += bodies.reduce((sum, body) => sum + 1 + (body.match(/t\d+;/g)?.length ?? 0), 0)
    after.close()
  }
  const lost = Math.max(0, promised - found)
  return { 'B4 kill -9: edits promised / lost': `${promised} / ${lost}` }
}

const SLOW_BYTES = 8_192
const SLOW_MS = 25_000

/** B5: some stop reading while much is written. */
async function slowReaders(contender: Contender): Promise<Measures> {
  const room = await openRoom(contender, 40)
  const writers = room.clients.slice(0, 4)
  const slow = room.clients.slice(4, 14)
  const healthy = room.clients.slice(14)
  const before = residentMiB(contender.pid())
  let peak = before
  for (const client of slow) client.socket.pause()
  const startedAt = performance.now()
  // Written again and again, so that the document stays small while the kernel's buffers (some MiB per socket) run over.
  const texts = writers.map((writer) => startComment(writer, room.authorId, 'x'.repeat(SLOW_BYTES)))
  while (performance.now() - startedAt < SLOW_MS) {
    for (const rewrite of texts) rewrite('y'.repeat(SLOW_BYTES), SLOW_BYTES)
    peak = Math.max(peak, residentMiB(contender.pid()))
    await pause(40)
  }
  for (const client of slow) client.socket.resume()
  await pause(1_500)
  const cut = slow.filter((client) => client.closed() !== null).length
  const measures = {
    'B5 slow readers: healthy p50 / p99 ms': pair(healthy.flatMap(({ latencies }) => latencies)),
    'B5 slow readers: memory grown MiB': (peak - before).toFixed(0),
    'B5 slow readers: cut of 10': String(cut),
  }
  room.close()
  return measures
}

/** B7: everyone moves a caret ten times a second. */
async function presence(contender: Contender): Promise<Measures> {
  const room = await openRoom(contender, 30)
  const before = cpuMs(contender.pid())
  let moves = 0
  const startedAt = performance.now()
  for (let clock = 1; performance.now() - startedAt < 4_000; clock++) {
    for (const client of room.clients) {
      client.announce(clock, { viewing: { entity: `hypotheses/${clock}` } })
      moves += 1
    }
    await pause(100)
  }
  await pause(300)
  const frames = room.clients.reduce((sum, client) => sum + client.awarenessFrames(), 0)
  const measures = {
    'B7 presence: frames to each client per second': (frames / room.clients.length / 4).toFixed(1),
    'B7 presence: server CPU ms per move': ((cpuMs(contender.pid()) - before) / moves).toFixed(3),
  }
  room.close()
  return measures
}

// ---- parts ----------------------------------------------------------------------------------------------------------

async function openRoom(contender: Contender, count: number) {
  const wire = await contender.newDocument()
  const sent: SentEdits = new Map()
  const clients = Array.from({ length: Math.min(count, MAX_CLIENTS) }, () => openBenchClient(wire, sent))
  await until(() => clients.every((client) => client.isSynced()), { what: 'sync', maxMs: 30_000 })
  const close = (): void => {
    for (const client of clients) client.close()
  }
  return { wire, authorId: wire.authorId, clients, close }
}

/** Adds a comment as the product does. @returns types at its end, after taking away that many letters of its start */
function startComment(client: BenchClient, authorId: string, body = 'x'): (text: string, removed?: number) => void {
  const id = randomUUID()
  client.write((doc) => {
    const comment = new Y.Map<unknown>()
    const core = { hypothesis_id: null, created_by: authorId, created_at: new Date().toISOString() }
    comment.set('core', { ...core, external_created_by: null, responder_id: null })
    comment.set('body', new Y.Text(body))
    rootOf(doc, 'comments').set(id, comment)
  })
  return (text, removed = 0) =>
    client.write((doc) => {
      const entry = rootOf(doc, 'comments').get(id)
      const target = entry instanceof Y.Map ? entry.get('body') : null
      if (!(target instanceof Y.Text)) return
      target.insert(target.length, text)
      target.delete(0, removed)
    })
}

const pair = (samples: readonly number[]): string =>
  samples.length === 0 ? '–' : `${percentile(samples, 0.5).toFixed(1)} / ${percentile(samples, 0.99).toFixed(1)}`

async function startMine(isOwn: boolean): Promise<Contender> {
  const backend = await startEmbeddedBackend({ postgresSettings: {} })
  const port = await freePort()
  const person = await signInPerson(backend, 'responder')
  const start = async (): Promise<GatewayProcess> => {
    const started = await startGatewayProcess({ backend, port, isOwn })
    await until(async () => (await fetch(`${started.url}/readyz`)).ok, { what: 'ready', maxMs: 30_000 })
    // Sockets that come before the gateway's own database is at hand are sent away once.
    await pause(1_000)
    return started
  }
  let gateway = await start()
  return {
    name: MINE,
    newDocument: async () => {
      const { id } = await createIncident(backend, person.id)
      const headers = { cookie: `ory_kratos_session=${person.session}`, origin: gateway.url }
      const url = `${gateway.url.replace('http', 'ws')}/collab/incident/${id}`
      return { url, headers, prefix: null, authorId: person.id }
    },
    pid: () => gateway.process.pid ?? 0,
    restart: async () => {
      await gateway.kill()
      gateway = await start()
    },
    stop: async () => {
      await gateway.stop()
      await backend.stop()
    },
  }
}

const versionOf = (name: string, folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }).version

/** @param folder where another version of Hocuspocus is installed; a module that hands it on is written there */
async function startOpponent(name: string, folder: string | undefined): Promise<Contender> {
  const port = await freePort()
  const isOther = name === HOCUSPOCUS && folder !== undefined
  const other: string[] = []
  if (isOther) {
    const path = resolve(folder, 'hocuspocus.mjs')
    writeFileSync(path, `export * from '${HOCUSPOCUS}'\n`)
    other.push(pathToFileURL(path).href)
  }
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, ['--import', 'tsx', OPPONENT, name, String(port), ...other], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    await once(child, 'message')
    return child
  }
  let child = await start()
  const kill = async (): Promise<void> => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  return {
    name: `${name} ${versionOf(name, isOther ? folder : ROOT)}`,
    newDocument: async () => {
      const document = randomUUID()
      const isPrefixed = name === HOCUSPOCUS
      const url = `ws://127.0.0.1:${port}/${isPrefixed ? '' : document}`
      return { url, headers: {}, prefix: isPrefixed ? document : null, authorId: randomUUID() }
    },
    pid: () => child.pid ?? 0,
    restart: async () => {
      await kill()
      child = await start()
    },
    stop: kill,
  }
}
