import { NIL_UUID } from '@watchroom/shared/kernel'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import type { RenderedScreen } from '#support/web/renderScreen.tsx'

import {
  asked,
  button,
  CHECK_ID,
  createPanelServer,
  detailRow,
  graphAnswer,
  metric,
  openPanel,
  panel,
  panelCheck,
  PanelPage,
  result,
  resultPage,
  RUN,
  settle,
  tab,
  text,
} from './panelPage.tsx'

let server: FakeServer
let screen: RenderedScreen
beforeEach(() => {
  server = createPanelServer()
})
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

const outcomes = () =>
  [...document.querySelectorAll('section[aria-label="Outcome of the run"] > div')].map(({ textContent }) => textContent)
const notices = () => [...document.querySelectorAll('[role="note"]')].map(({ textContent }) => textContent)
const title = () => panel()?.querySelector('h2')?.parentElement
const overview = () => pageOf().find('region', 'Health Overview')

describe('CheckPanel', () => {
  it('opens from the address and says what, where and how well', async () => {
    screen = await openPanel()
    expect(panel()?.getAttribute('role')).toBe('dialog')
    for (const part of ['Payments', 'Unhealthy', 'Namespace prod', 'Agent edge-1', 'https://pay.example/health'])
      expect(text()).toContain(part)
    expect(metric('Severity')).toBe('Critical')
    expect(metric('Last Run')).toBe('1m ago')
    expect(metric('Transitioned')).toBe('2h ago')
    expect(metric('Next Run')).toBe('in 5m')
  })

  it('copies the endpoint', async () => {
    const copied: string[] = []
    vi.stubGlobal('navigator', { clipboard: { writeText: async (given: string) => void copied.push(given) } })
    screen = await openPanel()
    await screen.click(button('Copy endpoint'))
    expect(copied).toEqual(['https://pay.example/health'])
  })

  it('has no agent tag for the zero agent', async () => {
    server.on('GET /api/db/checks?', () => json([detailRow({ agents: { id: NIL_UUID, name: 'local' } })]))
    screen = await openPanel()
    expect(text()).toContain('Namespace prod')
    expect(text()).not.toContain('local')
  })

  it('shows the labels that fit and keeps the rest behind a button', async () => {
    screen = await openPanel()
    const shown = [...document.querySelectorAll('[aria-label="Labels"] > li')].map(({ textContent }) => textContent)
    expect(shown).toEqual(['key0', 'key1: v1', 'key2: v2', 'key3: v3', 'key4: v4', 'key5: v5', '+3 more'])
    await screen.click(button('+3 more'))
    await screen.waitFor(() => expect(pageOf().find('list', 'More labels')?.textContent).toContain('key8: v8'))
  })

  it('shows uptime with two decimals and the latencies of the time range', async () => {
    screen = await openPanel()
    expect(metric('Uptime')).toBe('90.00%9 passed, 1 failed')
    expect([metric('Latency p95'), metric('p97'), metric('p99')]).toEqual(['120ms', '180ms', '2.4s'])
  })

  it('says how far the latencies of a long range can be relied on', async () => {
    const latency = { p95: 120.4, p97: 180, p99: 2400, rolling1h: 0, relative_error: 0.01, unmeasured: 12 }
    server.on('GET /api/canary/api/graph', () => json({ ...graphAnswer(), latency }))
    screen = await openPanel()
    expect(metric('Latency p95')).toBe('120mswithin 1.0%, without 12 older runs')
  })

  it('holds the place of figures that are not there yet, and says nothing where they failed', async () => {
    let answer: (response: Response) => void = () => undefined
    server.on('GET /api/canary/api/graph', () => new Promise((resolve) => (answer = resolve)))
    screen = await openPanel({ isLoaded: false })
    expect(document.querySelectorAll('[aria-label="Metrics"] dd > span:empty').length).toBeGreaterThan(0)
    answer(json(refusal('X', 'too slow'), 500))
    await settle(screen)
    expect(metric('Uptime')).toBe('––')
    expect(text()).toContain('Could not load the chart')
    expect(text()).toContain('too slow')
    server.on('GET /api/canary/api/graph', () => json(graphAnswer()))
    await screen.click(button('Try again'))
    await settle(screen)
    expect(metric('Uptime')).toBe('90.00%9 passed, 1 failed')
  })

  it('says why the check fails, before anything else', async () => {
    screen = await openPanel()
    expect(notices()).toEqual(['Failing started 2h agoexpected status 200, got 503'])
  })

  it('takes the reason from the last result where the board has none', async () => {
    screen = await openPanel({ check: panelCheck({ last_error: null }) })
    expect(notices()).toEqual(['Failing started 2h agoconnection refused'])
  })

  it('claims nothing about the reason before it is known', async () => {
    const answers: ((response: Response) => void)[] = []
    server.on('GET /api/db/check_statuses?', () => new Promise((resolve) => answers.push(resolve)))
    screen = await openPanel({ check: panelCheck({ last_error: null }), isLoaded: false })
    expect(text()).not.toContain('gave no reason')
    for (const answer of answers) answer(json(refusal('X', 'too slow'), 500))
    await screen.waitFor(() => expect(notices()[0]).toContain('Could not load the reason'))
    expect(text()).not.toContain('gave no reason')
    server.on('GET /api/db/check_statuses?', () => resultPage([result(59, false, { error: '', message: '' })]))
    await screen.click(button('Try again'))
    await screen.waitFor(() => expect(notices()[0]).toContain('The last run gave no reason.'))
  })

  it('says why a definition is broken', async () => {
    server.on('GET /api/db/check_statuses?', () => resultPage([result(59, false, { invalid: true })]))
    screen = await openPanel({ check: panelCheck({ last_error: 'unknown field "urll"' }) })
    expect(notices()[0]).toBe('This check can’t run as it’s defined started 2h agounknown field "urll"')
  })

  it('is unknown, and says since when, while the agent is silent', async () => {
    screen = await openPanel({ check: panelCheck({ status: 'healthy', unknown_since: '2025-12-31T23:31:00Z' }) })
    expect(title()?.textContent).toMatch(/Unknown since \d\d:\d\d/)
    expect(title()?.querySelector('[data-status="healthy"]')).toBeNull()
    expect(notices()[0]).toContain('The agent edge-1 was last heard 29m ago')
    expect(metric('Next Run')).toBe('Unknown')
  })

  it('says that the connection is lost, and no more when it is back', async () => {
    screen = await openPanel({ check: panelCheck({ status: 'healthy' }), isOld: true })
    expect(notices()[0]).toContain('Connection lost. This is the last known data')
    await screen.rerender(<PanelPage check={panelCheck({ status: 'healthy' })} />)
    expect(notices()).toEqual([])
  })

  it('says that a check is silenced', async () => {
    server.on('GET /api/db/checks?', () => json([detailRow({ silenced_at: '2025-12-31T10:00:00Z' })]))
    screen = await openPanel({ check: panelCheck({ status: 'healthy' }) })
    expect(title()?.textContent).toContain('Silenced')
    expect(notices()[0]).toContain('nobody is notified')
  })

  it('shows a deleted check with its history and without anything to do', async () => {
    const canaries = { id: 'ca', name: 'shop', source: 'UI', labels: { tier: 'web' } }
    server.on('GET /api/db/checks?', () => json([detailRow({ canaries, deleted_at: '2025-12-31T10:00:00Z' })]))
    screen = await openPanel({ check: undefined, actions: () => <button type="button">Attach</button> })
    expect(text()).toMatch(/This check was deleted on .*2025/)
    expect(title()?.textContent).toContain('Deleted')
    expect(text()).toContain('connection refused')
    expect(document.querySelector('[aria-label="Labels"]')?.textContent).toBe('team: paytier: web')
    expect([button('Run Now'), button('Edit'), button('Attach')]).toEqual([null, null, null])
  })

  it('asks again when the check leaves the board, and then says that it was deleted', async () => {
    screen = await openPanel()
    server.on('GET /api/db/checks?', () => json([detailRow({ deleted_at: '2025-12-31T10:00:00Z' })]))
    await screen.rerender(<PanelPage check={undefined} />)
    await screen.waitFor(() => expect(text()).toContain('This check was deleted on'))
  })

  it('shows a check that the board does not have yet', async () => {
    screen = await openPanel({ check: undefined })
    expect(notices()[0]).toContain('This check is not on the board')
    expect(text()).toContain('Payments')
  })

  it('says that there is no such check, without asking the database about a malformed id', async () => {
    server.on('GET /api/db/checks?', () => json([]))
    screen = await openPanel({ check: undefined, id: '018f0000-0000-7000-8000-00000000ffff' })
    expect(text()).toContain('No such check')
    await screen.close()
    server.requests.length = 0
    screen = await openPanel({ check: undefined, id: 'nonsense' })
    expect(text()).toContain('No such check')
    expect(server.requests).toEqual([])
  })

  it('waits for an answer before it says anything about a check it does not know', async () => {
    server.on('GET /api/db/checks?', () => new Promise(() => undefined))
    screen = await openPanel({ check: undefined, isBoardLoading: true, isLoaded: false })
    expect(panel()?.querySelector('[aria-busy]')).not.toBeNull()
    expect(text()).not.toContain('No such check')
  })

  it('leaves nothing of itself in the address when it closes', async () => {
    screen = await openPanel({ search: '&query=pay&checkTab=relationships&status=healthy&minDuration=1s&pageSize=100' })
    await screen.click(button('Close'))
    await screen.waitFor(() => expect(screen.search()).toBe('?query=pay'))
    expect(panel()).toBeNull()
    await screen.back()
    await screen.waitFor(() => expect(panel()).not.toBeNull())
  })

  it('keeps its tab in the address and loads only the one that is open', async () => {
    screen = await openPanel()
    expect(['History', 'Graph', 'Spec', 'Relationships'].map((name) => tab(name) !== null)).toEqual([
      true,
      false,
      true,
      true,
    ])
    expect(asked(server, '/api/db/canaries')).toEqual([])
    await screen.click(tab('Spec'))
    await settle(screen)
    expect(screen.search()).toContain('checkTab=spec')
    expect(asked(server, '/api/db/canaries')).toHaveLength(1)
  })

  it('moves the chart into a tab on a short screen', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query === '(max-height: 759px)',
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }))
    screen = await openPanel()
    expect(overview()).toBeNull()
    await screen.click(tab('Graph'))
    await settle(screen)
    expect(overview()).not.toBeNull()
  })

  it('falls back to the history for a tab that does not exist here', async () => {
    screen = await openPanel({ search: '&checkTab=graph' })
    expect(pageOf().find('region', 'History')).not.toBeNull()
  })

  it('runs the check once for a double click, shows the outcome and reads the results again', async () => {
    let answer: (response: Response) => void = () => undefined
    server.on(RUN, () => new Promise((resolve) => (answer = resolve)))
    screen = await openPanel()
    const before = [asked(server, 'check_statuses').length, asked(server, 'graph').length]
    await screen.click(button('Run Now'), 2)
    expect(server.requests.filter((line) => line === RUN)).toHaveLength(1)
    expect(text()).toContain('Running…')
    answer(json({ pass: false, duration: 1200, error: 'status 503' }))
    await screen.waitFor(() => expect(outcomes()).toEqual(['Failed in 1.2s: status 503']))
    await settle(screen)
    expect(asked(server, 'check_statuses').length).toBeGreaterThan(before[0] ?? 0)
    expect(asked(server, 'graph').length).toBeGreaterThan(before[1] ?? 0)
  })

  it.each([
    ['an empty answer', undefined, 200, 'The run ended without a result.'],
    [
      'a failure of a runner that leaves out what is false',
      { error: 'connection refused' },
      200,
      'Failed: connection refused',
    ],
    ['a pass', { pass: true, duration: 3, message: 'ok' }, 200, 'Passed in 3ms: ok'],
    ['a broken definition', { pass: false, invalid: true, error: 'no url' }, 200, 'The definition is broken: no url'],
    ['a refusal', refusal('X', 'The runner is busy'), 500, 'The check could not be run: The runner is busy'],
  ])('shows %s of a run', async (_name, body, code, shown) => {
    server.on(RUN, () => json(body, code))
    screen = await openPanel()
    await screen.click(button('Run Now'))
    await screen.waitFor(() => expect(outcomes()).toEqual([shown]))
  })

  it.each([
    ['viewer', false],
    ['responder', true],
    ['commander', true],
    ['editor', true],
    ['admin', true],
  ] as const)('offers Run Now to a %s: %s', async (role, isOffered) => {
    screen = await openPanel({ roles: [role] })
    expect(button('Run Now') !== null).toBe(isOffered)
  })

  it('cannot run what an agent runs, and says who does', async () => {
    screen = await openPanel({ check: panelCheck({ agent_id: '018f0000-0000-7000-8000-0000000000a1' }) })
    expect(button('Run Now')).toMatchObject({ disabled: true })
    expect(text()).toContain('Defined and run by the agent edge-1: change it there.')
  })

  it('leads to the definition, for those who may change it', async () => {
    server.on('GET /api/db/checks?', () => json([detailRow({ agents: { id: NIL_UUID, name: 'local' } })]))
    screen = await openPanel({ roles: ['editor'] })
    expect(button('Edit')?.getAttribute('href')).toBe('/settings/canaries/018f0000-0000-7000-8000-0000000000ca')
    await screen.close()
    screen = await openPanel({ roles: ['responder'] })
    expect(button('Edit')).toBeNull()
    await screen.close()
    screen = await openPanel({ roles: ['editor'], disabled: ['settings.health'] })
    expect(button('Edit')).toBeNull()
  })

  it('draws the picture that the check names', async () => {
    const picture = () => title()?.querySelector('[data-icon] path')?.getAttribute('d')
    screen = await openPanel()
    const ofType = picture()
    await screen.close()
    screen = await openPanel({ check: panelCheck({ icon: 'dns' }) })
    expect(picture()).toBeTruthy()
    expect(picture()).not.toBe(ofType)
  })

  it('leads to the custom resource, with the reason, when that owns the check', async () => {
    const agents = { id: NIL_UUID, name: 'local' }
    const canaries = { id: 'ca', name: 'shop', source: 'kubernetes/018f0000-0000-7000-8000-00000000c0de' }
    server.on('GET /api/db/checks?', () => json([detailRow({ agents, canaries })]))
    screen = await openPanel()
    expect(button('Edit')).toBeNull()
    expect(button('CRD')?.getAttribute('href')).toBe('/catalog/018f0000-0000-7000-8000-00000000c0de')
    expect(text()).toContain('A change here would be overwritten.')
    await screen.close()
    screen = await openPanel({ disabled: ['config'] })
    expect(button('CRD')).toBeNull()
    expect(text()).toContain('A change here would be overwritten.')
  })

  it('says that the agent owns the check', async () => {
    server.on('GET /api/db/checks?', () => json([detailRow({ canaries: { id: 'ca', source: 'UI' } })]))
    screen = await openPanel()
    expect(button('Edit')).toBeNull()
    expect(text()).toContain('Defined and run by the agent edge-1')
    expect(button('Agent')?.getAttribute('href')).toBe('/settings/agents?id=a')
  })

  it('stays as it is when the row of the board changes', async () => {
    screen = await openPanel()
    const opened = panel()
    await screen.rerender(<PanelPage check={panelCheck({ status: 'healthy' })} />)
    expect(panel()).toBe(opened)
    expect(title()?.textContent).toContain('Healthy')
    expect(asked(server, `checks?id=eq.${CHECK_ID}`)).toHaveLength(1)
  })
})
