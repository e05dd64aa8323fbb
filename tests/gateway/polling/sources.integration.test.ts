import { describe, expect, it, onTestFinished } from 'vitest'

import { FakeBackend, SERVICE_TOKEN } from '#support/fakeBackend.ts'
import { buildSummary } from '#support/liveGateway.ts'

import { systemClock } from '../../../gateway/src/platform/clock.ts'
import { createBackendClient } from '../../../gateway/src/platform/httpClient.ts'
import { createLogger } from '../../../gateway/src/platform/logger.ts'
import { createAgentsSource } from '../../../gateway/src/polling/sources/agents.ts'
import { createChecksSource } from '../../../gateway/src/polling/sources/checks.ts'
import { createJobsSource } from '../../../gateway/src/polling/sources/jobs.ts'
import { createPlaybookOutputSource } from '../../../gateway/src/polling/sources/playbookOutput.ts'
import { createPlaybookRunSource } from '../../../gateway/src/polling/sources/playbookRun.ts'
import { createPlaybookRunsSource } from '../../../gateway/src/polling/sources/playbookRuns.ts'
import { createSettingsSource } from '../../../gateway/src/polling/sources/settings.ts'
import { createTopologySource } from '../../../gateway/src/polling/sources/topology.ts'

const SUMMARY = 'GET /canary/api/summary'
const AGENTS = 'GET /db/agents_summary'

async function useBackend() {
  const backend = await FakeBackend.start()
  const client = createBackendClient({ backendUrl: backend.url, token: SERVICE_TOKEN })
  onTestFinished(async () => {
    await client.close()
    await backend.stop()
  })
  const deps = { backend: client, clock: systemClock, logger: createLogger({ level: 'silent' }) }
  return { backend, client, checks: createChecksSource(deps), agents: createAgentsSource(deps) }
}

const signal = (): AbortSignal => new AbortController().signal

describe('the checks source', () => {
  it('reads all rows with the gateway own credential; the moment of asking is their age', async () => {
    const { backend, checks } = await useBackend()
    backend.json(SUMMARY, { duration: 3, runnerName: 'x', checks_summary: buildSummary(2), cursor: '7' })
    const before = Date.now()
    const read = await checks.read(signal())
    expect(read).toMatchObject({
      kind: 'all',
      cursor: '7',
      droppedRows: 0,
      rows: [{ name: 'check-0' }, { name: 'check-1' }],
    })
    expect(read.asOf).toBeGreaterThanOrEqual(before)
    expect(read.asOf).toBeLessThanOrEqual(Date.now())
    const [request] = backend.received(SUMMARY)
    expect(request?.headers.authorization).toBe(`Bearer ${SERVICE_TOKEN}`)
    expect(request?.url).toBe('/canary/api/summary')
  })

  it('[LIVE-37] asks from a cursor and takes changes and removals', async () => {
    const { backend, checks } = await useBackend()
    backend.json(SUMMARY, { checks_summary: buildSummary(1), partial: true, removed: ['gone'], cursor: '9' })
    const read = await checks.read(signal(), 'a b&c')
    expect(read).toMatchObject({ kind: 'changes', rows: [{ name: 'check-0' }], removed: ['gone'], cursor: '9' })
    expect(backend.received(SUMMARY)[0]?.url).toBe('/canary/api/summary?since=a%20b%26c')
  })

  it('[LIVE-37] takes all rows from a backend that knows no cursor', async () => {
    const { backend, checks } = await useBackend()
    backend.json(SUMMARY, { checks_summary: buildSummary(1) })
    expect(await checks.read(signal(), 'c')).toMatchObject({ kind: 'all', rows: [{ name: 'check-0' }] })
    backend.json(SUMMARY, { checks_summary: null })
    expect(await checks.read(signal())).toMatchObject({ kind: 'all', rows: [] })
  })

  it('[LIVE-36] leaves unreadable and deleted rows out; in a partial answer they leave the board', async () => {
    const { backend, checks } = await useBackend()
    const [good, deleted] = buildSummary(2, (index) => (index === 1 ? { deleted_at: '2026-01-01T00:00:00Z' } : {}))
    const rows = [good, deleted, { id: 'broken' }, 7, null]
    backend.json(SUMMARY, { checks_summary: rows })
    expect(await checks.read(signal())).toMatchObject({ kind: 'all', droppedRows: 3, rows: [{ name: 'check-0' }] })
    backend.json(SUMMARY, { checks_summary: rows, partial: true })
    expect(await checks.read(signal(), 'c')).toMatchObject({
      kind: 'changes',
      droppedRows: 3,
      removed: ['00000000-0000-4000-8000-000000000001', 'broken'],
    })
  })

  it.each([
    ['another status', 'POLLING_UPSTREAM_REFUSED', 403, '{}'],
    ['a 404 of something between', 'POLLING_UPSTREAM_REFUSED', 404, '<html>Not Found</html>'],
    ['a 404 of a row', 'POLLING_UPSTREAM_REFUSED', 404, '{"error":"not found","message":"Not Found"}'],
    ['a table that is not there', 'POLLING_UPSTREAM_NOT_OFFERED', 404, '{"code":"PGRST205","message":"no table"}'],
    ['a relation that is not there', 'POLLING_UPSTREAM_NOT_OFFERED', 404, '{"code":"42P01","message":"no relation"}'],
    ['a 404 without a word', 'POLLING_UPSTREAM_NOT_OFFERED', 404, ''],
    ['HTML', 'POLLING_UPSTREAM_UNREADABLE', 200, '<html>'],
    ['another shape', 'POLLING_UPSTREAM_UNREADABLE', 200, '{"checks_summary":7}'],
    ['half an answer', 'POLLING_UPSTREAM_UNREADABLE', 200, '{"checks_summary":[{"id":"a"'],
  ])('[LIVE-34] names %s', async (_name, code, status, body) => {
    const { backend, checks } = await useBackend()
    backend.on(SUMMARY, (_request, response) => void response.writeHead(status).end(body))
    await expect(checks.read(signal())).rejects.toMatchObject({ code })
  })

  it('[LIVE-34] names a backend that is away, and one that hangs up', async () => {
    const { backend, checks } = await useBackend()
    backend.on(SUMMARY, (_request, response) => {
      response.writeHead(200).write('{"checks_summary":[')
      setTimeout(() => response.destroy(), 50)
    })
    await expect(checks.read(signal())).rejects.toMatchObject({ code: 'POLLING_UPSTREAM_UNREADABLE' })
    await backend.stop()
    await expect(checks.read(signal())).rejects.toMatchObject({ code: 'POLLING_UPSTREAM_UNAVAILABLE' })
  })

  it('ends when it is given up, in the middle of the answer too', async () => {
    const { backend, checks } = await useBackend()
    backend.on(SUMMARY, (_request, response) => void response.writeHead(200).write('{"checks_summary":['))
    const controller = new AbortController()
    const reading = checks.read(controller.signal)
    setTimeout(() => controller.abort(), 50)
    await expect(reading).rejects.toMatchObject({ name: 'CodedError' })
  })
})

describe('the agents source', () => {
  it('reads the agents with their creators; a bad row is left out', async () => {
    const { backend, agents } = await useBackend()
    backend.json(AGENTS, [
      { id: 'a', name: 'agent', created_by: { id: 'p', name: 'Person', avatar: null }, checks_count: 3 },
      { id: 7 },
    ])
    expect(await agents.read(signal())).toMatchObject({
      kind: 'all',
      droppedRows: 1,
      rows: [{ id: 'a', created_by: { name: 'Person' }, checks_count: 3 }],
    })
    expect(backend.received(AGENTS)[0]?.url).toBe('/db/agents_summary?select=*,created_by(id,name,avatar)')
  })

  it("judges each agent on the server's clock", async () => {
    const { backend, agents } = await useBackend()
    const seenAgo = (ms: number) => new Date(Date.now() - ms).toISOString()
    backend.json(AGENTS, [
      { id: 'a', name: 'here', last_seen: seenAgo(30_000) },
      { id: 'b', name: 'silent', last_seen: seenAgo(62_000) },
      { id: 'c', name: 'new' },
    ])
    expect((await agents.read(signal())).rows.map(({ name, status }) => [name, status])).toEqual([
      ['here', 'online'],
      ['silent', 'offline'],
      ['new', null],
    ])
  })

  it('[LIVE-34] names an answer that is no list', async () => {
    const { backend, agents } = await useBackend()
    backend.json(AGENTS, { message: 'no' })
    await expect(agents.read(signal())).rejects.toMatchObject({ code: 'POLLING_UPSTREAM_UNREADABLE' })
  })
})

describe('the settings source', () => {
  it('reads the version of each row of one table, and nothing else of it', async () => {
    const { backend, client } = await useBackend()
    backend.json('GET /db/logging_backends', [
      { id: 'a', updated_at: '2026-01-01T00:00:00Z' },
      { id: 'b', updated_at: null },
    ])
    const settings = createSettingsSource({ backend: client, clock: systemClock, table: 'logging_backends' })
    expect(await settings.read(signal())).toMatchObject({
      kind: 'all',
      rows: [
        { id: 'a', version: '["2026-01-01T00:00:00Z"]' },
        { id: 'b', version: '[null]' },
      ],
    })
    expect(backend.received('GET /db/logging_backends')[0]?.url).toBe(
      '/db/logging_backends?select=id,updated_at&deleted_at=is.null&order=updated_at.desc.nullslast&limit=5000',
    )
  })
})

describe('the settings source, of a table whose signs a view of ours has', () => {
  const VIEW = 'GET /db/connections_with_status'

  it.each([
    ['has no such relation', 404, '{"code":"42P01","message":"relation does not exist"}'],
    ['does not know it, without a word', 404, ''],
    ['gives it to nobody', 403, '{"message":"forbidden"}'],
  ])('reads the table of a backend that %s', async (_name, status, body) => {
    const { backend, client } = await useBackend()
    backend.on(VIEW, (_request, response) => void response.writeHead(status).end(body))
    backend.json('GET /db/connections', [{ id: 'a', updated_at: '2026-01-01T00:00:00Z' }])
    const settings = createSettingsSource({ backend: client, clock: systemClock, table: 'connections' })
    expect(await settings.read(signal())).toMatchObject({ kind: 'all', rows: [{ id: 'a' }] })
  })
})

describe('the sources of playbook runs', () => {
  const RUNS = 'GET /db/playbook_runs'
  const queryOf = (url: string | undefined): URLSearchParams => new URL(url ?? '', 'http://backend').searchParams

  it('read the newest runs and those that have not ended, each once', async () => {
    const { backend, client } = await useBackend()
    const run = { id: 'a', playbook_id: 'p', status: 'running', playbooks: { id: 'p', name: 'Restart', spec: {} } }
    backend.json(RUNS, [run, { id: 7 }])
    const read = await createPlaybookRunsSource({ backend: client, clock: systemClock }).read(signal())
    expect(read).toMatchObject({ kind: 'all', droppedRows: 2 })
    expect(read.rows).toMatchObject([{ id: 'a', status: 'running', playbooks: { id: 'p', name: 'Restart' } }])
    expect(backend.received(RUNS).map(({ url }) => queryOf(url).get('status'))).toEqual([
      null,
      'not.in.(completed,failed,cancelled)',
    ])
  })

  it('read one run with its steps, whose attempts they count, and approvals', async () => {
    const { backend, client } = await useBackend()
    backend.json(RUNS, [{ id: 'r', playbook_id: 'p', status: 'failed' }])
    backend.json(
      'GET /db/playbook_run_actions',
      ['build', 'ship', 'ship'].map((name, index) => ({ id: `s${index}`, name, status: 'failed', result: {} })),
    )
    backend.json('GET /db/playbook_approvals', [{ id: 'a', person: { id: 'x', name: 'Rae' } }])
    const { rows } = await createPlaybookRunSource({ backend: client, clock: systemClock, runId: 'r' }).read(signal())
    expect(rows).toMatchObject([
      { kind: 'run', id: 'r', status: 'failed' },
      { kind: 'action', id: 's0', name: 'build', attempt: 1 },
      { kind: 'action', id: 's1', name: 'ship', attempt: 1 },
      { kind: 'action', id: 's2', name: 'ship', attempt: 2 },
      { kind: 'approval', id: 'a', person: { name: 'Rae' } },
    ])
    expect(rows.every((row) => !('result' in row))).toBe(true)
  })

  /** Answers as the table would: a step that has printed pieces of this many characters. */
  function outputOf({ backend, client }: Awaited<ReturnType<typeof useBackend>>, sizes: number[]) {
    backend.on('GET /db/playbook_run_outputs', ({ url }, response) => {
      const query = queryOf(url)
      const above = (column: string): number => Number(/^g[te]+\.(\d+)$/.exec(query.get(column) ?? 'gt.0')?.[1])
      let place = 0
      const all = sizes.map((size, index) => {
        const piece = { seq: index + 1, at: 'now', stream: 'stdout', text: 'x'.repeat(size), place }
        place += size
        return piece
      })
      const found = all.filter((piece) => piece.seq > above('seq') && piece.place >= above('place'))
      const ordered = query.get('order') === 'seq.desc' ? found.toReversed() : found
      response.writeHead(200).end(JSON.stringify(ordered.slice(0, Number(query.get('limit')))))
    })
    return createPlaybookOutputSource({ backend: client, clock: systemClock, actionId: 's' })
  }
  const seqsOf = (rows: readonly { seq: number }[]): number[] => rows.map(({ seq }) => seq)

  it('[LIVE-37] read what a step printed, then what it added', async () => {
    const sizes = [3, 4]
    const output = outputOf(await useBackend(), sizes)
    const first = await output.read(signal())
    expect(first).toMatchObject({ kind: 'all', cursor: '2', rows: [{ seq: 1, text: 'xxx' }, { seq: 2 }] })
    sizes.push(...Array.from({ length: 100 }, () => 1))
    const second = await output.read(signal(), first.cursor)
    expect(second).toMatchObject({ kind: 'changes', cursor: '102', removed: [] })
    expect(seqsOf(second.rows)).toEqual(Array.from({ length: 100 }, (_, index) => index + 3))
    expect(await output.read(signal(), second.cursor)).toMatchObject({ rows: [], removed: [], cursor: '102' })
  })

  it('keep the newest 2 MB of it', async () => {
    const sizes = Array.from({ length: 60 }, () => 60_000)
    const output = outputOf(await useBackend(), sizes)
    const first = await output.read(signal())
    expect(seqsOf(first.rows).at(-1)).toBe(60)
    expect(first.rows.length * 60_000).toBeLessThanOrEqual(2_060_000)
    sizes.push(60_000, 60_000)
    const second = await output.read(signal(), first.cursor)
    expect(second).toMatchObject({ kind: 'changes', rows: [{ seq: 61 }, { seq: 62 }] })
    const left = second.kind === 'changes' ? second.removed.length : 0
    expect(first.rows.length + 2 - left).toBe(33)
  })
})

describe('the jobs source', () => {
  it('reads the newest and those that run, each once, of one resource where one is named', async () => {
    const { backend, client } = await useBackend()
    const path = 'GET /db/job_histories'
    const jobs = [{ id: 'a', status: 'RUNNING' }, { id: 'b' }, { status: 'no id' }]
    backend.json(path, jobs)
    const resourceId = '018f0000-0000-7000-8000-0000000000a1'
    const source = createJobsSource({ backend: client, clock: systemClock, resourceId })
    const read = await source.read(signal())
    expect(read).toMatchObject({ kind: 'all', rows: [jobs[0], jobs[1]], droppedRows: 2 })
    const urls = backend.received(path).map(({ url }) => new URL(url ?? '', 'http://x').searchParams)
    expect(urls.map((query) => query.get('status'))).toEqual(expect.arrayContaining([null, 'eq.RUNNING']))
    expect(urls.map((query) => query.get('resource_id'))).toEqual([`eq.${resourceId}`, `eq.${resourceId}`])
  })
})

it('reads what a page of the topology shows as rows, never from what the backend kept', async () => {
  const { backend, client } = await useBackend()
  const TOPOLOGY = 'GET /canary/api/topology'
  const leaf = { id: 'c', name: 'pod', health: 'healthy' }
  const web = { id: 'b', name: 'web', health: 'warning', created_at: '2026-01-01T00:00:00Z', components: [leaf] }
  backend.json(TOPOLOGY, { components: [{ id: 'a', name: 'shop', components: [web, leaf] }, web], types: [] })
  const { rows } = await createTopologySource({ backend: client, clock: systemClock, id: '' }).read(signal())
  expect(rows).toMatchObject([
    { id: 'b', is_top: true, shown: ['c'], health: 'warning' },
    { id: 'a', is_top: true, shown: ['b', 'c'] },
    { id: 'c', is_top: false, shown: [] },
  ])
  backend.json(TOPOLOGY, { components: null })
  expect((await createTopologySource({ backend: client, clock: systemClock, id: 'x' }).read(signal())).rows).toEqual([])
  expect(
    backend
      .received(TOPOLOGY)
      .map(({ url }) => [new URL(url, 'http://x').searchParams.get('id'), url.includes('noCache=true')]),
  ).toEqual([
    [null, true],
    ['x', true],
  ])
})

it('[LIVE-37] follows a page of the topology row by row, where the backend knows rows', async () => {
  const { backend, client } = await useBackend()
  const TOPOLOGY = 'GET /canary/api/topology'
  const source = createTopologySource({ backend: client, clock: systemClock, id: '' })
  const row = { id: 'a', name: 'shop', is_top: true, shown: ['b'] }
  backend.json(TOPOLOGY, { rows: [row, { id: 'b', name: 'web' }], removed: [], partial: false, cursor: 'e.1' })
  expect(await source.read(signal())).toMatchObject({ kind: 'all', rows: [row, { id: 'b', is_top: false }] })
  backend.json(TOPOLOGY, { rows: [{ ...row, shown: [] }], removed: ['b'], partial: true, cursor: 'e.2' })
  const changes = { kind: 'changes', rows: [{ id: 'a', shown: [] }], removed: ['b'], cursor: 'e.2' }
  expect(await source.read(signal(), 'e.1')).toMatchObject(changes)
  expect(backend.received(TOPOLOGY).map(({ url }) => new URL(url, 'http://x').searchParams.get('rows'))).toEqual([
    'true',
    'true',
  ])
})
