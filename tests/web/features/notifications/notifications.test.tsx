import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type Page, pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import { backendFactsKey } from '../../../../web/src/api/queryKeys.ts'
import { HistoryScreen } from '../../../../web/src/features/notifications/screens/HistoryScreen.tsx'
import { NotificationsScreen } from '../../../../web/src/features/notifications/screens/NotificationsScreen.tsx'
import { SilenceScreen } from '../../../../web/src/features/notifications/screens/SilenceScreen.tsx'
import { WhyScreen } from '../../../../web/src/features/notifications/screens/WhyScreen.tsx'

const toasts: string[] = []
vi.mock('../../../../web/src/ui/toaster.ts', () => ({
  showToast: (text: string) => toasts.push(text),
  showErrorToast: (text: string) => toasts.push(`error: ${text}`),
}))

let live: readonly { id: string }[] = []
vi.mock('../../../../web/src/live/useTopic.ts', () => ({ useTopic: () => buildTopicView(live) }))

const ID = (n: number): string => `018f0000-0000-7000-8000-00000000000${n}`
const RULE = {
  id: ID(1),
  name: 'generated',
  title: 'Payments',
  events: ['check.failed'],
  filter: null,
  person_id: ID(2),
  team_id: null,
  custom_services: null,
  repeat_interval: '1h',
  source: 'KubernetesCRD',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
}
const TRANSITION = {
  id: ID(6),
  event: 'check.failed',
  resource_id: ID(5),
  resource: 'api',
  happened_at: '2026-01-01T00:00:00Z',
  told: 1,
  decided: 2,
}
const met = (clause: string, detail: string | null = null) => ({ clause, isMet: true, detail })
const EXPLANATION = {
  ...TRANSITION,
  rules: [
    {
      id: ID(1),
      title: 'Payments',
      outcome: 'told',
      clauses: [met('event'), met('recipient', 'Ada'), met('silence'), met('limit')],
      sends: [{ id: ID(3), recipient: 'Ada', status: 'error', error: 'connection refused' }],
    },
    {
      id: ID(7),
      title: 'Nights',
      outcome: 'silenced',
      clauses: [met('event'), met('recipient', 'ops'), { clause: 'silence', isMet: false, detail: 'maintenance' }],
      sends: [],
    },
  ],
}
const COUNTS = {
  pending: 0,
  sent: 14,
  grouped: 122,
  'held-back': 0,
  silenced: 3,
  'repeat-interval': 0,
  'rate-limited': 0,
  error: 0,
  filtered: 0,
}
const SUMMARY = {
  ...RULE,
  person: { id: ID(2), name: 'Ada' },
  pending: 0,
  sent: 3,
  failed: 2,
  avg_duration_ms: 120,
  most_common_error: 'connection refused',
}
const SILENCE = {
  id: ID(4),
  description: 'maintenance',
  from: '2025-12-31T00:00:00Z',
  until: '2027-01-01T00:00:00Z',
  check: { id: ID(5), name: 'api' },
  updated_at: '2025-12-31T00:00:00Z',
}

let screen: RenderedScreen
let server: FakeServer
let page: Page
beforeEach(() => {
  live = []
  toasts.length = 0
  page = pageOf()
  server = createFakeServer()
  server.on('GET /api/db/notifications_summary', () => json([SUMMARY]))
  server.on('GET /api/db/notifications?', () => json([{ ...RULE, error: null, template: null }]))
  server.on('GET /api/db/people', () => json([]))
  server.on('GET /api/db/notification_silences', () => json([SILENCE]))
  server.on('GET /api/notification/transitions?', () => json({ transitions: [TRANSITION], total: 1 }))
  server.on(`GET /api/notification/transitions/${ID(6)}`, () => json(EXPLANATION))
  server.on('POST /api/notification/rehearse', () =>
    json({ faults: [], since: '2026-01-01T00:00:00Z', transitions: 139, counts: COUNTS }),
  )
  server.on('GET /api/db/notification_send_history_summary', () =>
    json([
      {
        id: ID(3),
        created_at: '2026-01-01T00:00:00Z',
        source_event: 'check.failed',
        resource_id: ID(5),
        resource: { name: 'api' },
        rule: 'Payments',
        status: 'silenced',
        count: 4,
        attempts: 0,
        silence: { id: ID(4), description: 'maintenance' },
      },
    ]),
  )
})
afterEach(async () => {
  await screen.close()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

describe('notifications', () => {
  it('lists rules with what became of them, and opens the most common error', async () => {
    screen = await renderScreen(<NotificationsScreen />, { address: '/settings/notifications' })
    await screen.waitFor(() => expect(page.text()).toContain('Payments'))
    expect(page.all('columnheader').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(['Title', 'Events', 'Recipient', 'Filter', 'Repeat', 'Pending', 'Sent', 'Failed']),
    )
    expect(page.text()).toContain('Ada')
    await screen.click(page.get('button', 'Most common error of Payments'))
    expect(screen.search()).toBe(`?failed=${ID(1)}`)
    await screen.waitFor(() => expect(page.text()).toContain('connection refused'))
  })

  it('opens a rule in the address, and lets nobody save what is defined elsewhere', async () => {
    screen = await renderScreen(<NotificationsScreen />, { address: `/settings/notifications?id=${ID(1)}` })
    await screen.waitFor(() => expect(page.text()).toContain('Edit Notification'))
    expect(page.text()).toContain('defined elsewhere: KubernetesCRD')
    expect(page.find('button', 'Update')).toBeNull()
  })

  it('names the connection to whoever may not list connections, and says why it is read only', async () => {
    const services = [{ connection: ID(8), name: 'ops-chat' }]
    server.on('GET /api/db/notifications?', () =>
      json([{ ...RULE, person_id: null, custom_services: services, source: 'UI', error: null, template: null }]),
    )
    screen = await renderScreen(<NotificationsScreen />, {
      address: `/settings/notifications?id=${ID(1)}`,
      roles: ['viewer'],
    })
    const shown = () => [...document.querySelectorAll('option')].map(({ textContent }) => textContent)
    await screen.waitFor(() => expect(shown()).toContain('ops-chat'))
    expect(page.text()).toContain('Your role can view notifications but not change them.')
  })

  it('restores what a rule was, and shows what is refused of it at its field', async () => {
    const now = { ...RULE, source: 'UI', error: null, template: null, properties: { fallback_person: ID(2) } }
    const former = { title: 'Old', events: ['check.passed'], person_id: ID(2), filter: 'check.nme', source: 'UI' }
    const version = { saved_at: RULE.created_at, saved_by: null, credentials_changed: [] }
    server.on('GET /api/db/notifications?', () => json([now]))
    server.on('GET /api/db/settings_history', () =>
      json([
        { ...version, id: 2, version: { title: 'Payments' }, previous: former },
        { ...version, id: 1, version: former, previous: null },
      ]),
    )
    let faults: object[] = [{ field: 'filter', message: 'there is no nme' }]
    server.on('POST /api/notification/preview', () => json({ faults, sample: null }))
    const bodies: unknown[] = []
    server.on('PATCH /api/db/notifications', (_, init) => {
      bodies.push(JSON.parse(init.body as string))
      return json([now])
    })
    screen = await renderScreen(<NotificationsScreen />, { address: `/settings/notifications?id=${ID(1)}` })
    await screen.waitFor(() => expect(page.text()).toContain('Edit Notification'))
    await screen.click(page.get('button', 'History'))
    await screen.waitFor(() => expect(page.find('button', 'Restore')).not.toBeNull())
    const restore = async (): Promise<void> => {
      await screen.click(page.get('button', 'Restore'))
      await screen.click(page.get('button', 'Restore notification'))
    }
    await restore()
    await screen.waitFor(() => expect(page.text()).toContain('there is no nme'))
    expect(bodies).toEqual([])
    faults = []
    await restore()
    await screen.waitFor(() => expect(bodies).toHaveLength(1))
    expect(bodies).toMatchObject([
      { title: 'Old', events: ['check.passed'], filter: 'check.nme', repeat_interval: null, properties: null },
    ])
  }, 30_000)

  it('says in the history which silence kept a message back', async () => {
    screen = await renderScreen(<HistoryScreen />, { address: '/settings/notifications/history' })
    await screen.waitFor(() => expect(page.text()).toContain('api'))
    expect(page.get('link', 'silenced: maintenance').getAttribute('href')).toBe(
      `/settings/notifications/silence?id=${ID(4)}`,
    )
  })

  it('says of a transition what each rule made of it, clause by clause, and what became of its messages', async () => {
    screen = await renderScreen(<WhyScreen />, { address: '/settings/notifications/why' })
    await screen.waitFor(() => expect(page.text()).toContain('1 of 2'))
    await screen.click(page.get('link', 'api'))
    expect(screen.search()).toBe(`?id=${ID(6)}`)
    await screen.waitFor(() => expect(page.text()).toContain('Nights: silenced'))
    expect(page.text()).toContain('✗ A silence applies: maintenance')
    expect(page.text()).toContain('✓ There’s a recipient: Ada')
    expect(page.get('link', 'Ada').getAttribute('href')).toBe(`/settings/notifications/history?id=${ID(3)}`)
    expect(page.text()).toContain('error, connection refused')
    await screen.click(page.get('button', 'All of this resource'))
    expect(screen.search()).toBe(`?resource_id=${ID(5)}`)
  })

  it('says before a rule is saved what it would have sent lately', async () => {
    screen = await renderScreen(<NotificationsScreen />, { address: '/settings/notifications?add=true' })
    await screen.waitFor(() => expect(page.text()).toContain('Create Notification'))
    await screen.click(page.get('button', 'Rehearse'))
    await screen.waitFor(() => expect(page.text()).toContain('14 sent, 122 folded, 3 silenced'))
    expect(page.text()).toContain('Tried on 139 events')
  })

  it('finds canaries beside checks to be silenced', async () => {
    server.on('POST /api/resources/search', () => json({ checks: [{ id: ID(5), name: 'api' }] }))
    server.on('GET /api/db/canaries', () => json([{ id: ID(8), name: 'apis', namespace: 'shop' }]))
    screen = await renderScreen(<SilenceScreen />, { address: '/settings/notifications/silence?add=true' })
    await screen.waitFor(() => expect(page.text()).toContain('Silence notifications'))
    await screen.type(page.field('Search by name'), 'ap')
    await screen.advance(1_000)
    await screen.waitFor(() => expect(page.text()).toContain('shop/apis'))
    expect(page.text()).toContain('Canary, with all its checks')
  })

  it('says in the words of the specification that it was silenced, or was not', async () => {
    const body = { error: 'check_id: there is no such check' }
    server.on('POST /api/notification/silence/preview', () => json({ covered: 1, names: ['api'], messages: 0 }))
    server.on('POST /api/notification/silence', () => json(body, 400))
    screen = await renderScreen(<SilenceScreen />, { address: `/settings/notifications/silence?check_id=${ID(5)}` })
    await screen.waitFor(() => expect(page.text()).toContain('It covers 1 resource: api'))
    await screen.type(page.field(/^Until/), 'now+1h')
    const silence = () => screen.click(page.within(page.get('dialog')).get('button', 'Silence'))
    await silence()
    await screen.waitFor(() =>
      expect(toasts).toEqual(['error: Failed to silence notification: check_id: there is no such check']),
    )
    server.on('POST /api/notification/silence', () => new Response(null, { status: 200 }))
    await silence()
    await screen.waitFor(() => expect(toasts.at(-1)).toBe('Silenced notification'))
  })

  it('shows silences with their state', async () => {
    screen = await renderScreen(<SilenceScreen />, { address: '/settings/notifications/silence' })
    await screen.waitFor(() => expect(page.text()).toContain('api (check)'))
    expect(page.text()).toContain('active')
  })

  it.each([
    ['/settings/notifications/silence', SilenceScreen, 'GET /api/db/notification_silences'],
    ['/settings/notifications/why', WhyScreen, 'GET /api/notification/transitions?'],
    ['/settings/notifications/history', HistoryScreen, 'GET /api/db/notification_send_history_summary'],
  ])('%s is read again when something changed', async (address, Screen, call) => {
    screen = await renderScreen(<Screen />, { address })
    await screen.waitFor(() => expect(page.text()).toContain('api'))
    const asked = (): number => server.requests.filter((request) => request.startsWith(call)).length
    const before = asked()
    live = [{ id: ID(9) }]
    await screen.rerender(<Screen />)
    await screen.waitFor(() => expect(asked()).toBeGreaterThan(before))
  })

  it('ends a silence and changes one by its table, over what was read', async () => {
    const writes: unknown[] = []
    server.on('PATCH /api/db/notification_silences', (url, init) => {
      writes.push([new URL(url, 'http://x').searchParams.get('updated_at'), JSON.parse(init.body as string)])
      return json([SILENCE])
    })
    screen = await renderScreen(<SilenceScreen />, { address: '/settings/notifications/silence' })
    await screen.waitFor(() => expect(page.text()).toContain('api (check)'))
    await screen.click(page.get('button', /^Actions for/))
    await screen.waitFor(() => expect(page.find('menuitem', 'End now')).not.toBeNull())
    await screen.click(page.get('menuitem', 'End now'))
    const over = `eq.${SILENCE.updated_at}`
    await screen.waitFor(() => expect(writes).toEqual([[over, { until: 'now()' }]]))
    await screen.go(`/settings/notifications/silence?id=${ID(4)}`)
    await screen.waitFor(() => expect(page.text()).toContain('Silence of api'))
    const until = page.field(/^Until/)
    await screen.type(until, 'now-2y')
    await screen.click(page.get('button', 'Save'))
    await screen.waitFor(() => expect(page.text()).toContain('Must be after From'))
    await screen.type(until, 'now+1d')
    await screen.click(page.get('button', 'Save'))
    const period = { from: '2025-12-31T00:00:00.000Z', until: new Date(screen.clock.now() + 86_400_000).toISOString() }
    await screen.waitFor(() => expect(writes.at(-1)).toMatchObject([over, period]))
  })

  it('saves a rule unread where the backend reads none before', async () => {
    const saved: unknown[] = []
    const own = { ...RULE, source: 'UI', error: null, template: null }
    server.on('GET /api/db/notifications?', () => json([own]))
    server.on('PATCH /api/db/notifications', (_, init) => {
      saved.push(init.body)
      return json([own])
    })
    screen = await renderScreen(<NotificationsScreen />, { address: `/settings/notifications?id=${ID(1)}` })
    screen.queryClient.setQueryData(backendFactsKey, { changes: 'polled', missing: ['notificationReasons'] })
    await screen.waitFor(() => expect(page.text()).toContain('Edit Notification'))
    await screen.type(page.field(/^Title/), 'Paid')
    await screen.click(page.get('button', 'Update'))
    await screen.waitFor(() => expect(toasts.at(-1)).toBe('Notification updated successfully'))
    expect(saved).toHaveLength(1)
    expect(server.requests).not.toContain('POST /api/notification/preview')
  })
})
