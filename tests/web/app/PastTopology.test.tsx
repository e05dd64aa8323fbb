import type { Role } from '@watchroom/shared/access'
import type { FeatureArea } from '@watchroom/shared/settings'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'
import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { type Page, pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { PastTopology } from '../../../web/src/app/PastTopology.tsx'
import { PastSearchSchema } from '../../../web/src/features/topology-history/search.ts'
import { useSearchState } from '../../../web/src/url/useSearchState.ts'

const PAST = '/gateway/topology-history'
const NOW = Date.parse('2026-01-02T00:00:00Z')
const AT = '2026-01-01T12:00:00.000Z'
const STEP = Date.parse('2026-01-01T18:00:00Z')
const ID = (end: string): string => `018f0000-0000-7000-8000-0000000000${end}`
const [SHOP, WEB] = [ID('a1'), ID('a2')]
const RECORDED = { recordedSince: Date.parse('2025-12-30T00:00:00Z'), holes: [] }
const web = { id: WEB, name: 'web', health: 'unhealthy', status_reason: 'no answer', parent_id: SHOP }
const shop = { id: SHOP, name: 'shop', health: 'unhealthy', owner: 'Ada', components: [web] }
const shown = {
  at: Date.parse(AT),
  ...RECORDED,
  page: { components: [shop], types: ['Then'], teams: ['Owners'] },
  above: [],
}
const transitions = {
  ...RECORDED,
  transitions: [
    {
      at: STEP,
      id: WEB,
      name: 'web',
      from: { health: 'unhealthy', status: '' },
      to: { health: 'healthy', status: '' },
    },
  ],
  isCut: false,
  density: [{ at: STEP, count: 1, unhealthy: 0 }],
}

let screen: RenderedScreen
let page: Page
let server: FakeServer
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

function Screen({ id }: { id: string }) {
  const [search, setSearch] = useSearchState(PastSearchSchema)
  return search.at === '' ? <p>live</p> : <PastTopology id={id} search={search} setSearch={setSearch} />
}

interface Setting {
  readonly off?: readonly FeatureArea[]
  readonly roles?: readonly Role[]
}

async function open(
  address: string,
  answers: Readonly<Record<string, (url: URL) => Response>> = {},
  { off = [], roles = ['admin'] }: Setting = {},
): Promise<void> {
  server = createFakeServer()
  server.on('GET /api/canary/api/topology', () => json({ components: null }))
  server.on('GET /api/db/incidents?', () => json([]))
  server.on('GET /api/db/incidents_by_component', answers['incidents'] ?? (() => json([])))
  server.on('GET /api/db/changes_by_component', () => json([]))
  server.on(`GET ${PAST}/page`, answers['page'] ?? (() => json(shown)))
  server.on(`GET ${PAST}/transitions`, answers['transitions'] ?? (() => json(transitions)))
  server.on(`GET ${PAST}/diff`, answers['diff'] ?? (() => json({})))
  const id = /\/topology\/([^?]+)/.exec(address)?.[1] ?? ''
  screen = await renderScreen(<Screen id={id} />, { address, clock: new FakeClock(NOW), roles, disabled: off })
  page = pageOf(screen.container)
}
const seeks = (text: string): Promise<void> => screen.waitFor(() => expect(page.text()).toContain(text))

describe('the past', () => {
  it('shows cards and details as they were, with nothing that acts, and says what is not recorded', async () => {
    await open(`/topology/${SHOP}?at=${AT}`, {
      page: () => json({ ...shown, above: [{ id: ID('a9'), name: 'estate of then' }] }),
    })
    await seeks('no answer')
    expect(page.text()).toContain('Ada')
    expect(page.text()).toContain('Property values')
    expect(page.get('link', 'estate of then').getAttribute('href')).toContain(`at=${encodeURIComponent(AT)}`)
    expect(page.get('link', 'web').getAttribute('href')).toContain(`at=${encodeURIComponent(AT)}`)
    expect(page.all('button', /^Actions/)).toEqual([])
    expect(screen.container.querySelector('input[type="range"]')?.getAttribute('aria-valuetext')).toContain('2026')
  })

  it('marks what happened to anything below a component, and to the whole estate on the first page', async () => {
    const incidents = (): string => server.requests.findLast((line) => line.includes('incidents_by_component')) ?? ''
    const changes = (): string => server.requests.findLast((line) => line.includes('changes_by_component')) ?? ''
    await open(`/topology/${SHOP}?at=${AT}`, { transitions: () => json({ ...transitions, below: [SHOP, WEB] }) })
    await screen.waitFor(() => expect(changes()).not.toBe(''))
    for (const asked of [incidents(), changes()]) expect(asked).toContain(`component_id=in.(${SHOP},${WEB})`)
    await screen.close()
    await open(`/topology?at=${AT}`)
    await screen.waitFor(() => expect(changes()).not.toBe(''))
    expect(changes()).not.toContain('component_id')
  })

  it('counts an incident once that is about several components', async () => {
    const incident = { id: ID('b1'), title: 'Outage', created_at: '2026-01-01T17:00:00Z' }
    await open(`/topology/${SHOP}?at=${AT}`, {
      transitions: () => json({ ...transitions, below: [SHOP, WEB] }),
      incidents: () => json([incident, incident]),
    })
    await screen.waitFor(() => expect(page.text()).toContain('What happened (2)'))
  })

  it('stays the past when `f` opens what was bad', async () => {
    await open(`/topology?at=${AT}`)
    await seeks('web')
    await screen.press('f')
    await screen.waitFor(() => expect(screen.path()).toBe(`/topology/${SHOP}`))
    expect(new URLSearchParams(screen.search()).get('at')).toBe(AT)
  })

  it('steps to what happened, plays it to its end, and leads back to the present', async () => {
    await open(`/topology?at=${AT}`)
    await screen.waitFor(() => expect(page.get('button', 'Next event')).toHaveProperty('disabled', false))
    await screen.click(page.get('button', 'Play'))
    await screen.advance(1_000)
    expect(new URLSearchParams(screen.search()).get('at')).toBe('2026-01-01T18:00:00.000Z')
    await screen.advance(1_000)
    await screen.waitFor(() => expect(page.find('button', 'Play')).not.toBeNull())
    expect(page.get('button', 'Next event')).toHaveProperty('disabled', true)
    await screen.click(page.get('button', 'Live'))
    expect([screen.search(), page.text()]).toEqual(['', 'live'])
  })

  it('offers the words of then, and nothing that was not recorded', async () => {
    await open(`/topology?at=${AT}`)
    await seeks('web')
    const offered = [...screen.container.querySelectorAll('section[aria-label="Filters"] option')].map(
      (option) => option.textContent,
    )
    expect(offered).toEqual(expect.arrayContaining(['Then', 'Name, ascending']))
    expect(offered.filter((word) => word === 'Owners' || word?.startsWith('Updated'))).toEqual([])
    expect(server.requests.filter((line) => line.includes('canary'))).toEqual([])
  })

  it('asks for the first cards in the order of the page, and goes on where there are more', async () => {
    const seen: ((entries: { isIntersecting: boolean }[]) => void)[] = []
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(onSeen: (entries: { isIntersecting: boolean }[]) => void) {
          seen.push(onSeen)
        }
        observe = (): void => undefined
        disconnect = (): void => undefined
      },
    )
    await open(`/topology?at=${AT}&sortBy=name&sortOrder=asc&status=unhealthy`, {
      page: () => json({ ...shown, page: { components: [shop], more: 9 } }),
    })
    await seeks('+9 more')
    const asked = (): URLSearchParams =>
      new URLSearchParams(server.requests.findLast((line) => line.includes(`${PAST}/page`))?.split('?')[1])
    const chosen = { sortBy: 'name', sortOrder: 'asc', status: 'unhealthy', hidden: 'false' }
    expect(Object.fromEntries(asked())).toMatchObject({ ...chosen, limit: '60' })
    seen.at(-1)?.([{ isIntersecting: true }])
    await screen.waitFor(() => expect(Object.fromEntries(asked())).toMatchObject({ ...chosen, limit: '120' }))
  })

  it('lists what happened beside the slider', async () => {
    await open(`/topology?at=${AT}`)
    await seeks('What happened (1)')
    await screen.waitFor(() =>
      expect(page.rows().map((cells) => cells.slice(1))).toEqual([['Component', 'web: unhealthy → healthy']]),
    )
  })

  it('steps through what is before the newest events, and lists what is around the instant', async () => {
    const at = Date.parse(AT)
    const all = Array.from({ length: 9 }, (_, index) => ({
      ...transitions.transitions[0],
      at: at + (index - 4) * 60_000,
      name: `web ${index}`,
    }))
    const answer = (url: URL): Response => {
      const [from = 0, to = 0] = ['from', 'to'].map((key) => Date.parse(url.searchParams.get(key) ?? ''))
      const fitting = all.filter((one) => one.at >= from && one.at <= to)
      const inOrder = url.searchParams.get('order') === 'asc' ? fitting : fitting.toReversed()
      const listed = inOrder.slice(0, 2)
      const density = [{ at: from, count: fitting.length, unhealthy: 0 }]
      return json({ ...RECORDED, transitions: listed, isCut: listed.length < fitting.length, density })
    }
    await open(`/topology?at=${AT}`, { transitions: answer })
    await seeks('What happened (9)')
    const names = (): (string | undefined)[] => page.rows().map((cells) => cells[2]?.split(':')[0])
    await screen.waitFor(() => expect(names()).toEqual(['web 6', 'web 5', 'web 4', 'web 3', 'web 2']))
    expect(page.text()).toContain('Only the events around this instant are listed.')
    const step = async (button: string, name: string, minutes: number): Promise<void> => {
      await screen.click(page.get('button', button))
      await screen.advance(200)
      expect(new URLSearchParams(screen.search()).get('at')).toBe(new Date(at + minutes * 60_000).toISOString())
      await screen.waitFor(() => expect(names()).toContain(name))
    }
    await step('Previous event', 'web 1', -1)
    await step('Next event', 'web 6', 0)
    await step('Next event', 'web 7', 1)
  })

  it('says that events are on their way or failed, and asks for none that its reader does not have', async () => {
    const failing = { transitions: () => json(refusal('UPSTREAM_FAILED', 'the store is away'), 500) }
    await open(`/topology/${SHOP}?at=${AT}`, failing, { off: ['incidents', 'config'] })
    expect(page.text()).not.toContain('What happened (')
    await screen.waitFor(() => expect(page.text()).toContain('the store is away'))
    expect(page.text()).not.toContain('Nothing happened in this range')
    expect(server.requests.filter((line) => /incidents|changes/.test(line))).toEqual([])
  })

  it('asks for no mark that the person may not read', async () => {
    await open(`/topology/${SHOP}?at=${AT}`, {}, { roles: [] })
    await seeks('What happened (1)')
    expect(server.requests.filter((line) => /incidents|changes/.test(line))).toEqual([])
  })

  it.each([
    ['a hole', { holes: [{ from: 1, until: 2 }] }, 'Not recorded from'],
    ['an open hole', { holes: [{ from: 1, until: null }] }, 'Not recorded since'],
    ['an instant before the recording', { page: null }, 'Recording started at'],
    ['no recording', { page: null, recordedSince: null }, 'Nothing has been recorded yet'],
  ])('names %s', async (_, values, text) => {
    await open(`/topology?at=${AT}`, { page: () => json({ ...shown, ...values }) })
    await screen.waitFor(() => expect(page.text()).toContain(text))
  })

  it('says where a component was not there', async () => {
    await open(`/topology/${SHOP}?at=${AT}`, { page: () => json({ ...shown, page: { components: [] } }) })
    await screen.waitFor(() => expect(page.text()).toContain('This component didn’t exist then'))
  })

  it('tells scoped people why they are not shown it', async () => {
    const refusal = { error: 'You can’t view the past: it’s recorded with the gateway’s permissions.' }
    await open(`/topology?at=${AT}`, { page: () => json(refusal, 403) })
    await screen.waitFor(() => expect(page.text()).toContain('with the gateway’s permissions'))
  })
})

describe('two instants', () => {
  const compared = (name: string, values: object) => ({
    id: name,
    name,
    type: null,
    from: { health: 'healthy', status: '', reason: null },
    to: { health: 'healthy', status: '', reason: null },
    change: 'same',
    above: [],
    children: [],
    unchanged: 0,
    more: 0,
    isTop: false,
    ...values,
  })
  const components = [
    compared('old', { change: 'removed', to: null, above: ['shop'] }),
    compared('new', { change: 'added', from: null, above: ['shop'] }),
    compared('shop', {
      change: 'health',
      isTop: true,
      children: ['old', 'new'],
      unchanged: 4,
      to: { health: 'unhealthy', status: 'Down', reason: 'why' },
    }),
  ]

  it('stand on one layout with rings, ghosts and marks, and in a table', async () => {
    await open(`/topology?at=${AT}&to=2026-01-01T20:00:00Z`, {
      diff: () => json({ ...RECORDED, from: 1, to: 2, components, differences: 3, moreTop: 0 }),
    })
    await seeks('3 differences')
    const differences = page.within(page.get('region', 'Differences'))
    expect(differences.rows()).toEqual([
      ['old', 'shop', 'gone', 'healthy', 'not there'],
      ['new', 'shop', 'new', 'not there', 'healthy'],
      ['shop', '–', 'changed', 'healthy', 'unhealthy · Down · why'],
    ])
    const names = [...screen.container.querySelectorAll('article [role="img"]')].map((image) =>
      image.getAttribute('aria-label'),
    )
    expect(names).toEqual([
      'Was healthy',
      'Became unhealthy',
      'Was healthy',
      'Not there',
      'Not there',
      'Became healthy',
    ])
    expect(page.text()).toContain('4 the same')
    await screen.click(page.get('button', 'End comparison'))
    await screen.waitFor(() => expect(page.find('link', 'web')).not.toBeNull())
  })

  it('say how much differs below what a card lists, each once', async () => {
    const deep = [
      compared('shop', { isTop: true, children: ['web', 'store'], unchanged: 3 }),
      compared('web', { above: ['shop'], children: ['pod', 'cache'] }),
      compared('store', { above: ['shop'], children: ['pod'], change: 'edited' }),
      compared('pod', { above: ['shop', 'web'], children: ['disk'], change: 'moved' }),
      compared('cache', { above: ['shop', 'web'], children: ['disk', 'web'] }),
      compared('disk', { above: ['shop', 'web', 'pod'], change: 'removed', to: null }),
    ]
    await open(`/topology?at=${AT}&to=2026-01-01T20:00:00Z`, {
      diff: () => json({ ...RECORDED, from: 1, to: 2, components: deep, differences: 3, moreTop: 0 }),
    })
    await seeks('3 differences')
    const parts = [...screen.container.querySelectorAll('article li')].map(({ textContent }) => textContent)
    expect(parts).toEqual(['→web2 below', '→storeedited2 below'])
  })

  it('are both chosen by hand, the earlier one always before the later one', async () => {
    await open(`/topology?at=${AT}&to=2026-01-01T20:00:00Z`, {
      diff: () => json({ ...RECORDED, from: 1, to: 2, components, differences: 3, moreTop: 0 }),
    })
    await seeks('3 differences')
    const slide = async (label: string, moment: string): Promise<void> => {
      const slider = screen.container.querySelector<HTMLInputElement>(`input[aria-label="${label}"]`)
      await screen.type(slider, String(Date.parse(moment)))
    }
    await slide('Later instant', '2026-01-01T15:00:00Z')
    expect(new URLSearchParams(screen.search()).get('to')).toBe('2026-01-01T15:00:00.000Z')
    await slide('Earlier instant', '2026-01-01T22:00:00Z')
    expect(new URLSearchParams(screen.search()).get('at')).toBe('2026-01-01T14:59:59.000Z')
    await slide('Later instant', '2026-01-01T13:00:00Z')
    expect(new URLSearchParams(screen.search()).get('to')).toBe('2026-01-01T15:00:00.000Z')
    await screen.advance(200)
    await screen.waitFor(() =>
      expect(server.requests.some((line) => line.includes('/diff?from=2026-01-01T14:59:59.000Z'))).toBe(true),
    )
  })

  it('stand for no more than someone looks through, the rest is counted and comes when it is asked for', async () => {
    await open(`/topology?at=${AT}&to=2026-01-01T20:00:00Z`, {
      diff: () => json({ ...RECORDED, from: 1, to: 2, components, differences: 1_203, moreTop: 70 }),
    })
    await seeks('1,203 differences')
    await screen.click(page.get('button', '+1,200 more'))
    await screen.click(page.get('button', '+70 more cards'))
    const asked = (): (string | null)[] =>
      server.requests.filter((line) => line.includes('/diff?')).map((line) => new URLSearchParams(line).get('limit'))
    await screen.waitFor(() => expect(asked()).toEqual(['200', '400', '600']))
  })

  it.each([
    [{ components: [compared('shop', { isTop: true })] }, 'Nothing differs between'],
    [{ components: null }, 'One of the two moments isn’t recorded'],
  ])('say so when there is nothing to show: %j', async (values, text) => {
    await open(`/topology?at=${AT}&to=2026-01-01T20:00:00Z`, {
      diff: () => json({ ...RECORDED, from: 1, to: 2, differences: 0, moreTop: 0, ...values }),
    })
    await screen.waitFor(() => expect(page.text()).toContain(text))
  })
})
