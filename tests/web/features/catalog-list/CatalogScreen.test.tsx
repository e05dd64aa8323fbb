import { catalogSummaryTopic, configsTopic, topicKey } from '@watchroom/shared/protocol'
import { act } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type Page, pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { CatalogScreen } from '../../../../web/src/features/catalog-list/screens/CatalogScreen.tsx'
import { toTableKey, writeTableSession } from '../../../../web/src/preferences/tableSession.ts'
// Loaded when they are wanted; here beforehand, so that no test waits for them.
import '../../../../web/src/features/catalog-list/components/ConfigList.tsx'
import '../../../../web/src/ui/popups.tsx'
import '../../../../web/src/ui/table/ColumnChoices.tsx'

const AT = '2026-01-01T00:00:00Z'
const SUMMARY = [
  {
    type: 'Kubernetes::Pod',
    count: 1200,
    health: { healthy: 1190, unhealthy: 10 },
    changes: 512,
    analysis: { security: 3 },
    cost_30d: 12.345,
    created_at: AT,
    updated_at: AT,
  },
  { type: 'File', count: 1, created_at: AT, updated_at: AT },
]
const itemOf = (at: number, more: object = {}) => ({
  id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
  name: `item-${at}`,
  type: 'File',
  config_class: 'File',
  health: 'healthy',
  updated_at: AT,
  created_at: AT,
  ...more,
})
const TOTAL = 350

let screen: RenderedScreen
let shown: Page
let server: FakeServer
afterEach(async () => {
  await screen.close()
  sessionStorage.clear()
  vi.unstubAllGlobals()
})

function pageAt(url: URL): Response {
  const offset = Number(url.searchParams.get('offset'))
  const limit = Number(url.searchParams.get('limit'))
  const rows = Array.from({ length: Math.min(limit, TOTAL - offset) }, (_, at) => itemOf(offset + at))
  return new Response(JSON.stringify(rows), { headers: { 'content-range': `${offset}-/${TOTAL}` } })
}

/** Bodies of the calls for the summary. */
let asked: unknown[]

/** After it the screen asks for itself what the topic does not tell. */
const SILENCE_MS = 1_000

/** The catalog, of which the topic of the summary says nothing. */
async function open(address: string, items?: (url: URL) => Response, summary?: unknown) {
  await begin(address, items, summary)
  await screen.advance(SILENCE_MS)
}

async function begin(address: string, items: (url: URL) => Response = pageAt, summary: unknown = SUMMARY) {
  server = createFakeServer()
  asked = []
  server.on('POST /api/catalog/summary', (_url, { body }) => {
    asked.push(JSON.parse(body as string))
    return json(summary)
  })
  server.on('GET /api/db/config_types', () => json([{ type: 'File' }, { type: 'Kubernetes::Pod' }]))
  server.on('GET /api/db/config_statuses', () => json([{ status: 'Running' }]))
  server.on('GET /api/db/config_labels', () => json([{ key: 'app', value: 'web' }]))
  server.on('GET /api/db/config_tags', () =>
    json([
      { key: 'region', value: 'eu' },
      { key: 'app.example/name', value: 'shop' },
    ]),
  )
  server.on('GET /api/db/configs?', items)
  screen = await renderScreen(<CatalogScreen />, { address })
  shown = pageOf()
}
const LATER = '2026-01-01T01:00:00Z'
const pageOfRows = (rows: readonly object[]) =>
  new Response(JSON.stringify(rows), { headers: { 'content-range': `0-/${rows.length}` } })
/** What the topic of items says. */
const tell = (rows: readonly object[]) =>
  act(async () => screen.queryClient.setQueryData(topicKey(configsTopic, {}), rows))
const headings = () => [...document.querySelectorAll('tr[data-group]')].map((row) => row.textContent)

describe('the catalog by type (third specification, section 2)', () => {
  it('shows class and type with health, changes, analysis, cost and times, and how much there is', async () => {
    await open('/catalog')
    await screen.waitFor(() => expect(shown.text()).toContain('1,201 items of 2 types'))
    expect(headings()).toEqual(['File', 'Kubernetes'])
    expect(shown.headers()).toEqual([
      'Type',
      'Pin',
      'Items',
      'Health',
      'Changes · 30 d',
      'Analysis · 30 d',
      'Cost · 30 d',
      'Created',
      'Updated',
    ])
    const pods = shown.get('rowheader', 'Pod').closest('tr')
    expect(pods?.querySelector('[role=img][aria-label]')?.getAttribute('aria-label')).toBe(
      '1,190 healthy, 10 unhealthy',
    )
    expect(pods?.textContent).toContain('1.2k+')
    expect(pods?.querySelector('[data-many]')?.textContent).toBe('512')
    expect(pods?.textContent).toContain('Security 3')
    expect(pods?.textContent).toContain('$12')
  })

  it('names no tags where none are chosen: older servers refuse the summary for them', async () => {
    await open('/catalog')
    await screen.waitFor(() => expect(headings()).toEqual(['File', 'Kubernetes']))
    expect(asked.at(-1)).not.toHaveProperty('tags')
  })

  it('asks for the tags that are chosen', async () => {
    await open('/catalog?tags=region____eu%3A1')
    await screen.waitFor(() => expect(asked.at(-1)).toHaveProperty('tags', { region: 'eu' }))
  })

  it('keeps pinned types first, in this browser', async () => {
    await open('/catalog')
    await screen.waitFor(() => expect(headings()).toEqual(['File', 'Kubernetes']))
    await screen.click(shown.get('button', 'Pin Kubernetes::Pod'))
    expect(headings()).toEqual(['Pinned', 'File'])
    expect(shown.get('button', 'Pin Kubernetes::Pod').getAttribute('aria-pressed')).toBe('true')
    expect(JSON.parse(localStorage.getItem('configTypesFavorites') ?? '')).toMatchObject({
      value: { 'Kubernetes::Pod': true },
    })
  })

  it('opens the items of a type: the type is set, labels stay, the grouping goes', async () => {
    await open('/catalog?groupBy=type&labels=app__:__web')
    await screen.waitFor(() => expect(shown.find('link', 'File')).not.toBeNull())
    await screen.click(shown.get('link', 'File'))
    expect(decodeURIComponent(screen.search())).toBe('?configType=File&labels=app__:__web')
    await screen.waitFor(() => expect(shown.text()).toContain('350 total'))
  })

  it('says that there is nothing, and where things come from', async () => {
    await open('/catalog', pageAt, null)
    await screen.waitFor(() => expect(shown.text()).toContain('Nothing in the catalog yet'))
    expect(shown.get('link', 'Open scrapers').getAttribute('href')).toBe('/catalog/scrapers')
  })
})

describe('what the summary waits for', () => {
  const options = () => server.requests.filter((line) => /\/api\/db\/config_(?:types|statuses|labels|tags)/.test(line))

  it('shows what the topic has, and asks for no summary', async () => {
    await begin('/catalog')
    await act(async () => screen.queryClient.setQueryData(topicKey(catalogSummaryTopic, {}), SUMMARY))
    await screen.waitFor(() => expect(shown.text()).toContain('1,201 items of 2 types'))
    await screen.advance(600_000)
    expect(asked).toEqual([])
  })

  it('asks itself where the topic does not answer for a second', async () => {
    await begin('/catalog')
    await screen.advance(SILENCE_MS - 1)
    expect(asked).toEqual([])
    await screen.advance(1)
    await screen.waitFor(() => expect(shown.text()).toContain('1,201 items of 2 types'))
    expect(asked).toHaveLength(1)
  })

  it('asks itself at once for what the topic does not have', async () => {
    await begin('/catalog?health=healthy:-1')
    expect(asked).toMatchObject([{ health: '!healthy' }])
  })

  it('asks for types, statuses, labels and tags after the rows are there', async () => {
    await begin('/catalog')
    expect(options()).toEqual([])
    await screen.advance(SILENCE_MS)
    await screen.waitFor(() => expect(options()).toHaveLength(4))
    expect(server.requests.findIndex((line) => line.includes('/catalog/summary'))).toBeLessThan(
      server.requests.indexOf(options()[0] ?? ''),
    )
  })

  it('asks for them before that when someone reaches for the filters', async () => {
    await begin('/catalog')
    await act(async () => shown.field('Type').dispatchEvent(new FocusEvent('focusin', { bubbles: true })))
    await screen.waitFor(() => expect(options()).toHaveLength(4))
    expect(asked).toEqual([])
  })
})

describe('the items of the catalog (third specification, section 2)', () => {
  it('begins with as many rows as there were when it was left', async () => {
    writeTableSession(toTableKey('catalog', '/catalog?configType=File'), { loaded: 300 })
    const limits: (string | null)[] = []
    await open('/catalog?configType=File', (url) => {
      limits.push(url.searchParams.get('limit'))
      return pageOfRows([itemOf(1)])
    })
    await screen.waitFor(() => expect(shown.text()).toContain('1 total'))
    expect(limits).toContain('300')
  })

  it('has eleven columns, of which those that no database can order do not sort', async () => {
    await open('/catalog?configType=File')
    await screen.waitFor(() => expect(shown.text()).toContain('350 total'))
    expect(shown.headers()).toEqual([
      'Name',
      'Type',
      'Status',
      'Changes',
      'Tags',
      'Analysis',
      'Cost',
      'Created',
      'Updated',
      'Changed',
    ])
    const head = shown.within(shown.get('table').querySelector('thead') ?? document.body)
    const sorting = head.all('button').map((button) => button.textContent)
    expect(sorting.filter(Boolean)).toEqual(['Name', 'Type', 'Status', 'Cost', 'Created', 'Updated'])
    await screen.click(shown.get('button', 'Columns'))
    await screen.waitFor(() => expect(shown.find('option', 'Deleted At')).not.toBeNull())
    expect(shown.get('link', 'item-0').getAttribute('href')).toBe('/catalog/00000000-0000-4000-8000-000000000000')
  })

  it('finds by words, deleted items struck and with their time once they are shown', async () => {
    await open('/catalog?search=item', (url) => {
      const isHidden = url.searchParams.get('deleted_at') === 'is.null'
      const rows = [itemOf(1), ...(isHidden ? [] : [itemOf(2, { deleted_at: AT })])]
      return new Response(JSON.stringify(rows), { headers: { 'content-range': `0-/${rows.length}` } })
    })
    await screen.waitFor(() => expect(shown.text()).toContain('1 total'))
    expect(shown.field('Search for configs')).toHaveProperty('value', 'item')
    await screen.click(shown.get('button', 'Preferences'))
    await screen.waitFor(() => expect(shown.field('Hide Deleted Catalog')).toHaveProperty('checked', true))
    await screen.click(shown.field('Hide Deleted Catalog'))
    await screen.waitFor(() => expect(shown.text()).toContain('2 total'))
    expect(shown.headers()).toContain('Deleted At')
    expect(document.querySelector('s')?.textContent).toBe('item-2 (deleted)')
    expect(JSON.parse(localStorage.getItem('areDeletedConfigsHidden') ?? '')).toMatchObject({ value: 'no' })
  })

  it('groups by what is asked for', async () => {
    await open('/catalog?search=item&groupBy=region__tag', () => {
      const rows = [itemOf(1, { tags: { region: 'eu' } }), itemOf(2, { tags: { region: 'us' } }), itemOf(3)]
      return new Response(JSON.stringify(rows), { headers: { 'content-range': '0-/3' } })
    })
    await screen.waitFor(() => expect(headings()).toEqual(['region: eu', 'region: us', 'region: none']))
    expect(shown.field('Group By')).toHaveProperty('value', 'region__tag')
  })

  it('offers only tags whose groups the database can keep together, and says that it groups by no other', async () => {
    const options = (): (string | null)[] =>
      [...shown.field('Group By').querySelectorAll('option')].map(({ textContent }) => textContent)
    await open('/catalog?search=item&groupBy=app.example/name__tag', () => {
      return new Response(JSON.stringify([itemOf(1)]), { headers: { 'content-range': '0-0/1' } })
    })
    await screen.waitFor(() => expect(options()).toEqual(['None', 'Class', 'Type', 'Changed', 'Tag region']))
    expect(shown.field('Group By')).toHaveProperty('value', '')
    await screen.close()
    await open('/catalog')
    await screen.waitFor(() => expect(options()).toContain('Tag app.example/name'))
  })

  it('offers no order but that of changes where items are grouped by them', async () => {
    await open('/catalog?search=item&groupBy=changed', () => {
      return new Response(JSON.stringify([itemOf(1), itemOf(2)]), { headers: { 'content-range': '0-1/2' } })
    })
    await screen.waitFor(() => expect(shown.text()).toContain('2 total, newest change first'))
    expect(document.querySelectorAll('[role="columnheader"] button, th button')).toHaveLength(0)
  })

  it('says that nothing matches, and clears what hides it', async () => {
    await open(
      '/catalog?configType=File&health=healthy:-1',
      () => new Response('[]', { headers: { 'content-range': '*/0' } }),
    )
    await screen.waitFor(() => expect(shown.text()).toContain('No matching config items'))
    expect(shown.get('list', 'Active filters').textContent).toContain('Health: !Healthy')
    await screen.click(shown.all('button', 'Clear filters')[0] ?? null)
    expect(screen.search()).toBe('')
    await screen.advance(SILENCE_MS)
    await screen.waitFor(() => expect(shown.text()).toContain('2 types'))
  })

  it('shows what changed on the server without being asked, and reads a short list again for what is new', async () => {
    let rows = [itemOf(1), itemOf(2)]
    await open('/catalog?configType=File', () => pageOfRows(rows))
    await screen.waitFor(() => expect(shown.text()).toContain('2 total'))
    await tell([itemOf(1, { health: 'unhealthy' })])
    await screen.waitFor(() =>
      expect(shown.get('rowheader', 'item-1').closest('tr')?.textContent).toContain('Unhealthy'),
    )
    rows = [...rows, itemOf(3, { created_at: LATER })]
    await tell([itemOf(3, { created_at: LATER })])
    await screen.advance(0)
    // The topic has forgotten the first: what it said of it last is still so.
    expect(shown.get('rowheader', 'item-1').closest('tr')?.textContent).toContain('Unhealthy')
    await screen.advance(500)
    await screen.waitFor(() => expect(shown.text()).toContain('3 total'))
  })

  it('reads a list again, once, when more changed at once than the server tells of', async () => {
    let reads = 0
    let health = 'healthy'
    await open('/catalog?configType=File', () => {
      reads += 1
      return pageOfRows([itemOf(1, { health })])
    })
    await screen.waitFor(() => expect(shown.text()).toContain('1 total'))
    await tell([itemOf(1, { status: 'Running' })])
    await screen.waitFor(() => expect(shown.text()).toContain('Running'))
    expect(reads).toBe(1)
    health = 'unhealthy'
    const others = Array.from({ length: 500 }, (_, at) => itemOf(100 + at, { type: 'Host', updated_at: LATER }))
    await tell(others)
    await tell([...others])
    await screen.advance(0)
    await screen.advance(500)
    await screen.waitFor(() =>
      expect(shown.get('rowheader', 'item-1').closest('tr')?.textContent).toContain('Unhealthy'),
    )
    await screen.advance(60_000)
    expect(reads).toBe(2)
  })
})
