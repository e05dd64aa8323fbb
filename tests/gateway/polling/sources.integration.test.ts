import { describe, expect, it, onTestFinished } from 'vitest'

import { FakeBackend, SERVICE_TOKEN } from '#support/fakeBackend.ts'
import { buildSummary } from '#support/liveGateway.ts'

import { systemClock } from '../../../gateway/src/platform/clock.ts'
import { createBackendClient } from '../../../gateway/src/platform/httpClient.ts'
import { createLogger } from '../../../gateway/src/platform/logger.ts'
import { createAgentsSource } from '../../../gateway/src/polling/sources/agents.ts'
import { createChecksSource } from '../../../gateway/src/polling/sources/checks.ts'
import { createSettingsSource } from '../../../gateway/src/polling/sources/settings.ts'

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
