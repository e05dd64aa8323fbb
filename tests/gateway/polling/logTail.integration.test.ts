// The tail of a log over a real HTTP server: one that waits for news itself, and one that knows nothing of that.
import { NIL_UUID } from '@watchroom/shared/kernel'
import { describe, expect, it, onTestFinished } from 'vitest'

import { FakeBackend, SERVICE_TOKEN } from '#support/fakeBackend.ts'

import { systemClock } from '../../../gateway/src/platform/clock.ts'
import { createBackendClient } from '../../../gateway/src/platform/httpClient.ts'
import { createLogTailSource } from '../../../gateway/src/polling/sources/logTail.ts'

const LOGS = 'POST /logs'
const line = (n: number, more: object = {}) => ({
  id: `l${n}`,
  timestamp: new Date(1_795_428_000_000 + n * 1_000).toISOString(),
  message: `line ${n}`,
  ...more,
})

async function useSource(query = '', isPersonal = false) {
  const backend = await FakeBackend.start()
  const client = createBackendClient({ backendUrl: backend.url, token: SERVICE_TOKEN })
  onTestFinished(async () => {
    await client.close()
    await backend.stop()
  })
  const params = { componentId: NIL_UUID, selector: 'all', query }
  const source = createLogTailSource({ backend: client, clock: systemClock, params, isPersonal })
  return {
    backend,
    read: (cursor?: string) => source.read(new AbortController().signal, cursor),
    bodies: () => backend.received(LOGS).map(({ body }) => JSON.parse(body) as Record<string, unknown>),
  }
}
const linesOf = (read: { rows: readonly { lines: readonly { message: string }[] }[] }): string[] =>
  read.rows.flatMap(({ lines }) => lines.map(({ message }) => message))

describe('the log tail source', () => {
  it('goes on where the backend says, and may ask it again at once', async () => {
    const { backend, read, bodies } = await useSource('line')
    backend.json(LOGS, { results: [line(2), line(1)], tail: 't1' })
    const first = await read()
    expect(first).toMatchObject({ kind: 'all', mayReadOn: true, rows: [{ seq: 1, dropped: 0 }] })
    expect(linesOf(first)).toEqual(['line 1', 'line 2'])
    // It stood at the end when both were asked.
    backend.json(LOGS, { results: [line(4), line(3), line(2)], tail: 't2', dropped: 7 })
    const second = await read(first.cursor)
    expect(second).toMatchObject({ kind: 'changes', rows: [{ seq: 2, dropped: 7 }], removed: [] })
    expect(linesOf(second)).toEqual(['line 3', 'line 4'])
    backend.json(LOGS, { tail: 't2' })
    expect(await read(second.cursor)).toMatchObject({ kind: 'changes', rows: [] })
    expect(bodies().map(({ follow }) => follow)).toEqual(['', 't1', 't2'])
    expect(bodies()[0]).toMatchObject({ id: NIL_UUID, name: 'all', query: 'line' })
    // Whoever comes later gets what the others have, and no line is asked for again.
    expect(linesOf(await read())).toEqual(['line 1', 'line 2', 'line 3', 'line 4'])
    expect(bodies()).toHaveLength(3)
  })

  it('of someone who is shown some components asks first whether this is one of them, each time', async () => {
    const { backend, read, bodies } = await useSource('', true)
    const [COMPONENTS, shown] = ['GET /db/components', [{ id: NIL_UUID }]]
    backend.json(LOGS, { results: [line(1)], tail: 't1' })
    backend.json(COMPONENTS, [])
    const first = await read()
    expect([first, bodies()]).toMatchObject([{ kind: 'all', rows: [], mayReadOn: false }, []])
    backend.json(COMPONENTS, shown)
    const second = await read(first.cursor)
    expect([second.kind, linesOf(second)]).toEqual(['all', ['line 1']])
    backend.json(LOGS, { results: [line(2)], tail: 't2' })
    expect(linesOf(await read(second.cursor))).toEqual(['line 2'])
    expect(backend.received(COMPONENTS).at(-1)?.url).toBe(`/db/components?id=eq.${NIL_UUID}&select=id&limit=1`)
    // Hidden from them now: what they had goes, and nothing is asked for.
    backend.json(COMPONENTS, [])
    expect(await read(second.cursor)).toMatchObject({ kind: 'all', rows: [], mayReadOn: false })
    expect(bodies()).toHaveLength(2)
  })

  it('asks another backend from its last moment on, and takes each line once that has the words', async () => {
    const { backend, read, bodies } = await useSource('LINE')
    backend.json(LOGS, { results: [line(1), { message: 'other' }] })
    const first = await read()
    expect(first.mayReadOn).toBe(false)
    expect(linesOf(first)).toEqual(['line 1'])
    backend.json(LOGS, { results: [line(2, { id: undefined }), line(1)] })
    expect(linesOf(await read(first.cursor))).toEqual(['line 2'])
    expect(linesOf(await read(first.cursor))).toEqual([])
    // What another host says may be older, and come later.
    expect(bodies().map(({ start }) => start)).toEqual([undefined, line(-4).timestamp, line(-3).timestamp])
  })

  it('brings a line that came late, with an earlier time', async () => {
    const { backend, read } = await useSource()
    backend.json(LOGS, { results: [line(9), line(6)] })
    const first = await read()
    backend.json(LOGS, { results: [line(10), line(9), line(8), line(6)], total: 4 })
    const second = await read(first.cursor)
    expect([second.rows, linesOf(second)]).toMatchObject([[{ dropped: 0 }], ['line 8', 'line 10']])
  })

  it('brings nothing that was said before the lines of its beginning', async () => {
    const { backend, read, bodies } = await useSource()
    backend.json(LOGS, { results: [line(9), line(8)], nextPage: 'older' })
    const first = await read()
    backend.json(LOGS, { results: [line(10), line(9), line(8), line(7)] })
    expect(linesOf(await read(first.cursor))).toEqual(['line 10'])
    expect(bodies()[1]).toMatchObject({ start: line(8).timestamp })
  })

  it('counts what came between two answers of a backend that has no tail', async () => {
    const { backend, read, bodies } = await useSource('line')
    backend.json(LOGS, { results: [line(1)] })
    const first = await read()
    // It begins with the line that is known: nothing is missing.
    backend.json(LOGS, { results: [line(3), line(2), line(1)], total: 3 })
    expect(await read(first.cursor)).toMatchObject({ rows: [{ dropped: 0 }] })
    backend.json(LOGS, { results: [line(9), line(8, { message: 'other' })], total: 9, nextPage: 'older' })
    const third = await read(first.cursor)
    // Of nine since five seconds before the third, three are known, and two are here.
    expect([third.rows, linesOf(third)]).toMatchObject([[{ dropped: 4 }], ['line 9']])
    // What was counted once is not counted again: the next question begins with the first of those.
    backend.json(LOGS, { results: [line(8, { message: 'other' }), line(9)], nextPage: 'older' })
    expect((await read(first.cursor)).rows).toEqual([])
    backend.json(LOGS, { results: [line(12)], total: 9, nextPage: 'older' })
    expect((await read(first.cursor)).rows).toMatchObject([{ dropped: 6 }])
    expect(bodies().at(-1)).toMatchObject({ start: line(8).timestamp })
  })

  it('says that nobody counted them where the backend does not', async () => {
    const { backend, read } = await useSource()
    backend.json(LOGS, { results: [line(1)] })
    const first = await read()
    backend.json(LOGS, { results: [line(20)], nextPage: 'older' })
    expect((await read(first.cursor)).rows).toMatchObject([{ dropped: 1, mayBeMore: true }])
  })

  it('keeps some 2 MB: the oldest pieces leave', async () => {
    const { backend, read } = await useSource()
    backend.json(LOGS, { results: [line(1, { message: 'x'.repeat(1_500_000) })], tail: 't' })
    const first = await read()
    backend.json(LOGS, { results: [line(2, { message: 'y'.repeat(1_500_000) })], tail: 't' })
    expect(await read(first.cursor)).toMatchObject({ kind: 'changes', rows: [{ seq: 2 }], removed: ['1'] })
    expect((await read()).rows).toHaveLength(1)
  })

  it('tells of a refusal instead of rows', async () => {
    const { backend, read } = await useSource()
    backend.on(LOGS, (_request, response) => void response.writeHead(403).end())
    await expect(read()).rejects.toMatchObject({ code: 'POLLING_UPSTREAM_REFUSED' })
  })
})
