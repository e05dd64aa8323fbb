import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { type AgentProcess, readQueuedResults, startAgentProcess } from '#support/agentProcess.ts'
import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { listen } from '#support/listen.ts'
import { type PlainUpstream, startPlainUpstream } from '#support/plainUpstream.ts'

let backend: TestBackend
let database: Client

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  database = new Client({ connectionString: backend.databaseUrl })
  await database.connect()
})
afterAll(async () => {
  await database?.end()
  await backend?.stop()
})

const WAIT = { timeout: 20_000, interval: 50 }

interface Made {
  readonly id: string
  readonly upstream: PlainUpstream
  readonly data: string
  start(args?: readonly string[]): Promise<AgentProcess>
  /** Checks of the agent's file, by name. */
  define(names: readonly string[]): void
}

async function makeAgent(): Promise<Made> {
  const name = `agent-${randomUUID()}`
  const answer = await backend.callAsService('/agent/generate', { method: 'POST', body: { name } })
  const { access_token: token } = answer.json() as { access_token: string }
  const { rows } = await database.query<{ id: string }>('select id from agents where name = $1', [name])
  const data = mkdtempSync(join(tmpdir(), 'wr-plain-'))
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  const upstream = await startPlainUpstream(backend.socketPath)
  const endpoint = `127.0.0.1:${await listen(createServer((_, response) => response.end('ok')))}`
  const canaries = join(data, 'canaries.yaml')
  return {
    id: rows[0]?.id ?? '',
    upstream,
    data,
    start: async (args = []) => {
      const agent = startAgentProcess({ upstream: upstream.url, token, data, args: ['--canaries', canaries, ...args] })
      onTestFinished(() => agent.kill())
      await agent.ready()
      return agent
    },
    define: (names) => {
      const tcp = names.map((check) => ({ name: check, endpoint }))
      writeFileSync(canaries, JSON.stringify({ name: 'ports', namespace: 'edge', spec: { interval: 1, tcp } }))
    },
  }
}

async function checksOf(agentId: string): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>('select name from checks where agent_id = $1 order by name', [
    agentId,
  ])
  return rows.map(({ name }) => name)
}

async function storedOf(agentId: string): Promise<string[]> {
  const { rows } = await database.query<{ key: string }>(
    `select check_id || ' ' || (extract(epoch from agent_time) * 1000)::bigint as key
     from check_statuses join checks on checks.id = check_id where agent_id = $1`,
    [agentId],
  )
  return rows.map(({ key }) => key)
}

describe('an agent of a server that says nothing', () => {
  it.each([['without an id'], ['with an id']])(
    'runs, %s, and sends it no word that only ours would understand',
    async (id) => {
      const made = await makeAgent()
      made.define(['one', 'two'])
      await made.start(id === 'with an id' ? ['--id', made.id, '--name', 'edge'] : [])
      await expect.poll(async () => (await storedOf(made.id)).length, WAIT).toBeGreaterThan(3)
      expect(await checksOf(made.id)).toEqual(['one', 'two'])
      expect(made.upstream.extensions).toEqual([])
      const { rows } = await database.query('select queued_results, clock_skew_ms, version from agents where id = $1', [
        made.id,
      ])
      expect(rows).toEqual([{ queued_results: null, clock_skew_ms: null, version: null }])
    },
  )

  it('has deleted there what its file no longer defines, also when that was edited while it was away', async () => {
    const made = await makeAgent()
    made.define(['one', 'two', 'three'])
    const first = await made.start()
    await expect.poll(() => checksOf(made.id), WAIT).toEqual(['one', 'three', 'two'])
    made.define(['one', 'two'])
    await expect.poll(() => checksOf(made.id), WAIT).toEqual(['one', 'two'])
    await first.stop()
    made.define(['two'])
    await made.start()
    await expect.poll(() => checksOf(made.id), WAIT).toEqual(['two'])
    expect(made.upstream.calls.filter((call) => call === 'DELETE /upstream/push')).toHaveLength(2)
    expect(made.upstream.extensions).toEqual([])
  })

  it('has each result there once, whatever answers were lost and however it ended', async () => {
    const made = await makeAgent()
    made.define(['one', 'two', 'three'])
    const first = await made.start()
    await expect.poll(async () => (await storedOf(made.id)).length, WAIT).toBeGreaterThan(3)
    made.upstream.loseAnswers = 1_000
    await expect.poll(() => readQueuedResults(made.data).length, WAIT).toBeGreaterThan(10)
    await first.kill()
    const kept = readQueuedResults(made.data).map(({ check_id: id, time }) => `${id} ${Date.parse(time)}`)
    made.upstream.loseAnswers = 2
    await made.start()
    await expect
      .poll(async () => {
        const stored = new Set(await storedOf(made.id))
        return kept.filter((key) => !stored.has(key))
      }, WAIT)
      .toEqual([])
    const stored = await storedOf(made.id)
    expect(new Set(stored).size).toBe(stored.length)
  })
})
