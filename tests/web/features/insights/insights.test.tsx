import { act } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type Page, pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import { backendFactsKey } from '../../../../web/src/api/queryKeys.ts'
import { InsightTable } from '../../../../web/src/features/insights/components/InsightTable.tsx'
// Loaded with the first insight that is opened; here beforehand, so that no test waits for it.
import '../../../../web/src/features/insights/components/InsightDialog.tsx'
import { InsightsScreen } from '../../../../web/src/features/insights/screens/InsightsScreen.tsx'

let live: object[] = []
vi.mock('../../../../web/src/live/useTopic.ts', () => ({ useTopic: () => buildTopicView(live) }))

const ID = '00000000-0000-4000-8000-000000000001'
const COMPONENT = '00000000-0000-4000-8000-0000000000c0'
const LIST = 'GET /api/db/config_analysis_items?'
const INSIGHT = {
  id: ID,
  analyzer: 'Rightsize',
  analysis_type: 'cost',
  severity: 'high',
  status: 'open',
  source: 'scraper',
  summary: null,
  message: `<p>Use a <b>smaller</b> one</p><script>globalThis.ran = true</script>${'x'.repeat(600)}`,
  first_observed: '2026-01-01T00:00:00Z',
  last_observed: '2026-01-02T00:00:00Z',
  config: { id: 'c1', name: 'web-1', config_class: 'Host', type: 'Host' },
}

const BY_COMPONENT = 'GET /api/db/rpc/lookup_analysis_by_component?'

let screen: RenderedScreen
let shown: Page
let server: FakeServer
afterEach(async () => {
  await screen.close()
  sessionStorage.clear()
  vi.unstubAllGlobals()
})

const page = (rows: readonly object[], total = rows.length) =>
  new Response(JSON.stringify(rows), { headers: { 'content-range': `0-/${total}` } })

async function open(address: string, configId?: string) {
  server = createFakeServer()
  server.on(LIST, () => page([INSIGHT]))
  server.on(BY_COMPONENT, () => page([INSIGHT], 120))
  server.on('GET /api/db/config_analysis?', (url) =>
    json(url.searchParams.get('id') === `eq.${ID}` ? [{ ...INSIGHT, analysis: { cpu: 4 } }] : []),
  )
  server.on('GET /api/db/config_analysis_analyzers', () => json([{ analyzer: 'Rightsize' }]))
  server.on('GET /api/db/components?', () => json([{ id: COMPONENT, name: 'Payments' }]))
  const renderActions = () => <button type="button">Attach</button>
  screen = await renderScreen(
    configId === undefined ? (
      <InsightsScreen renderActions={renderActions} />
    ) : (
      <InsightTable configId={configId} renderActions={renderActions} />
    ),
    { address },
  )
  shown = pageOf()
}
const asked = (start: string) => server.requests.findLast((line) => line.startsWith(start)) ?? ''

describe('insights (third specification, section 2)', () => {
  it('are listed 50 a page, the newest first, with their item and at most 500 characters of what they say', async () => {
    await open('/catalog/insights')
    await screen.waitFor(() => expect(shown.text()).toContain('1 total'))
    expect(asked(LIST)).toContain('&order=first_observed.desc.nullslast&limit=50&offset=0')
    expect(shown.headers()).toEqual([
      'Analyzer',
      'Catalog',
      'Type',
      'Severity',
      'Status',
      'First observed',
      'Last observed',
    ])
    const message = [...document.querySelectorAll<HTMLElement>('th [title]')].find(({ title }) =>
      title.startsWith('Use'),
    )
    expect(message?.textContent).toBe(`Use a smaller one ${'x'.repeat(482)}…`)
    expect(shown.get('link', /web-1/).getAttribute('href')).toBe('/catalog/c1')
  })

  it('are filtered by the database: type, severity in lower case, status, analyzer and the type of items', async () => {
    await open('/catalog/insights?type=cost&severity=High&status=open&analyzer=Right%20%26%20size&configType=A::B')
    await screen.waitFor(() => expect(shown.text()).toContain('1 total'))
    expect(asked(LIST)).toContain(
      '&analysis_type=eq.cost&severity=eq.high&status=eq.open&analyzer=eq.Right & size&config_type=eq.A::B&',
    )
    expect(shown.get('list', 'Active filters').textContent).toContain('Catalog type: A::B')
    await screen.click(shown.get('button', 'Clear filters'))
    expect(screen.search()).toBe('')
  })

  it('of a component are filtered and paged by the database, too', async () => {
    await open(`/catalog/insights?component=${COMPONENT}&severity=high&configType=Host&pageIndex=1`)
    await screen.waitFor(() => expect(shown.text()).toContain('Page 2 of 3'))
    const request = asked(BY_COMPONENT)
    expect(request).toContain(`&id=${COMPONENT}&severity=eq.high&config.type=eq.Host&`)
    expect(request).toContain('&order=first_observed.desc.nullslast&limit=50&offset=50')
    await screen.waitFor(() => expect(shown.text()).toContain('Component: Payments'))
  })

  it('of a component are sorted by severity where the backend can: by the links of their items', async () => {
    await open(`/catalog/insights?component=${COMPONENT}&configType=Host`)
    await screen.waitFor(() => expect(shown.text()).toContain('Page 1 of 3'))
    await screen.click(shown.get('button', /^Severity/))
    await screen.waitFor(() => expect(asked(LIST)).toContain('&order=severity_rank.'))
    const links = `&config.links.component_id=eq.${COMPONENT}&config.links.deleted_at=is.null&config_type=eq.Host&`
    expect(asked(LIST)).toContain(links)
    expect(asked(LIST)).toContain('config:configs!inner(')
    await act(async () =>
      screen.queryClient.setQueryData(backendFactsKey, { changes: 'polled', missing: ['severityOrder'] }),
    )
    await screen.waitFor(() => expect(shown.find('button', /^Severity/)).toBeNull())
    await screen.waitFor(() => expect(asked(BY_COMPONENT)).toContain('&order=first_observed.desc.nullslast&'))
  })

  it('take the default for a key that is nonsense, and for that key alone', async () => {
    await open('/catalog/insights?type=odd&severity=worse&component=nobody&pageSize=7&sortBy=worst&status=open')
    await screen.waitFor(() => expect(shown.text()).toContain('1 total'))
    expect(asked(LIST)).toContain('&status=eq.open&order=first_observed.desc.nullslast&limit=50&offset=0')
    expect(asked(LIST)).not.toContain('severity=eq')
  })

  it('are sorted by how bad they are, the newest first among equals, where the backend can; else by time', async () => {
    await open('/catalog/insights')
    await screen.waitFor(() => expect(shown.text()).toContain('1 total'))
    for (const direction of ['asc', 'desc']) {
      await screen.click(shown.get('button', /^Severity/))
      const order = `&order=severity_rank.${direction}.nullslast,first_observed.desc.nullslast&`
      await screen.waitFor(() => expect(asked(LIST)).toContain(order))
    }
    await act(async () =>
      screen.queryClient.setQueryData(backendFactsKey, { changes: 'polled', missing: ['severityOrder'] }),
    )
    await screen.waitFor(() => expect(asked(LIST)).toContain('&order=first_observed.desc.nullslast&'))
    expect(shown.find('button', /^Severity/)).toBeNull()
  })

  it('that open or are resolved are read again at once, and wait while someone points at a row', async () => {
    live = []
    await open('/catalog/insights')
    await screen.waitFor(() => expect(shown.text()).toContain('1 total'))
    const tell = async (rows: object[]): Promise<void> => {
      live = rows
      await screen.rerender(<InsightsScreen renderActions={() => null} />)
    }
    server.on(LIST, () => page([{ ...INSIGHT, status: 'resolved' }]))
    await tell([{ id: ID, status: 'resolved' }])
    await screen.waitFor(() => expect(shown.text()).toContain('Resolved'))
    await act(async () => shown.all('row')[1]?.dispatchEvent(new Event('pointermove', { bubbles: true })))
    server.on(LIST, () => page([{ ...INSIGHT, id: COMPONENT }, INSIGHT]))
    await tell([{ id: COMPONENT, status: 'open' }])
    await screen.advance(1_000)
    await screen.waitFor(() => void shown.get('button', '1 new'))
  })

  it('open in a dialog that the address holds; markup in them is inert', async () => {
    await open('/catalog/insights?severity=high')
    await screen.waitFor(() => expect(shown.find('link', /Rightsize/)).not.toBeNull())
    await screen.click(shown.get('link', /Rightsize/))
    expect(screen.search()).toBe(`?insight=${ID}&severity=high`)
    await screen.waitFor(() => expect(shown.find('region', 'Analysis')).not.toBeNull())
    const dialog = shown.get('dialog')
    expect(dialog.querySelector('p b')?.textContent).toBe('smaller')
    expect(dialog.querySelector('script')).toBeNull()
    expect(globalThis).not.toHaveProperty('ran')
    expect(shown.within(dialog).get('button', 'Attach')).toBeDefined()
  })

  it("say 'Details not found' of one that is gone", async () => {
    await open('/catalog/insights?insight=00000000-0000-4000-8000-000000000009')
    await screen.waitFor(() => expect(shown.text()).toContain('Details not found'))
    expect(shown.find('button', 'Attach')).toBeNull()
  })

  it('of one item have no column for items, and no filter by component', async () => {
    await open(`/catalog/c1/insights?component=${COMPONENT}`, 'c1')
    await screen.waitFor(() => expect(shown.text()).toContain('1 total'))
    expect(shown.headers()).not.toContain('Catalog')
    expect(asked(LIST)).toContain('config_id=eq.c1')
    expect(server.requests.some((line) => line.includes('/components') || line.includes('/rpc/'))).toBe(false)
  })
})
