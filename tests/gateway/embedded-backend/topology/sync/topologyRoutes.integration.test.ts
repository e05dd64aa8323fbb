// What people do with topologies over HTTP: save, try, run now.
import type { Role } from '@watchroom/shared/access'
import { MAX_TRIED_COMPONENTS, TryTopologyResponseSchema } from '@watchroom/shared/topology'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { eventually } from '#support/eventually.ts'
import { startTopologyWorld, type TopologyWorld } from '#support/topologyWorld.ts'

const LATEST = { timeout: 20_000, interval: 50 }

let world: TopologyWorld
const headers = new Map<Role, Record<string, string>>()

beforeAll(async () => {
  world = await startTopologyWorld()
  for (const role of ['editor', 'viewer', 'admin'] as const) {
    const { email, password } = await world.backend.createPerson(role)
    headers.set(role, await world.backend.signIn(email, password))
  }
})
afterAll(() => world?.stop())

const save = (name: string, spec: object, role: Role = 'editor') =>
  world.backend.call('/db/topologies', {
    method: 'POST',
    headers: { ...headers.get(role), prefer: 'return=representation' },
    body: { name, namespace: 'default', source: 'UI', spec },
  })
const post = (path: string, body: unknown, role: Role = 'editor') =>
  world.backend.call(path, { method: 'POST', headers: headers.get(role) ?? {}, body })

describe('a topology that is saved', () => {
  it.each([
    [{ components: [{ name: 'a', colour: 'red' }] }, 'spec.components.0: Unrecognized key: "colour"'],
    [{ components: [{ name: 'a', healthExpr: 'summary.(' }] }, 'spec.components.0.healthExpr: '],
    [
      { components: [{ name: 'a', properties: [{ name: 'p', expr: 'nothing' }] }] },
      'spec.components.0.properties.0.expr: ',
    ],
    [
      { components: [{ name: 'a', lookup: { configs: [{ name: 'x' }] }, forEach: { text: '$(item.)' } }] },
      'spec.forEach: ',
    ],
    [
      { components: [{ name: 'a' }, { name: 'a' }] },
      'spec.components.1.name: Another one beside it has this type and name',
    ],
  ])('is refused where %j says so: %s', async (spec, message) => {
    const answer = await save(`topology ${Math.random()}`, spec)
    expect([answer.status, answer.json()]).toEqual([
      400,
      { code: '23514', details: null, hint: null, message: expect.stringContaining(message) as unknown },
    ])
  })

  it('is refused in words where there is one of its name and namespace, and not where that one is deleted', async () => {
    expect((await save('taken', {})).status).toBe(201)
    const answer = await save('taken', {})
    expect([answer.status, answer.json()]).toEqual([
      409,
      expect.objectContaining({
        code: '23505',
        message: 'There already is a topology taken in the namespace default.',
        details: expect.stringContaining('Key (name, namespace)=') as unknown,
      }),
    ])
    await world.database.query(`update topologies set deleted_at = now() where name = 'taken'`)
    expect((await save('taken', {})).status).toBe(201)
  })

  it('with programs is saved by an administrator alone', async () => {
    const spec = { components: [{ name: 'a', lookup: { exec: [{ script: 'echo', id: '$.id', type: 'T' }] } }] }
    expect((await save('programs', spec)).status).toBe(403)
    expect((await post('/canary/try/topology', { spec })).status).toBe(403)
    const inline = { components: [{ name: 'a', checks: [{ inline: { exec: [{ name: 'x', script: 'echo' }] } }] }] }
    expect((await save('programs', inline)).status).toBe(403)
    expect((await save('programs', inline, 'admin')).status).toBe(201)
  })

  it('follows the schedule of the form rather than that of its spec, and one that is none is refused', async () => {
    const spec = { schedule: '0 0 29 2 *', components: [{ name: 'a' }] }
    const [row] = (await save('scheduled', spec)).json() as { id: string }[]
    const choose = (schedule: string) =>
      world.backend.call(`/db/topologies?id=eq.${row?.id}`, {
        method: 'PATCH',
        headers: headers.get('editor') ?? {},
        body: { schedule },
      })
    const refused = await choose('sometimes')
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('schedule: Must be a cron') as unknown,
    ])
    expect((await choose('@every 1s')).status).toBeLessThan(300)
    // More syncs than the first one and the edit bring about.
    await eventually(async () => {
      const { rows } = await world.database.query<{ count: number }>(
        `select count(*)::int as count from job_history where name = 'TopologySync' and resource_id = $1`,
        [row?.id],
      )
      expect(rows[0]?.count).toBeGreaterThan(3)
    }, LATEST)
    expect((await choose('@yearly')).status).toBeLessThan(300)
  })

  it('is synced at once, and again when it is edited: what moved keeps its id', async () => {
    const [row] = (
      await save('live', { components: [{ name: 'a', components: [{ name: 'x' }] }, { name: 'b' }] })
    ).json() as {
      id: string
    }[]
    const id = row?.id ?? ''
    await eventually(async () => expect(Object.keys(await world.components(id))).toHaveLength(3), LATEST)
    const before = await world.components(id)
    const answer = await world.backend.call(`/db/topologies?id=eq.${id}`, {
      method: 'PATCH',
      headers: headers.get('editor') ?? {},
      body: { spec: { components: [{ name: 'a' }, { name: 'b', components: [{ name: 'x' }] }] } },
    })
    expect(answer.status).toBeLessThan(300)
    await eventually(
      async () =>
        expect((await world.components(id))['x']).toMatchObject({ id: before['x']?.id, parent_id: before['b']?.id }),
      LATEST,
    )
  })

  it('hides its credentials, and components do not tell them; the canary it brings along has them', async () => {
    const secret = 'tr0ub4dor-and-3'
    const spec = {
      components: [
        {
          name: 'secretive',
          description: `https://user:${secret}@x`,
          checks: [{ inline: { http: [{ name: 'h', url: 'http://127.0.0.1:9', password: secret, username: 'u' }] } }],
        },
      ],
    }
    const [row] = (await save('secretive', spec)).json() as { id: string }[]
    const id = row?.id ?? ''
    await eventually(async () => expect(Object.keys(await world.components(id))).toHaveLength(1), LATEST)
    const { rows } = await world.database.query<{ all: string }>(
      `select concat(
         (select to_jsonb(t) from topologies t where id = $1),
         (select jsonb_agg(to_jsonb(c)) from components c where topology_id = $1),
         (select jsonb_agg(to_jsonb(c)) from canaries c join components on c.source = 'component/' || components.id where topology_id = $1)) as all`,
      [id],
    )
    expect(rows[0]?.all).not.toContain(secret)
    const { rows: sealed } = await world.database.query(
      `select table_name from watchroom_internal.secrets where row_id in (
         select canaries.id from canaries join components on canaries.source = 'component/' || components.id where topology_id = $1)`,
      [id],
    )
    expect(sealed.length).toBeGreaterThan(0)
    // In a trial, too.
    const tried = await post('/canary/try/topology', { spec: await stored(id), topology_id: id })
    expect([tried.status, tried.text.includes(secret)]).toEqual([200, false])
  })
})

const stored = async (id: string): Promise<unknown> => {
  const { rows } = await world.database.query<{ spec: unknown }>('select spec from topologies where id = $1', [id])
  return rows[0]?.spec
}

describe('a trial', () => {
  it('shows the tree before it is saved, and writes nothing', async () => {
    const id = await world.add('tried', { components: [{ name: 'a', components: [{ name: 'x' }] }, { name: 'old' }] })
    await world.run(id)
    await world.untilRolledUp(id)
    const before = await world.components(id)
    const spec = {
      components: [
        { name: 'a' },
        {
          name: 'b',
          components: [
            { name: 'x', checks: [{ selector: { name: 'gateway-http' } }, { selector: { name: 'nothing' } }] },
          ],
        },
      ],
    }
    const answer = await post('/canary/try/topology', { spec, topology_id: id })
    const tried = TryTopologyResponseSchema.parse(answer.json())
    expect(
      tried.components.map(({ name, parent, change, checks, id: known }) => [name, parent, change, checks, known]),
    ).toEqual([
      ['a', null, 'changed', 0, before['a']?.id],
      ['b', null, 'new', 0, null],
      ['x', 1, 'moved', 1, before['x']?.id],
    ])
    expect(tried.problems).toEqual(['x: checks: {"name":"nothing","agent":"all"} means nothing'])
    expect(tried.counts).toEqual({ new: 1, unchanged: 0, changed: 1, moved: 1, returned: 0 })
    expect(tried.deleted).toEqual({ total: 1, components: [{ id: before['old']?.id, name: 'old', type: null }] })
    expect(await world.components(id)).toEqual(before)
  })

  it('counts also what it does not list', async () => {
    const components = Array.from({ length: MAX_TRIED_COMPONENTS + 20 }, (_, at) => ({ name: `c${at}` }))
    const tried = TryTopologyResponseSchema.parse((await post('/canary/try/topology', { spec: { components } })).json())
    expect(tried).toMatchObject({ total: MAX_TRIED_COMPONENTS + 20, counts: { new: MAX_TRIED_COMPONENTS + 20 } })
    expect(tried.components).toHaveLength(MAX_TRIED_COMPONENTS)
  })

  it('of a spec without components says that one is missing; of a stored topology, what would go', async () => {
    const answer = await post('/canary/try/topology', { spec: { schedule: '@hourly', components: [] } })
    expect([answer.status, answer.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'spec.components: Add a component' }),
    ])
    const id = await world.add('emptied', { components: [{ name: 'a' }] })
    await world.run(id)
    const emptied = await post('/canary/try/topology', { spec: {}, topology_id: id })
    expect(TryTopologyResponseSchema.parse(emptied.json())).toMatchObject({ total: 0, deleted: { total: 1 } })
    const rooted = await post('/canary/try/topology', { spec: { type: 'Product' } })
    expect(TryTopologyResponseSchema.parse(rooted.json())).toMatchObject({ total: 1 })
  })

  it('says what could not be used, and what a spec must not be', async () => {
    const lookup = { http: [{ url: 'http://127.0.0.1:1', id: '$.id', type: 'T' }] }
    const answer = await post('/canary/try/topology', { spec: { components: [{ name: 'a', lookup }] } })
    expect(TryTopologyResponseSchema.parse(answer.json()).problems).toEqual([expect.stringContaining('a: http.0: ')])
    const refused = await post('/canary/try/topology', { spec: { componets: [] } })
    expect([refused.status, refused.json()]).toEqual([400, { error: 'spec: Unrecognized key: "componets"' }])
  })

  it('and a sync need write on topologies; what is not there, or an agent has, is not synced here', async () => {
    const id = await world.add('rights', {})
    expect((await post(`/canary/run/topology/${id}`, undefined, 'viewer')).status).toBe(403)
    expect((await post('/canary/try/topology', { spec: {} }, 'viewer')).status).toBe(403)
    expect((await post(`/canary/run/topology/${id}`, undefined)).status).toBe(200)
    await world.database.query(
      `with agent as (insert into agents (name) values ('elsewhere') returning id)
       update topologies set agent_id = agent.id from agent where topologies.id = $1`,
      [id],
    )
    expect((await post(`/canary/try/topology`, { spec: {}, topology_id: id })).status).toBe(404)
    await eventually(async () => expect((await post(`/canary/run/topology/${id}`, undefined)).status).toBe(404), LATEST)
  })
})
