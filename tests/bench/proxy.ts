// What the gateway adds to one API call: the same call to the backend itself and through a gateway of its own process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { Pool } from 'undici'

import { FakeBackend, SERVICE_TOKEN } from '../support/fakeBackend.ts'
import { type BenchTable, percentile } from './table.ts'

const MAIN = fileURLToPath(new URL('../../gateway/src/main.ts', import.meta.url))
const WARM_UP = 300
const CALLS = 3_000
const ROWS = [0, 100, 1_000]
const PARALLEL = [1, 16]
const HEADERS = { cookie: 'ory_kratos_session=session-admin', accept: 'application/json' }

export async function run(): Promise<BenchTable> {
  const backend = await FakeBackend.start()
  for (const rows of ROWS) backend.json(`GET /schemas/${rows}`, buildRows(rows))
  const gateway = await startGatewayProcess(backend.url)
  const rows: (string | number)[][] = []
  for (const count of ROWS) {
    for (const parallel of PARALLEL) {
      const direct = await measure(backend.url, `/schemas/${count}`, parallel)
      const proxied = await measure(gateway.url, `/api/schemas/${count}`, parallel)
      backend.requests.length = 0
      rows.push([
        count,
        parallel,
        ...[direct, proxied].flatMap((samples) => [0.5, 0.99].map((share) => toMs(percentile(samples, share)))),
        toMs(percentile(proxied, 0.5) - percentile(direct, 0.5)),
      ])
    }
  }
  await gateway.stop()
  await backend.stop()
  return {
    title: 'Proxy overhead per request (milliseconds)',
    columns: ['rows', 'parallel', 'direct p50', 'direct p99', 'gateway p50', 'gateway p99', 'added p50'],
    rows,
    notes: [
      `${CALLS} calls each after ${WARM_UP} to warm up; kept connections; session and roles from the cache of 5 s.`,
      'Backend and caller share one process, so with 16 in parallel both columns contain their queueing.',
      'The gateway runs from source under tsx, not from the bundle; answers are not compressed.',
    ],
  }
}

async function measure(url: string, path: string, parallel: number): Promise<number[]> {
  const pool = new Pool(url, { connections: parallel })
  const samples: number[] = []
  const call = async (): Promise<number> => {
    const startedAt = performance.now()
    const { statusCode, body } = await pool.request({ path, method: 'GET', headers: HEADERS })
    await body.arrayBuffer()
    if (statusCode !== 200) throw new Error(`${url}${path} answered ${statusCode}`)
    return performance.now() - startedAt
  }
  const worker = async (calls: number, record: boolean): Promise<void> => {
    for (let n = 0; n < calls; n++) {
      const durationMs = await call()
      if (record) samples.push(durationMs)
    }
  }
  const workers = (calls: number, record: boolean): Promise<void[]> =>
    Promise.all(Array.from({ length: parallel }, () => worker(Math.ceil(calls / parallel), record)))
  await workers(WARM_UP, false)
  await workers(CALLS, true)
  await pool.close()
  return samples
}

async function startGatewayProcess(backendUrl: string): Promise<{ url: string; stop: () => Promise<void> }> {
  // Before another backend the gateway keeps a database of its own.
  const data = await mkdtemp(join(tmpdir(), 'watchroom-bench-'))
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN], {
    env: {
      PATH: process.env.PATH,
      BACKEND_URL: backendUrl,
      BACKEND_TOKEN: SERVICE_TOKEN,
      WATCHROOM_DATA: data,
      WATCHROOM_PORT: '0',
      WATCHROOM_LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  let url: string | undefined
  while (url === undefined) {
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
    output += chunk.toString()
    url = /is ready: (\S+)/.exec(output)?.[1]
  }
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
      await rm(data, { recursive: true, force: true })
    },
  }
}

const buildRows = (count: number): unknown[] =>
  Array.from({ length: count }, (_, index) => ({ id: index, name: `check ${index}`, status: 'healthy', type: 'http' }))

const toMs = (durationMs: number): number => Math.round(durationMs * 100) / 100
