// Live topics end to end: real checks in the embedded backend, its NOTIFY, the gateway's poller and hub, real sockets.
// The gateway is a process of its own; every byte passes a relay that counts. With `--requests`: what open browsers cost a foreign
// backend that counts what it is asked.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { inflateRawSync } from 'node:zlib'

import {
  LIVE_EVENT,
  type Op,
  PACKED_ENCODING,
  PackedBodySchema,
  PackedRowsSchema,
  PROTOCOL_VERSIONS,
  type ServerMessage,
  unpackRows,
} from '@watchroom/shared/protocol'
import { io, type Socket } from 'socket.io-client'

import { type RequestCounts, startCountedUpstream } from '../support/countedUpstream.ts'
import { SERVICE_TOKEN } from '../support/fakeBackend.ts'
import { cpuMs } from '../support/processes.ts'
import { startTcpRelay } from '../support/tcpRelay.ts'
import { type BenchTable, percentile } from './table.ts'

const MAIN = fileURLToPath(new URL('../../gateway/src/main.ts', import.meta.url))
const CANARIES = 20
const CHECKS_PER_CANARY = 50
const CHECKS = CANARIES * CHECKS_PER_CANARY
/** 1,000 checks once in 50 s: 20 results a second. */
const INTERVAL_S = 50
const WINDOW_MS = Number(process.env.WATCHROOM_BENCH_WINDOW_MS ?? 60_000)
const ADMIN = { email: 'admin@watchroom.local', password: 'bench-administrator-1' }
/** Clock ticks of /proc/<pid>/stat per second on Linux. */

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/** What the checks talk to; remembers when each was answered. */
async function startTarget(): Promise<{ server: Server; url: string; answeredAt: Map<string, number> }> {
  const answeredAt = new Map<string, number>()
  const server = createServer((request, response) => {
    answeredAt.set(request.url ?? '', performance.now())
    response.end('ok')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answeredAt }
}

interface GatewayProcess {
  readonly child: ChildProcess
  readonly url: string
  readonly stop: () => Promise<void>
}

async function startGateway(env: Record<string, string> = {}): Promise<GatewayProcess> {
  const data = await mkdtemp(join(tmpdir(), 'watchroom-bench-'))
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN], {
    env: {
      PATH: process.env.PATH,
      WATCHROOM_PORT: '0',
      WATCHROOM_DATA: data,
      WATCHROOM_PROFILE: 'empty',
      WATCHROOM_LOG_LEVEL: 'warn',
      WATCHROOM_ADMIN_EMAIL: ADMIN.email,
      WATCHROOM_ADMIN_PASSWORD: ADMIN.password,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const deadline = performance.now() + 60_000
  let url: string | undefined
  while (url === undefined) {
    if (performance.now() > deadline) throw new Error(`the gateway does not start: ${output}`)
    await sleep(100)
    url = /is ready: (\S+)/.exec(output)?.[1]
  }
  return {
    child,
    url: new URL(url).origin,
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
      await rm(data, { recursive: true, force: true })
    },
  }
}

async function signIn(url: string): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const flow = await fetch(`${url}/api/.ory/self-service/login/api`)
    if (flow.ok) {
      const { id } = (await flow.json()) as { id: string }
      const answer = await fetch(`${url}/api/.ory/self-service/login?flow=${id}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ method: 'password', identifier: ADMIN.email, password: ADMIN.password }),
      })
      const { session_token: token } = (await answer.json()) as { session_token?: string }
      if (token) return token
    }
    await sleep(200)
  }
  throw new Error('sign-in failed')
}

async function createChecks(url: string, token: string, target: string): Promise<void> {
  const canaries = Array.from({ length: CANARIES }, (_, canary) => ({
    name: `group-${canary}`,
    namespace: `area-${canary % 5}`,
    source: 'UI',
    spec: {
      interval: INTERVAL_S,
      http: Array.from({ length: CHECKS_PER_CANARY }, (_check, check) => ({
        name: `service ${canary}-${check}`,
        description: 'Answers within its time',
        url: `${target}/${canary}/${check}`,
        labels: { team: ['north', 'south', 'east'][canary % 3], tier: check % 2 === 0 ? 'web' : 'data' },
      })),
    },
  }))
  const answer = await fetch(`${url}/api/db/canaries`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-session-token': token },
    body: JSON.stringify(canaries),
  })
  if (!answer.ok) throw new Error(`creating canaries answered ${answer.status}: ${await answer.text()}`)
}

/** A browser reduced to its socket: unpacks what comes, keeps no table. */
class Reader {
  readonly #socket: Socket
  rows = 0
  #pages = 0
  isComplete = false
  /** Rows of the snapshot, then of every op. */
  onRow: (row: Record<string, unknown>, isChange: boolean) => void = () => undefined

  constructor(port: number, token: string) {
    this.#socket = io(`http://127.0.0.1:${port}`, {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      auth: { versions: PROTOCOL_VERSIONS, encodings: [PACKED_ENCODING] },
      extraHeaders: { 'x-session-token': token },
    })
    this.#socket.on(LIVE_EVENT, (message: ServerMessage) => this.#receive(message))
  }

  #receive(message: ServerMessage): void {
    if (message.type === 'welcome') {
      this.#socket.emit(LIVE_EVENT, { type: 'subscribe', id: 'a', topic: 'checks', params: {} })
    } else if (message.type === 'packed') {
      const body = PackedBodySchema.parse(JSON.parse(inflateRawSync(message.data).toString()))
      if (body.type === 'delta') this.#apply(body.ops)
      else this.#page(unpackRows(PackedRowsSchema.parse(body.table)), body.pages)
    } else if (message.type === 'snapshot') this.#page(message.rows, message.pages)
    else if (message.type === 'delta') this.#apply(message.ops)
    else if (message.type === 'bye' || message.type === 'denied') throw new Error(JSON.stringify(message))
  }

  #page(rows: Record<string, unknown>[], pages: number): void {
    this.rows += rows.length
    this.#pages += 1
    for (const row of rows) this.onRow(row, false)
    if (this.#pages === pages) this.isComplete = true
  }

  #apply(ops: readonly Op[]): void {
    for (const op of ops) if (op.op === 'upsert') this.onRow({ ...op.set, id: op.key }, true)
  }

  close(): void {
    this.#socket.disconnect()
  }
}

const until = async (condition: () => boolean, what: string, timeoutMs = 120_000): Promise<void> => {
  const deadline = performance.now() + timeoutMs
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`gave up waiting until ${what}`)
    await sleep(20)
  }
}

async function readMetric(url: string, token: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers: { 'x-session-token': token } })).text()
  return text
    .split('\n')
    .filter((line) => line.startsWith(name))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

interface Window {
  readonly readsPerMinute: number
  readonly bytesPerSecondAndSocket: number
  readonly changesPerSecond: number
  readonly latenciesMs: number[]
  readonly cpu: number
}

/** `--sockets N`: open sockets of the second row. `--requests N` and `--people N`: see below. Each may be given several times. */
export function run(args: string[]): Promise<BenchTable> {
  const { values } = parseArgs({
    args,
    options: {
      sockets: { type: 'string', default: '100' },
      requests: { type: 'string', multiple: true, default: [] },
      people: { type: 'string', multiple: true, default: [] },
    },
  })
  const isAboutRequests = values.requests.length + values.people.length > 0
  return isAboutRequests
    ? countRequests(values.requests.map(toCount), values.people.map(toCount))
    : measureDelivery(toCount(values.sockets))
}

function toCount(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1) throw new Error(`a number of sockets from 1 on is wanted, not ${text}`)
  return count
}

/**
 * What open boards cost a backend that announces nothing.
 *
 * @param browsers numbers of people with one tab each on the shared feed
 * @param scoped the same with people who are shown fewer rows, each with a feed of their own
 */
async function countRequests(browsers: readonly number[], scoped: readonly number[]): Promise<BenchTable> {
  const cases = [
    ...browsers.map((count) => ({ count, isScoped: false })),
    ...scoped.map((count) => ({ count, isScoped: true })),
  ]
  const rows: (string | number)[][] = []
  for (const { count, isScoped } of cases) {
    const { sessions, roles, sights, reads } = await countRequestsOf(count, isScoped)
    rows.push([
      count,
      isScoped ? 'personal' : 'shared',
      sessions,
      roles,
      sights,
      reads,
      sessions + roles + sights + reads,
    ])
  }
  return {
    title: 'Requests to a foreign backend in a minute, by open browsers',
    columns: ['browsers', 'feed', 'sessions', 'roles', 'what is shown', 'reads', 'all'],
    rows,
    notes: [
      'One person and one tab each, on the board of 1,000 checks. The backend announces nothing; the embedded one, which does, is asked neither about sessions nor about roles on a timer.',
      `Window ${WINDOW_MS / 1_000} s, scaled to a minute, after a first minute in which everyone has come.`,
    ],
  }
}

async function countRequestsOf(browsers: number, isScoped: boolean): Promise<RequestCounts> {
  const upstream = await startCountedUpstream({ isScoped })
  const gateway = await startGateway({ BACKEND_URL: upstream.url, BACKEND_TOKEN: SERVICE_TOKEN })
  const port = Number(new URL(gateway.url).port)
  const readers: Reader[] = []
  for (let person = 1; person <= browsers; person++) {
    const reader = new Reader(port, `person-${person}`)
    readers.push(reader)
    await until(() => reader.isComplete, 'a snapshot is complete')
  }
  // What was asked when they came is old enough by then to be asked again.
  await sleep(WINDOW_MS)
  const before = upstream.counts()
  await sleep(WINDOW_MS)
  const after = upstream.counts()
  for (const reader of readers) reader.close()
  await gateway.stop()
  await upstream.stop()
  const perMinute = (kind: keyof RequestCounts): number =>
    Math.round(((after[kind] - before[kind]) * 60_000) / WINDOW_MS)
  return {
    sessions: perMinute('sessions'),
    roles: perMinute('roles'),
    sights: perMinute('sights'),
    reads: perMinute('reads'),
  }
}

async function measureDelivery(sockets: number): Promise<BenchTable> {
  const target = await startTarget()
  const gateway = await startGateway()
  const token = await signIn(gateway.url)
  const relay = await startTcpRelay(Number(new URL(gateway.url).port))
  await createChecks(gateway.url, token, target.url)
  const readers: Reader[] = []

  /** Path of a check at the target, by its id. */
  const paths = new Map<string, string>()
  const learn = (row: Record<string, unknown>): void => {
    if (typeof row.endpoint === 'string' && typeof row.id === 'string') {
      paths.set(row.id, row.endpoint.slice(target.url.length))
    }
  }
  const open = async (): Promise<{ bytes: number; ms: number; rows: number }> => {
    const before = relay.bytesToClient()
    const startedAt = performance.now()
    const reader = new Reader(relay.port, token)
    reader.onRow = learn
    readers.push(reader)
    await until(() => reader.isComplete, 'a snapshot is complete')
    return { bytes: relay.bytesToClient() - before, ms: performance.now() - startedAt, rows: reader.rows }
  }

  const measure = async (): Promise<Window> => {
    const latenciesMs: number[] = []
    let changes = 0
    for (const [index, reader] of readers.entries()) {
      reader.onRow = (row, isChange) => {
        const path = isChange && typeof row.last_runtime === 'string' ? paths.get(String(row.id)) : undefined
        const answeredAt = path === undefined ? undefined : target.answeredAt.get(path)
        if (answeredAt === undefined) return
        if (index === 0) changes += 1
        latenciesMs.push(performance.now() - answeredAt)
      }
    }
    const pid = gateway.child.pid ?? 0
    const [bytes, reads, cpu, at] = [
      relay.bytesToClient(),
      await readMetric(gateway.url, token, 'watchroom_poll_seconds_count{source="checks"'),
      cpuMs(pid) / 1_000,
      performance.now(),
    ]
    await sleep(WINDOW_MS)
    const seconds = (performance.now() - at) / 1_000
    return {
      readsPerMinute:
        (((await readMetric(gateway.url, token, 'watchroom_poll_seconds_count{source="checks"')) - reads) / seconds) *
        60,
      bytesPerSecondAndSocket: (relay.bytesToClient() - bytes) / seconds / readers.length,
      changesPerSecond: changes / seconds,
      latenciesMs,
      cpu: (cpuMs(pid) / 1_000 - cpu) / seconds,
    }
  }

  // Every check has run at least once, so that rows are as long as they get.
  await until(() => target.answeredAt.size >= CHECKS, 'every check ran', 180_000)
  await sleep(3_000)
  // The first reader makes the gateway read at its interval again; what it costs to open is measured after it.
  await open()
  await until(() => paths.size >= CHECKS, 'the board is complete')
  const one = await measure()
  const opened = []
  for (let socket = 1; socket < sockets; socket++) {
    const result = await open()
    // Later ones would be charged with the changes that the many others get meanwhile.
    if (socket <= 10) opened.push(result)
  }
  const all = await measure()

  for (const reader of readers) reader.close()
  await relay.close()
  await gateway.stop()
  target.server.close()

  const row = (window: Window, sockets: number): (string | number)[] => [
    sockets,
    window.changesPerSecond.toFixed(1),
    Math.round(window.readsPerMinute),
    Math.round(window.bytesPerSecondAndSocket),
    Math.round(percentile(window.latenciesMs, 0.5)),
    Math.round(percentile(window.latenciesMs, 0.99)),
    `${(window.cpu * 100).toFixed(1)} %`,
  ]
  return {
    title: `Live health board: ${CHECKS} checks, ${CHECKS / INTERVAL_S} results a second`,
    columns: [
      'sockets',
      'changes/s',
      'backend reads/min',
      'bytes/s per socket',
      'change to socket p50 (ms)',
      'p99 (ms)',
      'gateway CPU (one core)',
    ],
    rows: [row(one, 1), row(all, sockets)],
    notes: [
      `Opening: ${Math.round(
        percentile(
          opened.map(({ bytes }) => bytes),
          0.5,
        ),
      )} bytes on the wire (median of ${opened.length}, handshake included) for ${opened[0]?.rows ?? 0} rows, complete after ${Math.round(
        percentile(
          opened.map(({ ms }) => ms),
          0.5,
        ),
      )} ms (p99 ${Math.round(
        percentile(
          opened.map(({ ms }) => ms),
          0.99,
        ),
      )} ms); no backend call.`,
      'A change counts from the answer of the checked service to its row on the socket: it contains judging, storing and NOTIFY.',
      `Bytes are those of TCP payload in a relay before the gateway. Window ${WINDOW_MS / 1_000} s each.`,
      'Gateway, embedded backend, PostgreSQL, checked service and all sockets share the machine; the gateway runs from source under tsx.',
    ],
  }
}
