import { type CheckSummary, tryParseGroupBy } from '@watchroom/shared/health'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { EVERYTHING } from '#support/wallFilter.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import { CONTROLS_MS } from '../../../../../web/src/features/wallboard/components/useActivity.ts'
import { type ShownBoard, WallStage } from '../../../../../web/src/features/wallboard/components/WallStage.tsx'
import type { TopicState, TopicView } from '../../../../../web/src/live/contract.ts'

const NOW = '2026-01-01T00:00:00Z'
const check = (id: string, overrides: Partial<CheckSummary> = {}): CheckSummary =>
  buildCheck({ id, name: id, last_transition_time: '2025-12-31T23:48:00Z', last_runtime: NOW, ...overrides })
const failing = { status: 'unhealthy', last_transition_time: NOW } as const

const board = (id: string, query = '', groupBy = 'no-group'): ShownBoard => ({
  id,
  name: `Board ${id}`,
  view: { filter: { ...EVERYTHING, query }, groupBy: tryParseGroupBy(groupBy) ?? 'no-group' },
})

interface Options {
  boards?: readonly [ShownBoard, ...ShownBoard[]]
  seconds?: number
  state?: TopicState
  topic?: Partial<TopicView<CheckSummary>>
  ending?: string
}

let screen: RenderedScreen
const ALL: readonly [ShownBoard] = [board('all')]

const toStage = (
  rows: readonly CheckSummary[],
  { boards = ALL, seconds = 20, state = 'live', topic, ending }: Options = {},
) => <WallStage topic={buildTopicView(rows, state, topic)} boards={boards} seconds={seconds} ending={ending} />
async function open(rows: readonly CheckSummary[], options?: Options): Promise<void> {
  screen = await renderScreen(toStage(rows, options))
}
const show = (rows: readonly CheckSummary[], options?: Options) => screen.rerender(toStage(rows, options))

const find = (selector: string) => screen.container.querySelector<HTMLElement>(selector)
const tiles = () => [...screen.container.querySelectorAll<HTMLElement>('li')]
/** What is read out of a tile begins with its title. */
const titleOf = (tile: HTMLElement) => tile.querySelector('span')?.textContent.split(':')[0]
const titles = () => tiles().map(titleOf)
const tile = (title: string) => tiles().find((candidate) => titleOf(candidate) === title)
const heading = () => find('h1')?.textContent
const announced = () => find('output[aria-live]')?.textContent

beforeEach(() => {
  // Nothing is laid out here; the size comes from the elements themselves.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = (): void => undefined
      disconnect = (): void => undefined
    },
  )
})
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

describe('WallStage', () => {
  it('is a list with the failing first, each with shape, word, duration, latency and age', async () => {
    await open([check('fine'), check('broken', failing), check('new', { status: null })])
    expect(titles()).toEqual(['broken', 'new', 'fine'])
    expect(find('ul')?.getAttribute('aria-label')).toBe('Board all, failing first')
    expect(find('header')?.textContent).toContain('1 failing1 unknown1 passing')
    expect(document.title).toBe('(1) Board all – Watchroom')
    const fine = tile('fine')
    expect(fine?.querySelector('svg')?.getAttribute('aria-label')).toBe('Healthy')
    expect(fine?.textContent).toContain('Healthy')
    expect(fine?.textContent).toContain('12 m')
    expect(fine?.textContent).toContain('12ms')
    await screen.advance(20_000)
    expect(tile('fine')?.textContent).toContain('↻ 20 s')
  })

  it('shows a check of a silent agent as unknown since then, never as healthy', async () => {
    await open([check('remote', { status: 'healthy', unknown_since: '2025-12-31T23:31:00Z' })])
    expect(tile('remote')?.dataset['health']).toBe('unknown')
    expect(tile('remote')?.textContent).toContain('Unknown since')
    expect(tile('remote')?.textContent).toContain('29 m')
  })

  it('marks a tile whose next result is overdue', async () => {
    await open([check('slow', { next_runtime: '2026-01-01T00:00:30Z' })])
    await screen.advance(85_000)
    expect(tile('slow')?.dataset['late']).toBeUndefined()
    await screen.advance(10_000)
    expect(tile('slow')?.dataset['late']).toBe('true')
    expect(tile('slow')?.textContent).toContain('no result for 1 m')
  })

  it('flashes a tile that changes, once per change, and none when it opens', async () => {
    await open([check('a'), check('b')])
    expect(find('[data-flash]')).toBeNull()
    await show([check('a', failing), check('b')])
    expect(tile('a')?.querySelector('[data-flash]')).not.toBeNull()
    expect(tile('b')?.querySelector('[data-flash]')).toBeNull()
    await screen.advance(1_000)
    expect(titles()).toEqual(['a', 'b'])
  })

  it('announces new failures politely, several in one sentence and not more often than every 5 s', async () => {
    const rows = ['a', 'b', 'c', 'd', 'e'].map((id) => check(id))
    await open(rows)
    const fail = (...ids: string[]) => rows.map((row) => (ids.includes(row.id) ? { ...row, ...failing } : row))
    await show(fail('a'))
    expect(announced()).toBe('Failing now: a')
    await show(fail('a', 'b', 'c'))
    await show(fail('a', 'b', 'c', 'd', 'e'))
    await screen.advance(4_000)
    expect(announced()).toBe('Failing now: a')
    await screen.advance(1_000)
    expect(announced()).toBe('4 failing now: b, c, d and e')
  })

  it('turns grey and says so when the link is lost, and is itself again when it is back', async () => {
    const rows = [check('a')]
    await open(rows)
    expect(find('main')?.dataset['old']).toBeUndefined()
    await show(rows, { state: 'offline' })
    expect(find('main')?.dataset['old']).toBe('true')
    expect(find('[role="alert"]')?.textContent).toContain('Connection lost')
    expect(tile('a')).toBeDefined()
    await show(rows)
    expect(find('main')?.dataset['old']).toBeUndefined()
    expect(find('[role="alert"]')).toBeNull()
  })

  it('turns grey as well when the data is old although the link is up', async () => {
    const rows = [check('a')]
    await open(rows, { state: 'delayed', topic: { ageMs: () => 20_000, downMs: () => null } })
    expect(find('main')?.dataset['old']).toBeUndefined()
    await show(rows, { state: 'delayed', topic: { ageMs: () => 50_000, downMs: () => null } })
    expect(find('[role="alert"]')?.textContent).toContain('No data is arriving')
  })

  it('turns grey and says what to do when nothing comes back by itself', async () => {
    const rows = [check('a')]
    await open(rows)
    await show(rows, { ending: 'You are signed out' })
    expect(find('main')?.dataset['old']).toBe('true')
    expect(find('[role="alert"]')?.textContent).toContain('You are signed out')
  })

  it('turns through boards, and goes on by hand and pauses with the keyboard', async () => {
    const boards = [board('a', 'a1'), board('b', 'b1'), board('c', 'c1')] as const
    await open([check('a1'), check('b1'), check('c1')], { boards })
    expect([heading(), titles()]).toEqual(['Board a', ['a1']])
    expect(find('h1 + *')?.textContent).toBe('board 1 of 3')
    await screen.advance(20_000)
    expect([heading(), titles()]).toEqual(['Board b', ['b1']])
    await screen.press('ArrowRight', document.body)
    expect(heading()).toBe('Board c')
    await screen.press('.', document.body)
    await screen.advance(120_000)
    expect([heading(), find('h1 + *')?.textContent]).toEqual(['Board c', 'board 3 of 3 · paused'])
    await screen.press('.', document.body)
    await screen.advance(20_000)
    expect(heading()).toBe('Board a')
  })

  it('jumps to the board on which something just failed, and back again after a while', async () => {
    const boards = [board('a', 'a1'), board('b', 'b1')] as const
    await open([check('a1'), check('b1')], { boards, seconds: 60 })
    await show([check('a1'), check('b1', failing)], { boards, seconds: 60 })
    expect(heading()).toBe('Board b')
    expect(find('h1 + *')?.textContent).toBe('Just failed: b1')
    expect(tile('b1')?.dataset['target']).toBe('true')
    await screen.advance(59_000)
    expect(heading()).toBe('Board b')
    await screen.advance(2_000)
    expect(heading()).toBe('Board a')
    // Whoever wants to see it again presses j, and Escape leads back.
    await screen.press('j', document.body)
    expect(heading()).toBe('Board b')
    await screen.press('Escape', document.body)
    expect(heading()).toBe('Board a')
  })

  it('stays where it is when what failed is in sight', async () => {
    const boards = [board('a', 'a1'), board('b', 'b1')] as const
    await open([check('a1'), check('b1')], { boards })
    await show([check('a1', failing), check('b1')], { boards })
    expect(heading()).toBe('Board a')
    expect(find('h1 + *')?.textContent).toBe('board 1 of 2')
  })

  it('shows controls to whoever presses a key, with the keys named, and hides them again', async () => {
    await open([check('a')])
    const isShown = () => find('[data-controls]')?.dataset['shown'] === 'true'
    expect(isShown()).toBe(false)
    await screen.press('?', document.body)
    expect(isShown()).toBe(true)
    expect(find('dl')?.textContent).toContain('Jump to the latest failure')
    expect(find('button[aria-keyshortcuts="f"]')?.textContent).toContain('Full screen')
    await screen.advance(CONTROLS_MS + 100)
    expect(isShown()).toBe(false)
  })

  it('says what an empty board means: loading, refused, nothing there, nothing that belongs to it', async () => {
    const text = () => find('main')?.textContent
    await open([], { state: 'loading', topic: { asOf: null } })
    expect(text()).toContain('Loading checks')
    await show([], { state: 'denied', topic: { error: { code: 'X', message: 'Not for this screen' } } })
    expect(text()).toContain('Not for this screen')
    await show([], { state: 'failed', topic: { asOf: null, error: { code: 'X', message: 'The backend is away' } } })
    expect(text()).toContain('The backend is away')
    await show([check('other')], { boards: [board('none', 'no such check')] })
    expect(text()).toContain('No checks match this board')
  })
})
