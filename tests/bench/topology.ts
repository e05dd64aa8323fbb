// The topology rolled up: 2,000 components of five levels with 10,000 checks, in memory, over HTTP, on a hundred sockets and in a
// browser. Backend, gateway and viewers are processes of their own.
import { parseArgs } from 'node:util'

import type { Role } from '@watchroom/shared/access'
import { LIVE_EVENT, PACKED_ENCODING, PROTOCOL_VERSIONS, type ServerMessage } from '@watchroom/shared/protocol'
import { createTopologyGraph, SHOWN_LEVELS, type TopologyNode } from '@watchroom/shared/topology'
import { Pool } from 'pg'
import { io } from 'socket.io-client'

import { readComponents } from '../../gateway/src/embedded-backend/topology/estate/readComponents.ts'
import { launchBrowser, openConsole } from '../support/consolePage.ts'
import { startEmbeddedBackend, type TestBackend } from '../support/embeddedBackend.ts'
import { timeFirstCards, untilIdle } from '../support/firstCards.ts'
import { freePort } from '../support/freePort.ts'
import { toGatewayBackend } from '../support/gateway.ts'
import { startGatewayProcess } from '../support/gatewayProcess.ts'
import { observeFrames } from '../support/observeFrames.ts'
import { cpuMs, until } from '../support/processes.ts'
import { createRandom } from '../support/random.ts'
import { startTcpRelay } from '../support/tcpRelay.ts'
import { type BenchTable, percentile } from './table.ts'

const COMPONENTS = 2_000
const CHECKS_EACH = 5
/** About seven parts each make five levels. */
const PARTS = 7
const SOCKETS = 100
const REPEATS = 40
const SAVES = 20
const STORM = { perSecond: 50, seconds: 10 } as const

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const idOf = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`

async function writeEstate(pool: Pool): Promise<void> {
  await pool.query(
    `insert into canaries (id, name, namespace, spec, source)
     values ('00000000-0000-4000-9000-000000000000', 'bench', 'bench', '{}', 'Push')`,
  )
  await pool.query(
    `insert into components (id, external_id, name, type, status, parent_id)
     select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, n, 'component ' || n, 'Service', '',
       case when n >= $2 then ('00000000-0000-4000-8000-' || lpad((n / $2 - 1)::text, 12, '0'))::uuid end
     from generate_series(0, $1 - 1) as n`,
    [COMPONENTS, PARTS],
  )
  await pool.query(
    `insert into checks (id, canary_id, name, type, status)
     select ('00000000-0000-4000-a000-' || lpad(n::text, 12, '0'))::uuid, '00000000-0000-4000-9000-000000000000',
       'check ' || n, 'http', 'healthy'
     from generate_series(0, $1 - 1) as n`,
    [COMPONENTS * CHECKS_EACH],
  )
  await pool.query(
    `insert into check_component_relationships (component_id, check_id, canary_id, is_pushed)
     select ('00000000-0000-4000-8000-' || lpad((n % $2)::text, 12, '0'))::uuid,
       ('00000000-0000-4000-a000-' || lpad(n::text, 12, '0'))::uuid, '00000000-0000-4000-9000-000000000000', true
     from generate_series(0, $1 - 1) as n`,
    [COMPONENTS * CHECKS_EACH, COMPONENTS],
  )
}

const SET_STATUS = `update checks set status = $2, last_transition_time = now()
  where id = ('00000000-0000-4000-a000-' || lpad($1::text, 12, '0'))::uuid`

const times = (count: number, work: () => void): number[] =>
  Array.from({ length: count }, () => {
    const startedAt = performance.now()
    work()
    return performance.now() - startedAt
  })

/** The roll-up alone, in this process. */
async function measureGraph(pool: Pool): Promise<{ whole: number[]; one: number[] }> {
  const nodes = (await readComponents(pool)).map(({ node }) => node)
  const judge = () => ({ problem: 'no component has an expression' })
  const whole = times(REPEATS, () => createTopologyGraph(nodes, judge))
  const graph = createTopologyGraph(nodes, judge)
  const random = createRandom(16)
  const toOther = (node: TopologyNode): TopologyNode => ({
    ...node,
    parts: node.parts.map((part, index) => (index === 0 ? { ...part, health: flip(part.health) } : part)),
  })
  const known = [...nodes]
  const one = times(500, () => {
    const at = Math.floor(random() * known.length)
    const node = known[at]
    if (!node) return
    const other = toOther(node)
    known[at] = other
    graph.set([other])
  })
  return { whole, one }
}

const flip = (health: TopologyNode['health']): TopologyNode['health'] =>
  health === 'healthy' ? 'unhealthy' : 'healthy'

/** A browser's socket with the page of those at the top. */
function openViewer(url: string, headers: Readonly<Record<string, string>>, encodings: readonly string[] = []) {
  const socket = io(url, {
    path: '/socket.io/',
    transports: ['websocket'],
    forceNew: true,
    auth: { versions: [...PROTOCOL_VERSIONS], encodings, as: 'person' },
    extraHeaders: { ...headers },
  })
  let isOpen = false
  let tell = (_: number): void => undefined
  let isMeant = (_: ServerMessage): boolean => true
  socket.on(LIVE_EVENT, (message: ServerMessage) => {
    if (message.type === 'snapshot' || message.type === 'packed') isOpen = true
    if (message.type === 'delta' && isMeant(message)) tell(performance.now())
  })
  socket.emit(LIVE_EVENT, { type: 'subscribe', id: '0', topic: 'topology', params: { id: '' } })
  return {
    isOpen: () => isOpen,
    /** When the next one arrived. @param text that it is about */
    nextChange: (text = '') =>
      new Promise<number>((resolve) => {
        isMeant = (message) => text === '' || JSON.stringify(message).includes(text)
        tell = resolve
      }),
    close: () => socket.disconnect(),
  }
}

/** Bytes of TCP payload until a socket has the page of those at the top, packed as a browser gets it, handshake included. */
async function countBytes(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const relay = await startTcpRelay(Number(new URL(url).port))
  const relayed = `http://127.0.0.1:${relay.port}`
  const viewer = openViewer(relayed, { ...headers, origin: relayed }, [PACKED_ENCODING])
  await until(viewer.isOpen, { what: 'rows on a socket' })
  const bytes = relay.bytesToClient()
  viewer.close()
  await relay.close()
  return bytes
}

/** A topology is saved over HTTP, which is in it: until its cards are on the page of someone else. */
async function measureSaved(
  save: (topology: object) => Promise<void>,
  viewer: ReturnType<typeof openViewer>,
): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < SAVES; round++) {
    const name = `saved ${round}.`
    const arrival = viewer.nextChange(name)
    const parts = ['one', 'two'].map((part) => ({ name: `${name}${part}`, type: 'Service' }))
    const spec = { schedule: '0 0 29 2 *', components: [{ name, type: 'Application', components: parts }] }
    const askedAt = performance.now()
    await save({ name, namespace: 'bench', spec })
    times.push((await arrival) - askedAt)
  }
  return times
}

/** Transitions for a while. @returns how long it took, in milliseconds */
async function storm(pool: Pool): Promise<number> {
  const random = createRandom(1)
  const startedAt = performance.now()
  for (let at = 0; at < STORM.perSecond * STORM.seconds; at++) {
    await pool.query(SET_STATUS, [
      Math.floor(random() * COMPONENTS * CHECKS_EACH),
      random() < 0.5 ? 'unhealthy' : 'healthy',
    ])
    await sleep(Math.max(0, (at + 1) * (1_000 / STORM.perSecond) - (performance.now() - startedAt)))
  }
  return performance.now() - startedAt
}

/** The page of those at the top, opened again and again while nothing happens, and then looked at while much changes. */
async function watchPage(gateway: { url: string; session: string }, { pool, pids, openings }: Watched) {
  const browser = await launchBrowser()
  const opening = { ...gateway, path: '/topology', openings }
  await untilIdle(pids)
  const cold = await timeFirstCards(browser, { ...opening, isCold: true })
  const warm = await timeFirstCards(browser, { ...opening, isCold: false })
  const { page } = await openConsole(browser, gateway, '/topology')
  await page.locator('[data-component]').first().waitFor()
  await sleep(2_000)
  const [times] = await Promise.all([observeFrames(page, STORM.seconds * 1_000), storm(pool)])
  await browser.close()
  return { cold, warm, ...times }
}

interface Watched {
  readonly pool: Pool
  /** Processes that are still at work on what was before. */
  readonly pids: readonly number[]
  readonly openings: number
}

/** 2,000 components of five levels from one spec, each of the last with a selector of its own: new, then with nothing to do. */
async function measureSync(pool: Pool, backend: TestBackend): Promise<number[]> {
  let leaves = 0
  const parts = (name: string, [count = 0, ...below]: readonly number[]): object[] =>
    Array.from({ length: count }, (_, at) => ({
      name: `${name}.${at}`,
      type: 'Service',
      ...(below.length > 0
        ? { components: parts(`${name}.${at}`, below) }
        : { checks: [{ selector: { namespace: 'bench', name: `check ${1_000 + leaves++}*` } }] }),
    }))
  const { rows } = await pool.query<{ id: string }>(
    `insert into topologies (name, namespace, spec) values ('bench', 'bench', $1) returning id`,
    [JSON.stringify({ schedule: '0 0 29 2 *', components: parts('synced', [4, 5, 5, 4, 4]) })],
  )
  const times: number[] = []
  for (let sync = 0; sync < 4; sync++) {
    const startedAt = performance.now()
    const { status, text } = await backend.callAsService(`/canary/run/topology/${rows[0]?.id}`, { method: 'POST' })
    if (status === 409) sync -= 1
    else if (status !== 200) throw new Error(`${status}: ${text}`)
    else times.push(performance.now() - startedAt)
  }
  return times
}

/** @param options `--openings`, of the page in a browser */
export async function run(options: string[]): Promise<BenchTable> {
  const { values } = parseArgs({ args: options, options: { openings: { type: 'string', default: '15' } } })
  const backend = await startEmbeddedBackend()
  const pool = new Pool({ connectionString: backend.databaseUrl, max: 4 })
  await writeEstate(pool)
  const gateway = await startGatewayProcess({ backend, port: await freePort(), isOwn: true })
  const { url } = gateway
  const signInAs = async (role: Role): Promise<string> => (await toGatewayBackend(backend).signInAs?.(role)) ?? ''
  const session = await signInAs('viewer')
  const headers = { cookie: `ory_kratos_session=${session}`, origin: url }
  const rows: (string | number)[][] = []
  const add = (what: string, samples: readonly number[], limit: string, note = ''): void => {
    rows.push([
      what,
      percentile(samples, 0.5).toFixed(1),
      percentile(samples, 0.95).toFixed(1),
      percentile(samples, 0.99).toFixed(1),
      limit,
      note,
    ])
  }

  const ask = async (query: string): Promise<{ ms: number; bytes: number }> => {
    const askedAt = performance.now()
    const answer = await fetch(`${url}/api/canary/api/topology?${query}`, { headers })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${answer.status}: ${text}`)
    return { ms: performance.now() - askedAt, bytes: text.length }
  }
  // Thousands of rows are told and read first.
  const isThere = () =>
    ask('flatten=true').then(
      ({ bytes }) => bytes > COMPONENTS * 100,
      () => false,
    )
  await until(isThere, { what: 'the estate', maxMs: 120_000 })

  const { whole, one } = await measureGraph(pool)
  add('full roll-up', whole, 'p95 150')
  add('one transition, rolled up', one, 'p95 10')
  const questions: Record<string, { query: string; limit: string }> = {
    'call, page at the top': { query: `depth=${SHOWN_LEVELS}`, limit: 'p95 30' },
    'call, page of a component': { query: `depth=${SHOWN_LEVELS}&id=${idOf(3)}`, limit: 'p95 30' },
    'call, whole': { query: 'depth=0', limit: 'p95 200' },
  }
  for (const [what, { query, limit }] of Object.entries(questions)) {
    await ask(query)
    const answers: { ms: number; bytes: number }[] = []
    for (let repeat = 0; repeat < REPEATS; repeat++) answers.push(await ask(query))
    const times = answers.map(({ ms }) => ms)
    add(what, times, limit, `${Math.round((answers[0]?.bytes ?? 0) / 1_000)} kB`)
  }

  const viewers = Array.from({ length: SOCKETS }, () => openViewer(url, headers))
  await until(() => viewers.every(({ isOpen }) => isOpen()), { what: 'rows on every socket', maxMs: 60_000 })
  const delays: number[] = []
  for (let round = 0; round < REPEATS; round++) {
    const arrivals = viewers.map((viewer) => viewer.nextChange())
    await pool.query(SET_STATUS, [3, round % 2 === 0 ? 'unhealthy' : 'healthy'])
    const storedAt = performance.now()
    delays.push(...(await Promise.all(arrivals)).map((at) => Math.max(0, at - storedAt)))
    await sleep(300)
  }
  add(`change to ${SOCKETS} sockets`, delays, 'p99 250', 'after the result is stored')

  // Someone else: the viewers are as many as one person may open.
  const editor = { ...headers, cookie: `ory_kratos_session=${await signInAs('editor')}` }
  const bytes = await countBytes(url, editor)
  const save = async (topology: object): Promise<void> => {
    const answer = await fetch(`${url}/api/db/topologies`, {
      method: 'POST',
      headers: { ...editor, 'content-type': 'application/json' },
      body: JSON.stringify(topology),
    })
    if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`)
  }
  const [viewer] = viewers
  if (viewer)
    add('a topology saved, to its cards elsewhere', await measureSaved(save, viewer), '2,000', 'with the call')

  const pids = { backend: backend.supervisor.pid() ?? 0, gateway: gateway.process.pid ?? 0 }
  const spent = () => ({ backend: cpuMs(pids.backend), gateway: cpuMs(pids.gateway) })
  const before = spent()
  const elapsedMs = await storm(pool)
  const after = spent()
  const share = (part: keyof typeof pids): number => ((after[part] - before[part]) / elapsedMs) * 100
  for (const viewer of viewers) viewer.close()

  const watched = { pool, pids: Object.values(pids), openings: Number(values.openings) }
  const { cold, warm, frames, longTasks } = await watchPage({ url, session }, watched)
  add('first cards, cold', cold, '700', `${cold.length} times, each with an empty cache`)
  add('first cards, warm', warm, '', `${warm.length} times, all scripts in the cache`)
  add('frame during the storm', frames, '50', `longest ${Math.max(...frames).toFixed(0)} ms`)
  const [first = 0, ...unchanged] = await measureSync(pool, backend)
  add('sync, unchanged', unchanged, '1,000', `the first took ${first.toFixed(0)} ms (limit 5,000)`)
  await gateway.stop()
  await pool.end()
  await backend.stop()
  return {
    title: `Topology: ${COMPONENTS} components, ${COMPONENTS * CHECKS_EACH} checks`,
    columns: ['what', 'p50 ms', 'p95 ms', 'p99 ms', 'limit', ''],
    rows,
    notes: [
      `Calls over HTTP with a session, ${REPEATS} times each; the changes ${REPEATS} times.`,
      `Opening: ${bytes} bytes on the wire of a socket for the page at the top, handshake included (limit 40,000).`,
      `${STORM.perSecond} transitions a second for ${STORM.seconds} s with ${SOCKETS} sockets: backend ${share('backend').toFixed(0)} %, gateway ${share('gateway').toFixed(0)} % of a core (limit 25 %); neither PostgreSQL nor the clients are in it.`,
      `Tasks of 50 ms and more during the storm: ${longTasks.length === 0 ? 'none' : longTasks.map((ms) => ms.toFixed(0)).join(', ')} ms.`,
    ],
  }
}
