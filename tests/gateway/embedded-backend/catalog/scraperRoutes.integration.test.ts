// What people do with scrapers over HTTP: save, run now, follow saves of files, delete.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'

import { NIL_UUID } from '@watchroom/shared/kernel'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { eventually } from '#support/eventually.ts'
import { listen } from '#support/listen.ts'
import { type ScraperWorld, startScraperWorld } from '#support/scraperWorld.ts'

const FILE = {
  format: 'yaml',
  icon: 'file',
  paths: ['saved'],
  id: '$.id',
  type: 'T',
  insights: [{ analyzer: 'seen', type: 'other', severity: 'low', expr: 'true' }],
}
const LATEST = { timeout: 20_000, interval: 50 }

let world: ScraperWorld
let headers: Record<string, string>
let held: Server

beforeAll(async () => {
  world = await startScraperWorld()
  world.write('saved/one.yaml', 'id: one\n')
  const outside = join(world.backend.dataDirectory, 'elsewhere')
  mkdirSync(outside)
  writeFileSync(join(outside, 'file.yaml'), 'id: elsewhere\n')
  symlinkSync(outside, join(world.backend.dataDirectory, 'sources', 'link'))
  symlinkSync(join(outside, 'file.yaml'), join(world.backend.dataDirectory, 'sources', 'leads-out.yaml'))
  const editor = await world.backend.createPerson('editor')
  headers = await world.backend.signIn(editor.email, editor.password)
})
afterAll(() => world?.stop())

const save = (spec: object) =>
  world.backend.call('/db/config_scrapers', {
    method: 'POST',
    headers: { ...headers, prefer: 'return=representation' },
    body: { name: `scraper ${Math.random()}`, source: 'UI', spec },
  })

describe('a scraper that is saved', () => {
  it.each([
    [{ file: [{ ...FILE, paths: ['../postgres'] }] }, 'spec.file.0.paths.0: ../postgres is outside of the folders'],
    [{ file: [{ ...FILE, paths: ['/etc/*.yaml'] }] }, 'spec.file.0.paths.0: /etc/*.yaml is outside of the folders'],
    [{ file: [{ ...FILE, paths: ['saved', 'link'] }] }, 'spec.file.0.paths.1: link leads out of the folders'],
    [
      { file: [{ ...FILE, paths: ['leads-out.yaml'] }] },
      'spec.file.0.paths.0: leads-out.yaml leads out of the folders',
    ],
    [{ file: [{ ...FILE, pathes: [] }] }, 'spec.file.0: Unrecognized key'],
    [{ file: [{ ...FILE, name: { expr: 'config.(' } }] }, 'spec.file.0.expr: config.(: '],
    [{ file: [{ ...FILE, name: '$.[' }] }, 'spec.file.0.name: is not a JSONPath'],
  ])('is refused where %j says so: %s', async (spec, message) => {
    const answer = await save(spec)
    expect([answer.status, answer.json()]).toEqual([
      400,
      { code: '23514', details: null, hint: null, message: expect.stringContaining(message) as unknown },
    ])
  })

  it('runs at once, follows saves of its files, and takes its items with it when it is deleted', async () => {
    const [row] = (await save({ schedule: '@daily', file: [{ ...FILE, watch: true }] })).json() as { id: string }[]
    const id = row?.id ?? ''
    await eventually(async () => expect(Object.keys(await world.items(id))).toEqual(['one']), LATEST)
    world.write('saved/deeper/two.yaml', 'id: two\n')
    await eventually(async () => expect(Object.keys(await world.items(id)).toSorted()).toEqual(['one', 'two']), LATEST)
    world.write('saved/deeper/two.yaml', 'id: two\nport: 80\n')
    await eventually(
      async () => expect((await world.items(id))['two']?.config).toEqual({ id: 'two', port: 80 }),
      LATEST,
    )
    world.remove('saved/deeper/two.yaml')
    await eventually(async () => expect((await world.items(id))['two']?.deleted_at).not.toBeNull(), LATEST)

    await world.database.query('update config_scrapers set deleted_at = now() where id = $1', [id])
    await eventually(
      async () => expect((await world.items(id))['one']?.delete_reason).toBe('its scraper was deleted'),
      LATEST,
    )
    const { rows } = await world.database.query('select distinct status from config_analysis where scraper_id = $1', [
      id,
    ])
    expect(rows).toEqual([{ status: 'resolved' }])
  })

  it('takes with it what a run was writing when it was deleted', async () => {
    world.write('going/one.yaml', 'id: one\n')
    const id = await world.addScraper('going', { file: [{ ...FILE, paths: ['going'] }] })
    await world.run(id)
    world.write('going/one.yaml', 'id: one\nport: 80\n')
    world.write('going/two.yaml', 'id: two\n')
    const waits = async (words: string): Promise<void> =>
      eventually(async () => {
        const { rows } = await world.database.query(
          `select query from pg_stat_activity where wait_event_type = 'Lock' and strpos(query, $1) > 0`,
          [words],
        )
        expect(rows.length).toBeGreaterThan(0)
      }, LATEST)
    const client = await world.database.connect()
    try {
      // Both items are written, not yet committed; the change of one is not.
      await client.query('begin; lock table config_changes in exclusive mode')
      const run = world.backend.callAsService(`/config/run/${id}`, { method: 'POST' })
      await waits('into config_changes')
      const deletion = world.database.query('update config_scrapers set deleted_at = now() where id = $1', [id])
      await waits('set deleted_at')
      await client.query('commit')
      await Promise.all([run, deletion])
    } finally {
      client.release()
    }
    await eventually(
      async () =>
        expect(Object.values(await world.items(id)).map((item) => item.delete_reason)).toEqual([
          'its scraper was deleted',
          'its scraper was deleted',
        ]),
      LATEST,
    )
  })

  it('says that it is run elsewhere, and is not run here where an agent has it', async () => {
    const elsewhere = await world.addScraper('cloud', { aws: [{}], custom: {} })
    expect(await world.run(elsewhere)).toMatchObject({
      status: 'SKIPPED',
      errors: ['aws: scrapers of this family run elsewhere', 'custom: scrapers of this family run elsewhere'],
    })
    const unknown = await world.backend.callAsService(`/config/run/${NIL_UUID}`, { method: 'POST' })
    expect(unknown.status).toBe(404)
    const message = `no scraper ${NIL_UUID} is run here`
    expect(unknown.json()).toEqual({ error: message, message })
  })

  it('says that a run failed where it did, not that there is no scraper', async () => {
    const scraper = await world.addScraper('failing', { file: [FILE] })
    const holder = await world.database.connect()
    try {
      await holder.query('begin; lock table job_history in exclusive mode')
      let status = 0
      void world.backend.callAsService(`/config/run/${scraper}`, { method: 'POST' }).then((answer) => {
        status = answer.status
      })
      await eventually(async () => {
        await world.database.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where wait_event_type = 'Lock' and query like '%job_history%'`,
        )
        expect(status).toBe(503)
      }, LATEST)
    } finally {
      holder.release(true)
    }
    expect((await world.run(scraper)).status).toBe('SUCCESS')
  })

  it('is not run twice at once: who asks meanwhile is told so', async () => {
    let release = (): void => undefined
    const asked = new Promise<void>((reached) => {
      held = createServer((_request, response) => {
        reached()
        release = () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"one"}')
      })
    })
    const url = `http://127.0.0.1:${await listen(held)}`
    const slow = await world.addScraper('slow', { http: [{ url, id: '$.id', type: 'T' }] })
    const first = world.run(slow)
    await asked
    const second = await world.backend.callAsService(`/config/run/${slow}`, { method: 'POST' })
    expect([second.status, second.json()]).toEqual([409, { error: 'this scraper is running already' }])
    release()
    expect((await first).status).toBe('SUCCESS')
  })
})
