// The topologies that come along: the product itself with every profile, Harbour Parcel with the demo.
import { type Component, TopologyAnswerSchema } from '@watchroom/shared/topology'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

import { eventually } from '#support/eventually.ts'
import { startTopologyWorld, type TopologyWorld } from '#support/topologyWorld.ts'

// The product watches its catalog after a minute.
vi.setConfig({ testTimeout: 90_000 })
const LATEST = { timeout: 80_000, interval: 250 }

let world: TopologyWorld
let startedAt: number
beforeAll(async () => {
  // Prepared data has forgotten the product's own.
  world = await startTopologyWorld({ profile: 'demo', isFirstStart: true })
  startedAt = performance.now()
})
afterAll(() => world?.stop())

async function read(query = ''): Promise<readonly Component[]> {
  const answer = await world.backend.callAsService(`/canary/api/topology?depth=10${query}`)
  return TopologyAnswerSchema.parse(answer.json()).components ?? []
}
const flatten = (components: readonly Component[]): Component[] =>
  components.flatMap((component) => [component, ...flatten(component.components ?? [])])
const levels = (components: readonly Component[]): number =>
  components.length === 0 ? 0 : 1 + Math.max(...components.map((component) => levels(component.components ?? [])))

const SIX_CARDS = ['Console', 'Depots', 'Payments', 'Platform', 'Storefront', 'Tracking']

it('has six cards that each say how they are within its first minute', async () => {
  const known = async () =>
    (await read())
      .filter(({ health }) => health && health !== 'unknown')
      .map(({ name }) => name)
      .toSorted()
  const leftMs = 60_000 - (performance.now() - startedAt)
  await eventually(async () => expect(await known()).toEqual(SIX_CARDS), { timeout: leftMs, interval: 250 })
})

it('shows six cards: the product itself, and 34 components of Harbour Parcel on four levels', async () => {
  const named = async () => (await read()).map(({ name }) => name).toSorted()
  await eventually(async () => expect(await named()).toEqual(SIX_CARDS), LATEST)
  const estate = (await read()).filter(({ name }) => name !== 'Console')
  const all = flatten(estate)
  expect([all.length, levels(estate), all.filter(({ hidden }) => hidden).map(({ name }) => name)]).toEqual([
    34,
    4,
    ['Old mail relay'],
  ])
  // Teams are told what is theirs once the components are there.
  await eventually(async () => {
    const { rows: teams } = await world.database.query<{ name: string }>(
      `select distinct teams.name from team_components join teams on teams.id = team_id order by teams.name`,
    )
    expect(teams.map(({ name }) => name)).toEqual(['Depots', 'Payments', 'Platform', 'Shop', 'Tracking'])
  }, LATEST)
  // What the open incident is about is part of it.
  const printer = all.find(({ name }) => name === 'label-printer')
  const { rows: evidence } = await world.database.query(`select from evidences where component_id = $1`, [printer?.id])
  expect([printer?.namespace, evidence.length]).toEqual(['edge-eu', 2])
})

it('has a rule for incidents, whose incident stays the only one of its component', async () => {
  const bank = {
    title: 'Card payments are refused by one bank',
    status: 'investigating',
    component: 'Bank transfer north',
  }
  const incidents = async () =>
    (
      await world.database.query<{ title: string; status: string; component: string }>(
        `select title, incidents.status, components.name as component from incidents
         join watchroom_internal.incidents_of_rules as opened on opened.incident_id = incidents.id
         join components on components.id = opened.component_id
           and components.topology_id is not null and components.parent_id is not null
         where components.name = $1`,
        [bank.component],
      )
    ).rows
  await eventually(async () => expect(await incidents()).toEqual([bank]), LATEST)
  // On a busy machine others of its checks may be late as well, and open theirs.
  const { rows } = await world.database.query<{ count: number }>(
    `select count(*)::int from incidents
     where id not in (select incident_id from watchroom_internal.incidents_of_rules)`,
  )
  expect(rows).toEqual([{ count: 8 }])
})

it('has a red leaf and what is red above it, and a branch that only warns', async () => {
  const healthOf = async (name: string) => flatten(await read()).find((component) => component.name === name)?.health
  await eventually(async () => {
    for (const name of ['Bank transfer north', 'Payment providers', 'Payments', 'Depots']) {
      expect([name, await healthOf(name)]).toEqual([name, 'unhealthy'])
    }
    for (const name of ['Night jobs', 'Platform']) expect([name, await healthOf(name)]).toEqual([name, 'warning'])
    expect(await healthOf('Storefront')).toBe('healthy')
  }, LATEST)
})

it('syncs Harbour Parcel without a warning: every check that it names is there', async () => {
  const { rows } = await world.database.query<{ id: string }>(`select id from topologies where name = 'Harbour Parcel'`)
  expect(await world.run(rows[0]?.id ?? '')).toEqual({ status: 'ok', count: '34', errors: [] })
})

it('starts without a warning in the job history', async () => {
  const ended = `select distinct name from job_history where status in ('SUCCESS', 'WARNING', 'FAILED')`
  // Both have run once, and so has what they are about.
  await eventually(async () => {
    const { rows } = await world.database.query<{ name: string }>(ended)
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['Scrape', 'TopologySync']))
  }, LATEST)
  const { rows } = await world.database.query(
    `select name, status, details from job_history where status not in ('SUCCESS', 'RUNNING')`,
  )
  expect(rows).toEqual([])
})
