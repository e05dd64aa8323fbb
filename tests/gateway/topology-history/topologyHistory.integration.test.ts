// The past of the topology over HTTP, from a gateway with a database of its own in front of a backend that tells nothing.
import { mayUseRoute, ROLES, type Role, TOPOLOGY_HISTORY_ROUTES, TOPOLOGY_NEWS_ROUTES } from '@watchroom/shared/access'
import { RecordedBurstsSchema } from '@watchroom/shared/topology'
import { PastDiffSchema, PastPageSchema, PastTransitionsSchema } from '@watchroom/shared/topology/history'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { eventually } from '#support/eventually.ts'
import { FakeBackend } from '#support/fakeBackend.ts'
import { type RunningGateway, startGateway } from '#support/gateway.ts'

const TOPOLOGY = 'GET /canary/api/topology'
const [SHOP, WEB, STORE, DEPOT] = ['1', '2', '3', '4'].map((end) => `00000000-0000-4000-8000-00000000000${end}`) as [
  string,
  string,
  string,
  string,
]
const WITHIN = { timeout: 20_000, interval: 50 }

let backend: FakeBackend
let database: TestDatabase
let running: RunningGateway

const start = (): Promise<RunningGateway> =>
  startGateway({
    backend: { url: backend.url, databaseUrl: database.databaseUrl },
    deps: { pollerSettings: { minGapMs: 20 } },
  })

/** What the backend answers from now on, and wakes the gateway as a database would. */
async function serve(components: readonly object[]): Promise<void> {
  backend.json(TOPOLOGY, { components })
  await database.pool.query(`select pg_notify('watchroom_topic', 'topology')`)
}

beforeAll(async () => {
  backend = await FakeBackend.start()
  database = await startTestDatabase()
  backend.json(TOPOLOGY, { components: [] })
  running = await start()
  // Until its tables are made.
  await eventually(async () => {
    const { status } = await get('page', { at: iso() })
    if (status !== 200) throw new Error(`the page answers ${status}`)
  }, WITHIN)
})
afterAll(async () => {
  await running?.stop()
  await database?.stop()
  await backend?.stop()
})
beforeEach(() => {
  backend.shows = () => 10
})

const iso = (at = Date.now()): string => new Date(at).toISOString()

async function get(name: string, query: Record<string, string>, role: Role | null = 'viewer') {
  const headers = role === null ? {} : (await running.signInAs(role)).headers
  const answer = await fetch(`${running.url}/gateway/topology-history/${name}?${new URLSearchParams(query)}`, {
    headers,
  })
  return { status: answer.status, json: (await answer.json()) as unknown }
}

const pageAt = async (at: number, query: Record<string, string> = {}) =>
  PastPageSchema.parse((await get('page', { at: iso(at), ...query })).json)

/** Until it is written down. @returns the instant of the first state that fits */
async function until(fits: (healths: Record<string, string | null | undefined>) => boolean): Promise<number> {
  let found = 0
  await eventually(async () => {
    const at = Date.now()
    const { page } = await pageAt(at, { type: '*' })
    const healths = Object.fromEntries((page?.components ?? []).map(({ id, health }) => [id, health]))
    expect(fits(healths)).toBe(true)
    found = at
  }, WITHIN)
  return found
}

const shop = { id: SHOP, name: 'shop', type: 'App', health: 'healthy' }
const web = {
  id: WEB,
  name: 'web',
  type: 'Web',
  health: 'healthy',
  parent_id: SHOP,
  parents: [SHOP],
  labels: { tier: '1' },
}
const store = { id: STORE, name: 'store', type: 'Db', health: 'healthy', parent_id: SHOP, parents: [SHOP] }
const depot = { id: DEPOT, name: 'depot', type: 'App', health: 'unknown' }

it('shows a page as it was, with its parts, its counts and what it was in; transitions and a diff between two instants', async () => {
  await serve([shop, web, store])
  const well = await until((healths) => healths[WEB] === 'healthy')
  await serve([
    { ...shop, health: 'unhealthy' },
    { ...web, health: 'unhealthy', status_reason: 'no answer' },
    { ...depot, parent_id: WEB },
  ])
  const bad = await until((healths) => healths[WEB] === 'unhealthy')

  const then = await pageAt(well)
  expect(then.page?.components).toMatchObject([
    { name: 'shop', health: 'healthy', summary: { healthy: 2 }, components: [{ name: 'store' }, { name: 'web' }] },
  ])
  expect(then.holes).toEqual([])
  const later = await pageAt(bad, { id: WEB })
  expect(later.page?.components).toMatchObject([
    { name: 'web', health: 'unhealthy', status_reason: 'no answer', components: [{ name: 'depot' }] },
  ])
  expect(later.above).toEqual([{ id: SHOP, name: 'shop' }])
  // Gone since, and as it was.
  expect((await pageAt(well, { id: STORE })).page?.components).toMatchObject([{ name: 'store', health: 'healthy' }])
  expect((await pageAt(bad, { id: STORE })).page?.components).toEqual([])
  expect((await pageAt(well, { labels: 'tier=1', type: 'Web' })).page?.components).toMatchObject([{ name: 'web' }])
  expect((await pageAt(well, { type: 'All', status: 'All' })).page).toEqual((await pageAt(well)).page)
  // No more than asked for, in the order asked for, and how many there are besides.
  for (const [sortOrder, first] of [
    ['asc', 'store'],
    ['desc', 'web'],
  ] as const) {
    const cut = await pageAt(well, { id: SHOP, sortBy: 'name', sortOrder, limit: '1' })
    expect(cut.page?.components).toMatchObject([{ name: 'shop', more: 1, components: [{ name: first }] }])
  }
  expect((await pageAt(bad, { type: '*', status: '!unhealthy', limit: '1' })).page).toMatchObject({
    components: [{ name: 'depot' }],
  })
  expect(await pageAt(Date.parse('2020-01-01'))).toMatchObject({ page: null })

  const range = { from: iso(well), to: iso(bad) }
  const { transitions } = PastTransitionsSchema.parse((await get('transitions', { ...range, order: 'asc' })).json)
  expect(transitions.map(({ name, from, to }) => [name, from?.health, to?.health])).toEqual([
    ['shop', 'healthy', 'unhealthy'],
    ['web', 'healthy', 'unhealthy'],
    ['store', 'healthy', undefined],
    ['depot', undefined, 'unknown'],
  ])
  const ofWeb = PastTransitionsSchema.parse((await get('transitions', { ...range, id: WEB })).json)
  expect(ofWeb.transitions.map(({ name }) => name).toSorted()).toEqual(['depot', 'web'])
  expect(ofWeb.below).toEqual([WEB, DEPOT])

  const { components } = PastDiffSchema.parse((await get('diff', range)).json)
  expect(components?.map(({ name, change, above }) => [name, change, above])).toEqual([
    ['store', 'removed', ['shop']],
    ['depot', 'added', ['shop', 'web']],
    ['shop', 'health', []],
    ['web', 'health', ['shop']],
  ])
  expect(components?.find(({ name }) => name === 'web')).toMatchObject({
    from: { health: 'healthy' },
    to: { health: 'unhealthy', reason: 'no answer' },
  })
})

it('tells of what came together below a card, on levels that no page has', async () => {
  const ids = Array.from({ length: 9 }, (_, at) => `00000000-0000-4000-8000-0000000001${at}0`)
  const [top, area, group, rack, ...leaves] = ids
  const chain = [top, area, group, rack]
  const estate = (health: string) => [
    ...chain.map((id, at) => ({ id, name: `level ${at}`, type: 'App', health, parent_id: chain[at - 1] })),
    ...leaves.map((id, at) => ({ id, name: `leaf ${at}`, type: 'App', health, parent_id: rack })),
  ]
  await serve(estate('healthy'))
  await until((healths) => healths[leaves[0] ?? ''] === 'healthy')
  await serve(estate('unhealthy'))
  await until((healths) => healths[leaves[0] ?? ''] === 'unhealthy')
  const { bursts } = RecordedBurstsSchema.parse((await get('bursts', {})).json)
  const burst = bursts?.find(({ id }) => id === top)
  expect(burst).toMatchObject({ name: 'level 0', minutes: 1 })
  expect(burst?.transitions.map(({ name }) => name).toSorted()).toEqual(leaves.map((_, at) => `leaf ${at}`))
  expect(RecordedBurstsSchema.parse((await get('bursts', { id: leaves[0] ?? '' })).json).bursts).toEqual([])
})

it('knows nothing of what is yet to come', async () => {
  await serve([shop])
  const now = await until((healths) => SHOP in healths)
  const { page, above } = await pageAt(now + 86_400_000, { id: SHOP })
  expect([page, above]).toEqual([null, []])
  // Whose clock is a little ahead asks for what is now.
  expect((await pageAt(now + 10_000)).page).not.toBeNull()
  const { json } = await get('diff', { from: iso(now), to: iso(now + 86_400_000) })
  expect(PastDiffSchema.parse(json)).toMatchObject({ components: null, differences: 0 })
})

it('names the time in which no gateway recorded', async () => {
  const before = await until(() => true)
  await running.stop()
  await serve([{ ...shop, health: 'warning' }])
  running = await start()
  const after = await until((healths) => healths[SHOP] === 'warning')
  const { holes } = await pageAt(after - 1)
  const { json } = await get('transitions', { from: iso(before - 60_000), to: iso(after) })
  const named = [...holes, ...PastTransitionsSchema.parse(json).holes]
  expect(named.some(({ from, until: end }) => from <= after && (end ?? Infinity) >= before)).toBe(true)
})

describe('who may', () => {
  const range = { from: iso(Date.now() - 60_000), to: iso(), at: iso() }

  it.each(ROLES)('a %s is answered exactly where the table says so', async (role) => {
    for (const [name, rule] of Object.entries({ ...TOPOLOGY_HISTORY_ROUTES, ...TOPOLOGY_NEWS_ROUTES })) {
      const { status } = await get(name, range, role)
      expect([name, status]).toEqual([name, mayUseRoute(rule.access, [role]) ? 200 : 403])
    }
  })

  it('nobody without a session', async () => {
    for (const name of Object.keys(TOPOLOGY_HISTORY_ROUTES)) expect((await get(name, range, null)).status).toBe(401)
  })

  it.each(['components', 'checks', 'teams', 'config_items'])(
    'nobody whom the backend shows fewer %s than the gateway, and they are told why',
    async (table) => {
      backend.shows = (caller, source) => (caller !== 'service' && source.startsWith(table) ? 3 : 10)
      await running.stop()
      running = await start()
      for (const name of Object.keys(TOPOLOGY_HISTORY_ROUTES)) {
        await eventually(async () => expect((await get(name, range)).status).not.toBe(503), WITHIN)
        const { status, json } = await get(name, range)
        expect([status, json]).toEqual([
          403,
          expect.objectContaining({
            kind: 'TOPOLOGY_HISTORY_SCOPED',
            error: expect.stringContaining('with the gateway’s permissions') as string,
          }),
        ])
      }
      const news = await get('bursts', {})
      expect([news.status, news.json]).toEqual([200, { bursts: null }])
    },
  )
})

it.each([
  ['page', {}, 'at'],
  ['page', { at: 'soon' }, 'at'],
  ['page', { at: '2026-01-01T00:00:00Z', id: 'x' }, 'id'],
  ['page', { at: '2026-01-01T00:00:00Z', labels: 'tier' }, 'labels'],
  ['page', { at: '2026-01-01T00:00:00Z', limit: '0' }, 'limit'],
  ['page', { at: '2026-01-01T00:00:00Z', sortBy: 'cost' }, 'sortBy'],
  ['page', { at: '2026-01-01T00:00:00Z', hidden: 'perhaps' }, 'hidden'],
  ['transitions', { from: '2026-01-01T00:00:00Z' }, 'to'],
  ['transitions', { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', limit: '0' }, 'limit'],
  ['diff', { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 'from'],
])('%s refuses %j and names the field', async (name, query, field) => {
  const { status, json } = await get(name, query)
  expect(status).toBe(400)
  expect(JSON.stringify(json)).toContain(field)
})
