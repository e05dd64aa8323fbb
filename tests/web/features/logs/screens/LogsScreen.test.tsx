import type { LogLine, LogPiece } from '@watchroom/shared/logs'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import type { EvidenceDraft } from '../../../../../web/src/api/incidentCreation.ts'
import { LogsScreen } from '../../../../../web/src/features/logs/screens/LogsScreen.tsx'
import { listCommands } from '../../../../../web/src/ui/commands.ts'

const API = '018f0000-0000-7000-8000-0000000000c1'
const WEB = '018f0000-0000-7000-8000-0000000000c2'
/** Of a line, in the window of these tests. */
const ROW_PX = 62

let pieces: LogPiece[] = []
let tailed: unknown = null
vi.mock('../../../../../web/src/live/useTopic.ts', () => ({
  useTopic: (_topic: unknown, params: unknown) => {
    tailed = params
    return buildTopicView(pieces)
  },
}))
const toasts: string[] = []
vi.mock('../../../../../web/src/ui/toaster.ts', () => ({
  showToast: (text: string) => toasts.push(text),
  showErrorToast: (text: string) => toasts.push(`error: ${text}`),
}))
const files: { name: string; text: Promise<string> }[] = []
vi.mock('../../../../../web/src/ui/saveFile.ts', () => ({
  saveFile: (name: string, file: Blob) => files.push({ name, text: file.text() }),
}))

const line = (second: number, message = `line ${second}`): LogLine => ({
  id: `l${second}`,
  timestamp: new Date(Date.UTC(2025, 11, 31, 23, 58) + second * 1_000).toISOString(),
  message,
  labels: { pod: `api-${second % 2}` },
})
const range = (from: number, to: number): LogLine[] =>
  Array.from({ length: to - from + 1 }, (_, index) => line(from + index))

let screen: RenderedScreen
let server: FakeServer
let asked: Record<string, unknown>[]
let attached: [EvidenceDraft, string | undefined] | null
const answerLogs = (answer: (ask: Record<string, unknown>) => Response): void =>
  server.on('POST /api/logs', (_url, init) => {
    const ask = JSON.parse(init.body as string) as Record<string, unknown>
    asked.push(ask)
    return answer(ask)
  })

beforeEach(() => {
  Object.defineProperty(HTMLLIElement.prototype, 'offsetHeight', { configurable: true, get: () => ROW_PX })
  pieces = []
  tailed = null
  asked = []
  attached = null
  toasts.length = 0
  files.length = 0
  server = createFakeServer()
  server.on('GET /api/db/components_with_logs', () =>
    json([
      { id: API, name: 'api' },
      { id: WEB, name: 'web' },
    ]),
  )
  server.on('GET /api/db/components?', () => json([{ log_selectors: [{ name: 'access' }, { name: 'errors' }] }]))
  answerLogs(() => json({ results: range(1, 5).toReversed(), total: 5 }))
})
afterEach(async () => {
  await screen.close()
  document.body.replaceChildren()
  Reflect.deleteProperty(HTMLLIElement.prototype, 'offsetHeight')
  vi.unstubAllGlobals()
})

const logs = () => (
  <LogsScreen
    renderAttach={(evidence, disabledReason) => {
      attached = [evidence, disabledReason]
      return null
    }}
  />
)
async function open(search = ''): Promise<void> {
  screen = await renderScreen(logs(), { address: `/logs${search}` })
}
async function openLines(search = `?topologyId=${API}`): Promise<void> {
  await open(search)
  await screen.waitFor(() => expect(lines().length).toBeGreaterThan(0))
}
const said = (): string => document.body.textContent
const lines = (): string[] =>
  [...document.querySelectorAll('[aria-label$=": lines"] li > span:last-child')].map(({ textContent }) =>
    textContent.trimEnd(),
  )
const field = (label: string): HTMLSelectElement | null => {
  const id = [...document.querySelectorAll('label')].find(({ textContent }) => textContent === label)?.htmlFor
  const element = document.getElementById(id ?? '')
  return element instanceof HTMLSelectElement ? element : null
}
const options = (label: string): string[] => [...(field(label)?.options ?? [])].map(({ text }) => text)
async function choose(label: string, value: string): Promise<void> {
  const select = field(label)
  if (select === null) throw new Error(`there is no ${label}`)
  await act(async () => {
    select.value = value
    select.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await screen.advance(0)
}
const button = (name: string): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>('button, a')].find(
    (element) => element.textContent === name || element.getAttribute('aria-label') === name,
  ) ?? null
const search = (): Element | null => document.querySelector('input[type="search"]')
/** New lines of the tail; the feed takes each piece once. */
async function tell(...more: LogPiece[]): Promise<void> {
  pieces = [...pieces, ...more]
  await screen.rerender(logs())
  // Lines of the tail are drawn ten times a second.
  await screen.advance(100)
}

describe('the page of logs', () => {
  it('asks to select a component, offers none and those with logs by name, and leads to the one that says most', async () => {
    answerLogs(({ id }) => json(id === WEB ? { total: 1_234, results: [line(1)] } : {}))
    await open()
    await screen.waitFor(() => expect(said()).toContain('1,234 lines in 5 minutes'))
    expect(said()).toContain('Please select a component to view the logs')
    expect(options('Component')).toEqual(['None', 'api', 'web'])
    expect(server.requests[0]).toContain('order=name.asc')
    expect(button('web · 1,234 lines in 5 minutes')?.getAttribute('href')).toContain(`topologyId=${WEB}`)
  })

  it('shows the lines of the first selector in the first range of the list', async () => {
    await openLines()
    expect(options('Selector')).toEqual(['access', 'errors'])
    expect(field('Selector')?.value).toBe('access')
    expect(lines()).toEqual(['line 1', 'line 2', 'line 3', 'line 4', 'line 5'])
    expect(asked).toEqual([
      { id: API, name: 'access', start: '2025-12-31T23:55:00.000Z' },
      // What came since, late lines with it.
      { id: API, name: 'access', start: line(0).timestamp },
    ])
    expect(said()).toContain('Last 5 minutes')
    expect(document.querySelector('li')?.textContent).toContain('pod: api-1')
    expect(document.querySelector('li time')?.textContent).toMatch(/:58:01[.,]000$/)
    expect(tailed).toEqual({ componentId: API, selector: 'access', query: '' })
  })

  it('shows what the address asks for', async () => {
    await openLines(`?topologyId=${API}&logsSelector=errors&query=LINE+pod%3Dapi&rangeType=relative&range=now-1h`)
    expect(asked[0]).toEqual({
      id: API,
      name: 'errors',
      query: 'LINE pod=api',
      start: '2025-12-31T23:00:00.000Z',
    })
    expect([...document.querySelectorAll('li mark')].map(({ textContent }) => textContent)).toContain('line')
  })

  it('says which log backends hold lines and are not asked', async () => {
    answerLogs(() => json({ results: range(1, 5).toReversed(), notAsked: ['Old cluster'] }))
    await openLines()
    expect(said()).toContain('Not searched: Old cluster.')
  })

  it('has no tail in a range that has an end', async () => {
    await openLines(`?topologyId=${API}&rangeType=absolute&from=2025-12-31T23:00:00.000Z&to=2025-12-31T23:59:00.000Z`)
    expect(asked[0]).toMatchObject({ start: '2025-12-31T23:00:00.000Z', end: '2025-12-31T23:59:00.000Z' })
    expect([tailed, button('Pause'), button('Follow')]).toEqual([null, null, null])
  })

  it('searches 500 ms after the last key', async () => {
    await openLines()
    await screen.type(search(), 'li')
    await screen.advance(499)
    await screen.type(search(), 'line 3')
    await screen.advance(499)
    expect(screen.search()).not.toContain('query')
    await screen.advance(1)
    expect(screen.search()).toContain('query=line+3')
    // Whatever a backend answers, only what was searched for is shown.
    await screen.waitFor(() => expect(lines()).toEqual(['line 3']))
    expect(asked.at(-2)).toMatchObject({ query: 'line 3' })
  })

  it('chooses component and selector in the address, and none again', async () => {
    await openLines()
    await choose('Selector', 'errors')
    expect(screen.search()).toContain('logsSelector=errors')
    await choose('Component', WEB)
    expect(screen.search()).toBe(`?topologyId=${WEB}`)
    await choose('Component', '')
    expect(screen.search()).toBe('')
    expect(said()).toContain('Please select a component to view the logs')
    expect(field('Selector')).toBeNull()
  })

  it('is taken to another component by the palette', async () => {
    await openLines()
    const command = listCommands().find(({ title }) => title === 'Show logs of a component')
    const choices = command?.steps?.[0]?.choices([]) ?? []
    expect(choices.map(({ title }) => title)).toEqual(['api', 'web'])
    await act(async () => command?.onRun(choices.slice(1)))
    await screen.advance(0)
    expect(screen.search()).toBe(`?topologyId=${WEB}`)
  })

  it('says that nothing matches, and offers to look for less or for longer', async () => {
    answerLogs(() => json({}))
    await open(`?topologyId=${API}&query=nothing`)
    await screen.waitFor(() => expect(said()).toContain('There are no logs matching the search query'))
    await screen.click(button('Last 24 hours'))
    expect(screen.search()).toContain('range=now-24h')
    await screen.waitFor(() => expect(button('Last 7 days')).not.toBeNull())
    await screen.click(button('Clear search'))
    expect(screen.search()).not.toContain('query')
  })

  it.each([
    ['now-6h', ['Last 24 hours']],
    // The first of them is the range in force, in the toolbar.
    ['now-30d', ['Last 30 days', 'Last 1 year']],
    ['now-5y', ['Last 5 years']],
  ])('offers nothing narrower than %s where nothing was found', async (chosen, there) => {
    answerLogs(() => json({}))
    await open(`?topologyId=${API}&rangeType=relative&range=${chosen}`)
    await screen.waitFor(() => expect(said()).toContain('There are no logs matching the search query'))
    const ranges = ['Last 24 hours', 'Last 7 days', 'Last 30 days', 'Last 1 year', 'Last 5 years']
    expect(ranges.filter((text) => button(text) !== null)).toEqual(there)
  })

  it.each([
    ['1h', 3_600_000],
    ['45m', 2_700_000],
    ['now-3h', 10_800_000],
    ['whenever', 300_000],
  ])('shows what a link asks for by start=%s, until another range is chosen', async (start, agoMs) => {
    await openLines(`?topologyId=${API}&start=${start}`)
    expect(asked[0]?.['start']).toBe(new Date(Date.UTC(2026, 0, 1) - agoMs).toISOString())
    // What is rendered later, also after some time, asks nothing anew.
    await screen.advance(2_000)
    const { length } = asked
    await screen.click(button('Mark line 2'))
    await screen.advance(2_000)
    expect(asked).toHaveLength(length)
    await screen.go(`/logs?topologyId=${API}&start=${start}&rangeType=relative&range=now-12h`)
    await screen.waitFor(() => expect(asked.map((ask) => ask['start'])).toContain('2025-12-31T12:00:04.000Z'))
  })

  it('claims no unknown component before the answer, nor without one', async () => {
    let answer: (response: Response) => void = () => undefined
    server.on('GET /api/db/components_with_logs', () => new Promise((resolve) => (answer = resolve)))
    await open(`?topologyId=${API}`)
    expect(said()).toContain('Loading…')
    expect(said()).not.toContain('Unknown component')
    answer(json(refusal('INTERNAL', 'the database is away'), 500))
    await screen.waitFor(() => expect(said()).toContain('Unable to load components!'))
    expect(said()).not.toContain('Unknown component')
  })

  it("says 'Unable to load components!', and tries again", async () => {
    server.on('GET /api/db/components_with_logs', () => json(refusal('INTERNAL', 'the database is away'), 500))
    await open()
    await screen.waitFor(() => expect(said()).toContain('Unable to load components!'))
    expect(said()).toContain('the database is away')
    server.on('GET /api/db/components_with_logs', () => json([]))
    await screen.click(button('Try again'))
    await screen.waitFor(() => expect(said()).toContain('No component has logs yet'))
  })

  it('tells why the logs could not be read, and tries again', async () => {
    answerLogs(() => json({ error: 'Log selector was not found', message: 'There are access, errors' }, 400))
    await open(`?topologyId=${API}&logsSelector=gone`)
    await screen.waitFor(() => expect(said()).toContain('Could not load the logs'))
    expect(said()).toContain('Log selector was not found')
    answerLogs(() => json({ results: [line(1)] }))
    await screen.click(button('Try again'))
    await screen.waitFor(() => expect(lines()).toEqual(['line 1']))
  })

  it.each([
    ['is gone', [], 'Component not found'],
    ['has no log selectors', [{ log_selectors: null }], 'This component has no logs'],
  ])('says of a component that %s what it is', async (_what, rows, text) => {
    server.on('GET /api/db/components?', () => json(rows))
    await open(`?topologyId=${API}`)
    await screen.waitFor(() => expect(said()).toContain(text))
    expect(asked).toEqual([])
  })

  it('reads what a server sends that knows neither ids nor ranges', async () => {
    answerLogs(() =>
      json({ results: [{ message: 'newer', timestamp: '2025-12-31T23:59:30Z' }, { message: 'no time' }] }),
    )
    await openLines()
    expect(lines()).toEqual(['no time', 'newer'])
  })

  it('reads older pages on demand, and says when there are none', async () => {
    answerLogs(({ page }) =>
      json(
        page === 'p2' ? { results: range(1, 2).toReversed() } : { results: range(3, 5).toReversed(), nextPage: 'p2' },
      ),
    )
    await openLines()
    await screen.click(button('Load older lines'))
    await screen.waitFor(() => expect(lines()).toHaveLength(5))
    expect(lines()[0]).toBe('line 1')
    expect(said()).toContain('No older lines in this range')
  })

  it('shows lines as they come; paused, it counts them; resumed, it has them', async () => {
    await openLines()
    await tell({ seq: 1, lines: [line(6)], dropped: 0 })
    expect(lines()).toContain('line 6')
    await screen.press('.', document.body)
    await tell({ seq: 2, lines: range(7, 9), dropped: 0 })
    expect(button('3 new lines')).not.toBeNull()
    expect(lines()).not.toContain('line 7')
    await screen.click(button('Resume'))
    expect(lines()).toContain('line 9')
    expect(button('3 new lines')).toBeNull()
    await screen.click(button('Pause'))
    await tell({ seq: 3, lines: [line(10)], dropped: 0 })
    await screen.click(button('1 new line'))
    expect(lines()).toContain('line 10')
    expect(button('Pause')).not.toBeNull()
  })

  it('says how many lines were skipped', async () => {
    await openLines()
    await tell({ seq: 1, lines: [line(6)], dropped: 1_200 })
    expect(said()).toContain('1,200 lines were skipped')
  })

  it('keeps marked lines in the address, and makes evidence of them that leads back', async () => {
    await openLines()
    await screen.click(button('Mark line 2'))
    expect(screen.search()).toContain('line=l2')
    await act(async () =>
      button('Mark line 4')?.dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true })),
    )
    await screen.advance(0)
    expect(screen.search()).toContain('line=l2&lineTo=l4')
    expect(said()).toContain('3 lines marked')
    expect(attached).toEqual([
      {
        type: 'log',
        component_id: API,
        description: 'api: access',
        evidence: {
          selector: 'access',
          lines: range(2, 4).map(({ id, timestamp, message, labels }) => ({ id, timestamp, message, labels })),
        },
      },
      undefined,
    ])
  })

  it('refuses evidence that is too long, and says so', async () => {
    answerLogs(() => json({ results: [line(1, 'x'.repeat(70_000))] }))
    await openLines(`?topologyId=${API}&line=l1`)
    expect(attached?.[1]).toBe('These lines are too long for one piece of evidence. Select fewer.')
  })

  it('shows a marked line among those around it, without the search, and goes back', async () => {
    answerLogs(({ around }) => json({ results: around === 'l3' ? range(1, 5).toReversed() : [line(3)] }))
    await openLines(`?topologyId=${API}&query=line+3`)
    await screen.click(button('Mark line 1'))
    await screen.press('v', document.body)
    await screen.waitFor(() => expect(lines()).toHaveLength(5))
    expect(asked.at(-1)).toEqual({ id: API, name: 'access', around: 'l3' })
    expect(document.querySelector('li[data-marked]')?.textContent).toContain('line 3')
    await screen.click(button('Back to the search'))
    await screen.waitFor(() => expect(lines()).toEqual(['line 3']))
    expect(screen.search()).toContain('query=line+3')
  })

  it('reads on behind the last line around one, and says when nothing newer is there yet', async () => {
    answerLogs(({ around }) => json({ results: (around === 'l3' ? range(2, 4) : range(3, 5)).toReversed() }))
    await openLines(`?topologyId=${API}&logsSelector=access&around=l3&line=l3`)
    await screen.waitFor(() => expect(lines()).toHaveLength(3))
    await screen.click(button('Load newer lines'))
    await screen.waitFor(() => expect(lines()).toEqual(['line 2', 'line 3', 'line 4', 'line 5']))
    expect(asked.at(-1)).toMatchObject({ around: 'l4' })
    await screen.click(button('Load newer lines'))
    await screen.waitFor(() => expect(said()).toContain('No newer lines yet'))
    expect(button('Look again')).not.toBeNull()
    expect(said()).not.toContain('new line')
  })

  it('goes from match to match among the lines around one, by button and by key', async () => {
    answerLogs(() => json({ results: [line(1, 'parcel one'), line(2), line(3, 'Parcel three'), line(4)].toReversed() }))
    await openLines(`?topologyId=${API}&logsSelector=access&query=parcel&around=l2&line=l2`)
    await screen.waitFor(() => expect(said()).toContain('2 lines'))
    const current = () => document.querySelector('li[aria-current]')?.textContent ?? ''
    await screen.click(button('Next match'))
    expect(current()).toContain('parcel one')
    expect(said()).toContain('1 of 2')
    await screen.press('n', document.querySelector('[role="group"][aria-label$=": lines"]'))
    expect(current()).toContain('Parcel three')
    await screen.click(button('Previous match'))
    expect(said()).toContain('1 of 2')
  })

  it('copies an address that leads to the marked lines wherever they are by then', async () => {
    const copied: string[] = []
    vi.stubGlobal('navigator', {
      onLine: true,
      clipboard: { writeText: async (text: string) => copied.push(text) },
    })
    await openLines()
    await screen.click(button('Mark line 2'))
    await screen.click(button('Copy link'))
    expect(copied[0]).toMatch(new RegExp(`/logs\\?around=l2&line=l2&logsSelector=access&topologyId=${API}$`))
  })

  it('exports everything that was found, page by page, and says how much that is', async () => {
    answerLogs(({ page }) =>
      json(page === 'p2' ? { results: [line(1)] } : { results: range(2, 3).toReversed(), nextPage: 'p2' }),
    )
    await openLines()
    await screen.click(button('Download'))
    await screen.waitFor(() => expect(toasts).toEqual(['Downloaded logs: 3 lines']))
    expect(files[0]?.name).toBe('api-access.log')
    expect(await files[0]?.text).toBe(
      range(1, 3)
        .map(({ timestamp, labels, message }) => `${timestamp} pod=${labels['pod']} ${message}\n`)
        .join(''),
    )
  })

  it('cuts an export of more than 20,000 lines, and says so', async () => {
    let page = 0
    answerLogs(({ limit }) => {
      if (limit !== 1_000) return json({ results: [line(1)] })
      page += 1
      return json({ results: range(page * 1_000, page * 1_000 + 999).toReversed(), nextPage: 'more' })
    })
    await openLines()
    await screen.click(button('Download'))
    await screen.waitFor(() => expect(toasts).toEqual(['Downloaded logs: the newest 20,000 lines, without older ones']))
  })

  it('exports of the lines around one those that are shown, and reads no further', async () => {
    answerLogs(({ page }) =>
      json(
        page === 'p2' ? { results: [line(1)], nextPage: 'p3' } : { results: range(2, 4).toReversed(), nextPage: 'p2' },
      ),
    )
    await openLines(`?topologyId=${API}&logsSelector=access&around=l3&line=l3`)
    await screen.waitFor(() => expect(lines()).toHaveLength(3))
    const before = asked.length
    await screen.click(button('Download'))
    await screen.waitFor(() => expect(toasts).toEqual(['Downloaded logs: the 3 lines shown around the chosen one']))
    expect(await files[0]?.text).toContain('line 4\n')
    expect(asked).toHaveLength(before)
  })

  it('keeps the widths of its columns 500 ms after they were changed', async () => {
    await openLines()
    const edge = document.querySelector('[role="separator"][aria-label="Width of labels"]')
    await screen.press('ArrowRight', edge)
    expect(edge?.getAttribute('aria-valuenow')).toBe('236')
    await screen.advance(499)
    expect(localStorage.getItem('logsTableColumnSizes')).toBeNull()
    await screen.advance(1)
    expect(JSON.parse(localStorage.getItem('logsTableColumnSizes') ?? '')).toEqual({
      v: 1,
      value: { time: 120, labels: 236 },
    })
  })

  it('has in the document what is near the window alone: rows of 62 pixels, 10 beyond it', async () => {
    answerLogs(() => json({ results: range(1, 500).toReversed() }))
    await openLines()
    const rows = document.querySelectorAll('[aria-label$=": lines"] li')
    expect(rows.length).toBeLessThanOrEqual(Math.ceil(600 / 62) + 1 + 2 * 10)
    expect(rows[0]?.getAttribute('aria-setsize')).toBe('500')
  })

  it('places lines that come by the height of those before, so that each drawing lays them out once', async () => {
    await openLines()
    const height = (): string | undefined =>
      document.querySelector<HTMLElement>('[aria-label$=": lines"] > div')?.style.height
    expect(height()).toBe(`${5 * ROW_PX}px`)
    await tell({ seq: 1, lines: range(6, 1_005), dropped: 0 })
    expect(height()).toBe(`${1_005 * ROW_PX}px`)
  })
})
