// Runs of a scraper of files against the real database: what is added, changed, moved, gone and back, and what cannot be used.
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

import { rebuildVersions } from '@watchroom/shared/catalog'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { type ScraperWorld, startScraperWorld } from '#support/scraperWorld.ts'

import { AGE_REASON } from '../../../../gateway/src/embedded-backend/jobs/itemAges.ts'

const RULES = {
  id: '$.id',
  name: '$.name',
  type: '$.type',
  status: '$.status',
  health: { expr: `!has(config.up) || config.up ? 'healthy' : 'unhealthy'` },
  parent: '$.partOf',
  labels: { team: '$.team' },
  tags: { site: 'harbour', noise: '$.noise' },
  costs: { perMinute: '$.cost' },
  transform: { exclude: ['$.noise'], mask: ['$.hidden'] },
  relationships: [{ id: '$.uses[*]', relation: 'Uses' }],
  insights: [
    {
      analyzer: 'replicas',
      type: 'reliability',
      severity: 'high',
      expr: 'has(config.replicas) && config.replicas < 2',
      message: { expr: `item.name + ' has ' + string(config.replicas)` },
    },
  ],
}

let world: ScraperWorld
let scraper: string
let folder: string
let count = 0

beforeAll(async () => {
  world = await startScraperWorld()
})
afterAll(() => world?.stop())
beforeEach(async () => {
  folder = `case-${++count}`
  mkdirSync(join(world.backend.dataDirectory, 'sources', folder), { recursive: true })
  scraper = await world.addScraper(folder, { file: [{ format: 'yaml', icon: 'file', paths: [folder], ...RULES }] })
})

const write = (name: string, fields: object): void => world.write(`${folder}/${name}`, JSON.stringify(fields))
const changesOf = async (id: string | undefined) =>
  (await world.database.query('select * from config_changes where config_id = $1 order by created_at', [id])).rows as {
    id: string
    change_type: string
    diff: string
    patches: unknown
    summary: string
  }[]
const insightsOf = async (id: string | undefined) =>
  (await world.database.query('select analyzer, status, message from config_analysis where config_id = $1', [id])).rows
const edges = async (relation: string) =>
  (
    await world.database.query(
      `select source.external_id[1] || ' > ' || target.external_id[1] as edge from config_relationships
       join config_items as source on source.id = config_id join config_items as target on target.id = related_id
       where relation = $1 and config_relationships.deleted_at is null and source.scraper_id = $2 order by 1`,
      [relation, scraper],
    )
  ).rows.map((row: { edge: string }) => row.edge)

describe('a run of a scraper', () => {
  it('adds items with their parents, relationships and insights, and writes nothing but the time of what is unchanged', async () => {
    write('site.yaml', { id: 'site', type: 'Site', name: 'Harbour' })
    write('api.yaml', {
      id: 'api',
      type: 'App::Service',
      name: 'api',
      partOf: 'site',
      uses: ['db'],
      replicas: 1,
      up: false,
      team: 'web',
      cost: 0.5,
      noise: 1,
    })
    write('db.yaml', { id: 'db', type: 'App::Database', name: 'db', partOf: 'api' })

    const first = await world.run(scraper)
    expect(first).toMatchObject({
      status: 'SUCCESS',
      errors: [],
      scrape_summary: { Site: { added: 1 }, 'App::Service': { added: 1 } },
    })
    const { site, api, db } = await world.items(scraper)
    expect(api).toMatchObject({
      name: 'api',
      type: 'App::Service',
      config_class: 'App',
      health: 'unhealthy',
      labels: { team: 'web' },
      // Rules look at what is not stored, too.
      tags: { site: 'harbour', noise: '1' },
      cost_per_minute: '0.5000',
      parent_id: site?.id,
      path: `${site?.id}.${api?.id}`,
      source: `${folder}/api.yaml`,
    })
    expect(api?.config).not.toHaveProperty('noise')
    expect(db?.path).toBe(`${site?.id}.${api?.id}.${db?.id}`)
    expect(await edges('hard')).toEqual(['api > db', 'site > api'])
    expect(await edges('Uses')).toEqual(['api > db'])
    expect(await insightsOf(api?.id)).toEqual([{ analyzer: 'replicas', status: 'open', message: 'api has 1' }])

    const again = await world.run(scraper)
    expect(again.scrape_summary).toMatchObject({ 'App::Service': { added: 0, updated: 0, unchanged: 1, changes: 0 } })
    const after = await world.items(scraper)
    expect({ ...after['api'], last_scraped_time: 0 }).toEqual({ ...api, last_scraped_time: 0 })
    expect(after['api']?.last_scraped_time.getTime()).toBeGreaterThan(api?.last_scraped_time.getTime() ?? Infinity)
    expect(await changesOf(api?.id)).toEqual([])
  })

  it('records one change with diff and patch, and moves what stands elsewhere now', async () => {
    write('a.yaml', { id: 'a', type: 'T', name: 'a' })
    write('b.yaml', { id: 'b', type: 'T', name: 'b' })
    write('c.yaml', { id: 'c', type: 'T', name: 'c', partOf: 'a', replicas: 1, port: 80 })
    await world.run(scraper)
    write('c.yaml', { id: 'c', type: 'T', name: 'c', partOf: 'b', replicas: 2, port: 80 })
    const { scrape_summary: summary } = await world.run(scraper)
    expect(summary).toEqual({ T: { added: 0, updated: 1, unchanged: 2, deleted: 0, changes: 1 } })
    const { a, b, c } = await world.items(scraper)
    expect(c).toMatchObject({ parent_id: b?.id, path: `${b?.id}.${c?.id}` })
    expect(a?.path).toBe(a?.id)
    expect(await edges('hard')).toEqual(['b > c'])
    const changes = await changesOf(c?.id)
    expect(changes).toHaveLength(1)
    expect(changes[0]).toMatchObject({
      change_type: 'diff',
      summary: 'partOf: a → b, replicas: 1 → 2',
      patches: [
        { op: 'replace', path: '/partOf', value: 'b' },
        { op: 'replace', path: '/replicas', value: 2 },
      ],
    })
    expect(changes[0]?.diff).toContain('-partOf: a\n+partOf: b\n port: 80\n-replicas: 1\n+replicas: 2\n')
    expect(await insightsOf(c?.id)).toEqual([{ analyzer: 'replicas', status: 'resolved', message: 'c has 1' }])
  })

  it('leaves diffs from which earlier versions are rebuilt', async () => {
    for (const replicas of [1, 2, 3]) {
      write('a.yaml', { id: 'a', type: 'T', limits: { memory: '1024Mi', cpu: '750m' }, uses: ['b', 'c'], replicas })
      await world.run(scraper)
    }
    const { a } = await world.items(scraper)
    const { rows } = await world.database.query('select config from config_items where id = $1', [a?.id])
    const changes = (await changesOf(a?.id)).toReversed()
    const { versions, brokenAt } = rebuildVersions((rows[0] as { config: unknown }).config, changes)
    expect(brokenAt).toBeNull()
    expect(versions.map(({ text }) => /replicas: \d/.exec(text)?.[0])).toEqual([
      'replicas: 3',
      'replicas: 2',
      'replicas: 1',
    ])
  })

  it('deletes softly what a complete run does not find, and brings it back', async () => {
    write('stays.yaml', { id: 'stays', type: 'T', uses: ['goes'] })
    write('goes.yaml', { id: 'goes', type: 'T', replicas: 1 })
    await world.run(scraper)
    world.remove(`${folder}/goes.yaml`)
    expect((await world.run(scraper)).scrape_summary['T']).toMatchObject({ deleted: 1, unchanged: 1 })
    const { goes } = await world.items(scraper)
    expect(goes?.deleted_at).toBeInstanceOf(Date)
    expect(goes?.delete_reason).toBe('its scraper did not find it any more')
    expect(await insightsOf(goes?.id)).toMatchObject([{ status: 'resolved' }])
    expect(await edges('Uses')).toEqual([])

    write('goes.yaml', { id: 'goes', type: 'T', replicas: 1 })
    await world.run(scraper)
    expect((await world.items(scraper))['goes']).toMatchObject({ id: goes?.id, deleted_at: null, delete_reason: null })
    expect(await insightsOf(goes?.id)).toMatchObject([{ status: 'open' }])
    expect(await edges('Uses')).toEqual(['stays > goes'])
    expect(await changesOf(goes?.id)).toEqual([])
  })

  it('leaves away what went for its age until its source shows something else', async () => {
    write('old.yaml', { id: 'old', type: 'T' })
    await world.run(scraper)
    await world.database.query('update config_items set deleted_at = now(), delete_reason = $2 where scraper_id = $1', [
      scraper,
      AGE_REASON,
    ])
    expect((await world.run(scraper)).scrape_summary['T']).toMatchObject({ updated: 0, unchanged: 1 })
    expect((await world.items(scraper))['old']?.deleted_at).not.toBeNull()
    write('old.yaml', { id: 'old', type: 'T', port: 1 })
    await world.run(scraper)
    expect((await world.items(scraper))['old']).toMatchObject({ deleted_at: null, delete_reason: null })
  })

  it('stores the rest and deletes nothing where something cannot be used, and names file and line', async () => {
    for (const name of ['one', 'two']) write(`${name}.yaml`, { id: name, type: 'T' })
    await world.run(scraper)
    world.remove(`${folder}/two.yaml`)
    write('three.yaml', { id: 'three', type: 'T' })
    write('no-id.yaml', { type: 'T' })
    write('no-type.yaml', { id: 'x' })
    world.write(`${folder}/broken.yaml`, 'id: y\ntype: T\nlist: [a,\n')
    world.write(`${folder}/binary.yaml`, Buffer.from([0x69, 0x64, 0x3a, 0x00, 0xff]))
    world.write(`${folder}/large.yaml`, `id: z\ntype: T\ntext: ${'x'.repeat(5 * 1_048_576)}\n`)
    const { status, errors } = await world.run(scraper)
    expect(status).toBe('WARNING')
    expect(errors.toSorted()).toEqual([
      `${folder}/binary.yaml: is no text`,
      `${folder}/broken.yaml:4: is no YAML (BAD_INDENT)`,
      `${folder}/large.yaml: is larger than 5 MB`,
      `${folder}/no-id.yaml:1: an item has no id`,
      `${folder}/no-type.yaml:1: the item x has no type`,
    ])
    const { one, two, three } = await world.items(scraper)
    expect([one?.deleted_at, two?.deleted_at, three?.deleted_at]).toEqual([null, null, null])
    const { rows } = await world.database.query(
      `select status, details from job_history where resource_id = $1 order by created_at desc limit 1`,
      [scraper],
    )
    expect(rows).toEqual([
      {
        status: 'WARNING',
        details: { errors, scrape_summary: expect.objectContaining({ T: expect.anything() }) as unknown },
      },
    ])
  })

  it('takes the first of two with one id, and refuses what stands above its own parent', async () => {
    write('1.yaml', { id: 'same', type: 'T', name: 'first' })
    write('2.yaml', { id: 'same', type: 'T', name: 'second' })
    write('a.yaml', { id: 'a', type: 'T', name: 'a', partOf: 'b' })
    write('b.yaml', { id: 'b', type: 'T', name: 'b', partOf: 'a' })
    write('c.yaml', { id: 'c', type: 'T', name: 'c', partOf: 'b' })
    const { status, errors } = await world.run(scraper)
    expect(status).toBe('WARNING')
    expect(errors).toEqual([
      `${folder}/2.yaml:1: the id same of the type T was used before, in ${folder}/1.yaml`,
      `${folder}/a.yaml:1: a: it is above its own parent`,
      `${folder}/b.yaml:1: b: it is above its own parent`,
    ])
    const { same, a, b, c } = await world.items(scraper)
    expect([same?.name, a?.parent_id, b?.parent_id, c?.parent_id]).toEqual(['first', null, null, b?.id])
  })

  it('fails and deletes nothing when its source is gone', async () => {
    write('one.yaml', { id: 'one', type: 'T' })
    await world.run(scraper)
    rmSync(join(world.backend.dataDirectory, 'sources', folder), { recursive: true })
    expect(await world.run(scraper)).toMatchObject({ status: 'FAILED', errors: [`file.0: ${folder} is not there`] })
    expect((await world.items(scraper))['one']?.deleted_at).toBeNull()
  })

  it('follows no link out of the folders that it may read', async () => {
    write('one.yaml', { id: 'one', type: 'T' })
    const outside = join(world.backend.dataDirectory, `outside-${folder}`)
    mkdirSync(outside)
    world.write(`../outside-${folder}/stolen.yaml`, 'id: stolen\ntype: T\n')
    symlinkSync(join(outside, 'stolen.yaml'), join(world.backend.dataDirectory, 'sources', folder, 'link.yaml'))
    chmodSync(outside, 0o755)
    const { errors } = await world.run(scraper)
    expect(errors).toEqual([`${folder}/link.yaml: is a link that leads out of the folders that sources are read from`])
    expect(Object.keys(await world.items(scraper))).toEqual(['one'])
  })

  it('keeps no credential, wherever it stands', async () => {
    const secret = 'hunter2-hunter2'
    write('app.yaml', {
      id: 'app',
      type: 'T',
      name: `postgres://me:${secret}@db/x`,
      password: secret,
      hidden: secret,
      env: [{ name: 'API_TOKEN', value: secret }],
      nested: { url: `https://user:${secret}@host/`, secretRef: 'vault/app' },
      replicas: 1,
    })
    write('kube.yaml', { id: 'kube', type: 'T', kind: 'Secret', data: { any: secret } })
    // In a process of its own.
    write('large.yaml', { id: 'large', type: 'T', text: 'x '.repeat(200_000), nested: [{ password: secret }] })
    world.write(`${folder}/broken.yaml`, `id: "${secret}\n`)
    await world.run(scraper)
    write('app.yaml', { id: 'app', type: 'T', password: `${secret}-2`, port: 1 })
    await world.run(scraper)
    for (const table of ['config_items', 'config_changes', 'config_analysis', 'job_history']) {
      const { rows } = await world.database.query(
        `select count(*)::int as count from ${table} as row where row::text like $1`,
        [`%${secret}%`],
      )
      expect([table, rows]).toEqual([table, [{ count: 0 }]])
    }
    const { kube, large } = await world.items(scraper)
    expect(kube?.config).toMatchObject({ data: { any: '***' } })
    expect(large?.config).toMatchObject({ id: 'large', nested: [{ password: '***' }] })
  })
})
