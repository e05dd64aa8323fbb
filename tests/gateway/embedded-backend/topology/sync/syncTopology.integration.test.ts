// What syncs make of specs, in a real database: components, links, canaries, and what comes back.
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { eventually } from '#support/eventually.ts'
import { insertRow } from '#support/insertRow.ts'
import { startTopologyWorld, type TopologyWorld } from '#support/topologyWorld.ts'

import { relateComponents } from '../../../../../gateway/src/embedded-backend/topology/sync/relate.ts'

const REMEMBERS_STATUS = new URL(
  '../../../../../gateway/src/embedded-backend/schema/migrations/0232_remember_synced_status.sql',
  import.meta.url,
)
const LATEST = { timeout: 20_000, interval: 50 }

let world: TopologyWorld
let server: Server
let serverUrl: string
/** What the server answers next. */
let answer: { status: number; type: string; body: string } = { status: 200, type: 'application/json', body: '[]' }

beforeAll(async () => {
  world = await startTopologyWorld({ programs: { savers: 'admin', refusal: 'not here' } })
  server = createServer((_, response) => {
    response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  serverUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server?.close()
  await world?.stop()
})

const ids = async (topology: string): Promise<Record<string, string>> =>
  Object.fromEntries(Object.entries(await world.components(topology)).map(([name, { id }]) => [name, id]))
const live = async (topology: string): Promise<string[]> =>
  Object.values(await world.components(topology))
    .flatMap(({ name, deleted_at: deletedAt }) => (deletedAt === null ? [name] : []))
    .toSorted()

describe('a topology', () => {
  it('becomes components, and a run that finds nothing new writes nothing', async () => {
    const id = await world.add('shop', {
      labels: { tier: '1' },
      owner: 'web team',
      components: [
        {
          name: 'Shop',
          type: 'Application',
          components: [
            { name: 'Web', labels: { part: 'web' }, hidden: true },
            { name: 'Store', properties: [{ name: 'disk', value: 80, max: 100, headline: true }] },
          ],
        },
      ],
    })
    expect(await world.run(id)).toEqual({ status: 'ok', count: '3', errors: [] })
    const first = await world.components(id)
    expect(first['Web']).toMatchObject({
      parent_id: first['Shop']?.id,
      path: first['Shop']?.id,
      labels: { tier: '1', part: 'web' },
      owner: 'web team',
      hidden: true,
      is_leaf: true,
      namespace: 'default',
      health: null,
    })
    expect(first['Store']?.['properties']).toEqual([{ name: 'disk', value: 80, max: 100, headline: true }])
    await world.untilRolledUp(id)
    const { rows: before } = await world.database.query<{ written: string }>(WRITTEN, [id])
    await world.run(id)
    expect((await world.database.query<{ written: string }>(WRITTEN, [id])).rows).toEqual(before)
  })

  it('takes its rows in the order of their ids, as whoever shows their health does: neither waits for the other for ever', async () => {
    const id = await world.add('locks', { components: [{ name: 'a' }, { name: 'b' }] })
    await world.run(id)
    await world.untilRolledUp(id)
    const [low, high] = Object.values(await world.components(id)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const other = await world.database.connect()
    onTestFinished(() => other.release(true))
    await other.query('begin')
    await other.query('select from components where id = $1 for no key update', [low?.id])
    // What is gone is written first.
    await world.edit(id, { components: [{ name: low?.name, text: 'other words' }] })
    const running = world.run(id)
    await eventually(async () => {
      const { rowCount } = await world.database.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%components%' and pid <> pg_backend_pid()`,
      )
      if (rowCount === 0) throw new Error('nobody waits for the row yet')
    }, LATEST)
    await other.query('select from components where id = $1 for no key update', [high?.id])
    await other.query('commit')
    expect(await running).toMatchObject({ status: 'ok', errors: [] })
    // Also that of the edit, if it was one of its own.
    const { rows: failed } = await world.database.query(
      `select details from job_history where resource_id = $1 and status <> 'SUCCESS'`,
      [id],
    )
    expect(failed).toEqual([])
    expect(await live(id)).toEqual([low?.name])
  })

  it('that says something of itself is a component above the others', async () => {
    const id = await world.add('console', { type: 'Product', text: 'The console', components: [{ name: 'Gateway' }] })
    await world.run(id)
    const { console: root, Gateway } = await world.components(id)
    expect(root).toMatchObject({ type: 'Product', text: 'The console', parent_id: null, topology_type: 'Product' })
    expect(Gateway?.parent_id).toBe(root?.id)
  })

  it('keeps the id of what moved, deletes softly what vanished and takes it back, with its manual link', async () => {
    const id = await world.add('moves', {
      components: [{ name: 'a', components: [{ name: 'x' }, { name: 'y' }] }, { name: 'b' }],
    })
    await world.run(id)
    const before = await ids(id)
    const { rows } = await world.database.query<{ id: string }>(
      `insert into config_items (config_class, type, name, config) values ('T', 'T', 'linked', '{}') returning id`,
    )
    await world.database.query(
      `insert into config_component_relationships (component_id, config_id, selector_id) values ($1, $2, 'manual')`,
      [before['y'], rows[0]?.id],
    )
    await world.edit(id, { components: [{ name: 'a' }, { name: 'b', components: [{ name: 'x' }] }] })
    await world.run(id)
    const moved = await world.components(id)
    expect(moved['x']).toMatchObject({ id: before['x'], parent_id: before['b'], path: before['b'], deleted_at: null })
    expect(moved['y']?.deleted_at).not.toBeNull()
    await world.edit(id, {
      components: [
        { name: 'a', components: [{ name: 'y' }] },
        { name: 'b', components: [{ name: 'x' }] },
      ],
    })
    await world.run(id)
    expect(await ids(id)).toEqual(before)
    const { rows: links } = await world.database.query(
      'select deleted_at from config_component_relationships where component_id = $1',
      [before['y']],
    )
    expect(links).toEqual([{ deleted_at: null }])
  })

  it('keeps what moved, and what vanished, as evidence in its incident', async () => {
    const { database } = world
    const id = await world.add('evidence', {
      components: [{ name: 'a', components: [{ name: 'x' }, { name: 'y' }] }, { name: 'b' }],
    })
    await world.run(id)
    const { x = '', y = '' } = await ids(id)
    const by = { created_by: await insertRow(database, 'people', { name: 'Robin', email: 'robin@moves.example' }) }
    const kind = { title: 'x is down', type: 'availability', severity: 'High', status: 'open', description: '' }
    const incident = await insertRow(database, 'incidents', { ...by, ...kind })
    const guess = { title: 'x', type: 'root', status: 'possible', incident_id: incident }
    const hypothesis = await insertRow(database, 'hypotheses', { ...by, ...guess })
    for (const part of [x, y]) {
      const evidence = { hypothesis_id: hypothesis, component_id: part, type: 'component', description: '' }
      await insertRow(database, 'evidences', { ...by, ...evidence })
    }
    await world.edit(id, { components: [{ name: 'a' }, { name: 'b', components: [{ name: 'x' }] }] })
    await world.run(id)
    expect((await world.components(id))['x']).toMatchObject({ id: x, parent_id: (await ids(id))['b'] })
    const { rows } = await database.query<{ id: string }>(
      'select component_id as id from incidents_by_component where id = $1',
      [incident],
    )
    expect(rows.map((row) => row.id).toSorted()).toEqual([x, y].toSorted())
  })

  it('leaves hidden what someone hid, until the spec says something else', async () => {
    const id = await world.add('hidden', { components: [{ name: 'h' }] })
    await world.run(id)
    await world.database.query('update components set hidden = true where topology_id = $1', [id])
    await world.edit(id, { components: [{ name: 'h', text: 'other' }] })
    await world.run(id)
    expect((await world.components(id))['h']).toMatchObject({ hidden: true, text: 'other' })
    await world.edit(id, { components: [{ name: 'h', hidden: true }] })
    await world.run(id)
    await world.edit(id, { components: [{ name: 'h', hidden: false }] })
    await world.run(id)
    expect((await world.components(id))['h']?.hidden).toBe(false)
  })

  it('forgets the status of an expression that is gone, and takes what one said for nothing that was said', async () => {
    const saidOf = async (topology: string): Promise<unknown[]> => {
      const { rows } = await world.database.query<{ status: string }>(
        `select said.status from watchroom_internal.component_said as said join components on components.id = said.component_id
         where components.topology_id = $1`,
        [topology],
      )
      return rows.map(({ status }) => status)
    }
    const component = { name: 'e', statusExpr: '"busy"' }
    const id = await world.add('expressions', { components: [component] })
    await world.run(id)
    const shows = (status: string) =>
      eventually(async () => expect((await world.components(id))['e']?.['status']).toBe(status), LATEST)
    await shows('busy')
    await world.edit(id, { components: [{ ...component, text: 'other' }] })
    await world.run(id)
    expect(await saidOf(id)).toEqual([''])
    await world.edit(id, { components: [{ name: 'e', text: 'other' }] })
    await world.run(id)
    await shows('')
    expect(await saidOf(id)).toEqual([''])
  })

  it('takes back the status that a lookup no longer says, and leaves what others say', async () => {
    const { rows } = await world.database.query<{ id: string }>(
      `insert into config_items (config_class, type, name, status, config) values
         ('T', 'Stated', 'lookup', 'Running', '{}'), ('T', 'Stated', 'person', 'Running', '{}') returning id`,
    )
    const id = await world.add('stated', {
      components: [{ name: 'all', lookup: { configs: [{ types: ['Stated'] }] } }],
    })
    await world.run(id)
    const statuses = async () => {
      const found = await world.components(id)
      return ['lookup', 'person'].map((name) => found[name]?.['status'])
    }
    expect(await statuses()).toEqual(['Running', 'Running'])
    // As of an earlier version, which remembered no status.
    await world.database.query(
      `update watchroom_internal.synced_components set status = null
       where component_id in (select id from components where topology_id = $1)`,
      [id],
    )
    await world.database.query(readFileSync(REMEMBERS_STATUS, 'utf8'))
    await world.run(id)
    await world.database.query(`update components set status = 'Held' where name = 'person' and topology_id = $1`, [id])
    await world.database.query('update config_items set status = null where id = any($1)', [rows.map((row) => row.id)])
    await world.run(id)
    await eventually(async () => expect(await statuses()).toEqual(['', 'Held']), LATEST)
  })

  it('goes with its components, links and canaries when it is deleted', async () => {
    const id = await world.add('gone', {
      components: [{ name: 'g', checks: [{ inline: { interval: 3_600, http: [{ name: 'up', url: serverUrl }] } }] }],
    })
    await world.run(id)
    const component = (await ids(id))['g']
    await eventually(async () => expect(await checksOf(component)).toEqual(['up']), LATEST)
    await world.database.query('update topologies set deleted_at = now() where id = $1', [id])
    await eventually(async () => expect(await live(id)).toEqual([]), LATEST)
    const { rows } = await world.database.query<{ isGone: boolean }>(
      `select deleted_at is not null as "isGone" from canaries where source = 'component/' || $1`,
      [component],
    )
    expect(rows).toEqual([{ isGone: true }])
    expect(await checksOf(component)).toEqual([])
  })
})

const WRITTEN = `select string_agg(xmin::text, ' ' order by id) as written from components where topology_id = $1`

const checksOf = async (component: string | undefined): Promise<string[]> => {
  const { rows } = await world.database.query<{ name: string }>(
    `select checks.name from check_component_relationships as link join checks on checks.id = link.check_id
     where link.component_id = $1 and link.deleted_at is null and checks.deleted_at is null order by checks.name`,
    [component],
  )
  return rows.map(({ name }) => name)
}

describe('a lookup', () => {
  const spec = () => ({
    components: [
      {
        name: 'Pods',
        lookup: { http: [{ url: serverUrl, id: '$.id', name: '$.id', type: 'Pod', status: '$.status' }] },
        forEach: {
          text: 'Pod $(item.name)',
          icon: 'pod',
          labels: { pod: '$(item.name)' },
          components: [{ name: 'Disk of $(item.name)' }],
        },
      },
    ],
  })
  const json = (body: unknown) => ({ status: 200, type: 'application/json', body: JSON.stringify(body) })

  it('makes a component of each item, as the template says', async () => {
    answer = json([
      { id: 'one', status: 'Running' },
      { id: 'two', status: 'Pending' },
    ])
    const id = await world.add('pods', spec())
    expect(await world.run(id)).toEqual({ status: 'ok', count: '5', errors: [] })
    const { Pods, one, 'Disk of one': disk } = await world.components(id)
    expect(one).toMatchObject({
      parent_id: Pods?.id,
      type: 'Pod',
      status: 'Running',
      text: 'Pod one',
      labels: { pod: 'one' },
      icon: 'pod',
    })
    expect(disk).toMatchObject({ parent_id: one?.id, path: `${Pods?.id}.${one?.id}` })
  })

  it('within another one fills what it makes with what it finds itself', async () => {
    answer = json([{ id: 'one' }, { id: 'two' }])
    const http = [{ url: serverUrl, id: '$.id', name: '$.id', type: 'Part' }]
    const inner = { name: 'Parts of $(item.name)', lookup: { http }, forEach: { text: 'Part $(item.name)' } }
    const id = await world.add('nested', {
      components: [{ name: 'Wholes', lookup: { http }, forEach: { components: [inner] } }],
    })
    expect(await world.run(id)).toEqual({ status: 'ok', count: '9', errors: [] })
    const { rows } = await world.database.query<{ text: string }>(
      `select parent.name || ': ' || part.text as text from components as part
       join components as parent on parent.id = part.parent_id
       where part.topology_id = $1 and part.text is not null order by 1`,
      [id],
    )
    expect(rows.map(({ text }) => text)).toEqual([
      'Parts of one: Part one',
      'Parts of one: Part two',
      'Parts of two: Part one',
      'Parts of two: Part two',
    ])
  })

  it('gives values to a script as variables, and leads no address elsewhere', async () => {
    const name = `'; touch /tmp/x; $(id) #@localhost:1`
    answer = json([{ id: name, status: 'Running' }])
    const script = 'echo "$(date)" "$(item.name)" "$NAME"'
    const inline = {
      schedule: '@every 1h',
      exec: [{ name: 'own', script, env: [{ name: 'NAME', value: '$(item.name)' }] }],
      http: [{ name: 'asked', url: 'http://127.0.0.1$(item.name)' }],
      postgres: [
        { name: 'quoted', url: 'postgres://127.0.0.1/x', query: `select 1 where 'a' = '$(item.name)'` },
        { name: 'bare', url: 'postgres://127.0.0.1/x', query: 'select $(item.name)' },
      ],
    }
    const [pods] = spec().components
    const id = await world.add('scripts', { components: [{ ...pods, forEach: { checks: [{ inline }] } }] })
    expect(await world.run(id)).toMatchObject({
      errors: [
        'Pods: forEach: url: a value would lead to another server than the one that is written there',
        'Pods: forEach: query: a value stands in single quotes',
      ],
    })
    const { rows } = await world.database.query<{ spec: typeof inline }>(
      `select spec from canaries where deleted_at is null and spec -> 'exec' -> 0 ->> 'name' = 'own'`,
    )
    const query = `select 1 where 'a' = ''${name}'`
    expect(rows).toMatchObject([{ spec: { exec: [{ script }], postgres: [{ query }, { query: '' }] } }])
  })

  it.each([
    ['500', () => ({ status: 500, type: 'text/plain', body: 'no' })],
    ['a page for people', () => ({ status: 200, type: 'text/html', body: '<html></html>' })],
    ['without an end', () => ({ status: 200, type: 'application/json', body: `["${'x'.repeat(17 * 2 ** 20)}` })],
  ])('that is answered %s is a warning: the rest goes on, and nothing is deleted', async (what, broken) => {
    answer = json([{ id: 'one', status: 'Running' }])
    const id = await world.add(`pods ${what}`, spec())
    await world.run(id)
    answer = broken()
    await world.edit(id, { components: [...spec().components, { name: 'Other' }] })
    const run = await world.run(id)
    expect(run).toMatchObject({ status: 'ok', count: '2', errors: [expect.stringContaining('Pods: http.0: ')] })
    expect(await live(id)).toEqual(['Disk of one', 'Other', 'Pods', 'one'])
    const { rows } = await world.database.query<{ status: string }>(
      `select status from job_history where resource_type = 'topology' and resource_id = $1 and name = 'TopologySync'
         and status <> 'RUNNING' order by time_start desc limit 1`,
      [id],
    )
    expect(rows).toEqual([{ status: 'WARNING' }])
  })

  it('finds items of the catalog, which the component stands for', async () => {
    await world.database.query(
      `insert into config_items (config_class, type, name, health, status, tags, config)
       values ('Db', 'Looked::Db', 'main', 'warning', 'slow', '{"zone": "a"}', '{}')`,
    )
    const id = await world.add('databases', {
      components: [
        {
          name: 'Databases',
          lookup: { configs: [{ types: ['Looked::*'] }] },
          forEach: { text: 'in $(item.tags.zone)' },
        },
      ],
    })
    expect(await world.run(id)).toEqual({ status: 'ok', count: '2', errors: [] })
    const { main } = await world.components(id)
    expect(main).toMatchObject({ type: 'Looked::Db', status: 'slow', text: 'in a', config_id: expect.any(String) })
    const { rows } = await world.database.query(
      'select config_id from config_component_relationships where component_id = $1 and deleted_at is null',
      [main?.id],
    )
    expect(rows).toEqual([{ config_id: main?.['config_id'] }])
  })

  it('misses nothing of a catalog that is not read yet', async () => {
    const selector = { types: ['Later::Host'] }
    const id = await world.add('hosts', {
      components: [
        { name: 'Hosts', lookup: { configs: [selector] } },
        { name: 'Host', configs: [selector], properties: [{ name: 'zone', config: { selector, field: '$.zone' } }] },
      ],
    })
    // Past the trigger that would have it run.
    const { rows: scrapers } = await world.database.query<{ id: string }>(
      `with quiet as materialized (select set_config('session_replication_role', 'replica', true))
       insert into config_scrapers (name, spec, source) select 'later', '{}', 'UI' from quiet returning id`,
    )
    const scraper = scrapers[0]?.id
    onTestFinished(async () => {
      await world.database.query('delete from config_scrapers where id = $1', [scraper])
    })
    expect(await world.run(id)).toEqual({ status: 'ok', count: '2', errors: [] })
    await world.database.query(
      `insert into job_history (name, resource_type, resource_id, status) values ('Scrape', 'config_scraper', $1, 'SUCCESS')`,
      [scraper],
    )
    expect(await world.run(id)).toEqual({
      status: 'ok',
      count: '2',
      errors: [
        'Hosts: configs: no item of the catalog is meant',
        'Host: property zone: no item of the catalog is meant',
        expect.stringMatching(/^Host: configs: .* means nothing$/),
      ],
    })
  })

  it('does not run programs where they are not run', async () => {
    const id = await world.add('programs', {
      components: [{ name: 'Scripts', lookup: { exec: [{ script: 'echo "[]"', id: '$.id', type: 'T' }] } }],
    })
    expect(await world.run(id)).toMatchObject({
      status: 'ok',
      errors: ['Scripts: exec.0: programs are not run here: not here'],
    })
  })
})

describe('selectors', () => {
  it('link components, checks and items; what nothing means is a warning, and manual links stay', async () => {
    const { rows } = await world.database.query<{ id: string }>(
      `insert into config_items (config_class, type, name, config) values
         ('T', 'Linked', 'one', '{}'), ('T', 'Linked', 'two', '{}') returning id`,
    )
    const [one, two] = rows.map((row) => row.id)
    const id = await world.add('links', {
      components: [
        { name: 'part', labels: { part: 'yes' } },
        {
          name: 'owner',
          selectors: [{ labelSelector: 'part=yes' }, { name: 'nobody' }],
          checks: [{ selector: { namespace: 'self', name: 'gateway-http' } }],
          configs: [{ types: ['Linked'] }],
        },
      ],
    })
    const run = await world.run(id)
    expect(run.errors).toEqual(['owner: components: {"name":"nobody","agent":"all"} means nothing'])
    const { owner = '', part = '' } = await ids(id)
    const linksOf = async () => {
      const { rows: links } = await world.database.query<{ kind: string; id: string }>(
        `select 'component' as kind, component_id as id from component_relationships where relationship_id = $1 and deleted_at is null
         union all select 'config', config_id from config_component_relationships where component_id = $1 and deleted_at is null`,
        [owner],
      )
      return links.map((link) => `${link.kind} ${link.id}`).toSorted()
    }
    expect(await linksOf()).toEqual([`component ${part}`, `config ${one}`, `config ${two}`].toSorted())
    expect(await checksOf(owner)).toEqual(['gateway-http'])

    await world.database.query(
      `update config_component_relationships set selector_id = 'manual' where config_id = $1`,
      [one],
    )
    await world.edit(id, { components: [{ name: 'part' }, { name: 'owner' }] })
    expect((await world.run(id)).errors).toEqual([])
    expect(await linksOf()).toEqual([`config ${one}`])
    expect(await checksOf(owner)).toEqual([])
  })
})

describe('inline checks', () => {
  it('become a canary of the component, whose checks are its own; what nobody changed is not written again', async () => {
    const spec = (path: string) => ({
      components: [
        { name: 'site', checks: [{ inline: { interval: 3_600, http: [{ name: 'front', url: serverUrl + path }] } }] },
      ],
    })
    const id = await world.add('inline', spec('/a'))
    await world.run(id)
    const { site } = await ids(id)
    await eventually(async () => expect(await checksOf(site)).toEqual(['front']), LATEST)
    const read = async () => {
      const { rows } = await world.database.query<{ xmin: string; name: string; source: string }>(
        `select xmin::text, name, source, spec from canaries where source = $1`,
        [`component/${site}`],
      )
      return rows
    }
    const before = await read()
    expect(before).toMatchObject([{ name: 'site', source: `component/${site}` }])
    await world.run(id)
    expect(await read()).toEqual(before)
    await world.edit(id, spec('/b'))
    await world.run(id)
    expect(await read()).toMatchObject([{ spec: { http: [{ url: `${serverUrl}/b` }] } }])
    await world.edit(id, { components: [{ name: 'site' }] })
    await world.run(id)
    await eventually(async () => expect(await checksOf(site)).toEqual([]), LATEST)
  })

  it('are there for the expressions of their component, once they are', async () => {
    const inline = { interval: 3_600, http: [{ name: 'own-front', url: serverUrl }] }
    const checks = [{ selector: { name: 'own-front' } }, { inline }]
    const part = { name: 'part', checks, properties: [{ name: 'seen', expr: 'checks.map(c, c.name)' }] }
    const id = await world.add('inline-expressions', { components: [{ name: 'whole', components: [part] }] })
    await world.run(id)
    const { part: partId } = await ids(id)
    await eventually(async () => expect(await checksOf(partId)).toContain('own-front'), LATEST)
    await world.database.query(
      `with agent as (insert into agents (name) values ('stranger') returning id), canary as (
         insert into canaries (name, namespace, spec, source, agent_id)
         select 'foreign', 'default', '{}', $1, id from agent returning id, agent_id)
       insert into checks (canary_id, type, name, agent_id) select id, 'http', 'foreign', agent_id from canary`,
      [`component/${partId}`],
    )
    await world.run(id)
    expect((await world.components(id))['part']?.['properties']).toEqual([{ name: 'seen', text: '["own-front"]' }])
  })
})

it('gives a component below a new one no checks of another that is called the same at the top', async () => {
  const inline = (name: string) => ({ inline: { interval: 3_600, http: [{ name, url: serverUrl }] } })
  const top = { name: 'part', checks: [inline('top-front')] }
  const id = await world.add('inline-below-new', { components: [top] })
  await world.run(id)
  const { part } = await ids(id)
  await eventually(async () => expect(await checksOf(part)).toContain('top-front'), LATEST)
  const below = {
    name: 'part',
    checks: [inline('below-front')],
    properties: [{ name: 'seen', expr: 'checks.map(c, c.name)' }],
  }
  await world.edit(id, { components: [top, { name: 'whole', components: [below] }] })
  await world.run(id)
  const { rows } = await world.database.query<{ properties: unknown }>(
    `select properties from components where topology_id = $1 and name = 'part' and parent_id is not null`,
    [id],
  )
  expect(rows).toEqual([{ properties: [{ name: 'seen', text: '[]' }] }])
})

describe('components of agents', () => {
  it('have the checks of their agent that their selectors mean, and those they brought along', async () => {
    const insert = (table: string, row: Readonly<Record<string, unknown>>) => insertRow(world.database, table, row)
    const agents = await Promise.all(['harbour', 'depot'].map((name) => insert('agents', { name })))
    const check = async (agent: string | undefined, name: string, source = 'x'): Promise<string> => {
      const canary = await insert('canaries', { name, namespace: 'default', spec: {}, source, agent_id: agent })
      return insert('checks', { canary_id: canary, type: 'http', name, agent_id: agent })
    }
    const [harbour, depot] = agents
    const pushed = await insert('components', {
      external_id: 'gate',
      name: 'gate',
      status: '',
      type: 'Gate',
      agent_id: harbour,
      // An inline check stands alone, or beside a selector of nothing.
      component_checks: [
        { selector: { name: 'gate-http', agent: 'all' } },
        { inline: {} },
        { selector: {}, inline: {} },
        { selector: { agent: 'all' } },
      ],
    })
    const own = await check(harbour, 'gate-http')
    await check(harbour, 'elsewhere')
    await check(depot, 'gate-http')
    const inline = await check(harbour, 'gate-front', `component/${pushed}`)
    await check(depot, 'gate-front', `component/${pushed}`)
    expect((await relateComponents(world.database, 'checks')).problems).toEqual([])
    const { rows } = await world.database.query<{ id: string }>(
      'select check_id as id from check_component_relationships where component_id = $1 and deleted_at is null',
      [pushed],
    )
    expect(rows.map(({ id }) => id).toSorted()).toEqual([own, inline].toSorted())
  })
})

describe('a property', () => {
  it('says what checks and items say, and what an expression makes of both; one that fails says so', async () => {
    await world.database.query(
      `insert into config_items (config_class, type, name, config) values ('T', 'Sized', 'sized', '{"spec": {"replicas": 3}}')`,
    )
    await world.database.query(
      `insert into check_statuses (check_id, time, status, duration)
       select id, now() - interval '5 minutes' + n * interval '1 second', n <> 1, 100 * n from checks, generate_series(1, 4) as n
       where name = 'build-info'`,
    )
    const id = await world.add('properties', {
      components: [
        {
          name: 'p',
          configs: [{ types: ['Sized'] }],
          properties: [
            { name: 'replicas', config: { selector: { types: ['Sized'] }, field: '$.spec.replicas' }, headline: true },
            { name: 'uptime', check: { selector: { name: 'build-info' }, measure: 'uptime', window: '1h' } },
            { name: 'double', expr: 'properties.replicas * 2.0' },
            { name: 'items', expr: 'configs.map(c, c.name)[0] + " of " + component.name' },
            { name: 'broken', expr: 'component.missing.deeper' },
          ],
        },
      ],
    })
    const run = await world.run(id)
    expect(run.errors).toEqual([expect.stringMatching(/^p: property broken: /)])
    expect((await world.components(id))['p']?.['properties']).toEqual([
      { name: 'replicas', value: 3, headline: true },
      { name: 'uptime', value: expect.any(Number), unit: 'percent' },
      { name: 'double', value: 6 },
      { name: 'items', text: 'sized of p' },
      { name: 'broken', text: 'unknown', tooltip: expect.any(String) },
    ])
  })

  it('that runs over its time is unknown, with the reason; the others and the run go on', async () => {
    const name = `${'a'.repeat(40)}!`
    const id = await world.add('runaway', {
      components: [
        {
          name,
          properties: [
            { name: 'endless', expr: 'component.name.matches("^(a+)+$")' },
            { name: 'length', expr: 'component.name.size()' },
          ],
        },
        { name: 'beside', properties: [{ name: 'sum', expr: '1 + 1' }] },
      ],
    })
    const run = await world.run(id)
    const reason = 'takes too long on this answer'
    expect(run.errors).toEqual([`${name}: property endless: ${reason}`])
    const made = await world.components(id)
    expect(made[name]?.['properties']).toEqual([
      { name: 'endless', text: 'unknown', tooltip: reason },
      { name: 'length', value: 41 },
    ])
    expect(made['beside']?.['properties']).toEqual([{ name: 'sum', value: 2 }])
  })
})
