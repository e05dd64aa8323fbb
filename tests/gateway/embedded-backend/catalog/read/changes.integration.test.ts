import {
  type ConfigChange,
  type ConfigChanges,
  type ChangeFilterTexts,
  matchesChange,
  parseChangeFilter,
} from '@watchroom/shared/catalog'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type CatalogRows, createCatalogRows } from '../../../../support/catalogRows.ts'
import { startEmbeddedBackend, type TestBackend } from '../../../../support/embeddedBackend.ts'
import { createRandom } from '../../../../support/random.ts'

let backend: TestBackend
let pool: Pool
let rows: CatalogRows

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  pool = new Pool({ connectionString: backend.databaseUrl, max: 2 })
  rows = createCatalogRows(pool)
})
afterAll(async () => {
  await pool?.end()
  await backend?.stop()
})

async function ask(body: object, status = 200): Promise<Partial<ConfigChanges> & { error?: string }> {
  const answer = await backend.callAsService('/catalog/changes', { method: 'POST', body })
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status })
  return answer.json() as Partial<ConfigChanges> & { error?: string }
}

const summaries = async (body: object): Promise<string[]> =>
  ((await ask(body)).changes ?? []).map(({ summary }) => summary ?? '')

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()

describe('POST /catalog/changes', () => {
  it('answers a page with its total, in the shape of the reference', async () => {
    const item = await rows.item('shop', { type: 'File::Yaml', tags: { namespace: 'east' } })
    const id = await rows.change(item, {
      summary: 'page one',
      created_at: minutesAgo(3),
      first_observed: minutesAgo(5),
      external_created_by: 'ada',
    })
    await rows.change(item, { summary: 'page two', change_type: 'Pulled', created_at: minutesAgo(2) })
    const page = { id: item, recursive: 'none', page_size: 1, sort_by: 'created_at' }
    expect(await ask({ ...page, page: 1 })).toEqual({
      total: 2,
      summary: { diff: 1 },
      changes: [
        {
          id,
          config_id: item,
          agent_id: '00000000-0000-0000-0000-000000000000',
          external_change_id: '',
          name: 'shop',
          type: 'File::Yaml',
          tags: { namespace: 'east' },
          change_type: 'diff',
          severity: 'info',
          source: 'test',
          summary: 'page one',
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\+00:00$/) as string,
          external_created_by: 'ada',
          count: 1,
          first_observed: expect.any(String) as string,
        },
      ],
    })
    expect(await ask({ ...page, page: 2 })).toMatchObject({ total: 2, changes: [{ summary: 'page two' }] })
    expect(await ask({ ...page, page: 3 })).toEqual({ total: 2 })
    expect(await summaries({ id: item, sort_by: '-created_at' })).toEqual(['page two', 'page one'])
  })

  it('answers nothing at all with an empty object, by body and by address', async () => {
    const item = await rows.item('quiet')
    expect(await ask({ id: item })).toEqual({})
    const answer = await backend.callAsService(
      `/catalog/changes?id=${item}&page=1&include_deleted_configs=true&depth=2`,
    )
    expect([answer.status, answer.json()]).toEqual([200, {}])
    await rows.change(item, { summary: 'by address' })
    const found = await backend.callAsService(`/catalog/changes?id=${item}&type=diff`)
    expect(found.json()).toMatchObject({ total: 1, changes: [{ summary: 'by address' }] })
  })

  it('knows the last two days where no time is given, and both ends of a range', async () => {
    const item = await rows.item('aged')
    const days = (count: number): string => minutesAgo(count * 1_440)
    for (const age of [1, 3, 9]) await rows.change(item, { summary: `${age} days`, created_at: days(age) })
    const of = { id: item, sort_by: '-created_at' }
    expect(await summaries(of)).toEqual(['1 days'])
    expect(await summaries({ ...of, from: 'now-4d' })).toEqual(['1 days', '3 days'])
    expect(await summaries({ ...of, to: 'now-2d' })).toEqual(['3 days', '9 days'])
    expect(await summaries({ ...of, from: days(5), to: days(2) })).toEqual(['3 days'])
  })

  it('walks to relatives as deep as asked for, round a circle, and hides those that are deleted where asked', async () => {
    const [root, child, grandchild, gone] = await rows.items(4, (index) => ({
      name: `walk ${index}`,
      deleted_at: index === 3 ? minutesAgo(1) : null,
    }))
    if (!root || !child || !grandchild || !gone) throw new Error('items are missing')
    await rows.relate(root, child)
    await rows.relate(child, grandchild)
    await rows.relate(grandchild, root)
    await rows.relate(child, gone)
    await rows.changes(4, (index) => ({
      config_id: [root, child, grandchild, gone][index] ?? root,
      summary: ['root', 'child', 'grandchild', 'gone'][index],
    }))
    const of = async (body: object): Promise<string[]> => (await summaries({ id: child, ...body })).toSorted()
    expect(await of({ recursive: 'none' })).toEqual(['child'])
    expect(await of({ recursive: 'downstream', depth: 1 })).toEqual(['child', 'gone', 'grandchild'])
    expect(await of({})).toEqual(['child', 'gone', 'grandchild', 'root'])
    expect(await of({ recursive: 'upstream', depth: 1 })).toEqual(['child', 'root'])
    expect(await of({ recursive: 'all', include_deleted_configs: false })).toEqual(['child', 'grandchild', 'root'])
    expect(await summaries({ id: gone, recursive: 'none', include_deleted_configs: false })).toEqual(['gone'])
    const everywhere = { id: `${child},${gone}`, include_deleted_configs: false }
    expect(await summaries(everywhere)).toEqual(['child'])
    expect((await summaries({ ...everywhere, include_deleted_configs: true })).toSorted()).toEqual(['child', 'gone'])
  })

  it.each([
    [{ from: 'now', to: 'now-2d' }, `bad request: 'from' must be before 'to'`],
    [{ from: 'now-2d', to: 'now-2d' }, `bad request: 'from' must be before 'to'`],
    [{ from: 'yesteryear' }, `bad request: invalid 'from' param: yesteryear`],
    [
      { sort_by: '-nope' },
      `bad request: invalid 'sort_by' param: nope. allowed sort fields are: name, change_type, summary, source, created_at, count`,
    ],
    [{ recursive: 'sideways' }, `bad request: 'recursive' must be one of upstream, downstream, none, all`],
    [{ agent_id: 'edge' }, `bad request: invalid 'agent_id' param: edge. must be local or a uuid`],
    [{ tags: 'a in b' }, `bad request: invalid 'tags' param: cannot read the selector at: a in b`],
    [{ page_size: 1_000_000 }, expect.stringContaining('page_size') as string],
    [{ page: -1 }, expect.stringContaining('page') as string],
    [{ page: 'one' }, expect.stringContaining('page') as string],
    [{ include_deleted_configs: 'perhaps' }, expect.stringContaining('include_deleted_configs') as string],
    [{ type: ['diff'] }, expect.stringContaining('type') as string],
  ])('refuses %j with the reason', async (body, error) => {
    expect(await ask(body, 400)).toEqual({ error })
  })

  it('takes whatever words for values, never for syntax', async () => {
    for (const text of [`'`, `\\`, '%', '%zz', `"); drop table x; --`, '\u{1F600}', '*', '!', ',,,']) {
      const filters = { config_type: text, type: text, summary: text, source: text, created_by: text, severity: text }
      expect(await ask({ ...filters, id: text })).not.toHaveProperty('error')
    }
  })
})

describe('what someone asks for', () => {
  const AGENT = '018f0000-0000-7000-8000-0000000000a9'
  const AUTHOR = '018f0000-0000-7000-8000-0000000000b0'
  const WORDS = ['shop', 'Shop', 'shop-1', 'a,b', '100%', 'under_score', String.raw`back\slash`, '', null]
  const SEVERITIES = ['info', 'warning', 'low', 'medium', 'high', 'blocker', 'critical', 'odd', '', null]

  it('is the same to the database and to the matcher of live rows', { timeout: 60_000 }, async () => {
    const random = createRandom(15)
    const any = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value
    await pool.query(`insert into agents (id, name) values ($1, 'edge of the matcher')`, [AGENT])
    const items = await rows.items(12, (index) => ({
      name: `matched ${index}`,
      type: any(['A::B', 'A::C', 'File']),
      agent_id: any([AGENT, '00000000-0000-0000-0000-000000000000']),
      tags: any([null, {}, { app: 'shop' }, { app: 'a', zone: '1' }, { zone: 'x y' }]),
    }))
    const source = 'matcher'
    await rows.changes(150, (index) => ({
      config_id: any(items),
      change_type: any(['diff', 'Pulled', 'Killing', '', null]),
      severity: any(SEVERITIES),
      source: `${source} ${any(['git', 'aws'])}`,
      summary: any(WORDS),
      created_by: any([AUTHOR, null]),
      external_created_by: any(WORDS),
      created_at: minutesAgo(10 + index),
    }))
    const all = (await ask({ source: `${source}*`, page_size: 200 })).changes ?? []
    expect(all).toHaveLength(150)

    const word = (values: readonly (string | null)[]): string => {
      const text = any(values) ?? ''
      const cut = text.slice(0, Math.floor(random() * (text.length + 1)))
      return any([text, `!${text}`, `${cut}*`, `*${text.slice(cut.length)}`, `*${cut}*`])
    }
    const list = (values: readonly (string | null)[]): string =>
      Array.from({ length: Math.ceil(random() * 3) }, () => word(values)).join()
    const encoded = (values: readonly (string | null)[]): string =>
      any([list, (given: typeof values) => encodeURIComponent(any(given) ?? '')])(values)
    const choices: { readonly [Name in keyof ChangeFilterTexts]-?: () => string } = {
      id: () => any([any(items), `!${any(items)}`, `${any(items)},${any(items)}`, '018f*', 'nothing']),
      config_type: () => list(['A::B', 'A::C', 'File']),
      type: () => list(['diff', 'Pulled', 'Killing']),
      severity: () => list(SEVERITIES),
      summary: () => encoded(WORDS),
      source: () => any([`${source} git`, `!${source} git`, '*aws']),
      created_by: () => any([AUTHOR, encoded(WORDS)]),
      tags: () => any(['app=shop', 'app!=shop', 'app', '!app', 'app in (shop,a)', 'app notin (a),zone', 'zone=x']),
      agent_id: () => any(['local', AGENT, AUTHOR]),
    }
    const names = Object.keys(choices) as (keyof typeof choices)[]
    for (let round = 0; round < 120; round++) {
      const asked = names.filter(() => random() < 0.25)
      const texts: ChangeFilterTexts = Object.fromEntries(asked.map((name) => [name, choices[name]()]))
      const filter = parseChangeFilter(texts)
      if (!filter.ok) throw new Error(filter.error)
      const isMeant = (change: ConfigChange): boolean =>
        matchesChange(filter.value, change) &&
        (!items.includes(texts.id ?? '') || change.config_id === texts.id) &&
        change.source?.startsWith(source) === true
      const found = await ask({ recursive: 'none', page_size: 200, ...texts })
      const ofMatcher = (found.changes ?? []).filter((change) => change.source?.startsWith(source))
      const ids = (changes: readonly ConfigChange[]): string[] => changes.map(({ id }) => id).toSorted()
      expect({ texts, found: ids(ofMatcher) }).toEqual({ texts, found: ids(all.filter(isMeant)) })
    }
  })
})
