import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { summarize } from '../../../../../gateway/src/embedded-backend/catalog/read/summarize.ts'
import {
  parseSummaryRequest,
  SummaryRequestSchema,
} from '../../../../../gateway/src/embedded-backend/catalog/read/summaryRequest.ts'
import { createCatalogRows } from '../../../../support/catalogRows.ts'
import { startTestDatabase, type TestDatabase } from '../../../../support/database.ts'

const NOW = Date.parse('2026-11-23T12:00:00Z')
const daysAgo = (days: number): string => new Date(NOW - days * 86_400_000).toISOString()

let database: TestDatabase

beforeAll(async () => {
  database = await startTestDatabase()
  const rows = createCatalogRows(database.pool)
  const item = {
    type: 'A::Pod',
    health: 'healthy' as string | null,
    tags: { Zone: 'east' } as object | null,
    labels: { app: 'shop' } as object | null,
    status: 'Running' as string | null,
    cost_total_30d: 1.5 as number | null,
    created_at: daysAgo(9),
    updated_at: daysAgo(2),
    deleted_at: null as string | null,
  }
  const of: Partial<typeof item>[] = [
    {},
    { health: 'unhealthy', status: 'Failed', labels: { app: 'cart' } },
    { health: null, tags: null, labels: null, cost_total_30d: null, updated_at: daysAgo(1) },
    { deleted_at: daysAgo(1), health: 'warning' },
    { type: 'B', cost_total_30d: null, tags: { Zone: 'west' }, status: null },
  ]
  const ids = await rows.items(of.length, (index) => ({ name: `item ${index}`, ...item, ...of[index] }))
  await rows.changes(12, (index) => ({ config_id: ids[index % 5] ?? '', created_at: daysAgo(index * 5) }))
  for (const [index, id] of ids.entries()) {
    const analysis_type = ['security', 'cost', null][index % 3]
    await rows.insight(id, { analysis_type, last_observed: daysAgo(index * 10), status: 'resolved' })
  }
})
afterAll(() => database?.stop())

const ask = (request: object) => summarize(database.pool, parseSummaryRequest(SummaryRequestSchema.parse(request), NOW))

describe('POST /catalog/summary', () => {
  it('has a row a type with health, dates, changes, insights and cost of the window', async () => {
    const since = { since: '30d' }
    expect(await ask({ changes: since, analysis: since, cost: '30d' })).toEqual([
      {
        type: 'A::Pod',
        count: 3,
        health: { healthy: 1, unhealthy: 1 },
        created_at: daysAgo(9),
        updated_at: daysAgo(1),
        cost_30d: 3,
        cost_total_30d: 3,
        changes: 5,
        analysis: { security: 1, cost: 1, other: 1 },
      },
      {
        type: 'B',
        count: 1,
        health: { healthy: 1 },
        created_at: daysAgo(9),
        updated_at: daysAgo(2),
        cost_30d: null,
        cost_total_30d: null,
        changes: 1,
        analysis: {},
      },
    ])
  })

  it('counts what is deleted where it is asked for, and leaves out what is not', async () => {
    const rows = await ask({ deleted: true })
    expect(rows).toMatchObject([{ count: 4, health: { warning: 1 } }, { count: 1 }])
    expect(rows[0]).not.toHaveProperty('changes')
    expect(rows[0]).not.toHaveProperty('cost_30d')
  })

  it('groups by tags too, in lower case, and by what nobody has', async () => {
    expect(await ask({ groupBy: ['type', 'Zone'], analysis: { since: '90d' } })).toMatchObject([
      { type: 'A::Pod', zone: 'east', count: 2, analysis: { security: 1, cost: 1 } },
      { type: 'A::Pod', zone: null, count: 1, health: null, analysis: { other: 1 } },
      { type: 'B', zone: 'west', count: 1, analysis: { cost: 1 } },
    ])
    expect(await ask({ groupBy: ['nope'] })).toMatchObject([{ nope: null, count: 4 }])
  })

  it.each([
    [{ filter: { app: 'shop' } }, [1, 1]],
    [{ filter: { app: '!shop' } }, [2]],
    [{ filter: { app: '!cart' } }, [2, 1]],
    [{ tags: { Zone: '!west' } }, [3]],
    [{ filter: { app: 'sh%6Fp,cart' } }, [2, 1]],
    [{ filter: { app: 'shop', other: 'x' } }, []],
    [{ tags: { Zone: 'west' } }, [1]],
    [{ health: 'healthy' }, [1, 1]],
    [{ health: '!healthy' }, [2]],
    [{ health: 'unknown' }, [1]],
    [{ health: 'unknown,unhealthy' }, [2]],
    [{ status: 'Run*' }, [2]],
  ])('narrows by %j', async (request, counts) => {
    expect((await ask(request)).map(({ count }) => count)).toEqual(counts)
  })

  it.each([
    [{ changes: { since: 'nope' } }, 'changes since is invalid: nope is no duration'],
    [{ analysis: { since: '-1d' } }, 'analysis since is invalid: -1d is no duration'],
    [{ cost: '3d' }, 'cost must be one of 1d, 7d, 30d, not 3d'],
  ])('refuses %j with the reason', (request, error) => {
    const parse = () => parseSummaryRequest(SummaryRequestSchema.parse(request), NOW)
    expect(parse).toThrow(expect.objectContaining({ status: 400, body: { error } }) as Error)
  })
})
