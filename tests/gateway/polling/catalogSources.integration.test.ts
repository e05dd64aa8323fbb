import { toConfigChangesParams } from '@watchroom/shared/protocol'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { systemClock } from '../../../gateway/src/platform/clock.ts'
import { type BackendClient, createBackendClient } from '../../../gateway/src/platform/httpClient.ts'
import { createLogger } from '../../../gateway/src/platform/logger.ts'
import { createMetrics } from '../../../gateway/src/platform/metrics.ts'
import type { Feed, PolledFeeds } from '../../../gateway/src/polling/contract.ts'
import { createFeeds, type FeedsOwner } from '../../../gateway/src/polling/createFeeds.ts'
import { createCatalogSummarySource } from '../../../gateway/src/polling/sources/catalogSummary.ts'
import { createConfigSource } from '../../../gateway/src/polling/sources/config.ts'
import { changesScope, createConfigChangesSource } from '../../../gateway/src/polling/sources/configChanges.ts'
import { createConfigInsightsSource } from '../../../gateway/src/polling/sources/configInsights.ts'
import { createConfigRelationshipsSource } from '../../../gateway/src/polling/sources/configRelationships.ts'
import { createConfigsSource } from '../../../gateway/src/polling/sources/configs.ts'
import { createScrapersSource } from '../../../gateway/src/polling/sources/scrapers.ts'
import { type CatalogRows, createCatalogRows } from '../../support/catalogRows.ts'
import { startEmbeddedBackend, type TestBackend } from '../../support/embeddedBackend.ts'

let backend: TestBackend
let client: BackendClient
let pool: Pool
let rows: CatalogRows
const ids = { root: '', child: '', gone: '', old: '' }

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  client = createBackendClient({ backendUrl: backend.url, token: backend.serviceToken })
  pool = new Pool({ connectionString: backend.databaseUrl, max: 1 })
  rows = createCatalogRows(pool)
  const scraper = await rows.scraper('files', { spec: { schedule: '@every 1m', file: [] } })
  ids.root = await rows.item('root', { type: 'A::Root', scraper_id: scraper, tags: { zone: 'east' } })
  ids.child = await rows.item('child', { type: 'A::Child', health: 'healthy', updated_at: '2020-01-01T00:00:00Z' })
  ids.gone = await rows.item('gone', { type: 'A::Child', deleted_at: new Date().toISOString() })
  await rows.relate(ids.root, ids.child)
  await rows.change(ids.child, { summary: 'of the child', severity: 'high', change_type: 'Pulled' })
  await rows.change(ids.root, { summary: 'of the root' })
  await rows.insight(ids.root, { last_observed: new Date().toISOString() })
  // Later than the runs of the backend itself, which finds nothing to read.
  await pool.query(
    `insert into job_history (name, resource_type, resource_id, status, time_start, created_at, details) values
     ('Scraper', 'config_scraper', $1, 'SUCCESS', now() + interval '1 hour', now() + interval '1 hour',
       '{"scrape_summary": {"A::Root": {"added": 1}}}')`,
    [scraper],
  )
})
afterAll(async () => {
  await pool?.end()
  await client?.close()
  await backend?.stop()
})

const deps = () => ({ backend: client, clock: systemClock })
const signal = (): AbortSignal => new AbortController().signal

describe('sources of the catalog', () => {
  it('read the items that changed last, those that are deleted, and those with news', async () => {
    const read = await createConfigsSource(deps()).read(signal())
    expect(read).toMatchObject({ kind: 'all', droppedRows: 0 })
    expect(read.rows.map(({ name }) => name ?? '').toSorted()).toEqual(['child', 'gone', 'root'])
    expect(read.rows.find(({ id }) => id === ids.root)).toMatchObject({
      type: 'A::Root',
      tags: { zone: 'east' },
      changes: [{ change_type: 'diff', severity: 'info', total: 1 }],
      analysis: [{ analyzer: 'test', analysis_type: 'security', severity: 'medium' }],
      agent: { name: 'local' },
    })
  })

  it('read an item with its five counts', async () => {
    const read = await createConfigSource({ ...deps(), configId: ids.root }).read(signal())
    expect(read).toMatchObject({ kind: 'all', droppedRows: 0 })
    expect(read.rows).toMatchObject([
      {
        name: 'root',
        config_scrapers: { name: 'files' },
        agent: { name: 'local' },
        summary: { relationships: 1, analysis: 1, changes: 2, playbook_runs: 0, checks: 0 },
      },
    ])
    expect(read.rows[0]).not.toHaveProperty('config')
  })

  it('read what there is of each type', async () => {
    const read = await createCatalogSummarySource(deps()).read(signal())
    expect(read.rows).toMatchObject([
      { type: 'A::Child', count: 1, health: { healthy: 1 }, changes: 1, analysis: {}, cost_total_30d: null },
      { type: 'A::Root', count: 1, changes: 1, analysis: { security: 1 } },
    ])
  })

  it('read scrapers with their last job and nothing of their specs but the schedule', async () => {
    const read = await createScrapersSource(deps()).read(signal())
    expect(read).toMatchObject({ droppedRows: 0 })
    expect(read.rows).toMatchObject([
      { name: 'files', schedule: '@every 1m', job_status: 'SUCCESS', scrape_summary: { 'A::Root': { added: 1 } } },
    ])
    expect(JSON.stringify(read.rows)).not.toContain('"spec"')
  })

  it.each([
    ['all items', '', 1],
    ['an item', 'root', 1],
    ['an item without', 'child', 0],
  ] as const)('read the insights of %s that were observed last', async (_what, name, count) => {
    const read = await createConfigInsightsSource({ ...deps(), configId: name === '' ? '' : ids[name] }).read(signal())
    expect(read).toMatchObject({ kind: 'all', droppedRows: 0 })
    expect(read.rows.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => 'open'))
  })

  it('read which items were related last, and when they were parted', async () => {
    const read = () => createConfigRelationshipsSource(deps()).read(signal())
    const related = await read()
    expect(related.rows.map((row) => row.config_id).toSorted()).toEqual([ids.root, ids.child].toSorted())
    await pool.query(`update config_relationships set deleted_at = now() + interval '1 minute'`)
    const parted = await read()
    await pool.query('update config_relationships set deleted_at = null')
    for (const row of parted.rows) {
      expect(row.at > (related.rows.find((one) => one.config_id === row.config_id)?.at ?? '')).toBe(true)
    }
    expect(parted.rows).toHaveLength(2)
  })

  it.each([
    ['', 'none', ['of the child', 'of the root']],
    ['root', 'none', ['of the root']],
    ['root', 'downstream', ['of the child', 'of the root']],
    ['child', 'downstream', ['of the child']],
    ['child', 'upstream', ['of the child', 'of the root']],
  ] as const)('read changes of %j and what is %s of it', async (name, recursive, summaries) => {
    const id = name === '' ? '' : ids[name]
    const scope = changesScope(toConfigChangesParams({ id, recursive }))
    const read = await createConfigChangesSource({ ...deps(), scope }).read(signal())
    expect(read.rows.map(({ summary }) => summary ?? '').toSorted()).toEqual(summaries)
  })
})

/** Feeds that count what they ask the backend. */
function createCountedFeeds(): { owner: FeedsOwner; asked: string[] } {
  const asked: string[] = []
  const counting: BackendClient = {
    ...client,
    request: (request) => {
      asked.push(request.path)
      return client.request(request)
    },
  }
  const owner = createFeeds({
    backend: counting,
    clock: systemClock,
    random: () => 0.5,
    logger: createLogger({ level: 'silent' }),
    metrics: createMetrics({ process: false }),
  })
  return { owner, asked }
}

/** What a feed reads first. */
const firstRows = <Row>(feed: Feed<Row>): Promise<readonly Row[]> =>
  new Promise((resolve) => {
    feed.listen({ onRead: ({ rows: found }) => resolve(found), onProblem: () => undefined })
  })

describe('feeds of changes', () => {
  it('ask the backend once for 100 who filter in 100 ways, and show each what they asked for', async () => {
    const { owner, asked } = createCountedFeeds()
    const shown = Array.from({ length: 100 }, async (_, index) => {
      const type = index === 0 ? 'Pulled' : index === 1 ? 'diff' : `type ${index}`
      const found = await firstRows(owner.feeds.configChanges(toConfigChangesParams({ type })))
      return found.map(({ summary }) => summary ?? '')
    })
    const all = await Promise.all(shown)
    owner.close()
    expect(all.slice(0, 2)).toEqual([['of the child'], ['of the root']])
    expect(all.slice(2).flat()).toEqual([])
    expect(asked.filter((path) => path.startsWith('/db/catalog_changes'))).toHaveLength(1)
  })
})

describe('feeds of the catalog', () => {
  it.each([
    ['the summary', '/catalog/summary', (feeds: PolledFeeds) => feeds.catalogSummary({})],
    ['items', '/db/configs?', (feeds: PolledFeeds) => feeds.configs({})],
    ['an item', '/db/config_detail?', (feeds: PolledFeeds) => feeds.config({ id: ids.root })],
    [
      'insights',
      '/db/config_analysis?select=id,',
      (feeds: PolledFeeds) => feeds.configInsights({ configId: ids.root }),
    ],
    ['relationships', '/db/config_relationships?', (feeds: PolledFeeds) => feeds.configRelationships({})],
    ['scrapers', '/db/config_scrapers_with_status?', (feeds: PolledFeeds) => feeds.scrapers({})],
  ] as const)('of %s ask the backend as much for 100 viewers as for one', async (_what, path, toFeed) => {
    const countAsked = async (viewers: number): Promise<number> => {
      const { owner, asked } = createCountedFeeds()
      const all = await Promise.all(Array.from({ length: viewers }, () => firstRows<object>(toFeed(owner.feeds))))
      owner.close()
      expect(all.every((found) => found.length > 0)).toBe(true)
      return asked.filter((asking) => asking.startsWith(path)).length
    }
    const one = await countAsked(1)
    expect(one).toBeGreaterThan(0)
    expect(await countAsked(100)).toBe(one)
  })
})
