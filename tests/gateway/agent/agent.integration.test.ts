import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { type AgentProcess, readQueuedResults, startAgentProcess } from '#support/agentProcess.ts'
import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { type FaultProxy, startFaultProxy } from '#support/faultProxy.ts'
import { startGateway, type RunningGateway, toGatewayBackend } from '#support/gateway.ts'
import { listen } from '#support/listen.ts'
import { signalProcess } from '#support/processes.ts'
import { createRandom } from '#support/random.ts'
import { buildAgentRows, createPushBook, createRealAgent } from '#support/realAgent.ts'
import { startTcpRelay, type TcpRelay } from '#support/tcpRelay.ts'

let backend: TestBackend
let faults: FaultProxy
let gateway: RunningGateway
let relay: TcpRelay
let database: Client

/** agent → relay (cut at will) → gateway → faults (answers lost at will) → backend */
beforeAll(async () => {
  backend = await startEmbeddedBackend()
  faults = await startFaultProxy(backend.socketPath)
  gateway = await startGateway({ backend: { ...toGatewayBackend(backend), url: faults.url } })
  relay = await startTcpRelay(Number(new URL(gateway.url).port))
  database = new Client({ connectionString: backend.databaseUrl })
  await database.connect()
})
afterAll(async () => {
  await database?.end()
  await relay?.close()
  await gateway?.stop()
  await faults?.close()
  await backend?.stop()
})

const WAIT = { timeout: 20_000, interval: 50 }

interface Made {
  readonly id: string
  readonly name: string
  readonly token: string
  readonly data: string
  readonly canaries: string
}

/** An agent's account, an empty folder for its data, and its canaries as YAML. */
async function makeAgent(canaries: unknown): Promise<Made> {
  const name = `agent-${randomUUID()}`
  const answer = await backend.callAsService('/agent/generate', { method: 'POST', body: { name } })
  const { access_token: token } = answer.json() as { access_token: string }
  const { rows } = await database.query<{ id: string }>('select id from agents where name = $1', [name])
  const data = mkdtempSync(join(tmpdir(), 'wr-agent-'))
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  const path = join(data, 'canaries.yaml')
  writeFileSync(path, typeof canaries === 'string' ? canaries : JSON.stringify(canaries))
  return { id: rows[0]?.id ?? '', name, token, data, canaries: path }
}

function run(made: Made, options: { url?: string; args?: readonly string[]; token?: string } = {}): AgentProcess {
  const agent = startAgentProcess({
    upstream: options.url ?? `http://127.0.0.1:${relay.port}`,
    token: options.token ?? made.token,
    data: made.data,
    args: ['--canaries', made.canaries, ...(options.args ?? [])],
  })
  onTestFinished(() => agent.kill())
  return agent
}

async function target(): Promise<{ url: string; endpoint: string }> {
  const port = await listen(createServer((_, response) => response.end('ok')))
  return { url: `http://127.0.0.1:${port}/`, endpoint: `127.0.0.1:${port}` }
}

const tcpCanary = (endpoint: string, count: number) => ({
  name: 'ports',
  namespace: 'edge',
  labels: { site: 'north' },
  spec: { interval: 1, tcp: Array.from({ length: count }, (_, at) => ({ name: `port ${at}`, endpoint })) },
})

async function storedOf(agentId: string): Promise<string[]> {
  const { rows } = await database.query<{ check_id: string; time: Date }>(
    `select check_id, time from check_statuses join checks on checks.id = check_id where agent_id = $1`,
    [agentId],
  )
  return rows.map(({ check_id: id, time }) => `${id} ${time.toISOString()}`)
}

const keysOf = (data: string): string[] => readQueuedResults(data).map(({ check_id: id, time }) => `${id} ${time}`)

describe('an agent', () => {
  it('runs the canaries of a file and has its results, checks and heartbeat upstream', async () => {
    const { url } = await target()
    const made = await makeAgent(`
apiVersion: canaries.flanksource.com/v1
kind: Canary
metadata: { name: shop, namespace: edge, labels: { site: north } }
spec:
  interval: 1
  http: [{ name: front, url: ${url} }]
  exec: [{ name: wrong, script: 'echo broken >&2; exit 3' }]
`)
    const agent = run(made)
    await agent.ready()
    await expect
      .poll(async () => {
        const { rows } = await database.query(
          `select name, type, status from checks where agent_id = $1 order by name`,
          [made.id],
        )
        return rows
      }, WAIT)
      .toEqual([
        { name: 'front', type: 'http', status: 'healthy' },
        { name: 'wrong', type: 'exec', status: 'unhealthy' },
      ])
    await expect
      .poll(async () => {
        const { rows } = await database.query(
          `select now() - last_seen < interval '5 s' as is_seen, last_received is not null as has_pushed, hostname is not null as has_host,
             version is not null as has_version, clock_skew_ms from agents where id = $1`,
          [made.id],
        )
        return rows
      }, WAIT)
      .toEqual([{ is_seen: true, has_pushed: true, has_host: true, has_version: true, clock_skew_ms: 0 }])
    expect(await agent.stop()).toBe(0)
  })

  it('runs what is assigned to it upstream, follows edits, and starts no process that nobody here allowed', async () => {
    const made = await makeAgent({ name: 'own', spec: { exec: [{ name: 'own script', script: 'true' }] } })
    const agent = run(made)
    await agent.ready()
    const { rows } = await database.query<{ id: string }>(
      `insert into canaries (agent_id, name, namespace, spec, source)
       values ($1, 'assigned', 'edge', $2, 'UI') returning id`,
      [made.id, { interval: 1, exec: [{ name: 'foreign script', script: 'true' }] }],
    )
    const states = async () =>
      (
        await database.query(
          `select name, status from checks where agent_id = $1 and deleted_at is null order by name`,
          [made.id],
        )
      ).rows
    await expect.poll(states, WAIT).toEqual([
      { name: 'foreign script', status: 'unhealthy' },
      { name: 'own script', status: 'healthy' },
    ])
    await database.query('update canaries set deleted_at = now() where id = $1', [rows[0]?.id])
    await expect.poll(states, WAIT).toEqual([{ name: 'own script', status: 'healthy' }])
  })

  it('follows edits of its file, and goes on with what it had when the edit is wrong', async () => {
    const made = await makeAgent({ name: 'own', spec: { interval: 1, exec: [{ name: 'first', script: 'true' }] } })
    const agent = run(made)
    await agent.ready()
    const names = async () =>
      (
        await database.query<{ name: string }>(
          `select name from checks where agent_id = $1 and deleted_at is null order by name`,
          [made.id],
        )
      ).rows.map(({ name }) => name)
    await expect.poll(names, WAIT).toEqual(['first'])
    writeFileSync(made.canaries, 'name: own\nspec: { exec: [{ script: 7 }] }\n')
    await expect.poll(() => agent.output(), WAIT).toContain('the canaries were edited and cannot be run')
    expect(await names()).toEqual(['first'])
    writeFileSync(made.canaries, JSON.stringify({ name: 'own', spec: { exec: [{ name: 'second', script: 'true' }] } }))
    await expect.poll(names, WAIT).toEqual(['second'])
  })

  it('keeps 200 results while the upstream is away, and afterwards each is there once, whatever answers were lost', async () => {
    const { endpoint } = await target()
    const made = await makeAgent(tcpCanary(endpoint, 50))
    const agent = run(made)
    await agent.ready()
    await expect.poll(async () => (await storedOf(made.id)).length, WAIT).toBeGreaterThan(0)

    // In the middle of its work: what is on the way is cut, nothing gets through.
    relay.setRefusing(true)
    relay.cut()
    onTestFinished(() => relay.setRefusing(false))
    await expect.poll(() => keysOf(made.data).length, WAIT).toBeGreaterThanOrEqual(200)
    const queued = keysOf(made.data)

    // Back, but the first answers are lost after the backend has done its work.
    let lost = 0
    faults.fault = (method, path) =>
      method === 'POST' && path.startsWith('/upstream/push') && lost++ < 3 ? 'lost' : 'none'
    onTestFinished(() => {
      faults.fault = () => 'none'
    })
    relay.setRefusing(false)
    await expect
      .poll(async () => {
        const stored = new Set(await storedOf(made.id))
        return queued.filter((key) => !stored.has(key)).length
      }, WAIT)
      .toBe(0)
    await expect.poll(() => lost, WAIT).toBeGreaterThan(3)
    const stored = await storedOf(made.id)
    expect(new Set(stored).size).toBe(stored.length)
    expect(await agent.stop()).toBe(0)
    expect(agent.output()).not.toContain('LOST')
  })

  it('loses nothing by kill -9 that it had on disk, and runs on without the upstream', async () => {
    const { endpoint } = await target()
    const made = await makeAgent(tcpCanary(endpoint, 20))
    const first = run(made)
    await first.ready()
    await expect.poll(async () => (await storedOf(made.id)).length, WAIT).toBeGreaterThan(0)
    relay.setRefusing(true)
    relay.cut()
    onTestFinished(() => relay.setRefusing(false))
    const before = keysOf(made.data).length
    await expect.poll(() => keysOf(made.data).length, WAIT).toBeGreaterThan(before + 20)
    await first.kill()
    const kept = keysOf(made.data)

    const second = run(made)
    await second.ready()
    expect(second.output()).toContain('the upstream is away')
    await expect.poll(() => keysOf(made.data).length, WAIT).toBeGreaterThan(kept.length)
    relay.setRefusing(false)
    await expect
      .poll(async () => {
        const stored = new Set(await storedOf(made.id))
        return kept.filter((key) => !stored.has(key)).length
      }, WAIT)
      .toBe(0)
  })

  it('sends what waits before it stops', async () => {
    const made = await makeAgent({
      name: 'own',
      spec: { interval: 1, exec: [{ name: 'script', script: 'true' }] },
    })
    const agent = run(made)
    await agent.ready()
    await expect.poll(() => keysOf(made.data).length, WAIT).toBeGreaterThan(1)
    expect(await agent.stop()).toBe(0)
    const stored = new Set(await storedOf(made.id))
    expect(keysOf(made.data).filter((key) => !stored.has(key))).toEqual([])
  })
})

describe('an agent that cannot start', () => {
  const canary = { name: 'x', spec: { exec: [{ name: 'x', script: 'true' }] } }

  it('says that its token is refused', async () => {
    const agent = run(await makeAgent(canary), { token: 'wrong' })
    expect(await agent.exited()).toBe(1)
    expect(agent.output()).toContain('AGENT_TOKEN_REFUSED')
  })

  it('says that its agent was deleted, and sends nothing of it', async () => {
    const made = await makeAgent(canary)
    await database.query('update agents set deleted_at = now() where id = $1', [made.id])
    const agent = run(made)
    expect(await agent.exited()).toBe(1)
    expect(agent.output()).toContain('its agent was deleted')
  })

  it('says that the address is none of an upstream', async () => {
    const { url } = await target()
    const agent = run(await makeAgent(canary), { url })
    expect(await agent.exited()).toBe(1)
    expect(agent.output()).toContain('AGENT_UPSTREAM_UNKNOWN')
  })

  it('says what is wrong with a canary, by file and place', async () => {
    const agent = run(
      await makeAgent({ name: 'x', spec: { http: [{ url: 7 }], self: [{ probe: 'database' }], nope: [] } }),
    )
    expect(await agent.exited()).toBe(1)
    expect(agent.output()).toMatch(/canaries\.yaml: http\[0\]: url/)
    expect(agent.output()).toMatch(/canaries\.yaml: nope: unknown check type/)
  })

  it('refuses the token of another agent than the one that is meant', async () => {
    const made = await makeAgent(canary)
    const agent = run(made, { args: ['--name', 'someone-else'] })
    expect(await agent.exited()).toBe(1)
    expect(agent.output()).toContain(`The token belongs to the agent '${made.name}', not to 'someone-else'`)
    const byId = run(made, { args: ['--id', randomUUID()] })
    expect(await byId.exited()).toBe(1)
    expect(byId.output()).toContain('AGENT_NAME_DIFFERS')
    // Who does not start was not there.
    const { rows } = await database.query('select last_seen, version from agents where id = $1', [made.id])
    expect(rows).toEqual([{ last_seen: null, version: null }])
  })

  it('says that its data directory is in use', async () => {
    const made = await makeAgent(canary)
    const first = run(made)
    await first.ready()
    const second = run(made)
    expect(await second.exited()).toBe(1)
    expect(second.output()).toContain('AGENT_DATA_IN_USE')
  })

  it('waits for an upstream that is away, when nothing here says who it is', async () => {
    const made = await makeAgent(canary)
    relay.setRefusing(true)
    onTestFinished(() => relay.setRefusing(false))
    const agent = run(made)
    await expect.poll(() => agent.output(), WAIT).toContain('the first start needs the upstream')
    relay.setRefusing(false)
    await agent.ready()
  })
})

describe('an agent that was told its id', () => {
  const canary = { name: 'x', spec: { interval: 1, exec: [{ name: 'x', script: 'true' }] } }

  it('starts for the first time without the upstream, and sends what it found once that is back', async () => {
    const made = await makeAgent(canary)
    relay.setRefusing(true)
    onTestFinished(() => relay.setRefusing(false))
    const agent = run(made, { args: ['--id', made.id] })
    await agent.ready()
    await expect.poll(() => keysOf(made.data).length, WAIT).toBeGreaterThan(1)
    relay.setRefusing(false)
    await expect.poll(async () => (await storedOf(made.id)).length, WAIT).toBeGreaterThan(1)
  })

  it('ends, and has pushed nothing, when the upstream says that the token is of another agent', async () => {
    const made = await makeAgent(canary)
    relay.setRefusing(true)
    onTestFinished(() => relay.setRefusing(false))
    const agent = run(made, { args: ['--id', randomUUID()] })
    await agent.ready()
    relay.setRefusing(false)
    expect(await agent.exited()).toBe(1)
    expect(agent.output()).toContain('AGENT_NAME_DIFFERS')
    const { rows } = await database.query('select last_seen, last_received from agents where id = $1', [made.id])
    expect(rows).toEqual([{ last_seen: null, last_received: null }])
    expect(await storedOf(made.id)).toEqual([])
  })
})

describe('agents whose upstream stands still', () => {
  const STILL_MS = 9_000

  it('have each of their runs once and at its own time', async () => {
    const { endpoint } = await target()
    const made = await Promise.all([1, 2, 3].map(() => makeAgent(tcpCanary(endpoint, 10))))
    const agents = made.map((each) => run(each))
    await Promise.all(agents.map((agent) => agent.ready()))
    for (const { id } of made) await expect.poll(async () => (await storedOf(id)).length, WAIT).toBeGreaterThan(0)

    const pid = findBackendProcess()
    const stoppedAt = Date.now()
    signalProcess(pid, 'SIGSTOP')
    try {
      // It takes connections and answers nobody; what is sent to it waits for longer than a clock may be off.
      await expect.poll(() => Date.now() - stoppedAt).toBeGreaterThan(STILL_MS)
    } finally {
      signalProcess(pid, 'SIGCONT')
    }
    const during = made.map(({ data }) => keysOf(data).length)
    for (const [index, { data }] of made.entries()) {
      await expect.poll(() => keysOf(data).length, WAIT).toBeGreaterThan((during[index] ?? 0) + 20)
    }
    for (const agent of agents) expect(await agent.stop()).toBe(0)

    for (const [index, { id, data }] of made.entries()) {
      const { rows } = await database.query<{ rows: number; runs: number; moved: number; noted: number }>(
        `select count(*)::int as rows, count(distinct (check_id, agent_time))::int as runs,
           count(*) filter (where time <> agent_time)::int as moved,
           count(*) filter (where details ? 'agent_clock')::int as noted
         from check_statuses join checks on checks.id = check_id where agent_id = $1`,
        [id],
      )
      const [stored] = rows
      expect([index, stored?.moved, stored?.noted]).toEqual([index, 0, 0])
      expect(stored?.rows).toBe(stored?.runs)
      const known = new Set(await storedOf(id))
      expect(keysOf(data).filter((key) => !known.has(key))).toEqual([])
    }
  }, 90_000)
})

/** The backend that this test started: a child of this process. */
function findBackendProcess(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').map(Number)
  const found = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('embedded-backend'))
  if (found === undefined) throw new Error('the backend has no process')
  return found
}

describe('a token of an agent at the gateway', () => {
  const basic = (token: string) => ({ authorization: `Basic ${Buffer.from(`token:${token}`).toString('base64')}` })

  it("opens the agent's routes with and without the API's prefix, and nothing that people read", async () => {
    const { token } = await makeAgent({ name: 'x', spec: {} })
    const statusOf = async (path: string) => (await fetch(`${gateway.url}${path}`, { headers: basic(token) })).status
    expect(await statusOf('/upstream/ping')).toBe(200)
    expect(await statusOf('/api/upstream/ping')).toBe(200)
    for (const path of ['/api/db/people', '/api/db/agents_summary', '/api/canary/api/summary', '/api/db/checks']) {
      expect([path, await statusOf(path)]).toEqual([path, 403])
    }
  })

  it('is refused when it is wrong, and at once when its agent was deleted', async () => {
    const { id, token } = await makeAgent({ name: 'x', spec: {} })
    const ping = async (headers: Record<string, string>) =>
      (await fetch(`${gateway.url}/upstream/ping`, { headers })).status
    expect(await ping({})).toBe(401)
    expect(await ping(basic('wrong'))).toBe(401)
    // Before much of it was read, and still in words.
    const body = Buffer.alloc(20 * 1_048_576, ' ')
    const refused = await fetch(`${gateway.url}/upstream/push`, { method: 'POST', headers: basic('wrong'), body })
    expect([refused.status, await refused.text()]).toEqual([401, expect.stringContaining('Sign in')])
    expect(await ping(basic(token))).toBe(200)
    await database.query('update agents set deleted_at = now() where id = $1', [id])
    expect(await ping(basic(token))).toBe(401)
  })

  it('lets an agent of the real product push, and hear which of its rows were not kept', async () => {
    const { name, token } = await makeAgent({ name: 'x', spec: {} })
    const agent = createRealAgent(gateway.url, name, token)
    const rows = buildAgentRows({ random: createRandom(7), count: 30 })
    const orphan = await agent.push({ config_items: rows.config_items })
    expect(orphan.status).toBe(409)
    const { data } = JSON.parse(orphan.text) as { data: string }
    expect(JSON.parse(data)).toEqual({ ids: rows.config_items.map(({ id }) => id) })
    expect((await agent.call('GET', 'ping')).status).toBe(200)
    expect(await createPushBook(agent, rows, 10).reconcile()).toBe(true)
  })

  it('works where people do not sign in', async () => {
    const { token } = await makeAgent({ name: 'x', spec: {} })
    const open = await startGateway({ backend: toGatewayBackend(backend), env: { WATCHROOM_AUTH: 'none' } })
    onTestFinished(() => open.stop())
    expect((await fetch(`${open.url}/upstream/ping`, { headers: basic(token) })).status).toBe(200)
    expect((await fetch(`${open.url}/upstream/ping`)).status).toBe(401)
  })
})
