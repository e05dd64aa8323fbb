// Steps of playbooks on our own agent: its real process, in front of a real gateway and backend.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'

import { type AgentProcess, startAgentProcess } from '#support/agentProcess.ts'
import { startEmbeddedBackend, TEST_ADMIN, type TestBackend } from '#support/embeddedBackend.ts'
import { eventually } from '#support/eventually.ts'
import { startGateway, type RunningGateway, toGatewayBackend } from '#support/gateway.ts'
import { callTable } from '#support/incidentGateway.ts'
import { listen } from '#support/listen.ts'
import { createRealAgent } from '#support/realAgent.ts'
import { startTcpRelay, type TcpRelay } from '#support/tcpRelay.ts'

let backend: TestBackend
let gateway: RunningGateway
let relay: TcpRelay
let headers: Record<string, string>
let count = 0

const LATER = { timeout: 20_000, interval: 30 }

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  gateway = await startGateway({ backend: toGatewayBackend(backend) })
  relay = await startTcpRelay(Number(new URL(gateway.url).port))
  headers = await backend.signIn(TEST_ADMIN.email, TEST_ADMIN.password)
})
afterAll(async () => {
  await relay?.close()
  await gateway?.stop()
  await backend?.stop()
})

interface Made {
  readonly name: string
  readonly start: (...args: string[]) => AgentProcess
}

async function makeAgent(): Promise<Made> {
  const name = `depot-${(count += 1)}`
  const made = await backend.callAsService('/agent/generate', { method: 'POST', body: { name } })
  const { access_token: token } = made.json() as { access_token: string }
  const data = mkdtempSync(join(tmpdir(), 'wr-agent-'))
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  return {
    name,
    start: (...args) => {
      const agent = startAgentProcess({ upstream: `http://127.0.0.1:${relay.port}`, token, data, args })
      onTestFinished(() => agent.kill())
      return agent
    },
  }
}

interface Step {
  id: string
  status: string
  error: string | null
  result: Record<string, unknown> | null
}

async function askFor(actions: object[], more: object = {}, params: Record<string, string> = {}) {
  const name = `playbook-${(count += 1)}`
  const body = { name, title: name, source: 'UI', spec: { ...more, actions } }
  const saved = await backend.call('/db/playbooks', {
    method: 'POST',
    headers: { ...headers, prefer: 'return=representation' },
    body,
  })
  const [playbook] = saved.json() as { id: string }[]
  return backend.call('/playbook/run', { method: 'POST', headers, body: { id: playbook?.['id'], params } })
}

async function ask(...asked: Parameters<typeof askFor>): Promise<string> {
  const answer = await askFor(...asked)
  expect(answer.status, answer.text).toBe(201)
  return (answer.json() as { run_id: string }).run_id
}

const stepsOf = async (runId: string): Promise<Step[]> =>
  (await callTable(backend, `playbook_run_actions?playbook_run_id=eq.${runId}&order=id`)) as unknown as Step[]

const untilSteps = (runId: string, statuses: string[]): Promise<Step[]> =>
  eventually(async () => {
    const steps = await stepsOf(runId)
    expect(
      steps.map(({ status }) => status),
      JSON.stringify(steps),
    ).toEqual(statuses)
    return steps
  }, LATER)

const printedBy = async (stepId: string | undefined): Promise<string> =>
  (await callTable(backend, `playbook_run_outputs?action_id=eq.${stepId}&order=seq`))
    .map(({ text }) => String(text))
    .join('')

it('runs scripts and requests there, with the values of the run and what earlier steps found, and keeps their files', async () => {
  const port = await listen(createServer((_, response) => response.end('seen')))
  const agent = await makeAgent()
  await agent.start('--exec', 'on').ready()
  const runId = await ask(
    [
      { name: 'here', exec: { script: 'echo 42' } },
      {
        name: 'script',
        exec: { script: 'echo "{{ params.who }}"; sleep 0.5; echo code {{ actions.here.result.exitCode }} >&2' },
        runsOn: [agent.name],
      },
      { name: 'request', http: { url: `http://127.0.0.1:${port}/` }, runsOn: [agent.name] },
      {
        name: 'leave',
        exec: { script: String.raw`printf 'a\000b' >left.bin; echo other >other.txt`, artifacts: [{ path: '*.bin' }] },
        runsOn: [agent.name],
      },
    ],
    { parameters: [{ name: 'who' }] },
    { who: `a"; echo pwned; "` },
  )
  const steps = await untilSteps(runId, ['completed', 'completed', 'completed', 'completed'])
  expect(steps.map(({ result }) => result)).toMatchObject([
    { stdout: '42' },
    { stdout: 'a"; echo pwned; "', stderr: 'code 0', exitCode: 0 },
    { code: 200, content: 'seen' },
    { exitCode: 0 },
  ])
  expect(await printedBy(steps[1]?.id)).toBe('a"; echo pwned; "\ncode 0\n')
  const files = await callTable(backend, `artifacts?playbook_run_action_id=eq.${steps[3]?.id}`)
  expect(files).toMatchObject([{ filename: 'left.bin', size: 3, is_data_pushed: true }])
  const download = await fetch(`${gateway.url}/api/artifacts/download/${String(files[0]?.['id'])}`, { headers })
  expect([download.status, await download.text()]).toEqual([200, 'a\0b'])
})

it.each([
  [
    'a value that is stored as a secret',
    { exec: { script: 'true', env: [{ name: 'TOKEN', value: 'hunter2-stored' }] } },
  ],
  ['the secret parameter token', { exec: { script: 'echo {{ params.token }}' } }],
  ['a connection', { sql: { connection: 'connection://own', query: 'select 1' } }],
  [
    "the playbook's environment, whose values are stored as secrets",
    { exec: { script: 'rm -rf "$DIR"/*' } },
    { env: [{ name: 'DIR', value: '/srv/scratch' }] },
  ],
])(
  'is given no secret: a run with a step there that needs %s does not start',
  async (need, action, more: object = {}) => {
    const { name } = await makeAgent()
    const parameters = [{ name: 'token', type: 'secret' }]
    const first = { name: 'here', exec: { script: 'true' } }
    const far = { name: 'far', runsOn: [name], ...action }
    const answer = await askFor([first, far], { parameters, ...more }, { token: 'hunter2' })
    expect(answer.status).toBe(400)
    expect(answer.json()).toEqual({ error: `step far runs on an agent and needs ${need}, and agents are given none` })
  },
)

it('makes a run that waits for it a running one while it works', async () => {
  let answer = (): void => undefined
  const port = await listen(createServer((_, response) => (answer = () => response.end('seen'))))
  const agent = await makeAgent()
  await agent.start().ready()
  const runId = await ask([{ name: 'far', http: { url: `http://127.0.0.1:${port}/` }, runsOn: [agent.name] }])
  await untilSteps(runId, ['running'])
  const [run] = await callTable(backend, `playbook_runs?id=eq.${runId}`)
  expect(run?.['status']).toBe('running')
  await eventually(async () => {
    answer()
    expect((await stepsOf(runId)).map(({ status }) => status)).toEqual(['completed'])
  }, LATER)
})

it('runs no script unless its operator says so', async () => {
  const agent = await makeAgent()
  await agent.start().ready()
  const runId = await ask([{ name: 'script', exec: { script: 'echo ran' }, runsOn: [agent.name] }])
  const [step] = await untilSteps(runId, ['failed'])
  expect(step).toMatchObject({
    error: 'scripts of playbooks are not run on this agent: its operator says --exec file',
  })
  expect(await printedBy(step?.id)).toBe('')
})

it(
  'takes a step that was given while it was away, and tells how one ended when its upstream was',
  { timeout: 60_000 },
  async () => {
    const agent = await makeAgent()
    const waiting = await ask([{ name: 'late', exec: { script: 'echo late' }, runsOn: [agent.name] }])
    await untilSteps(waiting, ['waiting'])
    await agent.start('--exec', 'on').ready()
    await untilSteps(waiting, ['completed'])

    // Longer than a busy machine takes to see its second line.
    const script = 'for i in $(seq 40); do echo line $i; sleep 0.1; done'
    const cut = await ask([{ name: 'long', exec: { script }, runsOn: [agent.name] }])
    const [running] = await untilSteps(cut, ['running'])
    await eventually(async () => expect(await printedBy(running?.id)).toContain('line 2'), LATER)
    relay.setRefusing(true)
    relay.cut()
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(await stepsOf(cut)).toMatchObject([{ status: 'running' }])
    relay.setRefusing(false)
    const [ended] = await untilSteps(cut, ['completed'])
    expect(await printedBy(ended?.id)).toBe(Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`).join(''))
  },
)

it('ends a step that was cancelled, and begins none twice after its own death', { timeout: 60_000 }, async () => {
  const agent = await makeAgent()
  const first = agent.start('--exec', 'on')
  await first.ready()
  const endless = { name: 'endless', exec: { script: 'echo begun $$; sleep 300' }, runsOn: [agent.name] }
  const cancelled = await ask([endless])
  const [step] = await untilSteps(cancelled, ['running'])
  await eventually(async () => expect(await printedBy(step?.id)).toContain('begun'), LATER)
  await backend.call(`/playbook/run/cancel/${cancelled}`, { method: 'POST', headers })
  await untilSteps(cancelled, ['cancelled'])
  // Its place is free again: as many as may run at once begin.
  const killed = await Promise.all([1, 2, 3, 4].map(() => ask([endless])))
  const begun = await Promise.all(killed.map((runId) => untilSteps(runId, ['running'])))
  for (const [each] of begun) await eventually(async () => expect(await printedBy(each?.id)).toContain('begun'), LATER)
  await first.kill()
  await agent.start('--exec', 'on').ready()
  for (const runId of killed) {
    const [dead] = await untilSteps(runId, ['failed'])
    expect(dead?.error).toMatch(/^The agent ended while this step ran/)
    expect((await printedBy(dead?.id)).split('begun')).toHaveLength(2)
  }
})

it('leaves people their places while very many agents wait behind one address', async () => {
  const made = await backend.callAsService('/agent/generate', { method: 'POST', body: { name: 'crowd' } })
  const { access_token: token } = made.json() as { access_token: string }
  const calls: AbortController[] = []
  const agent = createRealAgent(gateway.url, 'crowd', token, () => {
    const call = new AbortController()
    calls.push(call)
    return call.signal
  })
  let answered = 0
  for (let at = 0; at < 100; at++) {
    void agent
      .call('GET', 'playbook-action')
      .then(() => (answered += 1))
      .catch(() => undefined)
  }
  // Whoever finds no place waits, and is told that there is none: not with 200.
  expect((await agent.call('GET', 'ping')).status).toBe(200)
  expect(answered).toBe(0)
  for (const call of calls) call.abort()
})
