import { can, ROLES } from '@watchroom/shared/access'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { type Page, pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'
import { buildTopicView } from '#support/web/topicView.ts'

import { backendFactsKey } from '../../../../web/src/api/queryKeys.ts'
import { HistoryScreen } from '../../../../web/src/features/notifications/screens/HistoryScreen.tsx'
import { NotificationsScreen } from '../../../../web/src/features/notifications/screens/NotificationsScreen.tsx'
import { SilenceScreen } from '../../../../web/src/features/notifications/screens/SilenceScreen.tsx'
import { WhyScreen } from '../../../../web/src/features/notifications/screens/WhyScreen.tsx'
import { resourceOf } from '../../../../web/src/features/notifications/silenceForm.ts'
import { formatExact } from '../../../../web/src/ui/useExactTime.ts'

const toasts: string[] = []
// Each cell of a silence asks it when it is drawn.
vi.mock('../../../../web/src/features/notifications/silenceForm.ts', { spy: true })
vi.mock('../../../../web/src/ui/toaster.ts', () => ({
  showToast: (text: string) => toasts.push(text),
  showErrorToast: (text: string) => toasts.push(`error: ${text}`),
}))

let live: readonly { id: string }[] = []
let peers: { id: string; userId: string; name: string }[] = []
vi.mock('../../../../web/src/live/useTopic.ts', () => ({
  useTopic: ({ name }: { name: string }) => buildTopicView(name === 'presence' ? peers : live),
}))

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
  peers = []
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
  vi.restoreAllMocks()
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
    expect(page.text()).toContain('comes from a resource in Kubernetes')
    expect(page.get('link', 'Open the resource').getAttribute('href')).toBe(`/catalog/${ID(1)}`)
    expect(page.find('button', 'Update')).toBeNull()
  })

  it.each([
    ['rule', NotificationsScreen, `/settings/notifications?id=${ID(1)}`],
    ['silence', SilenceScreen, `/settings/notifications/silence?id=${ID(4)}`],
  ])('shows who else has a %s open', async (_, Screen, address) => {
    peers = [{ id: '1', userId: ID(2), name: 'Grace Hopper' }]
    screen = await renderScreen(<Screen />, { address })
    await screen.waitFor(() => expect(page.find('list', '1 other here')).not.toBeNull())
  })

  it('shows a rule that was deleted as one that nobody can change', async () => {
    const gone = { ...RULE, source: 'UI', deleted_at: '2026-01-02T00:00:00Z', error: null, template: null }
    server.on('GET /api/db/notifications?', () => json([gone]))
    screen = await renderScreen(<NotificationsScreen />, { address: `/settings/notifications?id=${ID(1)}` })
    await screen.waitFor(() => expect(page.text()).toContain('This notification was deleted.'))
    expect(page.find('button', 'Update')).toBeNull()
    expect(page.find('button', 'Delete')).toBeNull()
  })

  it.each([
    ['id', 'notification', NotificationsScreen, '/settings/notifications', 'notifications?'],
    ['failed', 'notification', NotificationsScreen, '/settings/notifications', 'notifications_summary'],
    ['id', 'message', HistoryScreen, '/settings/notifications/history', 'notification_send_history_summary'],
    ['id', 'silence', SilenceScreen, '/settings/notifications/silence', 'notification_silences'],
  ])('says of a link by %s that its %s is gone, or cannot be read', async (parameter, noun, Screen, path, table) => {
    let one: () => Response = () => json([])
    server.on(`GET /api/db/${table}`, ({ searchParams }) => (searchParams.has('id') ? one() : json([])))
    const address = `${path}?${parameter}=${ID(9)}`
    screen = await renderScreen(<Screen />, { address })
    await screen.waitFor(() => expect(page.text()).toContain(`This ${noun} doesn’t exist or was deleted.`))
    await screen.close()
    one = () => json({ error: 'out of order' }, 500)
    screen = await renderScreen(<Screen />, { address })
    const dialog = () => page.within(page.get('dialog'))
    await screen.waitFor(() => expect(dialog().find('button', 'Try again')).not.toBeNull())
    await screen.click(dialog().all('button', 'Close').at(-1) as HTMLElement)
    expect(screen.search()).toBe('')
  })

  it('says while something is entered that someone else saved the rule', async () => {
    const own = { ...RULE, source: 'UI', error: null, template: null }
    server.on('GET /api/db/notifications?', () => json([own]))
    screen = await renderScreen(<NotificationsScreen />, { address: `/settings/notifications?id=${ID(1)}` })
    await screen.waitFor(() => expect(page.text()).toContain('Edit Notification'))
    await screen.type(page.field(/^Title/), 'Paid')
    server.on('GET /api/db/notifications?', () => json([{ ...own, title: 'Pay', updated_at: '2026-01-02T00:00:00Z' }]))
    await screen.rerender(<NotificationsScreen />)
    const version = { id: 2, version: {}, previous: null, saved_at: RULE.updated_at, credentials_changed: [] }
    server.on('GET /api/db/settings_history', () => json([{ ...version, saved_by: { id: ID(2), name: 'Grace' } }]))
    live = [{ id: ID(9) }]
    await screen.rerender(<NotificationsScreen />)
    await screen.waitFor(() => expect(page.text()).toContain('Grace saved this notification'))
  })

  it('keeps events, an address and a delay that its fields have no word for, until they are given up', async () => {
    const own = {
      ...RULE,
      source: 'UI',
      error: null,
      template: null,
      events: ['incident.created', 'check.failed'],
      person: null,
      person_id: null,
      custom_services: [{ name: 'ops', url: 'slack://T1' }],
      wait_for: 630e9,
    }
    server.on('GET /api/db/notifications?', () => json([own]))
    server.on('POST /api/notification/preview', () => json({ faults: [], sample: null }))
    const bodies: unknown[] = []
    server.on('PATCH /api/db/notifications', (_, init) => {
      bodies.push(JSON.parse(init.body as string))
      return json([own])
    })
    const open = async (): Promise<void> => {
      screen = await renderScreen(<NotificationsScreen />, { address: `/settings/notifications?id=${ID(1)}` })
      await screen.waitFor(() => expect(page.text()).toContain('Edit Notification'))
    }
    await open()
    expect(page.field('Wait')).toHaveProperty('value', '10m30s')
    expect(page.get('option', 'ops (its own address)')).toHaveProperty('selected', true)
    expect(page.text()).not.toContain('slack://')
    await screen.type(page.field(/^Title/), 'Paid')
    await screen.click(page.get('button', 'Update'))
    await screen.waitFor(() => expect(bodies).toHaveLength(1))
    expect(bodies[0]).toMatchObject({
      title: 'Paid',
      events: ['check.failed', 'incident.created'],
      person_id: null,
      custom_services: own.custom_services,
      wait_for: 630e9,
    })
    await screen.close()
    await open()
    await screen.click(page.get('checkbox', 'incident.created'))
    expect(page.get('checkbox', 'incident.created')).toHaveProperty('checked', false)
    await screen.click(page.get('button', 'Update'))
    await screen.waitFor(() => expect(bodies).toHaveLength(2))
    expect(bodies[1]).toMatchObject({ events: ['check.failed'] })
  })

  it('has again what was entered when the page was loaded anew, until it is given up', async () => {
    const open = async (address: string): Promise<void> => {
      screen = await renderScreen(<NotificationsScreen />, { address })
      await screen.waitFor(() => expect(page.find('textbox', /^Title/)).not.toBeNull())
    }
    const leave = async (): Promise<void> => {
      await screen.close()
      document.body.replaceChildren()
    }
    server.on('GET /api/db/notifications?', () => json([{ ...RULE, source: 'UI', error: null, template: null }]))
    for (const address of ['/settings/notifications?add=true', `/settings/notifications?id=${ID(1)}`]) {
      await open(address)
      const initial = page.field(/^Title/).getAttribute('value')
      await screen.type(page.field(/^Title/), 'Half written')
      await leave()
      await open(address)
      await screen.waitFor(() => expect(page.field(/^Title/)).toHaveProperty('value', 'Half written'))
      expect(page.text()).toContain('Your unsaved changes are back.')
      await screen.click(page.get('button', 'Cancel'))
      await screen.click(page.get('button', 'Discard'))
      await leave()
      await open(address)
      expect(page.field(/^Title/)).toHaveProperty('value', initial)
      expect(page.text()).not.toContain('Your unsaved changes are back.')
      await leave()
    }
    screen = await renderScreen(null, { address: '/' })
  })

  it('offers a connection that was added since the form was open last', async () => {
    const options = [{ id: ID(8), name: 'ops-chat', type: 'slack', namespace: 'default' }]
    server.on('GET /api/db/connections_list', () => json(options))
    const shown = () => [...document.querySelectorAll('option')].map(({ textContent }) => textContent)
    const choose = async (kind: string): Promise<void> => {
      const radio = page.all('radio').find((each) => each.closest('label')?.textContent === kind)
      await screen.click(radio as HTMLElement)
    }
    const open = async (): Promise<void> => {
      await screen.go('/settings/notifications?add=true')
      await screen.waitFor(() => expect(page.text()).toContain('Create Notification'))
      await choose('Others')
    }
    screen = await renderScreen(<NotificationsScreen />, { address: '/settings/notifications' })
    await open()
    await screen.waitFor(() => expect(shown()).toContain('ops-chat (slack)'))
    await choose('Person')
    await screen.go('/settings/notifications')
    await screen.waitFor(() => expect(page.text()).not.toContain('Create Notification'))
    options.push({ id: ID(9), name: 'pager', type: 'opsgenie', namespace: 'default' })
    await open()
    await screen.waitFor(() => expect(shown()).toContain('pager (opsgenie)'))
  })

  it('offers email connections to whoever tells people, and none for other ways', async () => {
    server.on('GET /api/db/connections_list', () =>
      json([
        { id: ID(8), name: 'ops-chat', type: 'slack', namespace: 'default' },
        { id: ID(9), name: 'mails', type: 'email', namespace: 'default' },
      ]),
    )
    const bodies: { properties?: unknown }[] = []
    server.on('PATCH /api/db/notifications', (_, init) => {
      bodies.push(JSON.parse(init.body as string) as object)
      return json([RULE])
    })
    server.on('POST /api/notification/preview', () => json({ faults: [], sample: null }))
    server.on('GET /api/db/notifications?', () => json([{ ...RULE, source: 'UI', error: null, template: null }]))
    screen = await renderScreen(<NotificationsScreen />, { address: `/settings/notifications?id=${ID(1)}` })
    await screen.waitFor(() => expect(page.text()).toContain('Mail connection'))
    const field = (): HTMLSelectElement => page.field(/^Mail connection/) as HTMLSelectElement
    const offered = (): (string | null)[] => [...field().options].map(({ textContent }) => textContent)
    await screen.waitFor(() => expect(offered()).toEqual(['The server’s own mail', 'mails']))
    await setField(field(), ID(9))
    await screen.click(page.get('button', 'Update'))
    await screen.waitFor(() => expect(bodies.map(({ properties }) => properties)).toEqual([{ connection: ID(9) }]))
  })

  it('saves whom it falls back to, how long it waits and what it folds, as someone fills them in', async () => {
    server.on('GET /api/db/teams', () => json([{ id: ID(7), name: 'night shift' }]))
    server.on('GET /api/db/connections_list', () => json([{ id: ID(8), name: 'ops-chat', type: 'slack' }]))
    server.on('POST /api/notification/preview', () => json({ faults: [], sample: null }))
    const bodies: unknown[] = []
    server.on('POST /api/db/notifications', (_, init) => {
      bodies.push(JSON.parse(init.body as string))
      return json([RULE], 201)
    })
    screen = await renderScreen(<NotificationsScreen />, { address: '/settings/notifications?add=true' })
    await screen.waitFor(() => expect(page.text()).toContain('Create Notification'))
    /** Of the recipient, then of the fallback. */
    const choose = async (kind: string, place: 0 | 1): Promise<void> => {
      const radios = page.all('radio').filter((each) => each.closest('label')?.textContent === kind)
      await screen.click(radios[place] ?? null)
    }
    const box = [...document.querySelectorAll<HTMLElement>('input[type="checkbox"]')]
    await screen.click(box.find((each) => each.closest('label')?.textContent === 'check.failed') ?? null)
    await choose('Others', 0)
    await screen.waitFor(() => expect(page.text()).toContain('ops-chat (slack)'))
    await setField(page.field(/^Connection/), ID(8))
    await choose('Team', 1)
    await screen.waitFor(() => expect(page.text()).toContain('night shift'))
    await setField(page.field(/^Fallback: Team/), ID(7))
    await setField(page.field(/^Fallback after/), '10m')
    await setField(page.field(/^Wait/), '5m')
    await setField(page.field(/^Group by/), 'type, labels:app')
    await screen.click(page.get('button', 'Create'))
    await screen.waitFor(() => expect(bodies).toHaveLength(1))
    expect(bodies[0]).toMatchObject({
      events: ['check.failed'],
      person_id: null,
      custom_services: [{ connection: ID(8) }],
      wait_for: 300e9,
      group_by: ['type', 'labels:app'],
      properties: { fallback_team: ID(7), fallback_after: '10m' },
    })
  })

  it('finds rules by what the list calls them', async () => {
    screen = await renderScreen(<NotificationsScreen />, { address: '/settings/notifications?query=a,%22b' })
    const asked = () => server.requests.map((request) => new URL(request.split(' ')[1] ?? '', 'http://x'))
    await screen.waitFor(() =>
      expect(asked().map(({ searchParams }) => searchParams.get('or'))).toContain(
        '(title.ilike."*a,\\"b*",and(or(title.is.null,title.eq.""),name.ilike."*a,\\"b*"))',
      ),
    )
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
    const now = {
      ...RULE,
      source: 'UI',
      error: null,
      template: null,
      properties: { fallback_person: ID(2), note: 'now' },
    }
    const former = {
      title: 'Old',
      events: ['check.passed'],
      person_id: ID(2),
      filter: 'check.nme',
      source: 'UI',
      properties: { connection: ID(8), note: 'then' },
    }
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
      {
        title: 'Old',
        events: ['check.passed'],
        filter: 'check.nme',
        repeat_interval: null,
        properties: former.properties,
      },
    ])
  }, 30_000)

  it('says in the history which silence kept a message back', async () => {
    screen = await renderScreen(<HistoryScreen />, { address: '/settings/notifications/history' })
    await screen.waitFor(() => expect(page.text()).toContain('api'))
    expect(page.get('link', 'Silenced: maintenance').getAttribute('href')).toBe(
      `/settings/notifications/silence?id=${ID(4)}`,
    )
  })

  it('sends several messages again at once: those that were sent or failed, and keeps what is refused selected', async () => {
    const send = { created_at: '2026-01-01T00:00:00Z', source_event: 'check.failed', count: 1, attempts: 1 }
    const to = (n: number, name: string, status: string) => ({
      ...send,
      id: ID(n),
      resource_id: ID(5),
      resource: { name },
      recipient: 'Ada',
      status,
    })
    const sends = [to(1, 'one', 'sent'), to(2, 'two', 'error'), to(3, 'three', 'silenced'), to(4, 'four', 'sent')]
    server.on('GET /api/db/notification_send_history_summary', () => json(sends))
    const resent: string[] = []
    server.on('POST /api/notification/history/', (url) => {
      const { pathname } = url
      resent.push(pathname)
      return pathname.includes(ID(2)) ? json(refusal('X', 'it is still being sent'), 409) : json({})
    })
    screen = await renderScreen(<HistoryScreen />, { address: '/settings/notifications/history' })
    await screen.waitFor(() => expect(page.text()).toContain('three'))
    expect(page.all('checkbox', /Select (one|two|three|four)/)).toHaveLength(3)
    await screen.click(page.get('checkbox', 'Select one'))
    await screen.click(page.get('checkbox', 'Select two'))
    await screen.click(page.get('button', 'Resend'))
    await screen.waitFor(() =>
      expect(toasts).toEqual([expect.stringMatching(/^error: 1 of 2 messages sent again\. .*it is still being sent/)]),
    )
    expect(resent).toEqual([1, 2].map((n) => `/api/notification/history/${ID(n)}/resend`))
    expect(page.get('checkbox', 'Select one')).toHaveProperty('checked', false)
    expect(page.get('checkbox', 'Select two')).toHaveProperty('checked', true)
    await screen.click(page.get('checkbox', 'Select two'))
    await screen.click(page.get('checkbox', 'Select four'))
    await screen.click(page.get('button', 'Resend'))
    await screen.waitFor(() => expect(toasts.at(-1)).toBe('1 message sent again'))
  })

  it.each(ROLES)('offers a %s who may change notifications to send them again, and nobody else', async (role) => {
    screen = await renderScreen(<HistoryScreen />, { address: '/settings/notifications/history', roles: [role] })
    await screen.waitFor(() => expect(page.text()).toContain('api'))
    expect(page.find('checkbox', 'Select all rows') !== null).toBe(can([role], 'write', 'notifications'))
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

  it('rehearses a rule that is there with what it told before', async () => {
    const drafts: unknown[] = []
    server.on('POST /api/notification/rehearse', (_, init) => {
      drafts.push(JSON.parse(init.body as string))
      return json({ faults: [], since: '2026-01-01T00:00:00Z', transitions: 139, counts: COUNTS })
    })
    const own = { ...RULE, source: 'UI', error: null, template: null }
    server.on('GET /api/db/notifications?', () => json([own]))
    screen = await renderScreen(<NotificationsScreen />, { address: `/settings/notifications?id=${ID(1)}` })
    await screen.waitFor(() => expect(page.find('button', 'Rehearse')).not.toBeNull())
    await screen.click(page.get('button', 'Rehearse'))
    await screen.waitFor(() => expect(drafts).toMatchObject([{ id: ID(1), repeat_interval: '1h' }]))
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
    await screen.click(document.querySelector(`input[value="canary_id:${ID(8)}"]`))
    server.on('POST /api/resources/search', () => json({}))
    server.on('GET /api/db/canaries', () => json([]))
    await screen.type(page.field('Search by name'), 'zzz')
    await screen.advance(1_000)
    await screen.waitFor(() => expect(page.text()).toContain('Nothing matches this search'))
    expect(page.text()).toContain('shop/apisCanary, with all its checks')
  })

  it('says in the words of the specification that it was silenced, or was not', async () => {
    const body = { error: 'check_id: there is no such check' }
    const about = { covered: 2, names: ['a', 'api'], about: 'api', messages: 0 }
    server.on('POST /api/notification/silence/preview', () => json(about))
    server.on('POST /api/notification/silence', () => json(body, 400))
    screen = await renderScreen(<SilenceScreen />, { address: `/settings/notifications/silence?check_id=${ID(5)}` })
    await screen.waitFor(() => expect(page.text()).toContain('It covers 2 resources: a, api'))
    expect(page.text()).toContain('apiChosen')
    await screen.type(page.field(/^Until/), 'now+1h')
    const silence = () => screen.click(page.within(page.get('dialog')).get('button', 'Silence'))
    await screen.type(page.field(/^From/), 'now+2h')
    await silence()
    await screen.waitFor(() => expect(page.text()).toContain('Must be after From'))
    expect(toasts).toEqual([])
    await screen.type(page.field(/^From/), 'now')
    await silence()
    await screen.waitFor(() =>
      expect(toasts).toEqual(['error: Failed to silence notification: check_id: there is no such check']),
    )
    server.on('POST /api/notification/silence', () => new Response(null, { status: 200 }))
    await silence()
    await screen.waitFor(() => expect(toasts.at(-1)).toBe('Silenced notification'))
  })

  it('reads clock times of a silence in the zone that the person chose, and says which', async () => {
    // Five and a half hours ahead.
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-330)
    const sent: unknown[] = []
    const remember = (_: URL, init: RequestInit) => {
      sent.push(JSON.parse(init.body as string))
      return json([SILENCE])
    }
    server.on('POST /api/notification/silence/preview', () =>
      json({ covered: 1, names: [], about: 'api', messages: 0 }),
    )
    server.on('POST /api/notification/silence', remember)
    server.on('PATCH /api/db/notification_silences', remember)
    const address = '/settings/notifications/silence'
    screen = await renderScreen(<SilenceScreen />, { address: `${address}?check_id=${ID(5)}` })
    await screen.waitFor(() => expect(page.text()).toContain('apiChosen'))
    await screen.type(page.field(/^From/), '2026-11-28 22:00')
    await screen.type(page.field(/^Until/), 'now+2y')
    expect(page.text()).toContain(`= ${formatExact(Date.parse('2026-11-28T16:30:00Z'), 'local')}`)
    await screen.click(page.within(page.get('dialog')).get('button', 'Silence'))
    const period = { from: '2026-11-28T16:30:00.000Z', until: 'now+2y' }
    await screen.waitFor(() => expect(sent).toMatchObject([{ check_id: ID(5), ...period }]))
    await screen.go(`${address}?id=${ID(4)}`)
    await screen.waitFor(() => expect(page.text()).toContain('Silence of api'))
    expect(page.field(/^From/)).toHaveProperty('value', '2025-12-31 05:30')
    await screen.type(page.field(/^Until/), '2026-11-28 23:30')
    await screen.click(page.get('button', 'Save'))
    const saved = { from: '2025-12-31T00:00:00.000Z', until: '2026-11-28T18:00:00.000Z' }
    await screen.waitFor(() => expect(sent.at(-1)).toMatchObject(saved))
  })

  const active = (): string[] =>
    page
      .within(page.get('list', 'Active filters'))
      .all('listitem')
      .map((item) => item.textContent ?? '')

  it.each([
    ['rule', HistoryScreen, `history?rule=${ID(1)}`, 'Rule: Payments'],
    ['resource', WhyScreen, `why?resource_id=${ID(5)}`, 'Resource: api'],
  ])('names the %s that a link asks for among the filters, which can be removed', async (_, Screen, address, chip) => {
    screen = await renderScreen(<Screen />, { address: `/settings/notifications/${address}` })
    await screen.waitFor(() => expect(active()).toContain(chip))
    await screen.click(page.get('button', `Remove filter ${chip}`))
    await screen.waitFor(() => expect(screen.search()).toBe(''))
  })

  it('says that the name of a filter is on its way, and what it is where there is none', async () => {
    let answer: (response: Response) => void = () => undefined
    server.on('GET /api/db/notifications_summary', () => new Promise((resolve) => (answer = resolve)))
    screen = await renderScreen(<HistoryScreen />, { address: `/settings/notifications/history?rule=${ID(1)}` })
    await screen.waitFor(() => expect(active()).toContain('Rule: Loading…'))
    expect(page.field('Rule').textContent).toContain('Loading…')
    answer(json([]))
    await screen.waitFor(() => expect(active()).toContain('Rule: An unknown rule'))
  })

  it('shows silences with their state', async () => {
    screen = await renderScreen(<SilenceScreen />, { address: '/settings/notifications/silence' })
    await screen.waitFor(() => expect(page.text()).toContain('api (check)'))
    expect(page.text()).toContain('Active')
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

  it('draws no row anew while no silence begins or ends, and says at once when one does', async () => {
    const coming = { ...SILENCE, from: '2026-01-01T00:00:30Z' }
    server.on('GET /api/db/notification_silences', () => json([coming]))
    screen = await renderScreen(<SilenceScreen />, { address: '/settings/notifications/silence' })
    await screen.waitFor(() => expect(page.text()).toContain('Coming'))
    vi.mocked(resourceOf).mockClear()
    await screen.advance(10_000)
    expect(resourceOf).not.toHaveBeenCalled()
    await screen.advance(25_000)
    expect(page.text()).toContain('Active')
  })

  it('has all silences that hold or are to come, and past ones as far as someone reads', async () => {
    const past = Array.from({ length: 50 }, (_, index) => ({
      ...SILENCE,
      id: `018f0000-0000-7000-8000-0000000001${index + 10}`,
      from: '2025-01-01T00:00:00Z',
      until: '2025-02-01T00:00:00Z',
      description: `past ${index}`,
    }))
    server.on('GET /api/db/notification_silences', ({ searchParams }) => {
      const [rows, total] = searchParams.get('until') === 'gt.now' ? [[SILENCE], 1] : [past, 1_234]
      return new Response(JSON.stringify(rows), { headers: { 'content-range': `0-${rows.length - 1}/${total}` } })
    })
    screen = await renderScreen(<SilenceScreen />, { address: '/settings/notifications/silence' })
    await screen.waitFor(() => expect(page.text()).toContain('past 0'))
    expect(page.text()).toContain('Active')
    expect(document.querySelector('[aria-rowcount]')?.getAttribute('aria-rowcount')).toBe('1236')
  })

  it('calls off a silence that has not begun', async () => {
    const coming = { ...SILENCE, from: '2026-12-01T00:00:00Z' }
    server.on('GET /api/db/notification_silences', () => json([coming]))
    const writes: unknown[] = []
    server.on('PATCH /api/db/notification_silences', (_, init) => {
      writes.push(JSON.parse(init.body as string))
      return json([coming])
    })
    screen = await renderScreen(<SilenceScreen />, { address: '/settings/notifications/silence' })
    await screen.waitFor(() => expect(page.text()).toContain('Coming'))
    await screen.click(page.get('button', /^Actions for/))
    await screen.waitFor(() => expect(page.find('menuitem', 'Call off')).not.toBeNull())
    await screen.click(page.get('menuitem', 'Call off'))
    expect(page.text()).toContain('Call off the silence of api?')
    expect(writes).toEqual([])
    await screen.click(page.get('button', 'Call off silence'))
    await screen.waitFor(() => expect(toasts).toEqual(['The silence was called off']))
    expect(writes).toEqual([{ deleted_at: 'now()' }])
  })

  it('ends a silence that began while it was asked whether it is to be called off', async () => {
    const coming = { ...SILENCE, from: '2026-01-01T00:01:00Z' }
    server.on('GET /api/db/notification_silences', () => json([coming]))
    const writes: unknown[] = []
    server.on('PATCH /api/db/notification_silences', (_, init) => {
      writes.push(JSON.parse(init.body as string))
      return json([coming])
    })
    screen = await renderScreen(<SilenceScreen />, { address: '/settings/notifications/silence' })
    await screen.waitFor(() => expect(page.text()).toContain('Coming'))
    await screen.click(page.get('button', /^Actions for/))
    await screen.waitFor(() => expect(page.find('menuitem', 'Call off')).not.toBeNull())
    await screen.click(page.get('menuitem', 'Call off'))
    await screen.advance(120_000)
    await screen.click(page.get('button', 'Call off silence'))
    await screen.waitFor(() => expect(toasts).toEqual(['The silence ended']))
    expect(writes).toEqual([{ until: 'now()' }])
  })

  it('shows active silences where past ones cannot be read, and says so', async () => {
    server.on('GET /api/db/notification_silences', ({ searchParams }) =>
      searchParams.get('until') === 'gt.now'
        ? json([SILENCE])
        : json(refusal('UPSTREAM_FAILED', 'the past is away'), 500),
    )
    screen = await renderScreen(<SilenceScreen />, { address: '/settings/notifications/silence' })
    await screen.waitFor(() => expect(page.text()).toContain('the past is away'))
    expect(page.text()).toContain('api (check)')
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

  it('saves over the silence that it was opened with, not over what someone made of it since', async () => {
    const asked: unknown[] = []
    server.on('PATCH /api/db/notification_silences', (url) => {
      asked.push(new URL(url, 'http://x').searchParams.get('updated_at'))
      return json([])
    })
    const address = `/settings/notifications/silence?id=${ID(4)}`
    screen = await renderScreen(<SilenceScreen />, { address })
    await screen.waitFor(() => expect(page.text()).toContain('Silence of api'))
    await screen.type(page.field(/^Until/), 'now+1d')
    server.on('GET /api/db/notification_silences', () =>
      json([{ ...SILENCE, description: 'by Bo', updated_at: '2026-01-01T00:00:00Z' }]),
    )
    live = [{ id: ID(9) }]
    await screen.rerender(<SilenceScreen />)
    await screen.waitFor(() => expect(page.text()).toContain('by Bo'))
    await screen.click(page.get('button', 'Save'))
    await screen.waitFor(() => expect(toasts).toEqual(['error: Someone changed this silence. Open it again.']))
    expect(asked).toEqual([`eq.${SILENCE.updated_at}`])
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
    await screen.waitFor(() => expect(page.find('button', 'Preview')).toBeNull())
    expect(page.find('button', 'Delete')).not.toBeNull()
    await screen.type(page.field(/^Title/), 'Paid')
    await screen.click(page.get('button', 'Update'))
    await screen.waitFor(() => expect(toasts.at(-1)).toBe('Notification updated successfully'))
    expect(saved).toHaveLength(1)
    expect(server.requests).not.toContain('POST /api/notification/preview')
  })
})
