import type { Role } from '@watchroom/shared/access'
import type { CheckSummary } from '@watchroom/shared/health'
import { NIL_UUID } from '@watchroom/shared/kernel'
// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import { HealthBoard } from '../../../../../web/src/features/health/components/HealthBoard.tsx'
import type { TopicState } from '../../../../../web/src/live/contract.ts'

const ID = '018f0000-0000-7000-8000-000000000001'
const RUN = `POST /api/canary/run/check/${ID}`

const check = buildCheck({
  id: ID,
  name: 'Payments',
  canary_name: 'shop',
  namespace: 'prod',
  endpoint: 'https://pay.example/health',
  status: 'unhealthy',
  severity: 'critical',
  uptime: { passed: 9, failed: 1 },
  latency: { p95: 120, p97: 180, p99: 2400 },
  last_runtime: '2025-12-31T23:59:00Z',
  last_transition_time: '2025-12-31T22:00:00Z',
  next_runtime: '2026-01-01T00:05:00Z',
  labels: Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`key${at}`, at === 0 ? 'true' : `v${at}`])),
})
const status = (minute: number, passed: boolean, overrides: object = {}) => ({
  check_id: ID,
  time: `2025-12-31T23:${minute}:00`,
  status: passed,
  duration: 100 + minute,
  message: passed ? 'fine' : '',
  error: passed ? '' : 'connection refused',
  ...overrides,
})

let server: FakeServer
let screen: RenderedScreen
beforeEach(() => {
  server = createFakeServer()
  server.on('GET /api/db/checks?', () => json([{ id: ID, name: 'Payments', agents: { id: 'a', name: 'edge-1' } }]))
  server.on('GET /api/db/check_statuses?', () => json([status(59, false), status(58, true)]))
})
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

async function open({
  rows = [check],
  id = ID,
  roles = ['admin'],
  state = 'live',
}: { rows?: CheckSummary[]; id?: string; roles?: Role[]; state?: TopicState } = {}) {
  screen = await renderScreen(<HealthBoard topic={buildTopicView(rows, state)} />, {
    address: `/health?checkId=${id}&timeRange=6h`,
    roles,
  })
  // The panel is a chunk of its own.
  await screen.waitFor(() => {
    if (panel() === null) throw new Error('no panel yet')
  })
  await screen.advance(0)
  await screen.waitFor(() => {
    if (screen.queryClient.isFetching() > 0) throw new Error('still loading')
  })
}

const panel = () => document.querySelector<HTMLElement>('.check-panel')
const text = () => panel()?.textContent ?? ''
const button = (name: string) =>
  [...document.querySelectorAll<HTMLElement>('button')].find(
    (found) => found.textContent === name || found.getAttribute('aria-label') === name,
  ) ?? null
const callouts = () => [...document.querySelectorAll('.check-panel .bp6-callout')].map((callout) => callout.textContent)
const metric = (name: string) =>
  [...document.querySelectorAll('.check-metric')]
    .find((found) => found.querySelector('dt')?.textContent === name)
    ?.querySelector('dd')?.textContent

describe('CheckPanel', () => {
  it('opens from the address and says what, where and how well', async () => {
    await open()
    expect(panel()?.getAttribute('role')).toBe('dialog')
    for (const part of ['Payments', 'Unhealthy', 'prod', 'edge-1', 'https://pay.example/health'])
      expect(text()).toContain(part)
    expect(metric('Uptime')).toBe('90.00%9 passed, 1 failed')
    expect([metric('Latency p95'), metric('p97'), metric('p99')]).toEqual(['120ms', '180ms', '2.4s'])
    expect(metric('Severity')).toBe('Critical')
    expect(metric('Transitioned')).toBe('2h ago')
    expect(metric('Next Run')).toBe('in 5m')
  })

  it('has no agent tag for the zero agent', async () => {
    const agents = { id: NIL_UUID, name: 'local' }
    server.on('GET /api/db/checks?', () => json([{ id: ID, name: 'Payments', agents }]))
    await open()
    expect(text()).toContain('Namespace prod')
    expect(text()).not.toContain('local')
  })

  it('shows the labels that fit and keeps the rest behind a button', async () => {
    await open()
    const shown = [...document.querySelectorAll('.check-panel .check-labels > .health-tag')].map(
      (label) => label.textContent,
    )
    expect(shown).toEqual(['key0', 'key1: v1', 'key2: v2', 'key3: v3', 'key4: v4', 'key5: v5'])
    await screen.click(button('+3 more'))
    expect(document.querySelector('.check-labels-more')?.textContent).toContain('key8: v8')
  })

  it('lists results with their text and draws the strip with failures marked', async () => {
    await open()
    const rows = [...document.querySelectorAll('.result-table tbody tr')].map((row) => row.textContent)
    expect(rows).toEqual(['1m agoFailed159msconnection refused', '2m agoPassed158msfine'])
    expect(document.querySelector('.result-strip')?.getAttribute('aria-label')).toMatch(
      /^2 results, 1 failed, last failed /,
    )
    expect([...document.querySelectorAll('.result-strip span')].map((bar) => bar.getAttribute('data-passed'))).toEqual([
      'true',
      'false',
    ])
  })

  it('reads the results again when the board tells of another run', async () => {
    await open()
    server.on('GET /api/db/check_statuses?', () => json([status(59, true, { message: 'fresh' })]))
    const reads = () => server.requests.filter((line) => line.includes('check_statuses')).length
    const before = reads()
    await screen.rerender(<HealthBoard topic={buildTopicView([{ ...check, severity: 'low' }])} />)
    expect(reads()).toBe(before)
    await screen.rerender(<HealthBoard topic={buildTopicView([{ ...check, last_runtime: '2026-01-01T00:00:00Z' }])} />)
    await screen.waitFor(() => {
      expect(text()).toContain('fresh')
    })
  })

  it('says why a definition is broken', async () => {
    server.on('GET /api/db/check_statuses?', () =>
      json([status(59, false, { invalid: true, error: 'unknown field "urll"' })]),
    )
    await open()
    expect(callouts()).toEqual(['The definition of this check is brokenunknown field "urll"'])
  })

  it('removes checkId, resets the range and goes back to the row when closed', async () => {
    await open()
    await screen.click(button('Close'))
    expect(screen.search()).toBe('')
    expect(panel()).toBeNull()
    expect(document.activeElement?.getAttribute('data-line')).toBe(ID)
  })

  it('runs the check once for a double click, shows the outcome and reads the results again', async () => {
    let answer: (response: Response) => void = () => undefined
    server.on(
      RUN,
      () =>
        new Promise((resolve) => {
          answer = resolve
        }),
    )
    await open()
    await screen.click(button('Run Now'), 2)
    expect(server.requests.filter((line) => line === RUN)).toHaveLength(1)
    expect(text()).toContain('Running…')
    answer(json({ pass: false, duration: 1200, error: 'status 503' }))
    await screen.waitFor(() => {
      expect(callouts()).toEqual(['Failed in 1.2s: status 503'])
    })
    expect(server.requests.filter((line) => line.includes('check_statuses')).length).toBeGreaterThan(1)
  })

  it.each([
    ['an empty answer', undefined, 200, 'The run ended without a result.'],
    ['a pass', { pass: true, duration: 3, message: 'ok' }, 200, 'Passed in 3ms: ok'],
    ['a broken definition', { pass: false, invalid: true, error: 'no url' }, 200, 'The definition is broken: no url'],
    [
      'a refusal',
      { error: { code: 'X', message: 'The runner is busy' } },
      500,
      'The check could not be run: The runner is busy',
    ],
  ])('shows %s of a run', async (_name, body, code, shown) => {
    server.on(RUN, () => json(body, code))
    await open()
    await screen.click(button('Run Now'))
    await screen.waitFor(() => {
      expect(callouts()).toEqual([shown])
    })
  })

  it.each([
    ['viewer', false],
    ['responder', true],
    ['commander', true],
    ['editor', true],
  ] as const)('offers Run Now to a %s: %s', async (role, isOffered) => {
    await open({ roles: [role] })
    expect(button('Run Now') !== null).toBe(isOffered)
  })

  it('says that there is no such check, without asking the database about a malformed id', async () => {
    server.on('GET /api/db/checks?', () => json([]))
    await open({ rows: [check], id: '018f0000-0000-7000-8000-00000000ffff' })
    expect(text()).toContain('No such check')
    await screen.close()
    server.requests.length = 0
    await open({ id: 'nonsense' })
    expect(text()).toContain('No such check')
    expect(server.requests).toEqual([])
  })

  it('says when a check was deleted', async () => {
    server.on('GET /api/db/checks?', () => json([{ id: ID, name: 'Payments', deleted_at: '2025-12-31T10:00:00Z' }]))
    await open({ rows: [] })
    expect(text()).toMatch(/Payments.*This check was deleted on .*2025/)
  })

  it('waits for the board before it says anything', async () => {
    await open({ rows: [], state: 'loading' })
    expect(panel()?.querySelector('[aria-busy]')).not.toBeNull()
    expect(text()).not.toContain('No such check')
  })

  it('shows failed results in place and loads them again on demand', async () => {
    server.on('GET /api/db/check_statuses?', () => json({ error: { code: 'X', message: 'too many rows' } }, 500))
    await open()
    expect(text()).toContain('too many rows')
    server.on('GET /api/db/check_statuses?', () => json([]))
    await screen.click(button('Try again'))
    await screen.waitFor(() => {
      expect(text()).toContain('No results yet')
    })
  })
})
