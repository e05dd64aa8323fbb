import { can, type Permission, type Role, ROLES } from '@watchroom/shared/access'
import type { PlaybookRunPart } from '@watchroom/shared/playbooks'
import type { PresentTab, WaitingRun } from '@watchroom/shared/protocol'
import type { FeatureArea } from '@watchroom/shared/settings'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import { PlaybookRunScreen } from '../../../../../web/src/features/playbooks/screens/PlaybookRunScreen.tsx'

const RUN = '018f0000-0000-7000-8000-0000000000b1'
const OWN = 'user-1'

type Run = Extract<PlaybookRunPart, { kind: 'run' }>
type Action = Extract<PlaybookRunPart, { kind: 'action' }>

const run = (overrides: Partial<Run> = {}): Run => ({
  kind: 'run',
  id: RUN,
  playbook_id: '018f0000-0000-7000-8000-0000000000a1',
  status: 'running',
  created_at: '2025-12-31T23:58:00Z',
  scheduled_time: '2025-12-31T23:58:00Z',
  start_time: '2025-12-31T23:58:05Z',
  created_by: { id: OWN, name: 'Ada Byron' },
  parameters: { size: 'large', token: '***' },
  playbooks: { id: 'p1', name: 'collect', title: 'Collect diagnostics' },
  check_id: '018f0000-0000-7000-8000-0000000000d1',
  check: { id: 'd1', name: 'Payments' },
  ...overrides,
})
const action = (id: string, overrides: Partial<Action> = {}): Action => ({
  kind: 'action',
  id,
  name: id,
  status: 'completed',
  start_time: '2025-12-31T23:59:00Z',
  end_time: '2025-12-31T23:59:07Z',
  ...overrides,
})

const tab = (id: string, userId: string, name: string): PresentTab => ({ id, userId, name })

let parts: PlaybookRunPart[] = []
let chunks: Record<string, string> = {}
let outputState: 'live' | 'failed' = 'live'
let tabs: PresentTab[] = []
let awaited: WaitingRun[] = []
let presenceState: 'live' | 'offline' = 'live'
vi.mock('../../../../../web/src/live/useTopic.ts', () => ({
  useTopic: ({ name }: { name: string }, params: { actionId?: string }) => {
    if (name === 'playbookRun') return buildTopicView(parts)
    if (name === 'waitingRuns') return buildTopicView(awaited)
    if (name === 'presence') return buildTopicView(tabs, presenceState)
    const text = chunks[params.actionId ?? '']
    const piece = { seq: 1, at: '2025-12-31T23:59:01.250Z', stream: 'stdout', text }
    return buildTopicView(text === undefined ? [] : [piece], outputState)
  },
}))
const toasts: string[] = []
vi.mock('../../../../../web/src/ui/toaster.ts', () => ({
  showToast: (text: string) => toasts.push(text),
  showErrorToast: (text: string) => toasts.push(`error: ${text}`),
}))

let screen: RenderedScreen
let server: FakeServer
beforeEach(() => {
  parts = [run()]
  chunks = {}
  outputState = 'live'
  tabs = []
  awaited = []
  presenceState = 'live'
  toasts.length = 0
  server = createFakeServer()
})
afterEach(async () => {
  await screen.close()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const { useParams } = vi.hoisted(() => ({ useParams: vi.fn<() => { id: string }>() }))
vi.mock('@tanstack/react-router', async (load) => ({ ...(await load<object>()), useParams }))

async function open(
  search = '',
  roles: readonly Role[] = ['editor'],
  id = RUN,
  permissions?: readonly Permission[],
  disabled: readonly FeatureArea[] = [],
): Promise<void> {
  useParams.mockReturnValue({ id })
  const address = `/playbooks/runs/${id}${search}`
  screen = await renderScreen(<PlaybookRunScreen />, {
    address,
    roles,
    disabled,
    ...(permissions ? { permissions } : {}),
  })
}
const said = (): string => document.body.textContent
const button = (name: string): HTMLButtonElement | null =>
  [...document.querySelectorAll<HTMLButtonElement>('button')].find(
    (element) => element.textContent === name || element.getAttribute('aria-label') === name,
  ) ?? null
const fact = (name: string): string | undefined =>
  [...document.querySelectorAll('dl[aria-label="Run"] > div')]
    .find((pair) => pair.querySelector('dt')?.textContent === name)
    ?.querySelector('dd')?.textContent ?? undefined
const steps = (): string[] =>
  [...document.querySelectorAll('nav[aria-label="Steps"] li')].map(({ textContent }) => textContent)
const selected = (): string | null =>
  document.querySelector('nav[aria-label="Steps"] [aria-current]')?.textContent ?? null
const lines = (): string[] =>
  [...document.querySelectorAll('[aria-label$=": lines"] li > span:last-child')].map(({ textContent }) =>
    textContent.trimEnd(),
  )

describe('the page of a run', () => {
  it('says where the run stands, on what, since when, and by whom', async () => {
    await open()
    expect(fact('Status')).toBe('Running')
    expect(fact('Playbook')).toBe('Collect diagnostics')
    expect(fact('Check')).toBe('Payments')
    expect(fact('Queued')).toBe('5s')
    expect(fact('Triggered By')).toBe('Ada Byron')
    expect(document.querySelector('dl[aria-label="Run"] a[href*="checkId="]')).not.toBeNull()
    expect(document.title).toContain('Collect diagnostics')
  })

  it.each<[FeatureArea, string | null]>([
    ['logs', '/health?checkId=018f0000-0000-7000-8000-0000000000d1'],
    ['health', null],
  ])('leads to what it runs on where that is, with %s switched off: %s', async (area, href) => {
    await open('', ['editor'], RUN, undefined, [area])
    expect(fact('Check')).toBe('Payments')
    const link = [...document.querySelectorAll('dl[aria-label="Run"] a')].find(
      ({ textContent }) => textContent === 'Payments',
    )
    expect(link?.getAttribute('href') ?? null).toBe(href)
  })

  it('counts the duration on while the run goes on, and no longer once it has ended', async () => {
    await open()
    expect(fact('Duration')).toBe('1m 55s')
    await screen.advance(3_000)
    expect(fact('Duration')).toBe('1m 58s')
    parts = [run({ status: 'completed', end_time: '2025-12-31T23:59:05Z' })]
    await screen.rerender(<PlaybookRunScreen key="ended" />)
    expect(fact('Duration')).toBe('1m 0s')
  })

  it('shows the values it runs with in a popup', async () => {
    await open()
    await screen.click(button('2 parameters'))
    await screen.waitFor(() => expect(said()).toContain('large'))
    expect(said()).toContain('***')
  })

  it('shows the last step that began, live', async () => {
    parts = [
      run(),
      action('prepare'),
      action('collect', { status: 'running', start_time: '2025-12-31T23:59:30Z', end_time: null }),
      action('later', { status: 'scheduled', start_time: null, end_time: null }),
    ]
    chunks = { collect: 'one\n\u001B[32mtwo\u001B[0m\n' }
    await open()
    expect(selected()).toContain('collect')
    expect(lines()).toEqual(['one', 'two'])
    expect(button('Follow')?.getAttribute('aria-pressed')).toBe('true')
  })

  it('shows the step and the lines of the address, and offers to follow nothing that has ended', async () => {
    parts = [run(), action('prepare'), action('collect')]
    chunks = { prepare: 'a\nb\nc\n', collect: 'x\n' }
    await open('?step=prepare&line=2-3')
    expect(button('Follow')).toBeNull()
    expect(selected()).toContain('prepare')
    expect([...document.querySelectorAll('li[data-marked]')].map(({ textContent }) => textContent.trimEnd())).toEqual([
      '2b',
      '3c',
    ])
    expect(said()).toContain('Lines 2–3')
    await screen.click(button('Mark line 1'))
    expect(screen.search()).toContain('line=1')
  })

  it('has a step Initialization where the run failed before its first', async () => {
    parts = [run({ status: 'failed', error: 'spec is invalid', start_time: null, end_time: '2025-12-31T23:58:06Z' })]
    await open()
    expect(steps()[0]).toContain('Initialization')
    expect(selected()).toContain('Initialization')
    expect(said()).toContain('spec is invalid')
  })

  it('does not let a skipped step be chosen, and says so', async () => {
    parts = [run(), action('prepare'), action('cleanup', { status: 'skipped', start_time: null, end_time: null })]
    await open('?step=cleanup')
    const cleanup = [...document.querySelectorAll<HTMLButtonElement>('nav[aria-label="Steps"] button')].at(-1)
    expect([cleanup?.textContent, cleanup?.disabled]).toEqual([expect.stringContaining('Skipped'), true])
    expect(selected()).toContain('prepare')
  })

  it('says of a sleeping step until when', async () => {
    parts = [run(), action('wait', { status: 'sleeping', end_time: null, scheduled_time: '2026-01-01T03:00:00Z' })]
    await open()
    expect(steps()[0]).toMatch(/Sleeping, scheduled for .*2026/)
  })

  it('sets the health of its check beside its steps', async () => {
    parts = [run(), action('restart')]
    server.on('GET /api/db/check_statuses', () =>
      json([
        { time: '2025-12-31T23:58:30Z', status: false },
        { time: '2025-12-31T23:59:14Z', status: true },
      ]),
    )
    await open()
    await screen.waitFor(() => expect(said()).toContain('Payments recovered 14s after restart began'))
    expect(server.requests.find((line) => line.includes('check_statuses'))).toContain('time=gte.2025-12-31T23:57:05')
  })

  it('sets the recorded health of its component beside its steps', async () => {
    const component_id = '018f0000-0000-7000-8000-0000000000c1'
    parts = [
      run({ check_id: null, check: null, component_id, component: { id: component_id, name: 'Shop' } }),
      action('restart'),
    ]
    const recording = { recordedSince: 0, holes: [] }
    const before = {
      id: component_id,
      name: 'Shop',
      type: null,
      from: { health: 'unhealthy', status: '', reason: null },
      to: null,
      change: 'same',
      above: [],
      children: [],
      unchanged: 0,
      more: 0,
      isTop: true,
    }
    server.on('GET /gateway/topology-history/diff', () =>
      json({ ...recording, from: 0, to: 1, components: [before], differences: 0, moreTop: 0 }),
    )
    const change = { id: component_id, name: 'Shop', from: null, to: { health: 'healthy', status: '' } }
    server.on('GET /gateway/topology-history/transitions', () =>
      json({
        ...recording,
        transitions: [
          { ...change, at: Date.parse('2025-12-31T23:59:14Z') },
          { ...change, id: 'below', at: Date.parse('2025-12-31T23:59:20Z'), to: { health: 'warning', status: '' } },
        ],
        isCut: false,
        density: [],
      }),
    )
    await open()
    await screen.waitFor(() => expect(said()).toContain('Shop recovered 14s after restart began'))
    const lane = [...document.querySelectorAll('figure [data-health]')].map((part) => part.getAttribute('data-health'))
    expect(lane).toEqual(['unhealthy', 'healthy'])
  })

  const CONFIG = '018f0000-0000-7000-8000-0000000000d1'
  const onConfig = (more: Parameters<typeof run>[0] = {}) => [
    run({ check_id: null, check: null, config_id: CONFIG, config: { id: CONFIG, name: 'checkout' }, ...more }),
    action('restart'),
  ]

  it.each([
    ['failing before', [{ event: 'config.unhealthy', happened_at: '2025-12-31T20:00:00Z' }], ['unhealthy', 'healthy']],
    ['nothing known of before', [], ['healthy']],
  ])('sets the health of its catalog item beside its steps: %s', async (_, before, lanes) => {
    parts = onConfig()
    server.on('GET /api/db/notification_transitions', (url) =>
      json(
        url.search.includes('order=happened_at.desc')
          ? before
          : [{ event: 'config.healthy', happened_at: '2025-12-31T23:59:14Z' }],
      ),
    )
    server.on('GET /api/db/config_items', () => json([{ health: 'healthy' }]))
    await open()
    const words = before.length > 0 ? 'checkout recovered 14s after restart began' : 'checkout: healthy'
    await screen.waitFor(() => expect(said()).toContain(words))
    const lane = [...document.querySelectorAll('figure [data-health]')].map((part) => part.getAttribute('data-health'))
    expect(lane).toEqual(lanes)
  })

  it('takes the health of a catalog item for what it is where nothing happened to it', async () => {
    parts = onConfig()
    server.on('GET /api/db/notification_transitions', () => json([]))
    server.on('GET /api/db/config_items', () => json([{ health: 'warning' }]))
    await open()
    await screen.waitFor(() => expect(said()).toContain('checkout: warning'))
  })

  it('makes up no health of a catalog item where what happened before its run is not kept', async () => {
    parts = onConfig()
    server.on('GET /api/db/notification_transitions', (url) =>
      json(url.searchParams.has('resource_id') ? [] : [{ happened_at: '2025-12-31T23:59:30Z' }]),
    )
    server.on('GET /api/db/config_items', () => json([{ health: 'warning' }]))
    await open()
    await screen.waitFor(() => expect(said()).toContain('checkout'))
    await screen.waitFor(() => expect(screen.queryClient.isFetching()).toBe(0))
    expect(said()).not.toContain('checkout: warning')
    expect(document.querySelector('figure [data-health]')).toBeNull()
  })

  it('shows no health of a catalog item at a time of which nothing is kept', async () => {
    parts = onConfig({ start_time: '2025-12-20T00:00:00Z', end_time: '2025-12-20T00:01:00Z', status: 'completed' })
    await open()
    expect(document.querySelector('figure')).toBeNull()
    expect(server.requests.filter((line) => line.includes('notification_transitions'))).toEqual([])
  })

  it('shows no health to whoever may not know what it was', async () => {
    server.on('GET /api/db/check_statuses', () => json({ message: 'no' }, 403))
    await open()
    await screen.waitFor(() => expect(document.querySelector('figure')).toBeNull())
  })

  it('counts attempts of a step', async () => {
    parts = [
      run(),
      action('a1', { name: 'upload', status: 'failed' }),
      action('a2', { name: 'upload', start_time: '2025-12-31T23:59:30Z' }),
    ]
    await open()
    expect(steps()[1]).toContain('upload attempt 2')
  })

  it.each([
    ['what it printed', { stdout: 'before', stderr: 'disk full', exitCode: 3 }, ['before', 'Error output: disk full']],
    ['everything else it says', { code: 200 }, ['{', '  "code": 200', '}']],
  ])('shows of the result of a step that streamed nothing %s', async (_, result, shown) => {
    parts = [run({ status: 'completed' }), action('call')]
    server.on('GET /api/db/playbook_run_actions?id=eq.call', () => json([{ result, status: 'completed' }]))
    await open()
    await screen.waitFor(() => expect(lines()).toEqual(shown))
  })

  it('lists the files that a step left, to be saved', async () => {
    parts = [run(), action('collect', { status: 'running', end_time: null })]
    chunks = { collect: 'done\n' }
    // What React says of a page whose parts cannot be told apart.
    const complaints = vi.spyOn(console, 'error')
    const asked: string[] = []
    server.on('GET /api/db/artifacts', (url) => {
      asked.push(url.search)
      return json([
        { id: 'f1', filename: 'report #1.csv', size: 1_434 },
        { id: 'f2', filename: 'core', size: 3 },
      ])
    })
    await open()
    const outputs = () => document.querySelectorAll('[aria-label="Output of collect: lines"]').length
    expect([outputs(), asked]).toEqual([1, []])
    parts = [run({ status: 'completed' }), action('collect')]
    await screen.rerender(<PlaybookRunScreen />)
    const files = () => document.querySelector('[aria-label="Files of collect"]')
    await screen.waitFor(() => expect(files()?.textContent).toBe('2 filesreport #1.csv 1.4 KiBcore 3 B'))
    expect(files()?.querySelector('a')?.getAttribute('href')).toBe('/api/artifacts/download/f1')
    expect(files()?.querySelector('a')?.download).toBe('report #1.csv')
    expect(asked.join()).toContain('playbook_run_action_id=eq.collect')
    expect([outputs(), complaints.mock.calls]).toEqual([1, []])
  })

  it('does not ask for files where the backend keeps them from this person', async () => {
    parts = [run({ status: 'completed' }), action('collect')]
    chunks = { collect: 'done\n' }
    await open('', ['editor'], RUN, [{ object: 'playbooks', action: '*' }])
    await screen.waitFor(() => expect(lines()).toEqual(['done']))
    expect(server.requests.filter((request) => request.includes('/artifacts'))).toEqual([])
  })

  it('says that there is no result', async () => {
    parts = [run({ status: 'completed' }), action('call')]
    server.on('GET /api/db/playbook_run_actions?id=eq.call', () => json([{ result: null, status: 'completed' }]))
    await open()
    await screen.waitFor(() => expect(said()).toContain('No result'))
  })

  it('asks every second for the result where the backend keeps no pieces', async () => {
    outputState = 'failed'
    parts = [run(), action('call', { status: 'running', end_time: null })]
    server.on('GET /api/db/playbook_run_actions?id=eq.call', () =>
      json([{ result: { stdout: 'so far' }, status: 'running' }]),
    )
    await open()
    await screen.waitFor(() => expect(lines()).toEqual(['so far']))
    const asked = () => server.requests.length
    const before = asked()
    await screen.waitFor(() => expect(asked()).toBeGreaterThan(before))
  })

  it('says that there is no such run', async () => {
    parts = []
    await open()
    expect(said()).toContain('Run not found')
  })
})

describe('what can be done with a run', () => {
  const isOffered = async (role: Role, name: string, shown: readonly PlaybookRunPart[]): Promise<boolean> => {
    parts = [...shown]
    await open('', [role])
    const isThere = button(name) !== null
    await screen.close()
    return isThere
  }

  it.each(ROLES)(
    'a %s runs it again, cancels, retries, approves and confirms only with the right to write runs',
    async (role) => {
      const spec = { approval: { approvers: { people: ['eve@example.org'] } } }
      const dangerous = run({ status: 'waiting', spec: { actions: [{ name: 'cut', isDangerous: true }] } })
      const offered = {
        'Re-run playbook': await isOffered(role, 'Re-run playbook', [run()]),
        'Cancel run': await isOffered(role, 'Cancel run', [run()]),
        'Retry failed step': await isOffered(role, 'Retry failed step', [
          run({ status: 'failed' }),
          action('upload', { status: 'failed' }),
        ]),
        Approve: await isOffered(role, 'Approve', [run({ status: 'pending', spec })]),
        Confirm: await isOffered(role, 'Confirm', [dangerous, action('cut', { status: 'waiting' })]),
      }
      const may = can([role], 'write', 'playbook_runs')
      expect(offered).toEqual(Object.fromEntries(Object.keys(offered).map((name) => [name, may])))
      await open('', [role])
    },
  )

  it('cancels after a question that says what that means', async () => {
    server.on(`POST /api/playbook/run/cancel/${RUN}`, () => json({ message: 'ok' }))
    await open()
    await screen.click(button('Cancel run'))
    expect(server.requests.filter((line) => line.startsWith('POST'))).toEqual([])
    expect(said()).toContain('no other starts')
    await screen.click([...document.querySelectorAll<HTMLElement>('[role="alertdialog"] button')].at(-1) ?? null)
    await screen.waitFor(() => expect(toasts).toEqual(['Run cancelled']))
  })

  it('retries from the failed step', async () => {
    parts = [run({ status: 'failed' }), action('upload', { status: 'failed', error: 'exit status 3' })]
    chunks = { upload: 'x\n' }
    server.on(`POST /api/playbook/run/retry/${RUN}`, () => json({ run_id: RUN }))
    await open()
    expect(said()).toContain('exit status 3')
    await screen.click(button('Retry failed step'))
    expect(server.requests).toContain(`POST /api/playbook/run/retry/${RUN}`)
  })

  it('approves a run that waits, and says who may', async () => {
    parts = [
      run({
        status: 'pending',
        start_time: null,
        spec: {
          actions: [{ name: 'restart' }],
          approval: { type: 'any', approvers: { people: ['eve@example.org'], teams: ['sre'] } },
        },
      }),
    ]
    server.on('POST /api/playbook/run/approve/', () =>
      json({ error: 'you are not allowed to approve this playbook run' }, 403),
    )
    await open()
    expect(said()).toContain('One of these must approve it: eve@example.org, team sre.')
    expect(said()).toContain('Steps: restart.')
    await screen.click(button('Approve'))
    await screen.waitFor(() => expect(toasts).toEqual(['error: you are not allowed to approve this playbook run']))
  })

  it.each([
    ['PROXY_NOT_OFFERED', 404],
    // As the older server says it: below the same path it has a GET.
    ['PROXY_BACKEND_REFUSED', 405],
  ])('approves by the run alone, and by playbook and run where that is answered %s, %i', async (kind, status) => {
    parts = [run({ status: 'pending', spec: { approval: { approvers: { people: ['eve@example.org'] } } } })]
    const [byRun, byBoth] = [RUN, `${run().playbook_id}/${RUN}`].map((ids) => `POST /api/playbook/run/approve/${ids}`)
    server.on(byRun ?? '', () => json(refusal(kind, 'not this way'), status))
    server.on(byBoth ?? '', () => json({ message: 'playbook run approved' }))
    await open()
    await screen.click(button('Approve'))
    await screen.waitFor(() => expect(toasts).toEqual(['Approved']))
    expect(server.requests.filter((request) => request.includes('/approve/'))).toEqual([byRun, byBoth])

    toasts.length = 0
    server.on(byRun ?? '', () => json({ error: 'playbook run was not found' }, 404))
    await screen.click(button('Approve'))
    await screen.waitFor(() => expect(toasts).toEqual(['error: playbook run was not found']))
  })

  it('offers no approval to whoever asked, where the playbook excludes them', async () => {
    parts = [
      run({
        status: 'pending',
        spec: { approval: { type: 'any', approvers: { people: ['eve@example.org'] }, excludeRequester: true } },
      }),
    ]
    await open()
    expect(said()).toContain('Not the person who requested it.')
    expect(button('Approve')).toBeNull()
  })

  it('offers no approval to whoever is not asked for theirs', async () => {
    const spec = { approval: { type: 'any', approvers: { people: ['eve@example.org'] } } }
    parts = [run({ status: 'pending', created_by: { id: 'user-2', name: 'Bo' }, spec })]
    awaited = [{ id: RUN, people: ['user-3'], without: [], unable: [] }]
    await open()
    expect(said()).toContain('One of these must approve it: eve@example.org.')
    expect(button('Approve')).toBeNull()
  })

  it.each([
    ['any', ['gone@example.org', 'team sre'], true],
    ['any', ['gone@example.org'], false],
    ['all', ['gone@example.org'], true],
  ])('says for whom of %s nobody can approve: %j', async (type, unable, isStuck) => {
    const spec = { approval: { type, approvers: { people: ['gone@example.org'], teams: ['sre'] } } }
    parts = [run({ status: 'pending', spec })]
    awaited = [{ id: RUN, people: [], without: [], unable }]
    await open()
    expect(said()).toContain(`Nobody here can approve as ${unable.join(', ')}:`)
    expect(said()?.includes('The run waits until that changes.')).toBe(isStuck)
  })

  it('approves a step that waits for its approvers', async () => {
    const approval = { approvers: { people: ['eve@example.org'] } }
    parts = [
      run({ status: 'waiting', spec: { actions: [{ name: 'agree', approval }] } }),
      action('agree', { status: 'waiting', end_time: null }),
    ]
    server.on('POST /api/playbook/run/approve/', () => json({ message: 'playbook run approved' }))
    await open()
    expect(said()).toContain('agree is waiting for approval')
    await screen.click(button('Approve'))
    await screen.waitFor(() => expect(toasts).toEqual(['Approved']))
  })

  it('asks two people who are on the page to confirm a dangerous step, and says whose word does not count', async () => {
    parts = [
      run({ status: 'waiting', spec: { actions: [{ name: 'cut', isDangerous: true }] } }),
      action('cut', { status: 'waiting', end_time: null }),
    ]
    tabs = [tab('1', OWN, 'Ada Byron')]
    server.on('POST /api/playbook/run/confirm/cut', () => json({ message: 'step confirmed' }))
    await open()
    expect(said()).toContain('cut waits for two people')
    expect(said()).toContain('You’re the only one here.')
    await screen.click(button('Confirm'))
    await screen.waitFor(() => expect(toasts).toEqual(['Confirmed']))

    const by = (id: string, name: string): PlaybookRunPart => ({
      kind: 'approval',
      id: `by ${id}`,
      action_id: 'cut',
      created_at: '2025-12-31T23:59:50Z',
      person: { id, name },
    })
    parts = [...parts, by('user-2', 'Bo'), by('user-3', 'Cy')]
    tabs = [...tabs, tab('2', 'user-2', 'Bo')]
    await screen.rerender(<PlaybookRunScreen key="with others" />)
    expect(said()).not.toContain('You’re the only one here.')
    expect(said()).toMatch(/Confirmed by Cy .* left this page/)
    expect(said()).not.toMatch(/Confirmed by Bo [^C]* left this page/)
  })
})

describe('who is watching a run', () => {
  const faces = (): string[] => {
    const others = pageOf().find('list', /others? here$/)
    return [...(others?.querySelectorAll('button') ?? [])].map((face) => face.getAttribute('aria-label') ?? '')
  }

  it('stands in its header, one face a tab but this one, at most five and a number', async () => {
    tabs = [tab('1', 'user-2', 'Bo'), tab('2', OWN, 'Ada Byron'), tab('3', OWN, 'Ada Byron')]
    await open()
    expect(faces()).toEqual(['Bo, here', 'Ada Byron, here'])
    tabs = [...tabs, ...['4', '5', '6', '7', '8'].map((id) => tab(id, `user-${id}`, `Peer ${id}`))]
    await screen.rerender(<PlaybookRunScreen key="more" />)
    expect(faces()).toHaveLength(6)
    expect(faces().at(-1)).toBe('2 more here')
  })

  it('is not told while nobody knows', async () => {
    tabs = [tab('1', 'user-2', 'Bo')]
    presenceState = 'offline'
    await open()
    expect(faces()).toEqual([])
  })
})
