import {
  type Component,
  PageAnswerSchema,
  SHOWN_CARDS,
  SHOWN_LEVELS,
  type TopologyAnswer,
  TopologyAnswerSchema,
} from '@watchroom/shared/topology'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '../../../support/embeddedBackend.ts'
import { insertRow } from '../../../support/insertRow.ts'

let backend: TestBackend
let database: Client
let headers: Record<string, string>
const ids = new Map<string, string>()

const insert = (table: string, row: Readonly<Record<string, unknown>>): Promise<string> =>
  insertRow(database, table, row)

async function component(name: string, parent: string | null, values: Record<string, unknown> = {}): Promise<string> {
  const id = await insert('components', {
    external_id: name,
    name,
    status: '',
    type: 'Service',
    namespace: 'default',
    parent_id: parent === null ? null : ids.get(parent),
    ...values,
  })
  ids.set(name, id)
  return id
}

async function readRows(query = '') {
  const page = `depth=${SHOWN_LEVELS}&limit=${SHOWN_CARDS}&rows=true`
  const { rows, removed, partial, cursor } = PageAnswerSchema.parse(
    (await backend.call(`/canary/api/topology?${page}&${query}`, { headers })).json(),
  )
  return { names: rows?.map(({ name }) => name).toSorted(), removed, isPartial: partial === true, cursor }
}

async function read(query: string): Promise<TopologyAnswer> {
  const response = await backend.call(`/canary/api/topology?${query}`, { headers })
  return TopologyAnswerSchema.parse(response.json())
}

const draw = (components: readonly Component[] | null | undefined): unknown[] =>
  (components ?? []).map(({ name, health, components: inner }) =>
    inner ? [name, health, draw(inner)] : [name, health],
  )

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  database = new Client({ connectionString: backend.databaseUrl })
  await database.connect()
  const { id: personId, email, password } = await backend.createPerson('viewer')
  headers = await backend.signIn(email, password)
  await database.query('delete from components')

  const team = await insert('teams', { name: 'Web team', created_by: personId })
  const shop = await component('shop', null, { type: 'Application', labels: { tier: '1' } })
  const web = await component('web', 'shop')
  await component('pod', 'web', { type: 'Pod', health: 'healthy' })
  await component('store', 'shop', { properties: [{ name: 'disk', value: 80, max: 100, headline: true }] })
  await component('judged', 'shop', { status_expr: 'summary.healthy > 0 ? "busy" : "idle"', health_expr: 'nonsense(' })
  await component('hidden', 'shop', { hidden: true, health: 'healthy' })
  await component('gone', 'shop', { health: 'unhealthy', deleted_at: '2026-01-01T00:00:00Z' })
  const depot = await component('depot', null, { type: 'Application' })
  await insert('component_relationships', { component_id: web, relationship_id: depot, selector_id: 'selector' })
  await insert('team_components', { team_id: team, component_id: web })
  ids.set('team', team)

  // Checks of this installation follow their spec.
  const agent = await insert('agents', { name: 'edge' })
  const canary = await insert('canaries', { name: 'web', namespace: 'default', spec: {}, agent_id: agent })
  const check = await insert('checks', {
    canary_id: canary,
    type: 'http',
    name: 'front',
    status: 'unhealthy',
    agent_id: agent,
  })
  await insert('check_component_relationships', {
    component_id: web,
    check_id: check,
    canary_id: canary,
    selector_id: 's',
  })
  const item = await insert('config_items', {
    config_class: 'Database',
    type: 'Postgres',
    name: 'store',
    health: 'warning',
  })
  await insert('config_component_relationships', {
    component_id: ids.get('store'),
    config_id: item,
    selector_id: 'manual',
  })
  ids.set('shop', shop)
})

afterAll(async () => {
  await database.end()
  await backend.stop()
})

describe('GET /canary/api/topology', () => {
  it('answers the tree with the health of checks and config items below, the worst first', async () => {
    const answer = await read('')
    expect(draw(answer.components)).toEqual([
      ['depot', 'unhealthy', [['web', 'unhealthy', [['pod', 'healthy']]]]],
      [
        'shop',
        'unhealthy',
        [
          ['web', 'unhealthy', [['pod', 'healthy']]],
          ['store', 'warning'],
          ['hidden', 'healthy'],
          ['judged', 'unknown'],
        ],
      ],
    ])
    expect(answer).toMatchObject({
      teams: ['Web team'],
      types: ['Application', 'Pod', 'Service'],
      tags: { tier: ['1'] },
    })
  })

  it('says what an expression says, and why one says nothing', async () => {
    const answer = await read(`id=${ids.get('shop')}`)
    const judged = answer.components?.[0]?.components?.find(({ name }) => name === 'judged')
    expect(judged).toMatchObject({ status: 'idle', health: 'unknown' })
    expect(judged?.status_reason).toMatch(/^healthExpr: /)
  })

  it('counts incidents, insights and checks of what is below', async () => {
    const answer = await read('depth=1')
    const shop = answer.components?.find(({ name }) => name === 'shop')
    expect(shop?.summary).toMatchObject({ unhealthy: 1, warning: 1, healthy: 1, unknown: 1, checks: { unhealthy: 1 } })
    expect(shop?.components).toBeUndefined()
  })

  it.each([
    ['hidden=false', ['web', 'store', 'judged']],
    ['status=warning', ['store']],
    ['status=!unhealthy', ['store', 'hidden', 'judged']],
    ['sortBy=name&sortOrder=asc', ['hidden', 'judged', 'store', 'web']],
    ['sortBy=nonsense', ['web', 'store', 'hidden', 'judged']],
  ])('honours %s', async (query, names) => {
    const answer = await read(`id=${ids.get('shop')}&${query}`)
    expect(answer.components?.[0]?.components?.map(({ name }) => name)).toEqual(names)
  })

  it.each([
    ['team=Web team', ['depot', 'shop']],
    ['team={team}', ['depot', 'shop']],
    ['labels=tier=1', ['shop']],
    ['type=Pod&flatten=true', ['pod']],
    ['type=All&status=All', ['depot', 'shop']],
    ['agent_id=00000000-0000-0000-0000-0000000000aa', undefined],
    ['id=nope', undefined],
  ])('filters by %s', async (query, names) => {
    const answer = await read(encodeURI(query.replace('{team}', ids.get('team') ?? '')))
    expect(answer.components?.map(({ name }) => name)).toEqual(names)
  })

  it('refuses labels that are none, with the name of the field', async () => {
    const response = await backend.call('/canary/api/topology?labels=tier', { headers })
    expect(response.status).toBe(400)
    expect(response.text).toContain('labels')
  })

  it('carries as many cards as are asked for, and says how many more there are', async () => {
    const limited = await read('depth=1&limit=1')
    expect([limited.components?.length, limited.more]).toEqual([1, 1])
    const { components } = await read(`id=${ids.get('shop')}&limit=1&sortBy=name&sortOrder=asc`)
    // Hidden ones are counted apart: who does not see them has as many.
    expect(components?.[0]).toMatchObject({ more: 2, components: [{ name: 'hidden' }, { name: 'judged' }] })
    const { text, status } = await backend.call('/canary/api/topology?limit=0', { headers })
    expect([status, text]).toEqual([400, expect.stringContaining('limit')])
  })

  it('answers whoever knows the list with what is different since, and with nothing where nothing is', async () => {
    const { cursor } = await read('flatten=true')
    expect(await read(`flatten=true&since=${cursor}`)).toMatchObject({ components: [], partial: true })
    await database.query("update components set health = 'warning' where name = 'hidden'")
    const answer = await read(`flatten=true&since=${cursor}`)
    expect(answer.partial).toBe(true)
    expect(answer.components?.map(({ name }) => name)).toContain('hidden')
    expect(answer.components?.map(({ name }) => name)).not.toContain('depot')
    expect((await read(`flatten=true&type=Pod&since=${cursor}`)).partial).toBeUndefined()
    await database.query("update components set health = 'healthy' where name = 'hidden'")
  })

  it('answers whoever follows a page with its rows, and then with those that are different', async () => {
    const bay = await component('bay', 'depot', { health: 'healthy' })
    const { names, isPartial, cursor } = await readRows()
    expect(isPartial).toBe(false)
    expect(names).toEqual(['bay', 'depot', 'hidden', 'judged', 'pod', 'shop', 'store', 'web'])
    expect(await readRows(`since=${cursor}`)).toMatchObject({ names: undefined, isPartial: true })
    await database.query("update components set health = 'warning' where id = $1", [bay])
    const first = await readRows(`since=${cursor}`)
    expect(first).toMatchObject({ names: expect.arrayContaining(['bay', 'depot']), removed: [], isPartial: true })
    expect(first.names).not.toContain('pod')
    await database.query('update components set deleted_at = now() where id = $1', [bay])
    // Whatever others were answered meanwhile.
    for (const since of [cursor, first.cursor]) {
      expect(await readRows(`since=${since}`)).toMatchObject({ removed: [bay], isPartial: true })
    }
    expect((await readRows()).names).not.toContain('bay')
    expect((await readRows('since=another.1')).isPartial).toBe(false)
    expect((await read('depth=1&rows=true')).components).toHaveLength(2)
  })

  it('says the new name of what failed to who follows a page above it', async () => {
    const { cursor } = await readRows()
    await database.query("update components set name = 'site' where name = 'web'")
    expect((await readRows(`since=${cursor}`)).names).toContain('shop')
    await database.query("update components set name = 'web' where name = 'site'")
  })

  it('follows what changes, without an old answer', async () => {
    await database.query("update checks set status = 'healthy' where name = 'front'")
    const answer = await read('depth=1')
    expect(draw(answer.components)).toEqual([
      ['shop', 'warning'],
      ['depot', 'healthy'],
    ])
  })
})
