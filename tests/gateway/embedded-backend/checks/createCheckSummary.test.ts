import { type CheckSummary, CheckSummaryResponseSchema, CheckSummarySchema } from '@watchroom/shared/health'
import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import {
  type CheckSummaryStore,
  createCheckSummary,
  type SummaryCheck,
  type SummaryRun,
} from '../../../../gateway/src/embedded-backend/checks/createCheckSummary.ts'

const MINUTE = 60_000

function buildSummaryCheck(id: string, overrides: Partial<SummaryCheck> = {}): SummaryCheck {
  return {
    id,
    canaryId: 'canary-1',
    canaryName: 'storefront',
    canaryNamespace: 'shop',
    name: `check ${id}`,
    namespace: 'shop',
    type: 'http',
    severity: null,
    description: null,
    icon: null,
    owner: null,
    endpoint: 'http://127.0.0.1/',
    agentId: '00000000-0000-0000-0000-000000000000',
    labels: {},
    createdAt: null,
    silencedAt: null,
    ...overrides,
  }
}

const buildRun = (startedAt: number, overrides: Partial<SummaryRun> = {}): SummaryRun => ({
  startedAt,
  durationMs: 10,
  passed: true,
  error: null,
  ...overrides,
})

interface Answer {
  rows: CheckSummary[]
  cursor: string | undefined
  partial: boolean | undefined
  removed: string[] | undefined
}

function parse(text: string): Answer {
  const body = CheckSummaryResponseSchema.parse(JSON.parse(text))
  return {
    rows: body.checks_summary.map((row) => CheckSummarySchema.parse(row)),
    cursor: body.cursor,
    partial: body.partial,
    removed: body.removed,
  }
}

const byId = (a: CheckSummary, b: CheckSummary): number => (a.id < b.id ? -1 : 1)
const ids = (text: string): string[] => parse(text).rows.map((row) => row.id)

const build = (clock = new FakeClock()): { clock: FakeClock; summary: CheckSummaryStore } => ({
  clock,
  summary: createCheckSummary({ clock, epoch: 'boot-1', runnerName: 'local' }),
})

describe('a row', () => {
  it('keeps what the later run said when an older state is read behind it', () => {
    const { clock, summary } = build()
    summary.put(buildSummaryCheck('a'))
    const say = (status: string, lastRuntimeAt: number): string | null | undefined => {
      summary.setState('a', { status, lastRuntimeAt, nextRuntimeAt: null, lastTransitionAt: null, updatedAt: null })
      return parse(summary.read()).rows[0]?.status
    }
    const at = clock.now()
    expect([say('unhealthy', at), say('healthy', at - MINUTE), say('healthy', at)]).toEqual([
      'unhealthy',
      'unhealthy',
      'healthy',
    ])
  })

  it('carries the definition, the state and the last hour', () => {
    const { clock, summary } = build()
    const now = clock.now()
    summary.put(
      buildSummaryCheck('a', {
        severity: 'high',
        labels: { tier: 'web' },
        createdAt: Date.parse('2025-12-01T00:00:00Z'),
      }),
    )
    summary.setState('a', {
      status: 'unhealthy',
      lastRuntimeAt: now - MINUTE,
      nextRuntimeAt: now + MINUTE,
      lastTransitionAt: now - MINUTE,
      updatedAt: now - MINUTE,
    })
    summary.addRuns('a', [
      buildRun(now - 3 * MINUTE, { durationMs: 10 }),
      buildRun(now - 2 * MINUTE, { durationMs: 20 }),
      buildRun(now - MINUTE, { durationMs: 60, passed: false, error: 'status 503' }),
    ])
    // p95, p97 and p99 of 10, 20, 60: value number ceil(0.95 × 3) = 3. Mean (10 + 20 + 60) / 3 = 30.
    expect(JSON.parse(summary.read())).toMatchObject({
      runnerName: 'local',
      checks_summary: [
        {
          id: 'a',
          canary_id: 'canary-1',
          canary_name: 'storefront',
          canary_namespace: 'shop',
          name: 'check a',
          type: 'http',
          status: 'unhealthy',
          severity: 'high',
          endpoint: 'http://127.0.0.1/',
          labels: { tier: 'web' },
          uptime: {
            passed: 2,
            failed: 1,
            last_pass: '2025-12-31T23:58:00.000Z',
            last_fail: '2025-12-31T23:59:00.000Z',
          },
          latency: { p95: 60, p97: 60, p99: 60, rolling1h: 30 },
          last_runtime: '2025-12-31T23:59:00.000Z',
          next_runtime: '2026-01-01T00:01:00.000Z',
          last_transition_time: '2025-12-31T23:59:00.000Z',
          last_error: 'status 503',
          created_at: '2025-12-01T00:00:00.000Z',
        },
      ],
    })
  })

  it('leaves out what it does not know', () => {
    const { summary } = build()
    summary.put(buildSummaryCheck('a', { endpoint: null }))
    const [row] = (JSON.parse(summary.read()) as { checks_summary: Record<string, unknown>[] }).checks_summary
    expect(row).not.toHaveProperty('status')
    expect(row).not.toHaveProperty('endpoint')
    expect(row).toMatchObject({ uptime: { passed: 0, failed: 0 }, latency: { rolling1h: 0 } })
  })

  it('forgets runs older than an hour and then shows the latest one', async () => {
    const { clock, summary } = build()
    const now = clock.now()
    summary.put(buildSummaryCheck('a'))
    summary.addRuns('a', [
      buildRun(now - 50 * MINUTE, { durationMs: 100 }),
      buildRun(now - 10 * MINUTE, { durationMs: 40, passed: false, error: 'refused' }),
    ])
    await clock.advance(10 * MINUTE)
    expect(parse(summary.read()).rows[0]?.uptime).toMatchObject({ passed: 1, failed: 1 })
    await clock.advance(1)
    expect(parse(summary.read()).rows[0]).toMatchObject({
      uptime: { passed: 0, failed: 1 },
      latency: { p95: 40, rolling1h: 40 },
    })
    await clock.advance(24 * 60 * MINUTE)
    expect(parse(summary.read()).rows[0]).toMatchObject({
      uptime: { passed: 0, failed: 1 },
      latency: { p95: 40, p97: 40, p99: 40, rolling1h: 40 },
      last_error: 'refused',
    })
  })

  it('ignores runs of checks it does not know', () => {
    const { clock, summary } = build()
    summary.addRuns('nobody', [buildRun(clock.now())])
    expect(parse(summary.read()).rows).toEqual([])
  })
})

describe('reading with a cursor', () => {
  it('answers only what changed', () => {
    const { clock, summary } = build()
    for (const id of ['a', 'b', 'c']) summary.put(buildSummaryCheck(id))
    const first = parse(summary.read())
    expect(first.partial).toBeUndefined()
    expect(parse(summary.read(first.cursor))).toMatchObject({
      rows: [],
      partial: true,
      removed: [],
      cursor: first.cursor,
    })

    summary.addRuns('b', [buildRun(clock.now())])
    summary.remove('c')
    const second = parse(summary.read(first.cursor))
    expect(second).toMatchObject({ rows: [{ id: 'b' }], partial: true, removed: ['c'] })
    expect(parse(summary.read(second.cursor))).toMatchObject({ rows: [], removed: [] })
  })

  it('counts a run that leaves the hour as a change', async () => {
    const { clock, summary } = build()
    for (const id of ['a', 'b']) {
      summary.put(buildSummaryCheck(id))
      summary.addRuns(id, [buildRun(clock.now() - (id === 'a' ? 59 : 30) * MINUTE)])
    }
    const { cursor } = parse(summary.read())
    await clock.advance(2 * MINUTE)
    expect(parse(summary.read(cursor)).rows.map((row) => row.id)).toEqual(['a'])
  })

  it.each(['boot-0.1', 'boot-1.999', 'boot-1.', 'boot-1.x', 'nonsense', '', 'boot-1.-1'])(
    'answers everything for the cursor %j, which is not ours',
    (cursor) => {
      const { summary } = build()
      summary.put(buildSummaryCheck('a'))
      expect(parse(summary.read(cursor))).toMatchObject({ rows: [{ id: 'a' }] })
      expect(parse(summary.read(cursor)).partial).toBeUndefined()
    },
  )

  it('answers everything to a reader that missed more removals than are remembered', () => {
    const { summary } = build()
    summary.put(buildSummaryCheck('kept'))
    const { cursor } = parse(summary.read())
    for (let index = 0; index < 10_050; index++) {
      summary.put(buildSummaryCheck(`gone-${index}`))
      summary.remove(`gone-${index}`)
    }
    expect(parse(summary.read(cursor)).partial).toBeUndefined()
  })

  it('keeps a reader equal to a fresh one, whatever happens', async () => {
    const clock = new FakeClock()
    const { summary } = build(clock)
    let random = 42
    const next = (below: number): number => {
      random = (random * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((random / 2_147_483_648) * below)
    }
    const readers = [1, 3, 17].map((every) => ({
      every,
      cursor: undefined as string | undefined,
      rows: new Map<string, CheckSummary>(),
    }))
    for (let step = 1; step <= 2_000; step++) {
      const id = `check-${next(40)}`
      const operation = next(10)
      if (operation === 0) summary.remove(id)
      else if (operation === 1) summary.put(buildSummaryCheck(id, { name: `name ${step}` }))
      else if (operation === 2) await clock.advance(next(10 * MINUTE))
      else if (operation === 3) {
        const at = clock.now()
        const state = { lastRuntimeAt: at, nextRuntimeAt: null, lastTransitionAt: null, updatedAt: at }
        summary.setState(id, { status: next(2) ? 'healthy' : 'unhealthy', ...state })
      } else {
        summary.addRuns(id, [buildRun(clock.now() - next(MINUTE), { durationMs: next(900), passed: next(5) > 0 })])
      }
      for (const reader of readers) {
        if (step % reader.every !== 0) continue
        const answer = parse(summary.read(reader.cursor))
        if (!answer.partial) reader.rows.clear()
        for (const row of answer.rows) reader.rows.set(row.id, row)
        for (const removed of answer.removed ?? []) reader.rows.delete(removed)
        reader.cursor = answer.cursor
        const fresh = parse(summary.read()).rows
        expect([...reader.rows.values()].toSorted(byId)).toEqual(fresh.toSorted(byId))
      }
    }
  })
})

describe('filtering', () => {
  it('selects by id and by labels, and sorts by name', () => {
    const { summary } = build()
    summary.put(buildSummaryCheck('a', { name: 'Beta', labels: { tier: 'web', team: 'x' } }))
    summary.put(buildSummaryCheck('b', { name: 'alpha', labels: { tier: 'web' } }))
    summary.put(buildSummaryCheck('c', { name: 'gamma', labels: { tier: 'data' } }))
    expect(ids(summary.readFiltered({ checkId: 'b' }))).toEqual(['b'])
    expect(ids(summary.readFiltered({ labels: { tier: 'web' }, sortBy: 'name' }))).toEqual(['b', 'a'])
    expect(ids(summary.readFiltered({ labels: { tier: 'web', team: 'x' } }))).toEqual(['a'])
    expect(ids(summary.readFiltered({ sortBy: '-name' }))).toEqual(['c', 'a', 'b'])
  })
})
