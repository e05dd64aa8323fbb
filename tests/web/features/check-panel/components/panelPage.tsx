// The panel as a page opens it: by the address, with a row that may change.
import { useLocation } from '@tanstack/react-router'
import type { Role } from '@watchroom/shared/access'
import type { CheckSummary } from '@watchroom/shared/health'
import type { FeatureArea } from '@watchroom/shared/settings'
import type { ReactNode } from 'react'
import { expect } from 'vitest'
import { z } from 'zod'

import { buildCheck } from '#support/buildCheck.ts'
import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { CheckPanel } from '../../../../../web/src/features/check-panel/components/CheckPanel.tsx'
import { useSearchState } from '../../../../../web/src/url/useSearchState.ts'

export const CHECK_ID = '018f0000-0000-7000-8000-000000000001'
const CANARY_ID = '018f0000-0000-7000-8000-0000000000ca'
export const RUN = `POST /api/canary/run/check/${CHECK_ID}`

/** The clock of the tests starts at 2026-01-01T00:00:00Z. */
export const panelCheck = (overrides: Partial<CheckSummary> = {}): CheckSummary =>
  buildCheck({
    id: CHECK_ID,
    canary_id: CANARY_ID,
    name: 'Payments',
    canary_name: 'shop',
    namespace: 'prod',
    endpoint: 'https://pay.example/health',
    status: 'unhealthy',
    severity: 'critical',
    last_error: 'expected status 200, got 503',
    last_runtime: '2025-12-31T23:59:00Z',
    last_transition_time: '2025-12-31T22:00:00Z',
    next_runtime: '2026-01-01T00:05:00Z',
    labels: Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`key${at}`, at === 0 ? 'true' : `v${at}`])),
    ...overrides,
  })

export const detailRow = (overrides: object = {}) => ({
  id: CHECK_ID,
  canary_id: CANARY_ID,
  name: 'Payments',
  namespace: 'prod',
  type: 'http',
  status: 'unhealthy',
  spec: { name: 'Payments', url: 'https://pay.example/health' },
  labels: { team: 'pay' },
  last_runtime: '2025-12-31T23:59:00Z',
  agents: { id: 'a', name: 'edge-1' },
  canaries: { id: CANARY_ID, name: 'shop', source: 'UI' },
  components: [],
  configs: [],
  ...overrides,
})

export const result = (minute: number, passed: boolean, overrides: object = {}) => ({
  check_id: CHECK_ID,
  time: `2025-12-31T23:${String(minute).padStart(2, '0')}:00`,
  status: passed,
  duration: 100 + minute,
  message: passed ? 'fine' : '',
  error: passed ? '' : 'connection refused',
  ...overrides,
})

/** A page of results as PostgREST answers it, with the number of all that match. */
export const resultPage = (rows: readonly object[], total = rows.length, offset = 0): Response =>
  new Response(JSON.stringify(rows), {
    headers: { 'content-range': rows.length === 0 ? `*/${total}` : `${offset}-${offset + rows.length - 1}/${total}` },
  })

export const graphAnswer = (overrides: object = {}) => ({
  runnerName: 'local',
  status: [
    { time: '2025-12-31T23:58:00Z', status: true, duration: 158, passed: 1 },
    { time: '2025-12-31T23:59:00Z', duration: 159, failed: 1 },
  ],
  latency: { p95: 120, p97: 180, p99: 2400, rolling1h: 0 },
  uptime: { passed: 9, failed: 1 },
  ...overrides,
})

export function createPanelServer(): FakeServer {
  const server = createFakeServer()
  server.on('GET /api/db/checks?', () => json([detailRow()]))
  server.on('GET /api/db/canaries?', () =>
    json([
      {
        id: CANARY_ID,
        name: 'shop',
        namespace: 'prod',
        source: 'UI',
        spec: { interval: 30, http: [{ name: 'Payments', url: 'https://pay.example/health' }, { name: 'Other' }] },
      },
    ]),
  )
  server.on('GET /api/canary/api/graph', () => json(graphAnswer()))
  server.on('GET /api/db/check_statuses?', () => resultPage([result(59, false), result(58, true)]))
  return server
}

const AddressSchema: z.ZodType<{ checkId?: string | undefined }> = z.object({ checkId: z.string().optional() })

interface PanelPageProps {
  check: CheckSummary | undefined
  isBoardLoading?: boolean
  isOld?: boolean
  actions?: (check: CheckSummary) => ReactNode
}

const noActions = (): ReactNode => null

/** What the board does for its panel, and nothing else of the board. */
export function PanelPage({ check, isBoardLoading = false, isOld = false, actions = noActions }: PanelPageProps) {
  const [{ checkId }, setSearch] = useSearchState(AddressSchema)
  const pathname = useLocation({ select: (location) => location.pathname })
  return checkId === undefined ? (
    <span data-place={pathname} />
  ) : (
    <CheckPanel
      checkId={checkId}
      check={check}
      isBoardLoading={isBoardLoading}
      isOld={isOld}
      onClose={() => setSearch({ checkId: undefined })}
      renderActions={actions}
    />
  )
}

export interface OpenOptions extends Partial<PanelPageProps> {
  search?: string
  id?: string
  roles?: readonly Role[]
  disabled?: readonly FeatureArea[]
  /** Not to wait for answers that the test holds back. */
  isLoaded?: boolean
}

/** Opens the panel and waits until everything asked for has been answered. */
export async function openPanel(options: OpenOptions = {}): Promise<RenderedScreen> {
  const { search = '', id = CHECK_ID, roles = ['admin'], disabled = [], isLoaded = true, ...page } = options
  const check = 'check' in page ? page.check : panelCheck()
  const screen = await renderScreen(<PanelPage {...page} check={check} />, {
    address: `/health?checkId=${id}${search}`,
    roles,
    disabled,
  })
  if (isLoaded) await settle(screen)
  else await screen.waitFor(() => expect(panel()).not.toBeNull())
  return screen
}

/** Waits for chunks and answers. */
export async function settle(screen: RenderedScreen): Promise<void> {
  await screen.waitFor(() => {
    if (panel() === null) throw new Error('no panel yet')
    if (document.querySelector('[role="tabpanel"] output[aria-busy]') !== null) throw new Error('a tab is loading')
    if (screen.queryClient.isFetching() > 0) throw new Error('still loading')
  })
}

/** Where the page is once the panel has been left. */
export const place = (): string | undefined => document.querySelector<HTMLElement>('[data-place]')?.dataset['place']
/** The first dialog: others open over it. */
export const panel = (): HTMLElement | null => document.querySelector('[role="dialog"]')
export const text = (): string => panel()?.textContent ?? ''
export const button = (name: string): HTMLElement | null =>
  // Toasts have a button to close too.
  [...(panel()?.querySelectorAll<HTMLElement>('button, a') ?? [])].find(
    (found) => found.textContent === name || found.getAttribute('aria-label') === name,
  ) ?? null
export const field = (label: string): HTMLElement | null => {
  const found = [...document.querySelectorAll('label')].find(({ textContent }) => textContent?.trim() === label)
  return found ? document.getElementById(found.htmlFor) : null
}
export const tab = (name: string): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>('[role="tab"]')].find((found) => found.textContent?.startsWith(name)) ??
  null
export const metric = (name: string): string | null | undefined =>
  [...document.querySelectorAll('[aria-label="Metrics"] > div')]
    .find((found) => found.querySelector('dt')?.textContent === name)
    ?.querySelector('dd')?.textContent
/** The results as they stand in their table, one text a row. */
export const rows = (): string[] => {
  const table = pageOf().find('table', 'Results')
  return table === null
    ? []
    : pageOf(table)
        .rows()
        .map((cells) => cells.join(''))
}
/** Requests so far that contain all of these words. */
export const asked = (server: FakeServer, ...words: string[]): string[] =>
  server.requests.filter((line) => words.every((word) => line.includes(word)))
