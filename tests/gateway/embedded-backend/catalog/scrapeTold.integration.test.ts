// What sources know of their changes: authors of a git working copy, and changes that a program tells under ids of its own.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type ScraperWorld, startScraperWorld } from '#support/scraperWorld.ts'

let world: ScraperWorld

beforeAll(async () => {
  world = await startScraperWorld({ programs: { savers: 'editor', hidden: [] } })
})
afterAll(() => world?.stop())

interface ChangeRow {
  readonly change_type: string
  readonly summary: string
  readonly external_created_by: string | null
  readonly created_at: Date
  readonly count: number
}

async function changesOf(scraper: string): Promise<ChangeRow[]> {
  const { rows } = await world.database.query<ChangeRow>(
    `select change_type, summary, external_created_by, config_changes.created_at, count
     from config_changes join config_items on config_items.id = config_id
     where scraper_id = $1 order by config_changes.created_at`,
    [scraper],
  )
  return rows
}

describe('files of a git working copy', () => {
  const git = (...args: string[]): void => {
    const identity = ['-c', 'user.name=Ada Byron', '-c', 'user.email=ada@example.com']
    execFileSync('git', ['-C', join(world.backend.dataDirectory, 'sources', 'copy'), ...identity, ...args], {
      stdio: 'ignore',
      env: { ...process.env, GIT_AUTHOR_DATE: COMMITTED_AT, GIT_CONFIG_GLOBAL: '/dev/null' },
    })
  }
  // After the run that saw the file before.
  const COMMITTED_AT = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 3_600_000).toISOString()

  it('give changes the author and the time of their commit, and none to what nobody committed', async () => {
    world.write('copy/shop.yaml', 'id: shop\nreplicas: 1\n')
    git('init', '--quiet')
    git('add', '.')
    git('commit', '--quiet', '--message', 'one')
    const scraper = await world.addScraper('copy', {
      file: [{ format: 'yaml', icon: 'file', paths: ['copy'], id: '$.id', type: 'T' }],
    })
    await world.run(scraper)

    world.write('copy/shop.yaml', 'id: shop\nreplicas: 2\n')
    git('commit', '--quiet', '--all', '--message', 'two')
    await world.run(scraper)
    world.write('copy/shop.yaml', 'id: shop\nreplicas: 3\n')
    await world.run(scraper)
    const changes = await changesOf(scraper)
    expect(changes).toHaveLength(2)
    expect(new Set(changes.map(({ external_created_by: author }) => author))).toEqual(new Set(['Ada Byron', null]))
    expect(changes.find(({ external_created_by: author }) => author !== null)?.created_at.toISOString()).toBe(
      COMMITTED_AT,
    )
  })
})

describe('changes that a source tells', () => {
  it('are stored once, however often they are told, and counted where they happened again', async () => {
    const scraper = await world.addScraper('told', { exec: [{ script: script(hoursAgo(9), 'first') }] })
    expect((await world.run(scraper)).scrape_summary).toMatchObject({ T: { added: 1, changes: 1 } })
    expect((await world.run(scraper)).scrape_summary).toMatchObject({ T: { unchanged: 1, changes: 0 } })
    expect(await changesOf(scraper)).toMatchObject([{ summary: 'first', count: 1, external_created_by: 'Ada' }])

    const spec = { exec: [{ script: script(hoursAgo(1), 'again') }] }
    await world.database.query(`update config_scrapers set spec = spec || $2 where id = $1`, [
      scraper,
      JSON.stringify(spec),
    ])
    await world.run(scraper)
    expect(await changesOf(scraper)).toMatchObject([{ count: 2 }])
  })

  it('are left out where they are so old that they would only be deleted again', async () => {
    const ancient = await world.addScraper('ancient', { exec: [{ script: script(hoursAgo(61 * 24), 'ancient') }] })
    expect((await world.run(ancient)).scrape_summary).toMatchObject({ T: { added: 1, changes: 0 } })
    const ruled = await world.addScraper('ruled', {
      exec: [{ script: script(hoursAgo(9), 'ruled') }],
      retention: { changes: [{ name: 'Deployed', age: '8h' }] },
    })
    expect((await world.run(ruled)).scrape_summary).toMatchObject({ T: { added: 1, changes: 0 } })
    expect([...(await changesOf(ancient)), ...(await changesOf(ruled))]).toEqual([])
  })

  it('are left out beyond the number that is kept, run after run', async () => {
    const changes = Array.from({ length: 12 }, (_, index) => told(hoursAgo(12 - index), `${index}`))
    const counted = await world.addScraper('counted', {
      exec: [{ script: scriptOf(changes.toReversed()) }],
      retention: { changes: [{ name: 'Deployed', count: 5 }] },
    })
    expect((await world.run(counted)).scrape_summary).toMatchObject({ T: { added: 1, changes: 5 } })
    expect((await world.run(counted)).scrape_summary).toMatchObject({ T: { unchanged: 1, changes: 0 } })
    expect((await changesOf(counted)).map(({ summary }) => summary)).toEqual(['7', '8', '9', '10', '11'])
  })

  it('are counted by their dates: what has none is not left out for those that were told before it', async () => {
    const undated = ['a', 'b', 'c'].map((id) => ({ id, type: 'Deployed', summary: id }))
    const twice = [told(hoursAgo(1), 'new', 'x'), told(hoursAgo(1), 'new', 'x'), told(hoursAgo(2), 'old', 'y')]
    const mixed = await world.addScraper('mixed', {
      exec: [{ script: scriptOf([...undated, ...twice]) }],
      retention: { changes: [{ name: 'Deployed', count: 2 }] },
    })
    await world.run(mixed)
    const stored = (await changesOf(mixed)).map(({ summary }) => summary)
    expect(stored).toEqual(expect.arrayContaining(['a', 'b', 'c', 'new', 'old']))
  })
})

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString()
const told = (createdAt: string, summary: string, id = summary) => ({
  id,
  type: 'Deployed',
  summary,
  createdAt,
  createdBy: 'Ada',
})
const scriptOf = (changes: readonly object[]): string =>
  `cat <<'END'\n${JSON.stringify({ config: { a: 1 }, id: 'one', name: 'one', type: 'T', changes })}\nEND\n`
const script = (createdAt: string, summary: string): string => scriptOf([told(createdAt, summary, 'deploy-1')])
