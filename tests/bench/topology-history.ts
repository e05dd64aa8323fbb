// The past of the topology: a day with 100,000 transitions of 2,000 components, written as the recorder writes it and asked for over HTTP.
import { type RecordedEstate, toEstateChanges, toRecordedEstate } from '@watchroom/shared/topology/history'
import { Pool } from 'pg'

import { writeStep } from '../../gateway/src/topology-history/writeHistory.ts'
import { startEmbeddedBackend } from '../support/embeddedBackend.ts'
import { startGateway, toGatewayBackend } from '../support/gateway.ts'
import { until } from '../support/processes.ts'
import { createRandom } from '../support/random.ts'
import { type BenchTable, percentile } from './table.ts'

const COMPONENTS = 2_000
const TRANSITIONS = 100_000
/** Of one read: what one failing leaf does to what is above it, and its neighbors. */
const PER_READ = 20
const CHECKPOINT_ROWS = 2_000
const DAY_MS = 24 * 3_600_000
const REPEATS = 40
const HEALTHS = ['healthy', 'unhealthy', 'warning'] as const
/** In milliseconds, of issue 16. */
const LIMITS = { page: 200, diff: 300 } as const

type Recorded = NonNullable<ReturnType<RecordedEstate['get']>>
const idOf = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`

/** Five levels, about seven parts each. */
const WELL: RecordedEstate = toRecordedEstate(
  Array.from({ length: COMPONENTS }, (_, index) => ({
    id: idOf(index),
    name: `component ${index}`,
    type: 'Service',
    namespace: 'default',
    labels: { tier: String(index % 3) },
    health: 'healthy',
    status: '',
    parent_id: index < 7 ? null : idOf(Math.floor(index / 7) - 1),
  })),
)

async function writeDay(pool: Pool, end: number): Promise<number> {
  const random = createRandom(16)
  const client = await pool.connect()
  const steps = TRANSITIONS / PER_READ
  const startedAt = new Date(end - DAY_MS)
  let before: RecordedEstate | null = null
  let rows = CHECKPOINT_ROWS
  const began = performance.now()
  for (let step = 0; step <= steps; step++) {
    const after: Map<string, Recorded> = new Map(before ?? WELL)
    for (let change = 0; change < PER_READ; change++) {
      const id = idOf(Math.floor(random() * COMPONENTS))
      const known = after.get(id)
      const health = HEALTHS.find((one) => one !== known?.state.health && random() < 0.6) ?? 'unknown'
      const reason = health === 'healthy' ? null : 'the check of the port fails since a minute'
      if (known) after.set(id, { ...known, state: { health, status: '', reason } })
    }
    const changes = toEstateChanges(before ?? new Map(), after)
    rows += changes.states.size
    const withCheckpoint = rows >= CHECKPOINT_ROWS
    if (withCheckpoint) rows = 0
    await writeStep(client, {
      at: new Date(startedAt.getTime() + (step * DAY_MS) / (steps + 1)),
      startedAt,
      before,
      after,
      changes,
      withCheckpoint,
    })
    before = after
  }
  client.release()
  return (performance.now() - began) / steps
}

export async function run(): Promise<BenchTable> {
  const backend = await startEmbeddedBackend()
  const pool = new Pool({ connectionString: backend.databaseUrl })
  const running = await startGateway({ backend: toGatewayBackend(backend) })
  const { headers } = await running.signInAs('viewer')
  const ask = async (name: string, query: Record<string, string>): Promise<{ ms: number; bytes: number }> => {
    const askedAt = performance.now()
    const answer = await fetch(`${running.url}/gateway/topology-history/${name}?${new URLSearchParams(query)}`, {
      headers,
    })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${text}`)
    return { ms: performance.now() - askedAt, bytes: text.length }
  }
  const end = Date.now() - 60_000
  const tables = `select to_regclass('watchroom.topology_checkpoint') is not null as is_there`
  await until(async () => (await pool.query<{ is_there: boolean }>(tables)).rows[0]?.is_there === true, {
    what: 'tables of the gateway',
    maxMs: 30_000,
  })
  const writeMs = await writeDay(pool, end)
  const { rows: size } = await pool.query<{ bytes: string; count: string }>(
    `select sum(pg_total_relation_size(oid)) as bytes, (select count(*) from watchroom.topology_transition) as count
     from pg_class where relkind = 'r' and relname like 'topology\\_%' and relnamespace = 'watchroom'::regnamespace`,
  )
  const random = createRandom(1)
  const instant = (): number => end - Math.floor(random() * (DAY_MS - 60_000))
  const iso = (at: number): string => new Date(at).toISOString()
  const questions: Record<string, { limit: number | null; ask: () => Promise<{ ms: number; bytes: number }> }> = {
    'seek, page of those at the top': { limit: LIMITS.page, ask: () => ask('page', { at: iso(instant()) }) },
    'seek, page of a component': { limit: LIMITS.page, ask: () => ask('page', { at: iso(instant()), id: idOf(3) }) },
    'diff of two instants': {
      limit: LIMITS.diff,
      ask: () => {
        const [from, to] = [instant(), instant()].toSorted((a, b) => a - b) as [number, number]
        return ask('diff', { from: iso(from), to: iso(to + 1) })
      },
    },
    'transitions of the day': { limit: null, ask: () => ask('transitions', { from: iso(end - DAY_MS), to: iso(end) }) },
  }
  const rows: (string | number)[][] = []
  for (const [name, question] of Object.entries(questions)) {
    await question.ask()
    const times: number[] = []
    let bytes = 0
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      const answer = await question.ask()
      times.push(answer.ms)
      bytes = answer.bytes
    }
    const limit = question.limit === null ? '–' : String(question.limit)
    rows.push([
      name,
      percentile(times, 0.5).toFixed(0),
      percentile(times, 0.95).toFixed(0),
      limit,
      `${Math.round(bytes / 1_000)} kB`,
    ])
  }
  await running.stop()
  await pool.end()
  await backend.stop()
  return {
    title: `Past of the topology: ${COMPONENTS} components, ${size[0]?.count} transitions in a day`,
    columns: ['question', 'p50 ms', 'p95 ms', 'limit', 'answer'],
    rows,
    notes: [
      `${REPEATS} times each at random instants, over HTTP with a session.`,
      `The day takes ${Math.round(Number(size[0]?.bytes) / 2 ** 20)} MB; a read with ${PER_READ} transitions is written in ${writeMs.toFixed(1)} ms.`,
    ],
  }
}
