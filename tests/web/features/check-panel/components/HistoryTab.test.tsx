import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import type { RenderedScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'

import {
  asked,
  button,
  createPanelServer,
  field,
  openPanel,
  panelCheck,
  PanelPage,
  result,
  resultPage,
  rows,
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
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Questions for pages of the history, newest last. */
const questions = () => asked(server, 'check_statuses', 'offset=')
const latest = () => new URLSearchParams(questions().at(-1)?.split('?')[1])
const choose = async (label: string, value: string) => {
  await setField(field(label), value)
  await settle(screen)
}
const typeDuration = async (value: string) => {
  await screen.type(field('At least'), value)
  await screen.press('Enter', field('At least'))
  field('At least')?.closest('form')?.requestSubmit()
  await screen.advance(0)
  await settle(screen)
}
const table = () => pageOf().get('table', 'Results')
/** The board tells of a run at this minute. */
const runAt = (minute: number) =>
  screen.rerender(<PanelPage check={panelCheck({ last_runtime: `2026-01-01T00:0${minute}:00Z` })} />)

describe('HistoryTab', () => {
  it('lists age, outcome, duration, message and error, newest first', async () => {
    screen = await openPanel()
    expect(pageOf(table()).headers()).toEqual(['Age', 'Status', 'Duration', 'Message'])
    expect(rows()).toEqual(['1m agoFailed159msconnection refused', '2m agoPassed158msfine'])
  })

  it('reads times without a zone as UTC', async () => {
    server.on('GET /api/db/check_statuses?', () =>
      resultPage([result(0, true, { time: '2025-12-31T20:59:00.123456' })]),
    )
    screen = await openPanel()
    expect(rows()[0]).toContain('3h ago')
    expect(table().querySelector('time')?.getAttribute('datetime')).toBe('2025-12-31T20:59:00.123Z')
  })

  it('asks for the first 50 of the time range, newest first', async () => {
    screen = await openPanel({ search: '&timeRange=3h' })
    const ask = latest()
    expect(ask.get('time')).toBe('gt.2025-12-31T21:00:00.000Z')
    expect([ask.get('order'), ask.get('limit'), ask.get('offset')]).toEqual(['time.desc', '50', '0'])
    expect([ask.get('status'), ask.get('duration')]).toEqual([null, null])
  })

  it('asks for both ends of a range that does not end now', async () => {
    screen = await openPanel({ search: '&rangeType=absolute&from=2025-12-31T20:00:00Z&to=2025-12-31T21:00:00Z' })
    expect(latest().getAll('time')).toEqual(['gt.2025-12-31T20:00:00.000Z', 'lte.2025-12-31T21:00:00.000Z'])
  })

  it.each([
    ['healthy', 'eq.1'],
    ['unhealthy', 'eq.0'],
  ])('filters by %s, which is %s on the wire', async (status, wire) => {
    screen = await openPanel({ search: '&pageIndex=2' })
    await choose('Status', status)
    expect(latest().get('status')).toBe(wire)
    expect(latest().get('offset')).toBe('0')
    expect(screen.search()).toContain(`status=${status}`)
    await choose('Status', 'all')
    expect(latest().get('status')).toBeNull()
    expect(screen.search()).not.toContain('status')
  })

  it('filters by a duration of the list', async () => {
    screen = await openPanel()
    const options = [...(field('Duration')?.querySelectorAll('option') ?? [])].map(({ textContent }) => textContent)
    expect(options).toEqual(['All', '100ms', '500ms', '1s', '5s', '10s', '30s', 'Custom…'])
    await choose('Duration', '5s')
    expect(latest().get('duration')).toBe('gte.5000')
    expect(screen.search()).toContain('minDuration=5s')
  })

  it('filters by a typed duration, seconds times 1000', async () => {
    screen = await openPanel()
    await choose('Duration', 'custom')
    await typeDuration('1.5s')
    expect(latest().get('duration')).toBe('gte.1500')
  })

  it('refuses any other unit with the words of the specification and keeps what was typed', async () => {
    screen = await openPanel()
    await choose('Duration', 'custom')
    const before = questions().length
    await typeDuration('2 minutes')
    expect(text()).toContain('duration is allowed only in milli seconds & seconds')
    expect((field('At least') as HTMLInputElement).value).toBe('2 minutes')
    expect(field('At least')?.getAttribute('aria-invalid')).toBe('true')
    expect(questions()).toHaveLength(before)
    await typeDuration('')
    expect(text()).not.toContain('duration is allowed only')
  })

  it('has after Back the duration in the field that is in force, and leaving the field changes nothing', async () => {
    screen = await openPanel()
    await choose('Duration', 'custom')
    await typeDuration('250ms')
    await typeDuration('1.5s')
    expect(latest().get('duration')).toBe('gte.1500')
    await screen.back()
    await settle(screen)
    const typed = () => pageOf().get('textbox', 'At least')
    expect(typed()).toMatchObject({ value: '250ms' })
    await act(async () => {
      typed().focus()
      typed().blur()
    })
    await settle(screen)
    expect(screen.search()).toContain('minDuration=250ms')
    await screen.back()
    await settle(screen)
    expect(screen.search()).not.toContain('minDuration')
    expect(typed()).toMatchObject({ value: '' })
  })

  it('opens with the duration of a link in the field', async () => {
    screen = await openPanel({ search: '&minDuration=750ms' })
    expect((field('At least') as HTMLInputElement).value).toBe('750ms')
    expect(latest().get('duration')).toBe('gte.750')
  })

  it('says that nothing passes the filters, and clears them', async () => {
    server.on('GET /api/db/check_statuses?', () => resultPage([]))
    screen = await openPanel({ search: '&status=healthy&minDuration=1.5s' })
    expect(text()).toContain('No data available')
    expect(text()).toContain('No result in this time range matches the filters.')
    server.on('GET /api/db/check_statuses?', () => resultPage([result(59, true)]))
    await screen.click(button('Clear filters'))
    await settle(screen)
    expect(rows()).toHaveLength(1)
    expect(screen.search()).not.toMatch(/status|minDuration/)
    expect((field('Duration') as HTMLSelectElement).value).toBe('')
    expect(field('At least')).toBeNull()
  })

  it('pages by 50, 100 or 200 over the exact number of results', async () => {
    server.on('GET /api/db/check_statuses?', () => resultPage([result(59, true)], 1_234))
    screen = await openPanel()
    expect(text()).toContain('1,234 results')
    expect(text()).toContain('Page 1 of 25')
    const sizes = [...(field('Rows per page')?.querySelectorAll('option') ?? [])].map(({ value }) => value)
    expect(sizes).toEqual(['50', '100', '200'])
    await screen.click(button('Next'))
    await settle(screen)
    expect(latest().get('offset')).toBe('50')
    await choose('Rows per page', '200')
    expect([latest().get('limit'), latest().get('offset')]).toEqual(['200', '0'])
    expect(text()).toContain('Page 1 of 7')
  })

  it('counts later pages from what the reader saw first, so that new results shift nothing', async () => {
    server.on('GET /api/db/check_statuses?', () => resultPage([result(59, true), result(58, true)], 120))
    screen = await openPanel()
    await screen.click(button('Next'))
    await settle(screen)
    expect(latest().getAll('time')).toEqual([expect.stringMatching(/^gt\./), 'lte.2025-12-31T23:59:00'])
    await runAt(1)
    await settle(screen)
    expect(latest().getAll('time')).toContain('lte.2025-12-31T23:59:00')
    await screen.click(button('Previous'))
    await settle(screen)
    expect(latest().getAll('time')).toHaveLength(1)
  })

  it('goes to the first page when a link names one that is not there', async () => {
    server.on('GET /api/db/check_statuses?', (url) =>
      url.searchParams.get('offset') === '0'
        ? resultPage([result(59, true)])
        : json({ code: 'PGRST103', message: 'Requested range not satisfiable' }, 416),
    )
    screen = await openPanel({ search: '&pageIndex=400' })
    await screen.waitFor(() => expect(rows()).toHaveLength(1))
    expect(screen.search()).not.toContain('pageIndex')
  })

  it('shows a new result by itself', async () => {
    screen = await openPanel()
    server.on('GET /api/db/check_statuses?', () =>
      resultPage([result(0, true, { time: '2026-01-01T00:01:00', message: 'fresh' }), result(59, false)]),
    )
    await runAt(1)
    await screen.waitFor(() => expect(rows()[0]).toContain('fresh'))
  })

  it('lets new results wait behind a count while someone reads, and shows them when asked', async () => {
    screen = await openPanel()
    table().dispatchEvent(new Event('pointermove', { bubbles: true }))
    await screen.advance(0)
    server.on('GET /api/db/check_statuses?', () =>
      resultPage([result(0, true, { time: '2026-01-01T00:01:00', message: 'fresh' }), result(59, false)]),
    )
    await runAt(1)
    await screen.waitFor(() => expect(button('1 new result')).not.toBeNull())
    expect(rows()[0]).toContain('connection refused')
    await screen.click(button('1 new result'))
    await screen.waitFor(() => expect(rows()[0]).toContain('fresh'))
  })

  it('does not ask again within ten seconds', async () => {
    // Held, so that a busy machine does not let the seconds pass by itself.
    const start = Date.now()
    vi.spyOn(Date, 'now').mockReturnValue(start)
    screen = await openPanel()
    const returnAfter = async (ms: number) => {
      await screen.click(tab('Relationships'))
      await settle(screen)
      vi.spyOn(Date, 'now').mockReturnValue(start + ms)
      await screen.click(tab('History'))
      await settle(screen)
    }
    const before = questions().length
    await returnAfter(9_000)
    expect(questions()).toHaveLength(before)
    await returnAfter(13_000)
    expect(questions()).toHaveLength(before + 1)
  })

  it('reads anew once a second at most, however often the check runs', async () => {
    screen = await openPanel({ search: '&timeRange=1h' })
    await runAt(1)
    await settle(screen)
    const before = questions().length
    for (const minute of [2, 3, 4]) await runAt(minute)
    expect(questions()).toHaveLength(before)
    await screen.advance(1_000)
    await settle(screen)
    expect(questions()).toHaveLength(before + 1)
  })

  it('shows the message of a failure in place and loads again on demand', async () => {
    server.on('GET /api/db/check_statuses?', () => json(refusal('X', 'too many rows'), 500))
    screen = await openPanel({ check: panelCheck({ status: 'healthy' }) })
    expect(text()).toContain('too many rows')
    server.on('GET /api/db/check_statuses?', () => resultPage([]))
    await screen.click(button('Try again'))
    await settle(screen)
    expect(text()).toContain('No data available')
  })

  it('keeps results that it has when a later question fails, and says that they may be old', async () => {
    screen = await openPanel()
    server.on('GET /api/db/check_statuses?', () => json(refusal('X', 'database away'), 500))
    await runAt(1)
    await screen.waitFor(() =>
      expect(text()).toContain('Could not load results again. What is shown may be old: database away'),
    )
    expect(rows()).toHaveLength(2)
  })
})
