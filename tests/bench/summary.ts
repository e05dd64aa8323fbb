// The health board of 10,000 checks in memory: how long an answer takes, and what it costs to hold.
import { createCheckSummary } from '../../gateway/src/embedded-backend/checks/createCheckSummary.ts'
import { systemClock } from '../../gateway/src/platform/clock.ts'
import { type BenchTable, percentile } from './table.ts'

const CHECKS = 10_000
const INTERVAL_MS = 30_000
const RUNS = 3_600_000 / INTERVAL_MS

/** In MiB. Run with --expose-gc for steady numbers. */
function usedMemory(): { heap: number; buffers: number } {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return { heap: heapUsed / 2 ** 20, buffers: arrayBuffers / 2 ** 20 }
}

function time(work: () => unknown, times = 1): number[] {
  return Array.from({ length: times }, () => {
    const startedAt = performance.now()
    work()
    return performance.now() - startedAt
  })
}

const toRow = (name: string, samples: number[], bytes: number): (string | number)[] => [
  name,
  percentile(samples, 0.5).toFixed(2),
  percentile(samples, 0.99).toFixed(2),
  `${(bytes / 1_000).toFixed(0)} kB`,
]

export async function run(): Promise<BenchTable> {
  await Promise.resolve()
  const before = usedMemory()
  const summary = createCheckSummary({ clock: systemClock, epoch: 'bench', runnerName: 'local' })
  const now = Date.now()
  const ids = Array.from({ length: CHECKS }, () => crypto.randomUUID())
  for (const [index, id] of ids.entries()) {
    summary.put({
      id,
      canaryId: ids[index - (index % 50)] ?? '',
      canaryName: `group ${Math.floor(index / 50)}`,
      canaryNamespace: `area-${index % 20}`,
      name: `check ${index}`,
      namespace: `area-${index % 20}`,
      type: 'http',
      severity: 'high',
      description: 'Answers within its time',
      icon: null,
      owner: null,
      endpoint: `http://127.0.0.1:8080/services/${index}`,
      agentId: '00000000-0000-0000-0000-000000000000',
      labels: { team: 'north', tier: 'web', region: 'eu' },
      createdAt: now,
      silencedAt: null,
    })
  }
  const addRun = (id: string, startedAt: number): void => {
    const passed = Math.random() > 0.02
    const error = passed ? null : 'answered 503 Service Unavailable, expected 2xx'
    summary.addRuns(id, [{ startedAt, durationMs: Math.random() * 300, passed, error }])
    const status = passed ? 'healthy' : 'unhealthy'
    summary.setState(id, {
      status,
      lastRuntimeAt: startedAt,
      nextRuntimeAt: startedAt + INTERVAL_MS,
      lastTransitionAt: now,
      updatedAt: startedAt,
    })
  }
  const [loadMs = 0] = time(() => {
    for (const id of ids) for (let run = RUNS; run > 0; run--) addRun(id, now - run * INTERVAL_MS + 15_000)
  })
  const loaded = usedMemory()
  const rows: (string | number)[][] = []
  const full = summary.read()
  const held = usedMemory()

  let at = now
  const touch = (count: number): void => {
    at += 1
    for (let index = 0; index < count; index++) addRun(ids[Math.floor(Math.random() * CHECKS)] ?? '', at)
  }
  const first = time(() => {
    for (const id of ids) addRun(id, ++at)
    summary.read()
  }, 5)
  rows.push(toRow('full, every row changed', first, full.length))
  touch(334)
  rows.push(
    toRow(
      'full, 334 rows changed (1 s of runs)',
      Array.from({ length: 50 }, () => {
        touch(334)
        return time(() => summary.read())[0] ?? 0
      }),
      full.length,
    ),
  )
  rows.push(
    toRow(
      'full, nothing changed',
      time(() => summary.read(), 200),
      full.length,
    ),
  )
  for (const count of [334, 20, 0]) {
    let bytes = 0
    const samples = Array.from({ length: 200 }, () => {
      const cursor = summary.cursor()
      touch(count)
      return (
        time(() => {
          bytes = summary.read(cursor).length
        })[0] ?? 0
      )
    })
    rows.push(toRow(`since a cursor, ${count} rows changed`, samples, bytes))
  }
  const perCheck = ((loaded.heap + loaded.buffers - before.heap - before.buffers) * 2 ** 20) / CHECKS
  return {
    title: `Check summary: ${CHECKS} checks, ${RUNS} runs each in the last hour`,
    columns: ['answer', 'p50 ms', 'p99 ms', 'size'],
    rows,
    notes: [
      `Loading ${CHECKS * RUNS} runs took ${loadMs.toFixed(0)} ms.`,
      `Memory: ${perCheck.toFixed(0)} bytes per check without its JSON (heap ${(loaded.heap - before.heap).toFixed(1)} MiB, rings ${(loaded.buffers - before.buffers).toFixed(1)} MiB), ${(held.heap - loaded.heap).toFixed(1)} MiB more for the JSON of all rows and the last full answer.`,
    ],
  }
}
