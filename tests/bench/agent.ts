// The agent: what its queue keeps durably, what an upstream takes, and what a thousand checks cost in memory and time.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { pino } from 'pino'

import { openQueue } from '../../gateway/src/agent/createQueue.ts'
import { systemClock } from '../../gateway/src/platform/clock.ts'
import { startAgentProcess } from '../support/agentProcess.ts'
import { startEmbeddedBackend, type TestBackend } from '../support/embeddedBackend.ts'
import { startGateway, toGatewayBackend } from '../support/gateway.ts'
import { residentMiB } from '../support/processes.ts'
import { type BenchTable, percentile } from './table.ts'

const CHECKS = 1_000
const PUSHES = 40
const RESULTS_PER_PUSH = 500
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const perSecond = (count: number, elapsedMs: number): number => Math.round((count * 1_000) / elapsedMs)

async function measureQueue(directory: string): Promise<(string | number)[][]> {
  const queue = await openQueue({
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    directory: join(directory, 'queue'),
  })
  const record = JSON.stringify({ check_id: randomUUID(), time: new Date().toISOString(), message: 'x'.repeat(200) })
  const oneByOne: number[] = []
  for (let at = 0; at < 500; at++) {
    const startedAt = performance.now()
    await queue.append(record)
    oneByOne.push(performance.now() - startedAt)
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: 50_000 }, () => queue.append(record)))
  const burst = perSecond(50_000, performance.now() - startedAt)
  await queue.close()
  return [
    [
      'durable append, alone',
      `p50 ${percentile(oneByOne, 0.5).toFixed(2)} ms, p99 ${percentile(oneByOne, 0.99).toFixed(2)} ms`,
    ],
    ['durable appends, 50,000 at once', `${burst} results/s`],
  ]
}

async function createAgent(backend: TestBackend): Promise<string> {
  const answer = await backend.callAsService('/agent/generate', { method: 'POST', body: { name: randomUUID() } })
  return (answer.json() as { access_token: string }).access_token
}

async function measurePushes(backend: TestBackend, url: string): Promise<(string | number)[][]> {
  const headers = {
    authorization: `Basic ${Buffer.from(`token:${await createAgent(backend)}`).toString('base64')}`,
    'content-type': 'application/json',
  }
  const push = async (body: unknown): Promise<void> => {
    const answer = await fetch(`${url}/upstream/push`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    await answer.text()
  }
  const canary = { id: randomUUID(), name: 'bench', namespace: 'bench', spec: {} }
  const checks = Array.from({ length: CHECKS }, (_, at) => ({
    id: randomUUID(),
    canary_id: canary.id,
    type: 'tcp',
    name: `port ${at}`,
    spec: { endpoint: 'db:1' },
  }))
  await push({ canaries: [canary], checks })
  const latencies: number[] = []
  const startedAt = performance.now()
  for (let at = 0; at < PUSHES; at++) {
    const from = performance.now()
    const time = new Date(Date.now() - (PUSHES - at) * 1_000).toISOString()
    const offset = (at * RESULTS_PER_PUSH) % CHECKS
    await push({
      sent_at: new Date().toISOString(),
      check_statuses: checks
        .slice(offset, offset + RESULTS_PER_PUSH)
        .map(({ id }) => ({ check_id: id, time, duration: 12, status: true, message: 'open' })),
    })
    latencies.push(performance.now() - from)
  }
  const rate = perSecond(PUSHES * RESULTS_PER_PUSH, performance.now() - startedAt)
  return [
    [
      `upstream takes pushes of ${RESULTS_PER_PUSH} results`,
      `${rate} results/s; push p50 ${percentile(latencies, 0.5).toFixed(0)} ms, p99 ${percentile(latencies, 0.99).toFixed(0)} ms`,
    ],
  ]
}

async function measureAgent(backend: TestBackend, url: string, directory: string): Promise<(string | number)[][]> {
  const target = createServer((socket) => socket.end())
  await new Promise<void>((resolve) => {
    target.listen(0, '127.0.0.1', resolve)
  })
  const address = target.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const endpoint = `127.0.0.1:${address.port}`
  const rows: (string | number)[][] = []
  for (const interval of [10, 5]) {
    const canaries = join(directory, `canaries-${interval}.yaml`)
    const tcp = Array.from({ length: CHECKS }, (_, at) => ({ name: `port ${at}`, endpoint }))
    writeFileSync(canaries, JSON.stringify({ name: 'bench', spec: { interval, tcp } }))
    const agent = startAgentProcess({
      upstream: url,
      token: await createAgent(backend),
      data: join(directory, `agent-${interval}`),
      args: ['--canaries', canaries, '--log-level', 'error'],
    })
    await agent.ready()
    const pid = agent.process.pid ?? 0
    // First runs are spread over 20 s.
    await sleep(25_000)
    const count = async (): Promise<number> => {
      const answer = await backend.callAsService('/db/check_statuses?select=check_id&limit=1', {
        headers: { prefer: 'count=exact' },
      })
      return Number(String(answer.headers['content-range']).split('/')[1])
    }
    const before = await count()
    const startedAt = performance.now()
    await sleep(20_000)
    const rate = perSecond((await count()) - before, performance.now() - startedAt)
    rows.push([
      `agent with ${CHECKS} tcp checks each ${interval} s`,
      `${rate} results/s stored upstream (due: ${CHECKS / interval}), ${residentMiB(pid).toFixed(0)} MiB resident`,
    ])
    await agent.kill()
  }
  target.close()
  return rows
}

export async function run(): Promise<BenchTable> {
  const directory = mkdtempSync(join(tmpdir(), 'watchroom-bench-agent-'))
  const backend = await startEmbeddedBackend({ postgresSettings: {} })
  const gateway = await startGateway({ backend: toGatewayBackend(backend) })
  try {
    return {
      title: 'Agent',
      columns: ['What', 'Measured'],
      rows: [
        ...(await measureQueue(directory)),
        ...(await measurePushes(backend, gateway.url)),
        ...(await measureAgent(backend, gateway.url, directory)),
      ],
      notes: [
        'Everything runs on this one machine: agent, target, gateway, backend and PostgreSQL (with fsync) share its cores.',
        'The agent runs from its sources here, compiler included; the built program needs less memory.',
      ],
    }
  } finally {
    await gateway.stop()
    await backend.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
