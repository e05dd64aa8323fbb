import { pino } from 'pino'
import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import {
  type CheckResult,
  createResultStore,
  type ResultStore,
  type ResultStoreDeps,
  type StoredResults,
} from '../../../../gateway/src/embedded-backend/checks/createResultStore.ts'

interface SentRow {
  check_id: string
  duration: number
  error: string | null
  details: unknown
}

/** A database that can be away, and that refuses rows of the check `poison`. */
function build(options: Partial<Pick<ResultStoreDeps, 'maxBuffered' | 'maxBufferedBytes'>> = {}) {
  const clock = new FakeClock()
  const state = { isAway: false, batches: [] as SentRow[][] }
  const stored: StoredResults[] = []
  const query = async (_text: string, values: unknown[]): Promise<{ rows: unknown[] }> => {
    await Promise.resolve()
    if (state.isAway) throw Object.assign(new Error('terminating connection'), { code: '57P01' })
    const rows = JSON.parse(String(values[0])) as SentRow[]
    if (rows.some((row) => row.check_id === 'poison')) {
      throw Object.assign(new Error('invalid input syntax for type uuid'), { code: '22P02' })
    }
    state.batches.push(rows)
    return { rows: [] }
  }
  const store: ResultStore = createResultStore({
    pool: { query } as unknown as ResultStoreDeps['pool'],
    clock,
    logger: pino({ level: 'silent' }),
    random: () => 0,
    onStored: (results) => stored.push(results),
    ...options,
  })
  return { clock, store, state, stored, written: () => state.batches.flat().map((row) => row.check_id) }
}

const buildResult = (checkId: string, overrides: Partial<CheckResult> = {}): CheckResult => ({
  checkId,
  startedAt: Date.parse('2026-01-01T00:00:00Z'),
  durationMs: 12.4,
  passed: true,
  isInvalid: false,
  message: null,
  error: null,
  details: null,
  severity: null,
  nextRuntimeAt: null,
  ...overrides,
})

const addMany = (store: ResultStore, count: number): void => {
  for (let index = 0; index < count; index++) store.add(buildResult(`check-${index}`))
}

describe('batches', () => {
  it('are written 50 ms after the first result', async () => {
    const { clock, store, state, stored } = build()
    store.add(buildResult('a'))
    await clock.advance(49)
    store.add(buildResult('b'))
    expect(state.batches).toHaveLength(0)
    await clock.advance(1)
    expect(state.batches.map((batch) => batch.map((row) => row.check_id))).toEqual([['a', 'b']])
    expect(stored[0]?.results.map((result) => result.checkId)).toEqual(['a', 'b'])
  })

  it('are written at once when 200 results wait', async () => {
    const { clock, store, state } = build()
    addMany(store, 450)
    await clock.advance(0)
    expect(state.batches.map((batch) => batch.length)).toEqual([200, 200, 50])
  })
})

describe('while the database is away', () => {
  it('keeps results, tries again less and less often, and writes them in order', async () => {
    const { clock, store, state, written } = build()
    state.isAway = true
    addMany(store, 3)
    await clock.advance(60_000)
    expect(store.metrics()).toMatchObject({ buffered: 3, written: 0, dropped: 0 })
    state.isAway = false
    await clock.advance(6_000)
    expect(written()).toEqual(['check-0', 'check-1', 'check-2'])
    expect(store.metrics()).toMatchObject({ buffered: 0, written: 3 })
    expect(clock.pending).toBe(0)
  })

  it('drops the oldest results beyond the bound, and counts them', async () => {
    const { clock, store, state, written } = build({ maxBuffered: 10 })
    state.isAway = true
    addMany(store, 13)
    await clock.advance(1_000)
    state.isAway = false
    await clock.advance(6_000)
    expect(store.metrics()).toMatchObject({ dropped: 3, written: 10 })
    expect(written()[0]).toBe('check-3')
  })

  it('bounds the buffer in bytes too', async () => {
    const { clock, store, state } = build({ maxBufferedBytes: 10_000 })
    state.isAway = true
    for (let index = 0; index < 20; index++) store.add(buildResult(`check-${index}`, { error: 'x'.repeat(2_000) }))
    await clock.advance(100)
    expect(store.metrics().buffered).toBeLessThanOrEqual(5)
    expect(store.metrics().dropped).toBeGreaterThanOrEqual(15)
  })

  it('lets nobody wait for a result that was dropped', async () => {
    const { clock, store, state } = build({ maxBuffered: 1 })
    state.isAway = true
    store.add(buildResult('a'))
    let isFlushed = false
    void store.flushed().then(() => (isFlushed = true))
    await clock.advance(10)
    expect(isFlushed).toBe(false)
    store.add(buildResult('b'))
    await clock.advance(0)
    expect(isFlushed).toBe(true)
  })

  it('gives up on closing after five seconds', async () => {
    const { clock, store, state } = build()
    state.isAway = true
    addMany(store, 3)
    let isClosed = false
    const closing = store.close().then(() => (isClosed = true))
    await clock.advance(4_900)
    expect(isClosed).toBe(false)
    await clock.advance(300)
    await closing
    expect(clock.pending).toBe(0)
  })
})

describe('content', () => {
  it('that the database refuses costs that result alone', async () => {
    const { clock, store, written } = build()
    for (const id of ['a', 'b', 'poison', 'c', 'd']) store.add(buildResult(id))
    await clock.advance(100)
    expect(written().toSorted()).toEqual(['a', 'b', 'c', 'd'])
    expect(store.metrics()).toMatchObject({ rejected: 1, written: 4, buffered: 0 })
  })

  it('is made acceptable to jsonb: no NUL, no half characters, no endless texts', async () => {
    const { clock, store, state } = build()
    store.add(
      buildResult('a', {
        error: `bad\0 byte \uD800 and ${'x'.repeat(10_000)}`,
        details: { output: 'a\0b', huge: 1 },
        durationMs: 0.2,
      }),
    )
    store.add(buildResult('b', { details: { output: 'y'.repeat(100_000) } }))
    await clock.advance(100)
    const [first, second] = state.batches.flat()
    expect(first?.error?.startsWith('bad byte \uFFFD and xxx')).toBe(true)
    expect(first?.error?.length).toBeLessThan(8_200)
    expect(first).toMatchObject({ details: { output: 'ab', huge: 1 }, duration: 1 })
    expect(JSON.stringify(second?.details).length).toBeLessThan(100)
  })
})
