import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { type Page, pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import { ItemChanges } from '../../../../web/src/features/catalog-changes/components/ItemChanges.tsx'
import { ChangesScreen } from '../../../../web/src/features/catalog-changes/screens/ChangesScreen.tsx'

let live: { id: string }[] = []
let topicParams: object
vi.mock('../../../../web/src/live/useTopic.ts', () => ({
  useTopic: (_topic: unknown, params: object) => {
    topicParams = params
    return buildTopicView(live)
  },
}))

const ID = (n: number): string => `018f0000-0000-7000-8000-00000000000${n}`
const CHANGE = {
  id: ID(1),
  config_id: ID(7),
  name: 'edge',
  type: 'Kubernetes::Deployment',
  tags: { team: 'sea' },
  change_type: 'diff',
  severity: 'high',
  source: 'files, all',
  summary: 'replicas 2 to 3',
  created_at: '2026-01-01T00:00:00Z',
  first_observed: '2025-12-31T00:00:00Z',
  created_by: null,
  external_created_by: 'ana@example.com',
  count: 4,
}
const LATER = { ...CHANGE, id: ID(2), summary: 'image changed', created_by: ID(9), external_created_by: null }
const DETAIL = {
  ...CHANGE,
  diff: '@@ -1,2 +1,2 @@\n name: edge\n-replicas: 2\n+replicas: 3\n',
  details: { commit: 'abc' },
  patches: { replicas: 3 },
  config: { id: ID(7), name: 'edge', type: 'Kubernetes::Deployment', config_class: 'Kubernetes' },
}

let screen: RenderedScreen
let server: FakeServer
let page: Page
let asks: Record<string, unknown>[]
let answer: () => Response
beforeEach(() => {
  live = []
  page = pageOf()
  asks = []
  answer = () => json({ total: 2, changes: [CHANGE, LATER], summary: { diff: 2 } })
  server = createFakeServer()
  server.on('POST /api/catalog/changes', (_url, init) => {
    asks.push(JSON.parse(init.body as string) as Record<string, unknown>)
    return answer()
  })
  server.on('GET /api/db/people', () => json([{ id: ID(9), name: 'Robin' }]))
  server.on('GET /api/db/change_types', () => json([{ change_type: 'diff' }, { change_type: 'Pulled' }]))
  server.on('GET /api/db/config_types', () => json([{ type: 'Kubernetes::Deployment' }]))
  server.on('GET /api/db/config_tags', () => json([{ key: 'team', value: 'sea' }]))
  server.on('GET /api/db/configs?id=in.', () => json([{ id: ID(7), name: 'edge', type: 't', config_class: 't' }]))
  server.on('GET /api/db/config_changes', (url) =>
    json(url.searchParams.get('id') === `eq.${ID(1)}` ? [DETAIL] : [{ ...DETAIL, id: ID(2), summary: LATER.summary }]),
  )
})
afterEach(async () => {
  await screen.close()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function open(query = ''): Promise<void> {
  screen = await renderScreen(<ChangesScreen renderActions={({ id }) => <i>attach {id}</i>} />, {
    address: `/catalog/changes${query}`,
  })
  await screen.waitFor(() => expect(page.text()).not.toContain('Loading changes'))
}
const asked = (): Record<string, unknown> | undefined => asks.at(-1)
const chips = (): string[] => page.all('listitem').map(({ textContent }) => textContent)
const column = (title: string): (string | undefined)[] => {
  const at = page.headers().indexOf(title)
  return page.rows().map((row) => row[at])
}

describe('the changes of the catalog', () => {
  it('asks for the last two days, newest first, 200 on the first page', async () => {
    await open()
    expect(asked()).toEqual({
      from: 'now-2d',
      to: 'now',
      recursive: 'none',
      include_deleted_configs: true,
      page: 1,
      page_size: 200,
      sort_by: '-created_at',
    })
    expect(chips()).toEqual(['Time: Last 2 days'])
    expect(page.text()).toContain('2 total')
  })

  it('shows who changed what and how often, and leaves the width to the summary', async () => {
    await open()
    expect(column('Summary')).toEqual(['replicas 2 to 3', 'image changed'])
    expect(column('Count')).toEqual(['4', '4'])
    await screen.waitFor(() => expect(column('By')).toEqual(['ana@example.com', 'Robin']))
    // In the menu of columns, and in the panel of a change.
    expect(page.headers()).not.toContain('First observed')
    expect(page.all('link', /^edge/)[0]?.getAttribute('href')).toBe(`/catalog/${ID(7)}`)
  })

  it('shows the time of day under its day, and both where the order is another one', async () => {
    const times = (): (string | null)[] =>
      page.all('cell').flatMap((cell) => [...cell.querySelectorAll('time')].map(({ textContent }) => textContent))
    await open()
    expect(times()[0]).toMatch(/^\d\d:\d\d:\d\d$/)
    expect(page.text()).toMatch(/\w{3}, (Dec 31, 2025|Jan 1, 2026)/)
    await screen.close()
    await open('?sortBy=count')
    expect(times()[0]).toMatch(/^\w{3} \d\d, \d\d:\d\d:\d\d$/)
    expect(page.text()).not.toMatch(/\w{3}, (Dec 31, 2025|Jan 1, 2026)/)
  })

  it('asks with every key of the address', async () => {
    const query = [
      `id=${ID(7)}:1`,
      'summary=a||||b:1',
      'source=git:-1',
      'external_created_by=ana@example.com:1',
      'changeType=diff:1,Pulled:-1',
      'severity=High',
      'configTypes=Kubernetes__Pod:-1',
      'tags=team____sea:1,team____air:1,env____prod:-1',
      'page=2',
      'pageSize=50',
      'sortBy=count',
      'sortDirection=asc',
      'rangeType=absolute&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z',
    ]
    await open(`?${query.join('&')}`)
    expect(asked()).toEqual({
      id: ID(7),
      summary: 'a%2Cb',
      source: '!git',
      created_by: 'ana%40example.com',
      type: 'diff,!Pulled',
      severity: 'high',
      config_type: '!Kubernetes::Pod',
      tags: 'team in (sea,air),env!=prod',
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-01-02T00:00:00.000Z',
      recursive: 'none',
      include_deleted_configs: true,
      page: 2,
      page_size: 50,
      sort_by: 'count',
    })
    await screen.waitFor(() => expect(chips()).toContain('Item: edge'))
    expect(chips()).toEqual(
      expect.arrayContaining([
        'Type: !Kubernetes::Pod',
        'Change: diff',
        'Change: !Pulled',
        'Severity: High or worse',
        'Tags: team:sea',
        'Tags: !env:prod',
        'Summary: a,b',
        'Source: !git',
        'By: ana@example.com',
      ]),
    )
    await screen.click(page.get('button', 'Reset filters'))
    expect(new URLSearchParams(screen.search()).get('page')).toBeNull()
    await screen.waitFor(() => expect(asked()).not.toHaveProperty('id'))
  })

  it('asks for tags whose words would end a selector, in quotes', async () => {
    const tags = encodeURIComponent('team____Front End:1,on____a(b):1,note____x=y:-1')
    await open(`?tags=${tags}`)
    expect(asked()).toHaveProperty('tags', 'team="Front End",on="a(b)",note!="x=y"')
  })

  it('takes the default for a key that is nonsense, and for that key alone', async () => {
    await open('?id=x&created_by=me&severity=loud&page=-1&pageSize=7&sortBy=type&sortDirection=up&changeType=diff:1')
    expect(asked()).toEqual({
      from: 'now-2d',
      to: 'now',
      type: 'diff',
      recursive: 'none',
      include_deleted_configs: true,
      page: 1,
      page_size: 200,
      sort_by: '-created_at',
    })
  })

  it('rounds a quick range, so that the backend does not refuse two equal ends', async () => {
    await open('?rangeType=mapped&timeRange=Yesterday')
    const { from, to } = asked() ?? {}
    expect(Date.parse(String(to)) - Date.parse(String(from))).toBe(86_399_999)
  })

  it('carries the type of another tab, until types are chosen here', async () => {
    await open('?configType=Kubernetes::Deployment')
    expect(asked()).toMatchObject({ config_type: 'Kubernetes::Deployment' })
    expect(chips()).toContain('Only type: Kubernetes::Deployment')
    await screen.click(page.get('button', 'Remove filter Only type: Kubernetes::Deployment'))
    await screen.waitFor(() => expect(asked()).not.toHaveProperty('config_type'))
  })

  it('filters by the value of a cell: only this, or not this', async () => {
    await open('?changeType=diff:-1&page=2')
    await screen.click(page.all('button', /^Actions for/)[0] ?? null)
    await screen.waitFor(() => void page.get('menuitem', 'Not source: files, all'))
    expect(page.all('menuitem').map(({ textContent }) => textContent)).toEqual([
      'Only item: edge',
      'Not item: edge',
      'Only type: Kubernetes::Deployment',
      'Not type: Kubernetes::Deployment',
      'Only change: diff',
      'Not change: diff',
      'Only severity: high or worse',
      'Not severity: high',
      'Only summary: replicas 2 to 3',
      'Not summary: replicas 2 to 3',
      'Only source: files, all',
      'Not source: files, all',
      'Only by: ana@example.com',
      'Not by: ana@example.com',
    ])
    await screen.click(page.get('menuitem', 'Not source: files, all'))
    await screen.waitFor(() => expect(asked()).toMatchObject({ source: '!files%2C%20all', type: '!diff', page: 1 }))
  })

  it.each([
    ['high', 'high or worse', 'Severity: High or worse'],
    ['critical', 'critical', 'Severity: Critical'],
  ])('says of a severity what asking for it brings: %s', async (severity, wanted, chip) => {
    answer = () => json({ total: 1, changes: [{ ...CHANGE, severity }], summary: { diff: 1 } })
    await open()
    expect(document.querySelectorAll(`[title="Only ${wanted}"]`)).toHaveLength(severity === 'high' ? 1 : 0)
    await screen.click(page.all('button', /^Actions for/)[0] ?? null)
    await screen.waitFor(() => void page.get('menuitem', `Not severity: ${severity}`))
    await screen.click(page.get('menuitem', `Only severity: ${wanted}`))
    await screen.waitFor(() => expect(asked()).toMatchObject({ severity }))
    expect(chips()).toContain(chip)
  })

  it('asks by account for changes that someone here made', async () => {
    await open('?external_created_by=bot:1')
    await screen.waitFor(() => expect(column('By')).toContain('Robin'))
    await screen.click(page.all('button', /^Actions for/)[1] ?? null)
    await screen.waitFor(() => void page.get('menuitem', 'Only by: Robin'))
    expect(page.find('menuitem', 'Not by: Robin')).toBeNull()
    await screen.click(page.get('menuitem', 'Only by: Robin'))
    await screen.waitFor(() => expect(asked()).toMatchObject({ created_by: ID(9) }))
    expect(chips()).toContain('By: Robin')
    expect(screen.search()).not.toContain('external_created_by')
  })

  it('opens a change under a key of its own, with its diff, its details and what to do with it', async () => {
    await open()
    await screen.click(page.get('link', 'replicas 2 to 3'))
    expect(screen.search()).toBe(`?change=${ID(1)}`)
    await screen.waitFor(() => void page.get('dialog'))
    const dialog = pageOf(page.get('dialog'))
    await screen.waitFor(() => expect(dialog.text()).toContain('replicas: 3'))
    expect(dialog.text()).toContain('"commit": "abc"')
    expect(dialog.text()).toContain(`attach ${ID(1)}`)
    expect(document.querySelectorAll('[data-kind="added"]')).toHaveLength(1)
    await screen.click(dialog.get('radio', 'Side by side'))
    expect(document.querySelectorAll('figure [data-kind="same"]')).toHaveLength(2)
  })

  it('goes to the next change of the list and back, by button and by key', async () => {
    await open(`?change=${ID(1)}`)
    await screen.waitFor(() => expect(page.get('button', 'Previous change').hasAttribute('disabled')).toBe(true))
    await screen.click(page.get('button', 'Next change'))
    expect(screen.search()).toBe(`?change=${ID(2)}`)
    await screen.waitFor(() => expect(page.get('button', 'Next change').hasAttribute('disabled')).toBe(true))
    await screen.press('[', page.get('button', 'Previous change'))
    expect(screen.search()).toBe(`?change=${ID(1)}`)
  })

  it('says that a change is gone, as an old link may find', async () => {
    server.on('GET /api/db/config_changes', () => json([]))
    await open(`?change=${ID(3)}`)
    await screen.waitFor(() => expect(page.text()).toContain('Details not found'))
  })

  it('goes to the first page when there is no such page any more', async () => {
    answer = () => (asked()?.['page'] === 1 ? json({ total: 1, changes: [CHANGE] }) : json({}))
    await open('?page=9')
    await screen.waitFor(() => expect(column('Summary')).toEqual(['replicas 2 to 3']))
    expect(screen.search()).toBe('')
  })

  it("says 'Something went wrong' when changes cannot be read", async () => {
    answer = () => json(refusal('BAD_REQUEST', 'from must be before to'), 400)
    await open()
    await screen.waitFor(() => expect(page.get('alert').textContent).toContain('Something went wrong'))
    answer = () => json({ total: 1, changes: [CHANGE] })
    await screen.click(page.get('button', 'Try again'))
    await screen.waitFor(() => expect(column('Summary')).toEqual(['replicas 2 to 3']))
  })
})

describe('changes that arrive', () => {
  it('are followed by the filters of the address, not by a clock', async () => {
    await open('?changeType=diff:1&severity=high')
    expect(topicParams).toMatchObject({ type: 'diff', severity: 'high', id: '', recursive: 'none' })
    await screen.advance(60_000)
    expect(asks).toHaveLength(1)
  })

  it('are read at once, and a burst of them once a second', async () => {
    await open()
    for (let n = 0; n < 5; n += 1) {
      live = [{ id: ID(n) }]
      await screen.rerender(<ChangesScreen renderActions={() => null} />)
    }
    expect(asks).toHaveLength(2)
    await screen.advance(1_000)
    expect(asks).toHaveLength(3)
  })

  it('wait while someone points at a row', async () => {
    await open()
    await act(async () => page.all('row')[1]?.dispatchEvent(new Event('pointermove', { bubbles: true })))
    answer = () => json({ total: 3, changes: [{ ...CHANGE, id: ID(5), summary: 'newest' }, CHANGE, LATER] })
    live = [{ id: ID(5) }]
    await screen.rerender(<ChangesScreen renderActions={() => null} />)
    await screen.waitFor(() => void page.get('button', '1 new'))
    expect(column('Summary')).toEqual(['replicas 2 to 3', 'image changed'])
    await screen.click(page.get('button', '1 new'))
    expect(column('Summary')).toEqual(['newest', 'replicas 2 to 3', 'image changed'])
  })
})

describe('the changes of one item', () => {
  const openItem = async (query = ''): Promise<void> => {
    screen = await renderScreen(<ItemChanges configId={ID(7)} renderActions={() => null} />, {
      address: `/catalog/${ID(7)}/changes${query}`,
    })
    await screen.waitFor(() => expect(page.text()).not.toContain('Loading changes'))
  }

  it('are also those of what it consists of, without deleted items', async () => {
    await openItem()
    expect(asked()).toMatchObject({
      id: ID(7),
      recursive: 'downstream',
      depth: 5,
      include_deleted_configs: false,
    })
    expect(chips()).toEqual(expect.arrayContaining(['Downstream: on', 'Upstream: off', 'Deleted items: hidden']))
  })

  it.each([
    ['downstream=false', { recursive: 'none' }],
    ['upstream=true', { recursive: 'all', depth: 5 }],
    ['upstream=true&downstream=false', { recursive: 'upstream', depth: 5 }],
    ['upstream=perhaps', { recursive: 'downstream', depth: 5 }],
  ])('follow the switches of the address: %s', async (query, expected) => {
    await openItem(`?${query}`)
    expect(asked()).toMatchObject(expected)
  })

  it('show those of deleted items when asked to, and this browser remembers', async () => {
    await openItem()
    await screen.click(page.get('button', 'Preferences'))
    await screen.waitFor(() => void page.field('Hide Deleted Config Changes'))
    await screen.click(page.field('Hide Deleted Config Changes'))
    await screen.waitFor(() => expect(asked()).toMatchObject({ include_deleted_configs: true }))
    expect(localStorage.getItem('areDeletedConfigChangesHidden')).toContain('"no"')
  })
})
