import { topologyTopic, topicKey } from '@watchroom/shared/protocol'
import type { FeatureArea } from '@watchroom/shared/settings'
import {
  type Component,
  type ShownComponent,
  ShownComponentSchema,
  toShownComponents,
} from '@watchroom/shared/topology'
import { act, type ReactNode } from 'react'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type Page, pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { ComponentBase } from '../../../../web/src/features/topology/componentLink.ts'
import { TopologyScreen } from '../../../../web/src/features/topology/screens/TopologyScreen.tsx'

const TREE = 'GET /api/canary/api/topology'
const ID = (end: string): string => `018f0000-0000-7000-8000-0000000000${end}`
const [SHOP, WEB, STORE, DEPOT, SECRET] = ['a1', 'a2', 'a3', 'a4', 'a5'].map(ID) as [
  string,
  string,
  string,
  string,
  string,
]

const CHOICES = {
  components: null,
  types: ['Service'],
  teams: ['Web team'],
  healthStatuses: ['healthy'],
  tags: { tier: ['1'] },
}

const web = { id: WEB, name: 'web', health: 'unhealthy', path: SHOP }
const store = { id: STORE, name: 'store', health: 'healthy', path: SHOP }
const shop = {
  id: SHOP,
  name: 'shop',
  health: 'unhealthy',
  type: 'Application',
  created_at: '2026-01-01T00:00:00Z',
  status_reason: 'front does not answer',
  owner: 'ada',
  properties: [
    { name: 'orders', value: 12, headline: true },
    { name: 'disk', value: 80, max: 100, headline: true },
    { name: 'git/branch', text: 'main' },
    { name: 'docs', type: 'url', text: 'javascript:alert(1)' },
  ],
  summary: {
    unhealthy: 1,
    healthy: 1,
    checks: { healthy: 2, unhealthy: 1 },
    incidents: { availability: { high: 1 } },
    insights: { security: { low: 2, medium: 1 } },
  },
  components: [store, web],
}
const depot = { id: DEPOT, name: 'depot', health: 'healthy', created_at: '2026-01-01T00:00:00Z' }
const secret = { id: SECRET, name: 'secret', health: 'warning', hidden: true, created_at: '2026-01-01T00:00:00Z' }

const rowsOf = (components: readonly object[], id = ''): ShownComponent[] =>
  toShownComponents(id, { components: components as Component[] }).map((row) => ShownComponentSchema.parse(row))

let screen: RenderedScreen
let shown: Page
let server: FakeServer
/** Bursts that the gateway has recorded. */
let recorded: object[] = []
afterEach(async () => {
  recorded = []
  await screen.close()
  vi.unstubAllGlobals()
})

/** As a shared view shows it. */
const aloneOf = (screenOf: ReactNode): ReactNode => <ComponentBase value="/view/topology/$id">{screenOf}</ComponentBase>

const screenOf = (id = ''): ReactNode => (
  <TopologyScreen
    id={id}
    renderMenu={({ name }) => <button type="button">{`Menu of ${name}`}</button>}
    renderMakeIncident={({ transitions }) => <button type="button">{`Incident of ${transitions.length}`}</button>}
    renderActions={({ name }) => <button type="button">{`Actions of ${name}`}</button>}
  />
)

interface Opened {
  readonly around?: (screenOf: ReactNode) => ReactNode
  readonly disabled?: readonly FeatureArea[]
}

/** @param components as the topic has them */
async function open(
  address: string,
  components: readonly object[],
  { around = (it) => it, disabled = [] }: Opened = {},
): Promise<void> {
  server = createFakeServer()
  server.on(TREE, () => json(CHOICES))
  server.on('GET /gateway/topology-history/bursts', () => json({ bursts: recorded }))
  server.on('GET /api/db/component_names_all', () => json([{ id: SHOP, name: 'shop', path: '' }]))
  const id = /\/topology\/([^?]+)/.exec(address)?.[1] ?? ''
  screen = await renderScreen(around(screenOf(id)), { address, disabled })
  await act(async () => screen.queryClient.setQueryData(topicKey(topologyTopic, { id }), rowsOf(components, id)))
  shown = pageOf(screen.container)
}

const change = (components: readonly object[]): Promise<void> =>
  act(async () => screen.queryClient.setQueryData(topicKey(topologyTopic, { id: '' }), rowsOf(components)) as undefined)

/** Titles, without that of the page. */
const cards = (): string[] =>
  shown
    .all('heading')
    .slice(1)
    .map(({ textContent }) => textContent ?? '')

describe('/topology', () => {
  it('has the shape of what comes while it waits: cards of the chosen width, with the panel of a component beside them', async () => {
    const render = (id: string) => <TopologyScreen id={id} renderPanel={({ name }) => <p>{`Panel of ${name}`}</p>} />
    createFakeServer().on(TREE, () => json(CHOICES))
    screen = await renderScreen(render(SHOP), { address: `/topology/${SHOP}` })
    const waiting = (name: RegExp) => pageOf(screen.container).find('status', name)
    await screen.waitFor(() => expect(waiting(/^Loading components/)).not.toBeNull())
    expect(waiting(/^Loading details/)).not.toBeNull()
    const newValue = JSON.stringify({ v: 1, value: 300 })
    const key = 'topology_card_width'
    await act(async () => window.dispatchEvent(new StorageEvent('storage', { key, newValue })))
    const columns = () => screen.container.querySelector<HTMLElement>('[style*="minmax"]')?.style.gridTemplateColumns
    const shape = columns()
    expect(shape).toContain('300px')
    await act(async () => screen.queryClient.setQueryData(topicKey(topologyTopic, { id: SHOP }), rowsOf([shop], SHOP)))
    await screen.waitFor(() => expect(screen.container.textContent).toContain('Panel of shop'))
    expect(waiting(/^Loading (components|details)/)).toBeNull()
    expect(columns()).toBe(shape)
  })

  it('asks for the words of its filters, for agents and for bursts once the cards are there', async () => {
    const behind = [TREE, 'GET /gateway/topology-history/bursts', 'GET /api/db/agents']
    server = createFakeServer()
    const asked = () => behind.filter((start) => server.requests.some((line) => line.startsWith(start)))
    screen = await renderScreen(screenOf(), { address: '/topology' })
    const waiting = () => pageOf(screen.container).find('status', /^Loading components/)
    await screen.waitFor(() => expect(waiting()).not.toBeNull())
    expect(asked()).toEqual([])
    await change([shop])
    await screen.waitFor(() => expect(asked()).toEqual(behind))
  })

  it('shows components as cards, the worst first, each with its headline properties, its parts and its counts', async () => {
    await open('/topology', [depot, shop])
    await screen.waitFor(() => expect(cards()).toEqual(['shop', 'depot']))
    for (const text of [
      'front does not answer',
      'orders',
      '12',
      '80 of 100',
      '3 checks, 1 unhealthy',
      '1 open incident',
      '3 insights3',
    ]) {
      expect(shown.text()).toContain(text)
    }
    // Low is counted as medium.
    const severities = [...screen.container.querySelectorAll('[title] > [data-severity]')]
    expect(severities.map(({ parentElement }) => parentElement?.title)).toEqual(['3 medium'])
    const parts = shown.all('link').map(({ textContent }) => textContent)
    expect(parts).toEqual(['shop', 'web', 'store', 'High1 open incident', 'depot'])
    expect(shown.text()).not.toContain('branch')
    // The word of what the shape says.
    const words = [...screen.container.querySelectorAll('article header > [title]')].map((one) =>
      one.getAttribute('title'),
    )
    expect(words).toEqual(['unhealthy', 'healthy'])
  })

  it('says where a property leads, why it is unknown, and draws the picture that is asked for', async () => {
    const properties = [
      { name: 'docs', text: 'v2', headline: true, links: [{ url: 'https://docs.test', label: 'Manual' }] },
      { name: 'bad', text: 'v3', headline: true, links: [{ url: 'javascript:alert(1)', label: 'Script' }] },
      { name: 'load', text: 'unknown', tooltip: 'takes too long on this answer', headline: true, order: 1 },
    ]
    await open('/topology', [{ ...shop, properties, tooltip: 'Sells', icon: 'cargo-ship', type: 'Product' }])
    await screen.waitFor(() => expect(shown.text()).toContain('unknown: takes too long on this answer'))
    expect([...screen.container.querySelectorAll('dt')].map(({ textContent }) => textContent)).toEqual([
      'load',
      'docs',
      'bad',
    ])
    expect(shown.get('link', 'Manual').getAttribute('href')).toBe('https://docs.test')
    expect(shown.text()).toContain('v3 Script')
    expect(shown.find('link', 'Script')).toBeNull()
    expect(screen.container.querySelector('h2')?.title).toBe('Sells')
    expect(screen.container.querySelector('article header [data-icon="cargo-ship"]')).not.toBeNull()
  })

  it('counts among the unhealthy parts of a part what is unhealthy in part, which the backend calls a warning', async () => {
    const child = { id: DEPOT, name: 'rack', health: 'healthy' }
    const counted = (name: string, summary: object) => ({ id: ID(name), name, components: [child], summary })
    const parts = [
      counted('b1', { warning: 1, mixed: 1, healthy: 1 }),
      counted('b2', { unhealthy: 1, warning: 3, mixed: 1 }),
      counted('b3', { warning: 2, healthy: 4 }),
    ]
    await open('/topology', [{ ...shop, summary: null, components: parts }])
    const titles = () =>
      [...screen.container.querySelectorAll('li li span[title]')].map((part) => part.getAttribute('title'))
    await screen.waitFor(() =>
      expect(titles()).toEqual([
        '1 unhealthy in part',
        '1 healthy',
        '2 unhealthy, 1 of them in part',
        '2 with warnings',
        '2 with warnings',
        '4 healthy',
      ]),
    )
  })

  it('leads on with the query but the status, which would hide what is in a card', async () => {
    await open('/topology?status=unhealthy&type=', [shop, depot])
    await screen.waitFor(() => expect(cards()).toEqual(['shop']))
    expect(shown.get('link', 'shop').getAttribute('href')).toBe(`/topology/${SHOP}`)
  })

  it('follows what changes', async () => {
    await open('/topology', [depot, shop])
    await screen.waitFor(() => expect(cards()).toEqual(['shop', 'depot']))
    const healed = { ...shop, health: 'healthy', name: 'a shop' }
    await act(async () =>
      screen.queryClient.setQueryData(
        topicKey(topologyTopic, { id: '' }),
        rowsOf([{ ...depot, health: 'warning' }, healed]),
      ),
    )
    await screen.waitFor(() => expect(cards()).toEqual(['depot', 'a shop']))
  })

  it('shows hidden components on demand, and keeps that', async () => {
    await open('/topology?showHiddenComponents=yes', [shop, secret])
    await screen.waitFor(() => expect(cards()).toEqual(['shop', 'secret']))
    await screen.go('/topology?showHiddenComponents=no')
    await screen.waitFor(() => expect(cards()).toEqual(['shop']))
    await screen.click(shown.get('button', 'Preferences'))
    await screen.waitFor(() => expect(pageOf().text()).toContain('Card Width'))
    await screen.click(pageOf().field('Show hidden components'))
    await screen.waitFor(() => expect(cards()).toEqual(['shop', 'secret']))
    expect(screen.search()).toBe('')
  })

  it('asks the server for what is filtered by type, team or label, and again when something changes', async () => {
    await open('/topology?type=Service&team=Web team', [shop])
    server.on(TREE, () => json({ ...CHOICES, components: [web] }))
    await act(() => screen.queryClient.refetchQueries())
    await screen.waitFor(() => expect(cards()).toEqual(['web']))
    expect(server.requests.some((line) => /type=Service.*flatten=true/.test(line))).toBe(true)
    await screen.advance(1_000)
    const asked = server.requests.length
    // A burst is asked about at once, and when it is over.
    await change([{ ...shop, name: 'one' }])
    await screen.waitFor(() => expect(server.requests.length).toBe(asked + 1))
    for (const name of ['two', 'three', 'four']) await change([{ ...shop, name }])
    expect(server.requests.length).toBe(asked + 1)
    await screen.advance(1_000)
    await screen.waitFor(() => expect(server.requests.length).toBeGreaterThan(asked + 1))
  })

  it('offers the agents there are, by name, and shows which one the address names', async () => {
    const agents = [
      { id: '00000000-0000-0000-0000-000000000000', name: 'local' },
      { id: ID('e1'), name: 'edge' },
    ]
    await open(`/topology?agent_id=${ID('e1')}`, [shop])
    server.on('GET /api/db/agents?', () => json(agents))
    await act(() => screen.queryClient.refetchQueries())
    const choice = () => shown.field('Agent') as HTMLSelectElement
    await screen.waitFor(() => expect(choice().selectedOptions[0]?.textContent).toBe('edge'))
    expect(server.requests.some((line) => line.includes(`agent_id=${ID('e1')}`))).toBe(true)
    await screen.waitFor(() => expect(shown.text()).toContain('agent: edge'))
    await screen.click(shown.get('button', /Remove/))
    await screen.waitFor(() => expect(choice().value).toBe(''))
    await screen.waitFor(() => expect(cards()).toEqual(['shop']))
  })

  it('offers no label that the address can’t name', async () => {
    await open('/topology', [shop])
    server.on(TREE, () => json({ ...CHOICES, tags: { tier: ['1', '2,3'] } }))
    await act(() => screen.queryClient.refetchQueries())
    const offered = () => [...(shown.field('Labels') as HTMLSelectElement).options].map(({ text }) => text)
    await screen.waitFor(() => expect(offered()).toEqual(['All', 'tier=1']))
  })

  it('offers no agents where there is only this installation', async () => {
    await open('/topology', [shop])
    server.on('GET /api/db/agents?', () => json([{ id: '00000000-0000-0000-0000-000000000000', name: 'local' }]))
    await act(() => screen.queryClient.refetchQueries())
    await screen.waitFor(() => expect(cards()).toEqual(['shop']))
    expect(() => shown.field('Agent')).toThrow('no field is labeled Agent')
  })

  it('asks again from time to time where the page carries nothing of what is shown', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    await open('/topology?type=Service', [shop])
    const untilAnswered = () => screen.waitFor(() => expect(screen.queryClient.isFetching()).toBe(0))
    // What the rows of the page made it ask is over.
    await untilAnswered()
    await screen.advance(5_000)
    await untilAnswered()
    server.on(TREE, () => json({ ...CHOICES, components: [web] }))
    await screen.advance(5_000)
    expect(shown.text()).toContain('There are no components')
    await act(async () => void vi.advanceTimersByTime(30_000))
    await screen.waitFor(() => expect(cards()).toEqual(['web']))
  })

  it('says which filters let nothing through, each of which can be taken off', async () => {
    await open('/topology?status=warning', [shop])
    await screen.waitFor(() => expect(shown.text()).toContain('There are no components matching this criteria'))
    expect(shown.text()).toContain('status: warning')
    await screen.click(shown.get('button', /Remove/))
    await screen.waitFor(() => expect(cards()).toEqual(['shop']))
  })

  it('says why there is nothing where no filter is: no parts, or hidden ones', async () => {
    const empty = async (text: string): Promise<void> => {
      await screen.waitFor(() => expect(shown.text()).toContain('There are no components matching this criteria'))
      expect(shown.text()).toContain(text)
    }
    await open(`/topology/${WEB}`, [web])
    await empty('web isn’t made of other components.')
    await screen.close()
    await open('/topology', [secret])
    await empty('All of them are hidden. Show them in Preferences.')
  })

  it('sorts by what is chosen, says so in the address, and says nothing of the worst first', async () => {
    await open('/topology', [shop, depot])
    await screen.waitFor(() => expect(cards()).toEqual(['shop', 'depot']))
    const sort = shown.field('Sort by') as HTMLSelectElement
    const choose = (value: string): Promise<void> =>
      act(async () => {
        sort.value = value
        sort.dispatchEvent(new Event('change', { bubbles: true }))
      })
    await choose('name asc')
    await screen.waitFor(() => expect(cards()).toEqual(['depot', 'shop']))
    expect(screen.search()).toBe('?sortBy=name&sortOrder=asc')
    expect([...sort.options].map(({ value }) => value)).toContain('field:orders asc')
    await choose('status desc')
    await screen.waitFor(() => expect(screen.search()).toBe(''))
    expect(cards()).toEqual(['shop', 'depot'])
  })
})

describe('a busy page', () => {
  it('keeps its order under the pointer, changes in place, and takes the new order afterwards', async () => {
    await open('/topology', [depot, shop])
    await screen.waitFor(() => expect(cards()).toEqual(['shop', 'depot']))
    await act(async () => shown.all('list')[0]?.dispatchEvent(new Event('pointermove', { bubbles: true })))
    const late = { id: SECRET, name: 'late', health: 'unhealthy', created_at: '2026-01-01T00:00:00Z' }
    await change([{ ...depot, health: 'unhealthy' }, { ...shop, health: 'healthy' }, late])
    await screen.waitFor(() =>
      expect(screen.container.querySelector('[aria-label="depot"]')?.getAttribute('data-health')).toBe('unhealthy'),
    )
    expect(cards()).toEqual(['shop', 'depot'])
    await screen.click(shown.get('button', '1 new'))
    await screen.waitFor(() => expect(cards()).toEqual(['depot', 'late', 'shop']))
  })

  it('stands still after `.`, counts what has changed meanwhile, and goes on', async () => {
    await open('/topology', [depot, shop])
    await screen.waitFor(() => expect(cards()).toEqual(['shop', 'depot']))
    await screen.press('.')
    await change([
      { ...depot, health: 'unhealthy' },
      { ...shop, name: 'new shop' },
    ])
    await screen.waitFor(() => expect(shown.text()).toContain('Paused · 2 changed'))
    // What speaks by itself says no figure: it would speak with each change.
    expect(shown.all('status').map(({ textContent }) => textContent)).not.toContain('Paused · 2 changed')
    expect(shown.get('status', 'Updates').textContent).toBe('Paused')
    expect(cards()).toEqual(['shop', 'depot'])
    await screen.press('.')
    await screen.waitFor(() => expect(cards()).toEqual(['depot', 'new shop']))
    expect(shown.text()).not.toContain('Paused')
  })

  it('shows the first cards of a thousand, and says how many more there are', async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => ({
      id: `018f0000-0000-7000-8000-00000001${String(at).padStart(4, '0')}`,
      name: `part ${String(at).padStart(4, '0')}`,
      created_at: '2026-01-01T00:00:00Z',
    }))
    await open('/topology', many)
    await screen.waitFor(() => expect(cards()).toHaveLength(60))
    expect(shown.text()).toContain('+940 more')
    expect(screen.queryClient.getQueryData<unknown[]>(topicKey(topologyTopic, { id: '' }))).toHaveLength(61)

    // Another order has other cards first: the server knows which.
    server.on(TREE, () => json({ ...CHOICES, components: many.slice(500, 560), more: 940 }))
    await screen.go('/topology?sortBy=name&sortOrder=asc')
    await screen.waitFor(() => expect(cards()[0]).toBe('part 0500'))
    expect(shown.text()).toContain('+940 more')
    expect(server.requests.at(-1)).toContain('limit=60')
    expect(server.requests.at(-1)).toContain('sortBy=name')
  })

  it('says on a card how many parts the page has no room for', async () => {
    const parts = Array.from({ length: 100 }, (_, at) => ({ id: ID(`9${at}`), name: `part ${at}`, hidden: at < 40 }))
    await open('/topology', [{ ...shop, components: parts }])
    await screen.waitFor(() => expect(shown.text()).toContain('+48 more'))
    await screen.go('/topology?showHiddenComponents=yes')
    await screen.waitFor(() => expect(shown.text()).toContain('+88 more'))
  })
})

describe('what becomes different', () => {
  it('is said in one sentence for five seconds', async () => {
    await open('/topology', [depot, shop])
    const said = (): string => shown.find('status', / is (?:healthy|warning|unhealthy)/)?.textContent ?? ''
    await screen.waitFor(() => expect(cards()).toEqual(['shop', 'depot']))
    await change([{ ...depot, health: 'warning' }, shop])
    await screen.waitFor(() => expect(said()).toBe('depot is warning'))
    await change([{ ...depot, health: 'unhealthy' }, shop])
    await change([
      { ...depot, health: 'unhealthy' },
      { ...shop, health: 'healthy' },
    ])
    await screen.waitFor(() =>
      expect(screen.container.querySelector('[aria-label="shop"]')?.getAttribute('data-health')).toBe('healthy'),
    )
    expect(said()).toBe('depot is warning')
    await screen.advance(5_000)
    await screen.waitFor(() => expect(said()).toBe('shop is healthy, 1 more changed'))
  })

  it('is said of nothing that is hidden, until it is shown', async () => {
    const said = (): string => shown.find('status', / is (?:healthy|warning|unhealthy)/)?.textContent ?? ''
    await open('/topology', [depot, secret])
    await screen.waitFor(() => expect(cards()).toEqual(['depot']))
    await change([depot, { ...secret, health: 'healthy' }])
    await change([
      { ...depot, health: 'warning' },
      { ...secret, health: 'unhealthy' },
    ])
    await screen.waitFor(() => expect(said()).toBe('depot is warning'))
    await screen.close()
    await open('/topology?showHiddenComponents=yes', [depot, secret])
    await screen.waitFor(() => expect(cards()).toEqual(['secret', 'depot']))
    await change([depot, { ...secret, health: 'unhealthy' }])
    await screen.waitFor(() => expect(said()).toBe('secret is unhealthy'))
  })

  it('is one row when five came within a minute below one card, with what can be made of it', async () => {
    const parts = ['b1', 'b2', 'b3', 'b4', 'b5'].map((end) => ({ id: ID(end), name: `part ${end}`, health: 'healthy' }))
    await open('/topology', [{ ...shop, components: parts }])
    await screen.waitFor(() => expect(cards()).toEqual(['shop']))
    expect(shown.text()).not.toContain('within a minute')
    await change([{ ...shop, components: parts.map((part) => ({ ...part, health: 'unhealthy' })) }])
    await screen.waitFor(() => expect(shown.text()).toContain('5 changes under shop within a minute'))
    expect(shown.find('button', 'Incident of 5')).not.toBeNull()
    await screen.click(shown.get('button', 'Dismiss changes under shop'))
    expect(shown.text()).not.toContain('within a minute')
  })

  it('is told of what was recorded below its levels, also before it was opened', async () => {
    const deep = (at: number) => ({
      id: ID(`c${at}`),
      name: `deep ${at}`,
      from: 'healthy',
      to: 'unhealthy',
      at: Date.parse('2026-01-01T00:00:00Z'),
    })
    const burst = { id: SHOP, name: 'shop', minutes: 2, transitions: Array.from({ length: 50 }, (_, at) => deep(at)) }
    recorded = [burst]
    await open('/topology', [shop])
    await screen.waitFor(() => expect(shown.text()).toContain('50 changes under shop within 2 minutes'))
    expect(server.requests.find((line) => line.includes('bursts'))).toContain('hidden=false')
    expect(shown.find('button', 'Incident of 50')).not.toBeNull()
    // Coming back to the page asks anew.
    const asked = () => server.requests.filter((line) => line.includes('bursts')).length
    const before = asked()
    const away = <p>Elsewhere</p>
    await screen.rerender(away)
    await screen.rerender(screenOf())
    await screen.waitFor(() => expect(asked()).toBe(before + 1))
    expect(shown.text()).toContain('50 changes under shop')
    // What was dismissed does not come again with the page.
    await screen.click(shown.get('button', 'Dismiss changes under shop'))
    await screen.rerender(away)
    await screen.rerender(screenOf())
    await screen.waitFor(() => expect(asked()).toBe(before + 2))
    expect(shown.text()).not.toContain('50 changes under shop')
  })

  it('is news for ten minutes', async () => {
    const at = Date.parse('2026-01-01T00:00:00Z')
    const deep = { id: ID('c1'), name: 'deep', from: 'healthy', to: 'unhealthy', at }
    recorded = [{ id: DEPOT, name: 'depot', minutes: 1, transitions: Array.from({ length: 5 }, () => deep) }]
    await open('/topology', [depot])
    await screen.waitFor(() => expect(shown.text()).toContain('5 changes under depot'))
    await screen.advance(11 * 60_000)
    expect(shown.text()).not.toContain('5 changes under depot')
  })
})

describe('what is bad', () => {
  const cause = {
    kind: 'check',
    id: ID('c1'),
    name: 'GET /',
    since: null,
    path: [{ id: WEB, name: 'web' }],
  }

  it('says why: the way to what failed first, and how many causes there are besides', async () => {
    await open('/topology', [{ ...shop, because: [cause, { ...cause, id: ID('c2') }] }])
    await screen.waitFor(() => expect(shown.text()).toContain('Because web › check GET /'))
    expect(shown.text()).toContain('+1\u00A0more')
    expect(shown.get('link', 'check GET /').getAttribute('href')).toBe(
      `/topology/${WEB}?checkId=${ID('c1')}&panel=checks`,
    )
  })

  it.each([
    ['config', 'config item GET /'],
    ['expression', 'its own health expression'],
    ['component', 'its reported health'],
  ])('says of a cause that is a %s what it is: %s', async (kind, words) => {
    await open('/topology', [{ ...shop, because: [{ ...cause, kind }] }])
    await screen.waitFor(() => expect(shown.text()).toContain(`Because web › ${words}`))
  })

  it('says of what is made of parts that the check is its own: none of them is the reason', async () => {
    await open('/topology', [{ ...shop, components: [web], because: [{ ...cause, path: [] }] }])
    await screen.waitFor(() => expect(shown.text()).toContain('Because its own check GET /'))
  })

  it('is walked to by `f`, step by step', async () => {
    await open('/topology', [depot, { ...shop, because: [cause] }])
    await screen.waitFor(() => expect(cards()).toEqual(['shop', 'depot']))
    await screen.press('f')
    await screen.waitFor(() => expect(screen.path()).toBe(`/topology/${SHOP}`))
  })

  it('keeps the query of the page on every way to another one, but for the status', async () => {
    await open('/topology?team=Web%20team&status=unhealthy', [depot, { ...shop, because: [cause] }])
    server.on(TREE, () => json({ ...CHOICES, components: [{ ...shop, because: [cause] }] }))
    await act(() => screen.queryClient.refetchQueries())
    await screen.waitFor(() => expect(shown.find('link', 'check GET /')).not.toBeNull())
    const hrefOf = (name: string | RegExp) => shown.get('link', name).getAttribute('href')
    expect(hrefOf('check GET /')).toBe(`/topology/${WEB}?checkId=${ID('c1')}&panel=checks&team=Web+team`)
    expect(hrefOf(/open incident/)).toBe(`/topology/${SHOP}?panel=incidents&team=Web+team`)
    expect(new Set(shown.all('link', 'web').map((link) => link.getAttribute('href')))).toEqual(
      new Set([`/topology/${WEB}?team=Web+team`]),
    )
    await screen.press('f')
    await screen.waitFor(() => expect(screen.path()).toBe(`/topology/${SHOP}`))
    expect(screen.search()).toBe('?team=Web+team')
  })

  it('names no section that is not there: in a shared view, and where it is switched off', async () => {
    const at = { ...web, parent_id: SHOP, because: [{ ...cause, path: [] }], created_at: '2026-01-01T00:00:00Z' }
    const part = { ...shop, id: ID('e1'), name: 'part', path: `${SHOP}.${WEB}`, components: [] }
    await open(`/topology/${WEB}?labels=tier%3D1`, [{ ...at, components: [part] }], { around: aloneOf })
    server.on(TREE, () => json({ ...CHOICES, components: [{ ...at, components: [part] }] }))
    await act(() => screen.queryClient.refetchQueries())
    await screen.waitFor(() => expect(shown.find('link', 'shop')).not.toBeNull())
    expect(shown.all('link').map((link) => link.getAttribute('href'))).toEqual([
      `/view/topology/${SHOP}?labels=tier%3D1`,
      `/view/topology/${ID('e1')}?labels=tier%3D1`,
    ])
    expect(shown.text()).toContain('Because its own check GET /')
    expect(shown.text()).toContain('1 open incident')
    await screen.press('f')
    await screen.press('.')
    await screen.waitFor(() => expect(shown.text()).toContain('Paused'))
    expect(screen.search()).toBe('?labels=tier%3D1')

    await screen.close()
    await open('/topology', [{ ...shop, because: [cause] }], { disabled: ['incidents', 'health'] })
    await screen.waitFor(() => expect(shown.text()).toContain('1 open incident'))
    expect(shown.all('link').map(({ textContent }) => textContent)).toEqual(['shop', 'web', 'web', 'store'])
  })

  it('opens the check at the end of the way', async () => {
    await open(`/topology/${WEB}`, [{ ...web, because: [{ ...cause, path: [] }], created_at: '2026-01-01T00:00:00Z' }])
    await screen.waitFor(() => expect(shown.find('heading', 'web')).not.toBeNull())
    await screen.press('f')
    await screen.waitFor(() => expect(screen.search()).toBe(`?checkId=${ID('c1')}&panel=checks`))
  })
})

describe('/topology/{id}', () => {
  it('shows what is in a component, and what can be done with it', async () => {
    await open(`/topology/${SHOP}`, [shop])
    await screen.waitFor(() => expect(cards()).toEqual(['web', 'store']))
    expect(shown.find('button', 'Actions of shop')).not.toBeNull()
  })

  it('says that there is no component where the address names no ID, and asks nobody', async () => {
    await open('/topology/not-an-id', [])
    expect(shown.text()).toContain('Component not found')
    expect(shown.text()).toContain('There’s no component with this ID: not-an-id')
    expect(server.requests).toEqual([])
  })

  it('names the page that led to a component whose path leads elsewhere', async () => {
    const linked = { ...store, path: ID('ff') }
    await open(`/topology/${SHOP}?labels=tier=1`, [{ ...shop, components: [linked, web] }])
    server.on(TREE, () => json({ ...CHOICES, components: [{ ...shop, components: [linked, web] }] }))
    await act(() => screen.queryClient.refetchQueries())
    await screen.waitFor(() => expect(shown.find('link', 'store')).not.toBeNull())
    expect(shown.get('link', 'store').getAttribute('href')).toBe(`/topology/${STORE}?labels=tier%3D1&refererId=${SHOP}`)
    expect(shown.get('link', 'web').getAttribute('href')).toBe(`/topology/${WEB}?labels=tier%3D1`)
  })
})
