// The product as its own source, through the whole engine; and what a run says of sources that it cannot use.
import { createServer } from 'node:http'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { eventually } from '#support/eventually.ts'

import { SELF_SCRAPER_ID } from '../../../../gateway/src/embedded-backend/demo/seedScrapers.ts'
import { listen } from '../../../support/listen.ts'
import { type ScraperWorld, startScraperWorld } from '../../../support/scraperWorld.ts'

let world: ScraperWorld
beforeAll(async () => {
  world = await startScraperWorld({ isFirstStart: true })
})
afterAll(() => world?.stop())

const count = async (what: string): Promise<number> => {
  const { rows } = await world.database.query<{ count: number }>(
    `select count(*)::int as count from ${what}`.replace('$self', `'${SELF_SCRAPER_ID}'`),
  )
  return rows[0]?.count ?? Number.NaN
}
const ITEMS = 'config_items where deleted_at is null and scraper_id = $self'

/**
 * When each item was written last, and how many changes there are of it. Without ports and addresses, which belong to the machine,
 * and without tables, which are growing in these seconds.
 */
const readSettled = async (): Promise<readonly unknown[]> => {
  const { rows } = await world.database.query(
    `select item.id, item.updated_at, count(change.id)::int as changes
     from config_items as item left join config_changes as change on change.config_id = item.id and change.change_type = 'diff'
     where item.scraper_id = $1 and item.type !~ '^(Host|PostgreSQL)::' group by item.id order by item.id`,
    [SELF_SCRAPER_ID],
  )
  return rows
}

/** It has runs of its own, too: one at the start, and one for each flag. */
const runSelf = () => eventually(() => world.run(SELF_SCRAPER_ID))

describe('a new installation', () => {
  it('has itself in its catalog: more than a hundred items on four levels, related and judged', async () => {
    await expect.poll(() => count(ITEMS)).toBeGreaterThan(100)
    await expect.poll(() => count(`config_relationships where relation = 'DependsOn'`)).toBeGreaterThan(10)
    expect(await count(`config_relationships where relation = 'hard'`)).toBeGreaterThan(100)
    expect(
      await count(`config_items where scraper_id = $self and array_length(string_to_array(path, '.'), 1) >= 4`),
    ).not.toBe(0)
    expect(await count(`config_analysis where status = 'open'`)).not.toBe(0)
  })

  it('writes nothing about what is as it was', async () => {
    await runSelf()
    const before = await readSettled()
    expect(await runSelf()).toMatchObject({ status: 'SUCCESS', errors: [] })
    expect(await readSettled()).toEqual(before)
  })

  it('shows a flag that is switched as a change, without being asked, and no secret of one', async () => {
    await world.database.query(
      `insert into properties (name, value) values ('logs.disable', 'false'), ('mail.password', 'korrekt-pferd')`,
    )
    const flag = `config_items where type = 'Watchroom::FeatureFlag' and name = 'logs.disable'`
    await expect.poll(() => count(flag)).toBe(1)
    await world.database.query(`update properties set value = 'true' where name = 'logs.disable'`)
    await expect
      .poll(() =>
        count(
          `config_changes where change_type = 'diff' and config_id in (select id from ${flag}) and diff like '%true%'`,
        ),
      )
      .toBe(1)
    expect(await count(`config_items where config::text like '%korrekt-pferd%'`)).toBe(0)
  })
})

describe('a source that cannot be used', () => {
  it('fails the run and deletes nothing, though it told of items before', async () => {
    let isBroken = false
    const port = await listen(
      createServer((_request, response) => {
        response.writeHead(isBroken ? 500 : 200, { 'content-type': 'application/json' })
        response.end(isBroken ? '{}' : '[{"id":"a"},{"id":"b"}]')
      }),
    )
    const scraper = await world.addScraper('shop', {
      http: [{ url: `http://127.0.0.1:${port}/`, id: '$.id', type: 'Thing' }],
    })
    expect(await world.run(scraper)).toMatchObject({ status: 'SUCCESS', scrape_summary: { Thing: { added: 2 } } })
    isBroken = true
    const failed = await world.run(scraper)
    expect(failed.status).toBe('FAILED')
    expect(failed.errors.join('\n')).toContain('it answered 500')
    const items = await world.items(scraper)
    expect(Object.values(items).filter((item) => item['deleted_at'] !== null)).toEqual([])
  })

  it('is skipped with the reason where it is for other programs', async () => {
    const scraper = await world.addScraper('cluster', { kubernetes: [{ clusterName: 'eu-1' }] })
    const { status, errors } = await world.run(scraper)
    expect([status, errors]).toEqual(['SKIPPED', ['kubernetes: scrapers of this family run elsewhere']])
  })
})

describe('a trial', () => {
  const tryOut = (body: object, headers?: Record<string, string>) =>
    headers
      ? world.backend.call('/config/try', { method: 'POST', body, headers })
      : world.backend.callAsService('/config/try', { method: 'POST', body })

  it('lists what would be added, changed and deleted, and writes nothing', async () => {
    const spec = { file: [{ format: 'yaml', icon: 'file', paths: ['tried'], id: '$.id', type: 'Thing' }] }
    world.write('tried/a.yaml', 'id: a\nsize: 1\n')
    world.write('tried/b.yaml', 'id: b\n')
    const fresh = await tryOut({ spec })
    expect(fresh.json()).toMatchObject({
      added: { total: 2 },
      changed: { total: 0 },
      deleted: { total: 0 },
      problems: [],
    })
    const scraper = await world.addScraper('tried', spec)
    await world.run(scraper)
    world.write('tried/a.yaml', 'id: a\nsize: 2\npassword: korrekt-pferd\n')
    world.remove('tried/b.yaml')
    world.write('tried/c.yaml', 'id: c\n')
    const before = await world.items(scraper)
    const answer = await tryOut({ spec, scraper_id: scraper })
    expect(answer.json()).toMatchObject({
      added: { items: [{ type: 'Thing', diff: null }] },
      changed: { items: [{ config_id: before['a']?.id, diff: expect.stringContaining('+size: 2') }] },
      deleted: { items: [{ name: 'b', config_id: before['b']?.id }] },
      unchanged: 0,
    })
    expect(answer.text).not.toContain('korrekt-pferd')
    expect(await world.items(scraper)).toEqual(before)
  })

  it('says what is wrong with a spec, and with a source', async () => {
    const wrong = await tryOut({ spec: { file: [{ format: 'yaml', icon: 'file', colour: 'red' }] } })
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('colour')])
    const away = await tryOut({ spec: { http: [{ url: 'http://127.0.0.1:9/', id: '$.id', type: 'Thing' }] } })
    expect(away.json()).toMatchObject({
      added: { total: 0 },
      problems: [expect.stringContaining('connection refused')],
    })
  })

  it.each([{}, { schedule: '@hourly' }, { file: [] }])('of %j says that a source is missing', async (spec) => {
    const answer = await tryOut({ spec })
    expect([answer.status, answer.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'spec: Add a source: exec, file, http, self, sql' }),
    ])
  })

  it('of a source that is read elsewhere says so', async () => {
    const answer = await tryOut({ spec: { custom: { any: 'thing' } } })
    expect(answer.json()).toMatchObject({ problems: ['custom: scrapers of this family run elsewhere'] })
  })

  it('is for those who may write scrapers, and of programs for those who may save them', async () => {
    const spec = { exec: [{ script: 'echo "[]"' }] }
    for (const [role, status] of [
      ['viewer', 403],
      ['editor', 403],
      ['admin', 200],
    ] as const) {
      const { email, password } = await world.backend.createPerson(role)
      const answer = await tryOut({ spec }, await world.backend.signIn(email, password))
      expect([role, answer.status]).toEqual([role, status])
    }
  })
})
