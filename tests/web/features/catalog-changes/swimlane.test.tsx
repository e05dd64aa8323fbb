import type { Role } from '@watchroom/shared/access'
import type { FeatureArea } from '@watchroom/shared/settings'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type Page, pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import { ChangesScreen } from '../../../../web/src/features/catalog-changes/screens/ChangesScreen.tsx'
import { FOLDED } from '../../../../web/src/ui/breakpoints.ts'

const ID = (n: number): string => `018f0000-0000-7000-8000-00000000000${n}`
vi.mock('../../../../web/src/live/useTopic.ts', () => ({ useTopic: () => VIEW }))
const VIEW = buildTopicView([])

const RANGE = 'rangeType=absolute&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z'
const changeAt = (n: number, type: string, at: string) => ({
  id: ID(n),
  config_id: ID(n),
  name: `item ${n}`,
  type,
  change_type: 'diff',
  summary: `change ${n}`,
  created_at: at,
})

let screen: RenderedScreen
let server: FakeServer
let page: Page
beforeEach(() => {
  page = pageOf()
  server = createFakeServer()
  server.on('POST /api/catalog/changes', () =>
    json({
      total: 500,
      changes: [
        changeAt(1, 'Host::Disk', '2026-01-01T06:00:00Z'),
        changeAt(2, 'Host::Disk', '2026-01-01T06:10:00Z'),
        changeAt(3, 'Host::Port', '2026-01-01T18:00:00Z'),
      ],
    }),
  )
  server.on('GET /api/db/incidents', () =>
    json([{ id: ID(8), title: 'Disk full', created_at: '2026-01-01T07:00:00Z' }]),
  )
  server.on('GET /api/db/checks', () =>
    json([{ id: ID(9), name: 'disk', status: 'unhealthy', last_transition_time: '2026-01-01T06:30:00Z' }]),
  )
  for (const view of ['people', 'change_types', 'config_types', 'config_tags', 'config_changes']) {
    server.on(`GET /api/db/${view}`, () => json([]))
  }
})
afterEach(async () => {
  await screen.close()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function open(roles: readonly Role[] = ['admin'], disabledAreas: readonly FeatureArea[] = []): Promise<void> {
  screen = await renderScreen(<ChangesScreen renderActions={() => null} />, {
    address: `/catalog/changes?view=lanes&${RANGE}`,
    roles,
    disabled: disabledAreas,
  })
  await screen.waitFor(() => expect(page.text()).not.toContain('Loading changes'))
}
const marks = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-mark]')]
const names = (): (string | undefined)[] =>
  marks().map((mark) => mark.getAttribute('aria-label')?.replace(/, [A-Z][a-z]{2} .*/, ''))

describe('the swimlane of changes', () => {
  it('has a lane for each type, beside incidents and checks, above the table of the same changes', async () => {
    await open()
    await screen.waitFor(() =>
      expect(names()).toEqual([
        'Incidents: Disk full opened',
        'Health of checks: disk became unhealthy',
        'Host Disk: 2 at a time',
        'Host Port: item 3: change 3',
      ]),
    )
    expect(page.text()).toContain('3 of 500 changes')
    expect(page.rows()).toHaveLength(3)
  })

  it('has a lane for each item instead', async () => {
    await open()
    await screen.click(page.get('radio', 'By item'))
    expect(names()).toContain('item 2: item 2: change 2')
    expect(screen.search()).toContain('lanes=item')
  })

  it('names as many round times as there is room for', async () => {
    const named = (): (string | null)[] =>
      [...document.querySelectorAll('[data-axis] > span')].map(({ textContent }) => textContent)
    await open()
    const wide = named().length
    expect(wide).toBeGreaterThan(4)
    await screen.close()
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query === FOLDED,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }))
    await open()
    expect(named().length).toBeGreaterThan(1)
    expect(named().length).toBeLessThan(5)
  })

  it('opens a change, and zooms to several at a time', async () => {
    await open()
    await screen.click(marks().find((mark) => mark.getAttribute('aria-label')?.includes('change 3')) ?? null)
    expect(new URLSearchParams(screen.search()).get('change')).toBe(ID(3))
    await screen.back()
    await screen.click(marks().find((mark) => mark.getAttribute('aria-label')?.includes('2 at a time')) ?? null)
    const search = new URLSearchParams(screen.search())
    expect([search.get('from'), search.get('to')]).toEqual(['2026-01-01T05:59:00.000Z', '2026-01-01T06:11:00.000Z'])
  })

  it('leads to the incident', async () => {
    await open()
    await screen.waitFor(() => expect(names()[0]).toContain('Disk full'))
    await screen.click(marks()[0] ?? null)
    expect(screen.path()).toBe(`/incidents/${ID(8)}`)
  })

  it('is walked and zoomed by keys, with one stop for Tab', async () => {
    await open()
    await screen.waitFor(() => expect(marks()).toHaveLength(4))
    expect(marks().filter(({ tabIndex }) => tabIndex === 0)).toEqual([marks()[0]])
    await screen.press('ArrowDown', marks()[0] ?? null)
    for (let step = 0; step < 2; step += 1) await screen.press('ArrowDown', document.activeElement)
    expect(document.activeElement?.getAttribute('aria-label')).toContain('change 3')
    expect(marks().filter(({ tabIndex }) => tabIndex === 0)).toEqual([document.activeElement])
    await screen.press('+', document.activeElement)
    const search = new URLSearchParams(screen.search())
    expect([search.get('from'), search.get('to')]).toEqual(['2026-01-01T09:00:00.000Z', '2026-01-01T21:00:00.000Z'])
  })

  it.each([
    ['the person may not read', [], []],
    ['is switched off', ['admin'], ['incidents', 'health']],
  ] as const)('asks for no mark that %s', async (_case, roles, disabledAreas) => {
    await open(roles, disabledAreas)
    expect(server.requests.some((line) => line.includes('/api/db/incidents') || line.includes('/api/db/checks'))).toBe(
      false,
    )
  })
})
