import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { giveCanvas } from '#support/web/canvas.ts'
import { type FakeServer, json } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import type { RenderedScreen } from '#support/web/renderScreen.tsx'

import {
  asked,
  button,
  CHECK_ID,
  createPanelServer,
  graphAnswer,
  metric,
  openPanel,
  panelCheck,
  PanelPage,
  settle,
  text,
} from './panelPage.tsx'

let server: FakeServer
let screen: RenderedScreen
beforeEach(() => {
  server = createPanelServer()
})
afterEach(async () => {
  await screen.close()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const graphs = () => asked(server, '/api/canary/api/graph')
const picker = () => document.querySelector('button[aria-label^="Time Range: "]')?.textContent
const slider = () => document.querySelector<HTMLElement>('[role="slider"]')
const open = async (options: Parameters<typeof openPanel>[0] = {}) => {
  giveCanvas()
  screen = await openPanel(options)
  await screen.waitFor(() => expect(slider()).not.toBeNull())
}

describe('time range of the panel', () => {
  it.each([
    ['30 minutes', '2025-12-31T23:30:00Z', '1h'],
    ['an hour', '2025-12-31T23:00:00Z', '1h'],
    ['two hours', '2025-12-31T22:00:00Z', '3h'],
    ['seven hours', '2025-12-31T17:00:00Z', '12h'],
    ['30 hours', '2025-12-30T18:00:00Z', '2d'],
    ['ten days', '2025-12-22T00:00:00Z', '2w'],
    ['seven years', '2019-01-01T00:00:00Z', '1800d'],
  ])('reaches back to a last run %s ago', async (_, lastRuntime, start) => {
    screen = await openPanel({ check: panelCheck({ last_runtime: lastRuntime }) })
    expect(graphs().at(-1)).toContain(`&start=${start}`)
  })

  it('is an hour, the second preset, for a check that never ran', async () => {
    screen = await openPanel({ check: panelCheck({ last_runtime: null }) })
    expect(graphs()).toEqual([`GET /api/canary/api/graph?check=${CHECK_ID}&count=300&start=1h`])
    expect(metric('Last Run')).toBe('Never')
  })

  it('is what the address says, however long ago the last run was', async () => {
    screen = await openPanel({ check: panelCheck({ last_runtime: '2019-01-01T00:00:00Z' }), search: '&timeRange=6h' })
    expect(graphs().at(-1)).toContain('&start=6h')
    expect(picker()).toBe('Last 6 hours')
  })

  it('does not change under the reader when the check runs again', async () => {
    screen = await openPanel({ check: panelCheck({ last_runtime: '2025-12-30T18:00:00Z' }) })
    await screen.rerender(<PanelPage check={panelCheck({ last_runtime: '2026-01-01T00:00:00Z' })} />)
    await settle(screen)
    expect(new Set(graphs().map((line) => line.split('&start=')[1]))).toEqual(new Set(['2d']))
  })
})

describe('HealthOverview', () => {
  it('draws the latency of the range with its failures, and says so in words', async () => {
    await open()
    const described = slider()?.getAttribute('aria-describedby') ?? ''
    expect(document.getElementById(described)?.textContent).toMatch(/^2 points, 1 with failures, the last at /)
    await screen.press('ArrowLeft', slider())
    expect(slider()?.getAttribute('aria-valuetext')).toMatch(/: 159ms, 1 failed$/)
    await screen.press('ArrowLeft', slider())
    expect(slider()?.getAttribute('aria-valuetext')).toMatch(/: 158ms, 1 passed$/)
  })

  it('makes a stretch chosen by keys the time range, and figures and history follow', async () => {
    await open()
    await screen.press('Home', slider())
    slider()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', shiftKey: true, bubbles: true }))
    await screen.advance(0)
    server.on('GET /api/canary/api/graph', () => json(graphAnswer({ uptime: { passed: 1, failed: 1 } })))
    await screen.press('Enter', slider())
    await settle(screen)
    expect(screen.search()).toContain('rangeType=absolute')
    expect(new URLSearchParams(screen.search()).get('from')).toBe('2025-12-31T23:58:00.000Z')
    expect(metric('Uptime')).toBe('50.00%1 passed, 1 failed')
    expect(asked(server, 'check_statuses', 'offset=').at(-1)).toContain('time=lte.2025-12-31T23:59:00.000Z')
  })

  it('zooms out to twice the time, but not into the future', async () => {
    await open({ search: '&timeRange=1h' })
    await screen.click(button('Zoom out'))
    const search = new URLSearchParams(screen.search())
    expect([search.get('from'), search.get('to')]).toEqual(['2025-12-31T22:30:00.000Z', '2026-01-01T00:00:00.000Z'])
  })

  it('has the same figures as a table', async () => {
    await open()
    await screen.click(button('Table'))
    expect(button('Table')?.getAttribute('aria-pressed')).toBe('true')
    const points = pageOf(pageOf().get('table', 'Chart as a table')).rows()
    expect(points.map((cells) => cells.slice(1))).toEqual([
      ['Failed', '159ms', '0', '1'],
      ['Passed', '158ms', '1', '0'],
    ])
  })

  it('is the table where the browser cannot draw', async () => {
    screen = await openPanel()
    await screen.waitFor(() => expect(pageOf().find('table', 'Chart as a table')).not.toBeNull())
  })

  it('says that there is nothing in the range', async () => {
    server.on('GET /api/canary/api/graph', () =>
      json({ runnerName: 'local', status: null, latency: { rolling1h: 0 }, uptime: { passed: 0, failed: 0 } }),
    )
    screen = await openPanel()
    expect(pageOf().find('region', 'Health Overview')?.textContent).toContain('No data available')
    expect(metric('Uptime')).toBe('–0 passed, 0 failed')
    expect(metric('p99')).toBe('–')
  })

  it('keeps the curve when it cannot be read again, and says that it may be old', async () => {
    await open()
    server.on('GET /api/canary/api/graph', () => json({ error: 'database away' }, 500))
    await screen.rerender(<PanelPage check={panelCheck({ last_runtime: '2026-01-01T00:00:00Z' })} />)
    await screen.waitFor(() => expect(text()).toContain('May be old: database away'))
    expect(slider()).not.toBeNull()
    expect(metric('Uptime')).toBe('90.00%9 passed, 1 failed')
  })

  it('shows a new result without a reload', async () => {
    await open()
    server.on('GET /api/canary/api/graph', () => json(graphAnswer({ uptime: { passed: 10, failed: 1 } })))
    await screen.rerender(<PanelPage check={panelCheck({ last_runtime: '2026-01-01T00:00:00Z' })} />)
    await screen.waitFor(() => expect(metric('Uptime')).toBe('90.90%10 passed, 1 failed'))
    expect(text()).toContain('Health Overview')
  })
})
