import type { PlaybookCard, PlaybookRunSummary } from '@watchroom/shared/playbooks'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { eventually } from '#support/eventually.ts'
import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'
import { buildTopicView } from '#support/web/topicView.ts'

import { NewPlaybookScreen } from '../../../../../web/src/features/playbooks/screens/NewPlaybookScreen.tsx'
import { PlaybookRunsScreen } from '../../../../../web/src/features/playbooks/screens/PlaybookRunsScreen.tsx'
import { PlaybooksScreen } from '../../../../../web/src/features/playbooks/screens/PlaybooksScreen.tsx'
import type { TopicState } from '../../../../../web/src/live/contract.ts'

let live: PlaybookRunSummary[] = []
let liveState: TopicState = 'live'
let liveVia: 'socket' | 'polling' = 'socket'
let cards: PlaybookCard[] = []
vi.mock('../../../../../web/src/live/useTopic.ts', () => ({
  useTopic: ({ name }: { name: string }) =>
    name === 'playbooks' ? buildTopicView(cards) : buildTopicView(live, liveState, { via: liveVia }),
}))
// The editor draws nothing without a real browser.
vi.mock('../../../../../web/src/editor/YamlEditor.tsx', () => ({
  YamlEditor: ({ value, onChange }: { value: string; onChange?: (text: string) => void }) => (
    <textarea aria-label="Spec" value={value} onChange={(event) => onChange?.(event.currentTarget.value)} />
  ),
}))
const toasts: string[] = []
vi.mock('../../../../../web/src/ui/toaster.ts', () => ({
  showToast: (text: string) => toasts.push(text),
  showErrorToast: (text: string) => toasts.push(`error: ${text}`),
}))

const A = '018f0000-0000-7000-8000-0000000000a1'
const B = '018f0000-0000-7000-8000-0000000000a2'

let screen: RenderedScreen
let server: FakeServer
beforeEach(() => {
  live = []
  liveState = 'live'
  liveVia = 'socket'
  toasts.length = 0
  server = createFakeServer()
})
afterEach(async () => {
  await screen.close()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})
const said = (): string => document.body.textContent
const button = (name: string): HTMLButtonElement | null =>
  [...document.querySelectorAll<HTMLButtonElement>('button')].find(
    (element) => element.textContent === name || element.getAttribute('aria-label') === name,
  ) ?? null
const field = (label: string): Element | null => {
  const found = [...document.querySelectorAll('label')].find(({ textContent }) => textContent.startsWith(label))
  return found ? document.getElementById(found.htmlFor) : null
}

describe('the playbooks', () => {
  beforeEach(() => {
    cards = [
      { id: A, name: 'collect', title: 'Collect diagnostics', category: 'Diagnostics' },
      { id: B, name: 'report', title: 'Nightly report', description: 'Every night' },
    ]
  })

  it('stand by category, those without one under Other at the end', async () => {
    screen = await renderScreen(<PlaybooksScreen />, { address: '/playbooks' })
    const headings = pageOf()
      .all('heading')
      .filter(({ tagName }) => tagName !== 'H1')
    expect(headings.map(({ tagName, textContent }) => `${tagName} ${textContent}`)).toEqual([
      'H2 Diagnostics 1',
      'H3 Collect diagnostics',
      'H2 Other 1',
      'H3 Nightly report',
    ])
  })

  it('show the icon that they name, and a general one for a name that nobody knows', async () => {
    cards = ['restart', 'no-such-icon', 'constructor'].map((icon) => ({ id: icon, name: icon, title: icon, icon }))
    screen = await renderScreen(<PlaybooksScreen />, { address: '/playbooks' })
    const icons = pageOf()
      .all('listitem')
      .map((card) => card.querySelector('svg')?.getAttribute('data-icon'))
    expect(icons).toEqual(['reset', 'playbook', 'playbook'])
  })

  it('that others write and delete come and go by themselves', async () => {
    screen = await renderScreen(<PlaybooksScreen />, { address: '/playbooks' })
    cards = [{ id: A, name: 'restart', title: 'Restart it' }]
    await screen.rerender(<PlaybooksScreen />)
    expect(said()).toContain('Restart it')
    expect(said()).not.toContain('Nightly report')
  })

  it.each([
    ['editor', true],
    ['commander', false],
    ['viewer', false],
  ] as const)('a %s has Run, Edit and Delete: %s; everyone has History', async (role, may) => {
    screen = await renderScreen(<PlaybooksScreen />, { address: '/playbooks', roles: [role] })
    expect([
      button('Run Nightly report') !== null,
      button('Actions for Nightly report') !== null,
      button('New playbook') !== null,
    ]).toEqual([may, may, may])
    await screen.click(button('History of Nightly report'))
    expect(screen.path() + screen.search()).toBe(`/playbooks/runs?playbook=${B}`)
  })

  it('are found by title, category and description', async () => {
    screen = await renderScreen(<PlaybooksScreen />, { address: '/playbooks?query=every' })
    expect(said()).toContain('Nightly report')
    expect(said()).not.toContain('Collect diagnostics')
    await screen.go('/playbooks?query=nothing')
    expect(said()).toContain('No playbook matches this search.')
    await screen.click(button('Clear search'))
    await screen.waitFor(() => expect(said()).toContain('Collect diagnostics'))
    expect(screen.search()).toBe('')
  })

  it('are deleted softly after a question; a failure is told in the words of the specification', async () => {
    server.on(`PATCH /api/db/playbooks?id=eq.${B}`, () => json({ message: 'locked' }, 500))
    screen = await renderScreen(<PlaybooksScreen />, { address: '/playbooks' })
    await screen.click(button('Actions for Nightly report'))
    await screen.waitFor(() => expect(said()).toContain('Delete'))
    await screen.click([...document.querySelectorAll('[role="menuitem"]')].at(-1) ?? null)
    await screen.waitFor(() => expect(said()).toContain('Its runs stay.'))
    await screen.click(button('Delete playbook'))
    await screen.waitFor(() => expect(toasts).toEqual(['error: Unable to delete playbook spec: locked']))
  })
})

describe('the runs', () => {
  const run = (id: string, status: string): PlaybookRunSummary => ({
    id,
    playbook_id: A,
    status,
    created_at: '2025-12-31T23:00:00Z',
    start_time: '2025-12-31T23:00:00Z',
    end_time: '2025-12-31T23:01:10Z',
    playbooks: { id: A, name: 'collect', title: 'Collect diagnostics' },
  })
  const asked = () => server.requests.findLast((line) => line.includes('/db/playbook_runs')) ?? ''
  const chips = () =>
    [...document.querySelectorAll('[aria-label="Active filters"] li > span')].map(({ textContent }) => textContent)
  const statuses = () =>
    [...document.querySelectorAll('tbody td[data-kind="status"]')].map(({ textContent }) => textContent)
  beforeEach(() => {
    server.on('GET /api/db/playbook_runs', () => json([run('r1', 'running'), run('r2', 'failed')]))
    server.on('GET /api/db/playbook_names', () => json([{ id: A, name: 'collect', title: 'Collect diagnostics' }]))
  })

  it('that failed say why: what kept them from starting, or the step that failed', async () => {
    const runs = [
      { ...run('r1', 'failed'), error: 'spec is invalid' },
      { ...run('r2', 'failed'), failed: [{ name: 'Drain', error: 'code 3' }] },
      { ...run('r3', 'completed'), failed: [{ name: 'Drain', error: 'of an attempt before' }] },
    ]
    server.on('GET /api/db/playbook_runs', () => json(runs))
    screen = await renderScreen(<PlaybookRunsScreen />, { address: '/playbooks/runs' })
    await screen.waitFor(() => expect(said()).toContain('spec is invalid'))
    expect(said()).toContain('Drain: code 3')
    expect(said()).not.toContain('of an attempt before')
  })

  it('are divided by days, with the time of each to the second', async () => {
    const earlier = {
      ...run('r3', 'completed'),
      created_at: '2025-12-27T12:00:05Z',
      start_time: '2025-12-27T12:00:07Z',
    }
    server.on('GET /api/db/playbook_runs', () => json([run('r1', 'running'), earlier]))
    screen = await renderScreen(<PlaybookRunsScreen />, { address: '/playbooks/runs' })
    await screen.waitFor(() => expect(said()).toMatch(/\d\d:00:07/))
    const days = [...document.querySelectorAll('tbody tr[data-group]')].map(({ textContent }) => textContent)
    expect(days).toEqual([expect.stringContaining('2025'), expect.stringMatching(/Dec 27, 2025$/)])
    expect(said()).toContain('Times in ')
  })

  it('are those of the last seven days, 150 on a page', async () => {
    screen = await renderScreen(<PlaybookRunsScreen />, { address: '/playbooks/runs' })
    expect(asked()).toContain('order=created_at.desc')
    expect(asked()).toContain('limit=150&offset=0')
    expect(asked()).toContain('created_at=gte.2025-12-25T')
    expect(said()).toContain('1m 10s')
  })

  it('are 200 on a page of one config item, and narrowed by playbook and status', async () => {
    screen = await renderScreen(<PlaybookRunsScreen />, {
      address: `/playbooks/runs?configId=${B}&playbook=${A}&status=failed&pageIndex=2`,
    })
    for (const part of [`playbook_id=eq.${A}`, 'status=eq.failed', `config_id=eq.${B}`, 'limit=200&offset=400']) {
      expect(asked()).toContain(part)
    }
  })

  it('of one config item say so in a chip, by its name', async () => {
    server.on('GET /api/db/config_items', () => json([{ id: B, name: 'checkout' }]))
    screen = await renderScreen(<PlaybookRunsScreen />, { address: `/playbooks/runs?configId=${B}` })
    await screen.waitFor(() => expect(chips()).toEqual(['Config item: checkout']))
    await screen.click(button('Remove filter Config item: checkout'))
    expect(screen.search()).not.toContain('configId')
  })

  it('of a playbook that was deleted name it, in its chip and as the choice', async () => {
    server.on('GET /api/db/playbooks', () =>
      json([{ id: B, name: 'drain', title: 'Drain a node', deleted_at: '2025-12-31T00:00:00Z' }]),
    )
    screen = await renderScreen(<PlaybookRunsScreen />, { address: `/playbooks/runs?playbook=${B}` })
    await screen.waitFor(() => expect(chips()).toEqual(['Playbook: Drain a node (deleted)']))
    const choice = field('Playbook')
    expect(choice instanceof HTMLSelectElement && choice.selectedOptions[0]?.text).toBe('Drain a node (deleted)')
  })

  it('show what the live topic knows better than the page that was read', async () => {
    live = [run('r1', 'cancelled')]
    screen = await renderScreen(<PlaybookRunsScreen />, { address: '/playbooks/runs' })
    expect(statuses()).toEqual(['Cancelled', 'Failed'])
  })

  it.each(['loading', 'offline', 'failed'] as const)(
    'show what the page says where the topic is %s and has rows of an earlier visit',
    async (state) => {
      live = [run('r1', 'cancelled')]
      liveState = state
      screen = await renderScreen(<PlaybookRunsScreen />, { address: '/playbooks/runs' })
      expect(statuses()).toEqual(['Running', 'Failed'])
    },
  )

  it('follow what polling brings while the link is down', async () => {
    live = [run('r1', 'running')]
    screen = await renderScreen(<PlaybookRunsScreen />, { address: '/playbooks/runs' })
    live = [run('r1', 'cancelled')]
    liveState = 'offline'
    liveVia = 'polling'
    await screen.rerender(<PlaybookRunsScreen />)
    expect(statuses()).toEqual(['Cancelled', 'Failed'])
  })

  it('keep what the topic told last when the link breaks, until the page is read again', async () => {
    live = [run('r1', 'cancelled')]
    screen = await renderScreen(<PlaybookRunsScreen />, { address: '/playbooks/runs' })
    liveState = 'offline'
    await screen.rerender(<PlaybookRunsScreen />)
    expect(statuses()).toEqual(['Cancelled', 'Failed'])
    server.on('GET /api/db/playbook_runs', () => json([run('r1', 'completed'), run('r2', 'failed')]))
    await act(async () => void screen.queryClient.invalidateQueries())
    await screen.waitFor(() => expect(statuses()).toEqual(['Completed', 'Failed']))
  })

  it("say 'No data available' where there are none, and why", async () => {
    server.on('GET /api/db/playbook_runs', () => json([]))
    screen = await renderScreen(<PlaybookRunsScreen />, { address: '/playbooks/runs' })
    expect(said()).toContain('No data available')
    expect(said()).toContain('Nothing ran in this time range.')
    await screen.go('/playbooks/runs?status=failed')
    await screen.waitFor(() => expect(said()).toContain('No run matches these filters.'))
    expect(said()).toContain('No data available')
  })

  it('offer Edit Playbook and Run Playbook once one playbook is chosen', async () => {
    screen = await renderScreen(<PlaybookRunsScreen />, { address: '/playbooks/runs' })
    expect(button('Edit Playbook')).toBeNull()
    await screen.go(`/playbooks/runs?playbook=${A}`)
    expect([button('Edit Playbook') !== null, button('Run Playbook') !== null]).toEqual([true, true])
  })
})

describe('the form of a playbook', () => {
  const bodies: unknown[] = []
  const spec = (): Element | null => document.querySelector('textarea[aria-label="Spec"]')
  beforeEach(async () => {
    bodies.length = 0
    server.on('POST /api/db/playbooks', (_, init) => {
      bodies.push(JSON.parse(init.body as string))
      return json([{ id: A, name: 'x' }], 201)
    })
    screen = await renderScreen(<NewPlaybookScreen />, { address: '/playbooks/new' })
    await eventually(() => {
      if (spec() === null) throw new Error('no spec is shown')
    })
  })

  it('asks for a title, and says where the spec does not fit', async () => {
    await setField(spec(), 'actions:\n  - name: a\n    exec: {script: x}\n    http: {}\n')
    await screen.click(button('Save'))
    await screen.waitFor(() => expect(said()).toContain('This field is required'))
    expect(said()).toContain(
      'Line 2: actions.0: expected exactly one of exec, http, sql, delay, approval, notification',
    )
    expect(bodies).toEqual([])
  })

  it('says what is no YAML, and what has no steps', async () => {
    await setField(spec(), 'actions: [')
    await screen.click(button('Save'))
    await screen.waitFor(() => expect(said()).toMatch(/Line \d: /))
    await setField(spec(), '')
    await screen.waitFor(() => expect(said()).not.toMatch(/Line \d: /))
  })

  it('saves what was written, with the source UI and the category of the spec', async () => {
    await setField(field('Title'), 'Restart')
    await setField(spec(), 'category: Operations\nactions:\n  - name: a\n    delay: 5s\n')
    await screen.click(button('Save'))
    await screen.waitFor(() => expect(toasts).toEqual(['Playbook Spec created successfully']))
    expect(bodies).toEqual([
      {
        title: 'Restart',
        name: 'Restart',
        category: 'Operations',
        description: '',
        icon: '',
        source: 'UI',
        created_by: 'user-1',
        spec: { category: 'Operations', actions: [{ name: 'a', delay: '5s' }] },
      },
    ])
    expect(screen.path()).toBe('/playbooks')
  })

  const taken = () =>
    json(
      refusal(
        'PROXY_BACKEND_REFUSED',
        'duplicate key value',
        '23505',
        'Key (namespace, name, category)=(…) already exists.',
      ),
      409,
    )

  it('says at the title that there is a playbook of it already', async () => {
    server.on('POST /api/db/playbooks', taken)
    server.on('GET /api/db/playbooks?title=eq.Restart&category=eq.', () => json([{ id: A }]))
    await setField(field('Title'), 'Restart')
    await screen.click(button('Save'))
    await screen.waitFor(() => expect(said()).toContain('A playbook of this title is there already'))
    expect(document.activeElement).toBe(field('Title'))
    expect(toasts).toEqual([])
  })

  it('saves a title that another playbook had before, under a name of its own', async () => {
    const names: string[] = []
    server.on('POST /api/db/playbooks', (_, { body }) => {
      const row = JSON.parse(body as string) as { name: string }
      names.push(row.name)
      return names.length === 1 ? taken() : json([{ id: A, title: 'Restart', ...row }], 201)
    })
    server.on('GET /api/db/playbooks?title=eq.Restart&category=eq.', () => json([]))
    await setField(field('Title'), 'Restart')
    await screen.click(button('Save'))
    await screen.waitFor(() => expect(toasts).toEqual(['Playbook Spec created successfully']))
    expect(names).toEqual(['Restart', expect.stringMatching(/^Restart [0-9a-f]{12}$/)])
  })

  it('begins for an editor with a step that they can save, and says beforehand what they cannot', async () => {
    await screen.close()
    server.on('GET /api/canary/about', () => json({ programs: { savers: 'admin' } }))
    screen = await renderScreen(<NewPlaybookScreen />, { address: '/playbooks/new', roles: ['editor'] })
    await eventually(() => {
      if (spec() === null) throw new Error('no spec is shown')
    })
    const refusal = 'Only an administrator may save what executes programs (exec).'
    expect((spec() as HTMLTextAreaElement).value).toContain('http:')
    expect(said()).not.toContain(refusal)
    await setField(spec(), 'actions:\n  - name: a\n    exec: {script: x}\n')
    await screen.waitFor(() => expect(said()).toContain(refusal))
  })
})
