import type { Role } from '@watchroom/shared/access'
import type { FeatureArea } from '@watchroom/shared/settings'
import { type Component, ComponentSchema } from '@watchroom/shared/topology'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type Page, pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { ComponentPanel } from '../../../../web/src/features/topology/panel/ComponentPanel.tsx'

const ID = (end: string): string => `018f0000-0000-7000-8000-0000000000${end}`
const SHOP = ID('a1')

const shop: Component = ComponentSchema.parse({
  id: SHOP,
  name: 'shop',
  health: 'unhealthy',
  owner: 'ada',
  topology_id: ID('b1'),
  config_id: ID('d1'),
  cost_total_30d: 12.4,
  properties: [
    { name: 'orders', value: 12, headline: true },
    { name: 'git/branch', text: 'main' },
    { name: 'zone', text: 'a' },
    { name: 'region', text: 'north' },
    { name: 'chart', text: 'shop-1.2', namespace: 'helm' },
    { name: 'docs', type: 'url', text: 'javascript:alert(1)' },
  ],
})

let screen: RenderedScreen
let shown: Page
let server: FakeServer
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

interface Opened {
  readonly search?: string
  readonly roles?: readonly Role[]
  readonly off?: readonly FeatureArea[]
  readonly component?: Component
  readonly teams?: readonly object[]
}

async function open({ search = '', roles = ['admin'], off = [], component = shop, teams = [] }: Opened = {}) {
  server = createFakeServer()
  for (const table of [
    'config_component_relationships',
    'incidents_by_component',
    'changes_by_component',
    'checks_by_component',
    'rpc/lookup_analysis_by_component',
  ]) {
    server.on(`GET /api/db/${table}?`, () => json([]))
  }
  server.on('GET /api/db/team_components?', () => json(teams))
  server.on('GET /api/db/topologies', () => json([{ name: 'Harbor' }]))
  server.on('GET /api/db/config_items', () => json([{ name: 'shop-deployment' }]))
  screen = await renderScreen(
    <ComponentPanel
      component={component}
      renderCheck={({ checkId }) => <p>{`panel of ${checkId}`}</p>}
      renderRuns={null}
      renderLinkToCatalog={() => <button type="button">Link to catalog</button>}
    />,
    { address: `/topology/${SHOP}${search}`, roles, disabled: off },
  )
  shown = pageOf(screen.container)
}

const headings = (): string[] =>
  [...screen.container.querySelectorAll('h2 button')].map(({ textContent }) => (textContent ?? '').replace(/\d+$/, ''))

it('says in Details why the component is bad: what it gives as reason, else what failed first', async () => {
  const because: Component['because'] = [{ kind: 'check', id: ID('c1'), name: 'GET /', since: null, path: [] }]
  const reason = (): string | null | undefined =>
    [...screen.container.querySelectorAll('dt')].find(({ textContent }) => textContent === 'Reason')?.nextElementSibling
      ?.textContent
  await open({ component: { ...shop, because } })
  await screen.waitFor(() => expect(reason()).toBe('check GET /'))
  await screen.close()
  await open({ component: { ...shop, because, status_reason: 'no port answers' } })
  await screen.waitFor(() => expect(reason()).toBe('no port answers'))
})

/** @param rows answered with how many there are of them */
const page = (rows: readonly object[], total: number): Response =>
  new Response(JSON.stringify(rows), { headers: { 'content-range': `0-${rows.length - 1}/${total}` } })

describe('the panel of a component', () => {
  it('opens with the details: its properties by group, pairs in one row, costs, its topology and its item', async () => {
    await open()
    await screen.waitFor(() => expect(shown.find('link', 'Harbor')).not.toBeNull())
    expect(shown.get('link', 'Harbor').getAttribute('href')).toBe(`/settings/topologies/${ID('b1')}`)
    await screen.waitFor(() => expect(shown.find('link', 'shop-deployment')).not.toBeNull())
    for (const text of ['ada', 'main', '$12', SHOP, 'helm/chart']) expect(shown.text()).toContain(text)
    expect(shown.text()).toContain('regionnorthzonea')
    expect(shown.text()).not.toContain('orders')
    // An address that is a script is a text.
    expect(shown.all('link').map((link) => link.getAttribute('href'))).not.toContain('javascript:alert(1)')
  })

  it('shows a property behind its picture and its color, and nothing of what is neither', async () => {
    const properties = [
      { name: 'tier', text: 'gold', icon: 'ship', color: '#d4af37' },
      { name: 'zone', text: 'north', icon: 'no-such-picture', color: 'url(https://example.test)' },
    ]
    await open({ component: ComponentSchema.parse({ ...shop, properties }) })
    const valueOf = (name: string) =>
      [...screen.container.querySelectorAll('dt')].find(({ textContent }) => textContent === name)?.nextElementSibling
    await screen.waitFor(() => expect(valueOf('tier')?.textContent?.trim()).toBe('gold'))
    expect(valueOf('tier')?.querySelector('svg')).not.toBeNull()
    expect(valueOf('tier')?.querySelector('span')?.style.backgroundColor).toBe('#d4af37')
    expect([valueOf('zone')?.innerHTML.includes('svg'), valueOf('zone')?.innerHTML.includes('span')]).toEqual([
      false,
      false,
    ])
  })

  it('gives no id for a name that is on its way, and the id where the name may not be read', async () => {
    await open({ roles: [] })
    await screen.waitFor(() => expect(shown.find('link', ID('b1'))).not.toBeNull())
    await screen.close()
    let answer: (response: Response) => void = () => undefined
    server.on('GET /api/db/topologies', () => new Promise<Response>((resolve) => (answer = resolve)))
    screen = await renderScreen(
      <ComponentPanel component={shop} renderCheck={() => null} renderRuns={null} renderLinkToCatalog={() => null} />,
      { address: `/topology/${SHOP}`, roles: ['admin'] },
    )
    shown = pageOf(screen.container)
    expect(shown.find('link', '…')).not.toBeNull()
    expect(shown.find('link', ID('b1'))).toBeNull()
    answer(json([{ name: 'Harbor' }]))
    await screen.waitFor(() => expect(shown.find('link', 'Harbor')).not.toBeNull())
  })

  it('has one section open at a time, and says so in the address', async () => {
    await open()
    const names = ['Details', 'Catalog', 'Incidents', 'Changes', 'Checks', 'Teams', 'Insights']
    await screen.waitFor(() => expect(headings()).toEqual(names))
    await screen.click(shown.get('button', /^Teams/))
    await screen.waitFor(() => expect(screen.search()).toBe('?panel=teams'))
    const expanded = shown.all('button').filter((button) => button.getAttribute('aria-expanded') === 'true')
    expect(expanded).toHaveLength(1)
    await screen.waitFor(() => expect(shown.text()).toContain('No team owns this component.'))
  })

  it('lists teams with the pictures that were chosen for them', async () => {
    await open({
      search: '?panel=teams',
      teams: [
        { team_id: ID('t1'), role: 'owner', teams: { id: ID('t1'), name: 'Harbor', icon: 'ship' } },
        { team_id: ID('t2'), role: null, teams: { id: ID('t2'), name: 'Docks', icon: null } },
      ],
    })
    await screen.waitFor(() => expect(shown.find('link', 'Docks')).not.toBeNull())
    const pictureOf = (name: string): string | undefined =>
      shown.get('link', name).querySelector('svg')?.getAttribute('data-icon') ?? undefined
    expect([pictureOf('Harbor'), pictureOf('Docks')]).toEqual(['cargo-ship', 'people'])
  })

  it.each(['runs', 'teams', 'catalog', 'changes', 'insights', 'incidents', 'checks'])(
    'opens its details where the address names a section that is not here: %s',
    async (section) => {
      await open({ search: `?panel=${section}`, roles: [], off: ['incidents', 'health'] })
      await screen.waitFor(() => expect(headings()).toEqual(['Details']))
      expect(shown.get('button', /^Details/).getAttribute('aria-expanded')).toBe('true')
    },
  )

  it('moves between its headings by arrow keys', async () => {
    await open()
    await screen.waitFor(() => expect(headings()).toHaveLength(7))
    const details = shown.get('button', /^Details/)
    details.focus()
    await screen.press('ArrowDown', details)
    expect(document.activeElement?.textContent).toContain('Catalog')
    await screen.press('End', document.activeElement)
    expect(document.activeElement?.textContent).toContain('Insights')
  })

  it('lists no incidents where they are switched off, and no section of what its reader may not read', async () => {
    await open({ off: ['incidents', 'config'] })
    await screen.waitFor(() => expect(headings()).toEqual(['Details', 'Checks', 'Teams']))
    expect(server.requests.some((line) => line.includes('incidents_by_component'))).toBe(false)
  })

  it('counts what is in a section that is closed, and reads 50 rows at a time', async () => {
    await open()
    server.on('GET /api/db/changes_by_component?', () =>
      page(
        Array.from({ length: 50 }, (_, at) => ({
          id: `c${at}`,
          config_id: ID('d1'),
          name: 'x',
          change_type: 'diff',
          created_at: '2025-12-25T12:00:44Z',
        })),
        120,
      ),
    )
    await screen.queryClient.refetchQueries()
    await screen.waitFor(() => expect(shown.get('button', /^Changes/).textContent).toContain('120'))
    expect(server.requests.findLast((line) => line.includes('changes_by_component'))).toContain('limit=50')
    await screen.click(shown.get('button', /^Changes/))
    await screen.waitFor(() => expect(shown.text()).toContain('50 of 120'))
    expect(shown.get('list', 'Changes').textContent).toMatch(/Dec 25, \d\d:00:44/)
  })

  it('undoes a link that someone made by hand, after asking; links of selectors it leaves alone', async () => {
    await open({ search: '?panel=catalog' })
    const configs = (name: string) => ({ id: ID('d1'), name, type: 'Pod', config_class: 'Pod' })
    server.on('GET /api/db/config_component_relationships?', () =>
      page(
        [
          { config_id: ID('d1'), selector_id: 'manual', configs: configs('by-hand') },
          { config_id: ID('d2'), selector_id: 'hash', configs: configs('by-selector') },
        ],
        2,
      ),
    )
    await screen.queryClient.refetchQueries()
    await screen.waitFor(() => expect(shown.find('button', 'Delete config link to by-hand')).not.toBeNull())
    expect(shown.find('button', 'Delete config link to by-selector')).toBeNull()
    server.on('DELETE /api/db/config_component_relationships', () => json([]))
    await screen.click(shown.get('button', 'Delete config link to by-hand'))
    await screen.waitFor(() => expect(pageOf().find('dialog', 'Delete config link')).not.toBeNull())
    await screen.click(
      pageOf().within(pageOf().get('dialog', 'Delete config link')).get('button', 'Delete config link'),
    )
    await screen.waitFor(() =>
      expect(server.requests).toContain(
        `DELETE /api/db/config_component_relationships?component_id=eq.${SHOP}&config_id=eq.${ID('d1')}&selector_id=eq.manual`,
      ),
    )
  })

  it('offers no link to who may not write', async () => {
    await open({ search: '?panel=catalog', roles: ['viewer'] })
    await screen.waitFor(() => expect(shown.text()).toContain('No config item is linked to this component.'))
    expect(shown.find('button', 'Link to catalog')).toBeNull()
  })

  it('opens the details where a link names a section that is not here', async () => {
    await open({ search: '?panel=incidents', off: ['incidents'] })
    await screen.waitFor(() => expect(shown.text()).toContain(SHOP))
    expect(shown.get('button', 'Details').getAttribute('aria-expanded')).toBe('true')
  })

  it('asks for the incidents that a card counts as open, and for others by type and status', async () => {
    await open({ search: '?panel=incidents' })
    const asked = (): string => server.requests.findLast((line) => line.includes('incidents_by_component')) ?? ''
    await screen.waitFor(() => expect(asked()).toContain('status=not.in.(resolved,closed,cancelled)'))
    expect(asked()).not.toContain('type=eq')
    await screen.go(`/topology/${SHOP}?panel=incidents&incidentStatus=mitigated`)
    await screen.waitFor(() => expect(asked()).toContain('status=eq.mitigated'))
    await screen.go(`/topology/${SHOP}?panel=incidents&incidentType=cost&incidentStatus=all`)
    await screen.waitFor(() => expect(asked()).toContain('type=eq.cost'))
    expect(asked()).not.toContain('status=')
  })

  it('says that the incidents are its own, and how many are open with those of its parts', async () => {
    const part = { ...shop, id: ID('a2'), is_leaf: true }
    const summary = { incidents: { cost: { Low: 1 }, security: { High: 9 } }, open_incidents: 3 }
    await open({ search: '?panel=incidents', component: { ...shop, components: [part], summary } })
    await screen.waitFor(() => expect(shown.text()).toContain('No incident matches these filters.'))
    expect(shown.text()).toContain('Incidents of this component itself. Including its parts, 3 are open.')
  })

  it('says that no check is its own, and how many its parts have', async () => {
    const part = { ...shop, id: ID('a2'), is_leaf: true }
    const summary = { checks: { healthy: 5, unhealthy: 1 } }
    await open({ search: '?panel=checks', component: { ...shop, components: [part], summary } })
    const text = 'No check watches this component itself. Its parts have 6 checks, 1 unhealthy.'
    await screen.waitFor(() => expect(shown.text()).toContain(text))
    await screen.close()
    await open({ search: '?panel=checks' })
    await screen.waitFor(() => expect(shown.text()).toContain('No check watches this component.'))
  })

  it('counts beside its own checks, open incidents and insights those of its parts', async () => {
    const part = { ...shop, id: ID('a2'), is_leaf: true }
    const summary = {
      checks: { healthy: 5, unhealthy: 1 },
      incidents: { cost: { Low: 1 } },
      insights: { security: { high: 2 } },
    }
    const noted = (): string[] => headings().filter((heading) => heading.includes('in its parts'))
    await open({ component: { ...shop, components: [part], summary } })
    const words = ['Incidents1 in its parts', 'Checks6 in its parts', 'Insights2 in its parts']
    await screen.waitFor(() => expect(noted()).toEqual(words))
    await screen.close()
    await open({ component: { ...shop, is_leaf: true, summary } })
    await screen.waitFor(() => expect(headings().at(-1)).toBe('Insights'))
    expect(noted()).toEqual([])
  })

  it('counts insights by severity, low ones as medium, the worst first', async () => {
    const summary = { insights: { security: { low: 2, critical: 1 }, cost: { medium: 3 } } }
    await open({ search: '?panel=insights', component: { ...shop, is_leaf: true, summary } })
    const counts = (): (string | null)[] =>
      [...screen.container.querySelectorAll('[title] > [data-severity]')].map((chip) => chip.parentElement!.title)
    await screen.waitFor(() => expect(counts()).toEqual(['1 critical', '5 medium']))
    await screen.close()
    await open({ search: '?panel=insights' })
    await screen.waitFor(() => expect(shown.text()).toContain('No insights for this component.'))
    expect(counts()).toEqual([])
  })

  it('opens the panel of a check over the page', async () => {
    await open({ search: `?panel=checks&checkId=${ID('c1')}` })
    await screen.waitFor(() => expect(shown.text()).toContain(`panel of ${ID('c1')}`))
  })
})
