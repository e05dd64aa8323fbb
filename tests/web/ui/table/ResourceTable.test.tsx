import { act } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { readTableSession, toTableKey } from '../../../../web/src/preferences/tableSession.ts'
import { DENIED, toReadyState } from '../../../../web/src/ui/dataState.ts'
import type { TableColumn } from '../../../../web/src/ui/table/column.ts'
import { ResourceTable, type ResourceTableProps } from '../../../../web/src/ui/table/ResourceTable.tsx'
// Loaded when it is wanted; here beforehand, so that no test waits for it.
import '../../../../web/src/ui/table/SortField.tsx'

interface Thing {
  readonly id: string
  readonly name: string
  readonly size: number | null
}

const things = (count: number): Thing[] =>
  Array.from({ length: count }, (_, at) => ({ id: `id-${at}`, name: `Thing ${at}`, size: at }))

const COLUMNS: readonly TableColumn<Thing>[] = [
  { key: 'name', title: 'Name', kind: 'text', isMain: true, isSortable: true, value: (thing) => thing.name },
  { key: 'size', title: 'Size', kind: 'number', isSortable: true, value: (thing) => thing.size },
  { key: 'secret', title: 'Secret', kind: 'code', isHiddenAtFirst: true, value: () => 'hush' },
]
const keyOf = ({ id }: Thing): string => id
const toThing = ({ id }: Thing) => ({ to: `/things/${id}` })

let screen: RenderedScreen
afterEach(async () => {
  await screen.close()
  sessionStorage.clear()
  vi.unstubAllGlobals()
})
const shown = () => pageOf()

const table = (rows: readonly Thing[], more: Partial<ResourceTableProps<Thing>> = {}) => (
  <ResourceTable
    name="things"
    label="Things"
    state={toReadyState('things', rows)}
    columns={COLUMNS}
    keyOf={keyOf}
    empty={{ text: 'There are no things yet.' }}
    {...more}
  />
)
const open = async (rows: readonly Thing[], more: Partial<ResourceTableProps<Thing>> = {}) => {
  screen = await renderScreen(table(rows, more), { address: '/things' })
}

describe('ResourceTable', () => {
  it('names itself, its columns and its rows to screen readers', async () => {
    await open(things(2), { rowLink: toThing })
    expect(shown().get('table', 'Things').getAttribute('aria-rowcount')).toBe('3')
    expect(shown().headers()).toEqual(['Name', 'Size'])
    expect(shown().get('rowheader', 'Thing 1').textContent).toBe('Thing 1')
    expect(shown().get('link', 'Thing 1').getAttribute('href')).toBe('/things/id-1')
  })

  it('keeps few of 10,000 rows in the document, and says how many there are', async () => {
    await open(things(10_000))
    expect(shown().rows().length).toBeGreaterThan(10)
    expect(shown().rows().length).toBeLessThan(100)
    expect(document.querySelector('table')?.getAttribute('aria-rowcount')).toBe('10001')
  })

  it('leaves room in a long table for the column that names a row, however wide the others are', async () => {
    const columns = COLUMNS.map((column) => (column.key === 'size' ? { ...column, width: 5_000 } : column))
    await open(things(101), { columns })
    expect(document.querySelector('table')?.style.minWidth).toBe('5160px')
    await screen.rerender(table(things(100), { columns }))
    expect(document.querySelector('table')?.style.minWidth).toBe('')
  })

  it('has the widths of a long table before all of its rows are loaded', async () => {
    await open(things(10), { more: { total: 101, onMore: () => undefined } })
    const width = document.querySelector('table')?.style.minWidth
    expect(width).not.toBe('')
    await screen.rerender(table(things(101), { more: { total: 101, onMore: () => undefined } }))
    expect(document.querySelector('table')?.style.minWidth).toBe(width)
  })

  it('gives every column of a long table its width, that of its menus and checkboxes too', async () => {
    const rowActions = () => [{ text: 'Open', onSelect: () => undefined }]
    await open(things(101), { rowActions })
    const cells = document.querySelectorAll('thead tr > *')
    expect(cells).toHaveLength(3)
    expect(document.querySelectorAll('col')).toHaveLength(cells.length)
  })

  it('names as many labels as the column says, and counts the others', async () => {
    const columns: readonly TableColumn<Thing>[] = [
      ...COLUMNS,
      { key: 'tags', title: 'Tags', kind: 'tags', labelsShown: 2, value: () => ['one', 'two', 'three', 'four'] },
    ]
    await open(things(1), { columns })
    expect(document.querySelector('[data-kind="tags"]')?.textContent).toBe('onetwo+2 more')
  })

  it('draws again the row that changed and no other', async () => {
    const drawn: string[] = []
    const columns: readonly TableColumn<Thing>[] = [
      {
        key: 'name',
        title: 'Name',
        kind: 'text',
        value: ({ name }) => name,
        render: ({ name }) => {
          drawn.push(name)
          return name
        },
      },
    ]
    const sort = () => ({ order: { by: 'name', direction: 'asc' as const }, onSort: () => undefined })
    const rows = things(3)
    await open(rows, { columns, rowLink: toThing, sort: sort() })
    drawn.length = 0
    const changed = rows.map((row) => (row.id === 'id-1' ? { ...row, name: 'Thing 1 anew' } : row))
    await screen.rerender(table(changed, { columns, rowLink: toThing, sort: sort() }))
    expect(new Set(drawn)).toEqual(new Set(['Thing 1 anew']))
  })

  it('orders rows by a heading, without a value last both ways', async () => {
    const rows = [{ id: 'n', name: 'None', size: null }, ...things(2)]
    const onSort = vi.fn()
    await open(rows, { sort: { order: { by: 'size', direction: 'desc' }, onSort } })
    expect(
      shown()
        .rows()
        .map(([name]) => name),
    ).toEqual(['Thing 1', 'Thing 0', 'None'])
    expect(shown().get('columnheader', 'Size').getAttribute('aria-sort')).toBe('descending')
    await screen.click(shown().get('button', 'Size'))
    expect(onSort).toHaveBeenLastCalledWith({ by: 'size', direction: 'asc' })
    await screen.click(shown().get('button', 'Name'))
    expect(onSort).toHaveBeenLastCalledWith({ by: 'name', direction: 'asc' })
  })

  it('heads each group of neighbouring rows, which arrows pass by', async () => {
    const groupOf = ({ size }: Thing) => ({ key: String((size ?? 0) < 2), title: (size ?? 0) < 2 ? 'Small' : 'Large' })
    await open(things(4), { rowLink: toThing, groupOf })
    const rows = [...document.querySelectorAll('tbody tr')]
    expect(rows.map((row) => row.querySelector('th')?.textContent)).toEqual([
      'Small',
      'Thing 0',
      'Thing 1',
      'Large',
      'Thing 2',
      'Thing 3',
    ])
    expect(document.querySelector('table')?.getAttribute('aria-rowcount')).toBe('7')
    shown().get('link', 'Thing 1').focus()
    await screen.press('ArrowDown')
    expect(document.activeElement?.textContent).toBe('Thing 2')
  })

  it('moves between rows by arrows, j and k, to rows that were not in the document too', async () => {
    await open(things(1_000), { rowLink: toThing })
    await screen.press('j', document.body)
    expect(document.activeElement?.textContent).toBe('Thing 0')
    await screen.press('j', document.body)
    await screen.press('ArrowDown')
    expect(document.activeElement?.textContent).toBe('Thing 2')
    await screen.press('k', document.body)
    expect(document.activeElement?.textContent).toBe('Thing 1')
    await screen.press('End')
    expect(document.activeElement?.textContent).toBe('Thing 999')
  })

  it('moves no row under the pointer, and offers what is new', async () => {
    await open(things(2), { isLive: true })
    await act(async () => {
      shown()
        .get('region', 'Table of things')
        .dispatchEvent(new Event('pointermove', { bubbles: true }))
    })
    const next = [
      { id: 'new', name: 'New', size: 7 },
      { id: 'id-1', name: 'Renamed', size: 1 },
    ]
    await screen.rerender(table(next, { isLive: true }))
    expect(shown().rows()).toEqual([
      ['Thing 0', '0'],
      ['Renamed', '1'],
    ])
    await screen.click(shown().get('button', '1 new'))
    expect(
      shown()
        .rows()
        .map(([name]) => name),
    ).toEqual(['New', 'Renamed'])
  })

  const touch = () =>
    act(async () => {
      shown()
        .get('region', 'Table of things')
        .dispatchEvent(new Event('pointermove', { bubbles: true }))
    })
  const names = () =>
    shown()
      .rows()
      .map(([name]) => name)

  it('stands in the order that was asked for as soon as the server answers, also under the pointer', async () => {
    const paging = { pageIndex: 0, pageSize: 50, defaultSize: 50, sizes: [50], total: 400, onChange: vi.fn() }
    const list = (rows: readonly Thing[], direction: 'asc' | 'desc', isOld: boolean) =>
      table(rows, {
        isLive: true,
        paging,
        sort: { order: { by: 'size', direction }, onSort: vi.fn() },
        state: { ...toReadyState('things', rows), isOld },
      })
    const rows = things(3)
    screen = await renderScreen(list(rows, 'asc', false), { address: '/things' })
    await touch()
    await screen.rerender(list(rows, 'desc', true))
    expect(names()).toEqual(['Thing 0', 'Thing 1', 'Thing 2'])
    await screen.rerender(list(rows.toReversed(), 'desc', false))
    expect(names()).toEqual(['Thing 2', 'Thing 1', 'Thing 0'])
    await screen.rerender(list([{ id: 'new', name: 'New', size: 9 }, ...rows.toReversed()], 'desc', false))
    expect(names()).toEqual(['Thing 2', 'Thing 1', 'Thing 0'])
    expect(shown().all('button', '1 new')).toHaveLength(1)
  })

  it('grows at its end under the pointer', async () => {
    const more = { total: 120, onMore: vi.fn() }
    await open(things(40), { isLive: true, more })
    await touch()
    await screen.rerender(table([{ id: 'new', name: 'New', size: 9 }, ...things(60)], { isLive: true, more }))
    expect(shown().text()).toContain('60 of 120')
    expect(shown().all('button', '1 new')).toHaveLength(1)
    expect(names()[0]).toBe('Thing 0')
  })

  it('shows another page from its first row, and says which one that is', async () => {
    const page = (pageIndex: number) => ({
      paging: { pageIndex, pageSize: 50, defaultSize: 50, sizes: [50], total: 400, onChange: vi.fn() },
    })
    await open(things(50), page(0))
    const region = shown().get('region', 'Table of things')
    region.scrollTop = 700
    await screen.rerender(table(things(50), page(2)))
    expect(region.scrollTop).toBe(0)
    expect(document.querySelector('tbody tr')?.getAttribute('aria-rowindex')).toBe('102')
    region.scrollTop = 700
    await screen.rerender(table(things(49), page(2)))
    expect(region.scrollTop).toBe(700)
  })

  it('keeps the place for the tab once scrolling rests, or when the table goes', async () => {
    const kept = () => readTableSession(toTableKey('things', '/things')).scrollTop
    await open(things(50))
    const region = shown().get('region', 'Table of things')
    const scroll = (top: number) =>
      act(async () => {
        region.scrollTop = top
        region.dispatchEvent(new Event('scroll'))
        region.dispatchEvent(new Event('scrollend'))
      })
    await scroll(700)
    await screen.advance(150)
    await scroll(800)
    await screen.advance(150)
    expect(kept()).toBe(0)
    await screen.advance(50)
    expect(kept()).toBe(800)
    await scroll(900)
    await screen.rerender(null)
    expect(kept()).toBe(900)
  })

  it('shows and hides columns, and keeps that for the next visit', async () => {
    await open(things(1), { toolbar: {} })
    await screen.click(shown().get('button', 'Columns'))
    await screen.waitFor(() => expect(shown().text()).toContain('Reset columns'))
    const choice = shown()
      .all('option')
      .find(({ textContent }) => textContent === 'Secret')
    await screen.click(choice?.querySelector('a') ?? null)
    expect(shown().headers()).toEqual(['Name', 'Size', 'Secret'])
    expect(localStorage.getItem('columns:things')).toContain('"secret":true')
    await screen.click(shown().all('menuitem', 'Reset columns')[0] ?? null)
    expect(shown().headers()).toEqual(['Name', 'Size'])
  })

  it.each(['Enter', ' '])('shows a column by the key “%s” on its name in the menu of columns', async (key) => {
    await open(things(1), { toolbar: {} })
    await screen.click(shown().get('button', 'Columns'))
    await screen.waitFor(() => expect(shown().text()).toContain('Reset columns'))
    const choice = shown()
      .all('option')
      .find(({ textContent }) => textContent === 'Secret')
    await act(async () => {
      choice?.querySelector('a')?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    })
    expect(shown().headers()).toEqual(['Name', 'Size', 'Secret'])
  })

  it('saves what it shows as a file, in its order and in the columns that are visible', async () => {
    const files: Blob[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${files.push(file as Blob)}`)
    const sort = { order: { by: 'name', direction: 'desc' }, onSort: vi.fn() } as const
    const rows = things(12)
    await open(rows, { toolbar: {}, sort, found: rows.slice(1, 3) })
    await screen.click(shown().get('button', 'Columns'))
    await screen.waitFor(() => expect(shown().text()).toContain('Save these rows as CSV'))
    await screen.click(shown().all('menuitem', 'Save these rows as CSV')[0] ?? null)
    expect(await files[0]?.text()).toContain('Name,Size\r\nThing 2,2\r\nThing 1,1\r\n')
    expect(files).toHaveLength(1)
    vi.restoreAllMocks()
  })

  it('makes a column wider by keys, and keeps it', async () => {
    await open(things(1), { sort: { order: { by: 'name', direction: 'asc' }, onSort: vi.fn() } })
    await act(async () => {
      const press = new KeyboardEvent('keydown', { key: 'ArrowRight', shiftKey: true, bubbles: true })
      shown().get('button', 'Size').dispatchEvent(press)
    })
    expect(localStorage.getItem('columns:things')).toMatch(/"size":\d+/)
  })

  it('makes a column wider by keys in the menu of columns, where its heading does not sort', async () => {
    await open(things(1), { toolbar: {} })
    expect(shown().find('button', 'Size')).toBeNull()
    await screen.click(shown().get('button', 'Columns'))
    await screen.waitFor(() => expect(shown().text()).toContain('Reset columns'))
    const size = shown()
      .all('option')
      .find(({ textContent }) => textContent === 'Size')
      ?.querySelector('a')
    const press = (key: string, shiftKey: boolean) =>
      act(async () => void size?.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true })))
    await press('ArrowRight', false)
    expect(localStorage.getItem('columns:things') ?? '').not.toContain('"size":')
    await press('ArrowRight', true)
    expect(localStorage.getItem('columns:things')).toMatch(/"size":\d+/)
  })

  it('opens the details of a row and finds them open on the way back', async () => {
    const renderDetails = ({ name }: Thing) => `All about ${name}`
    await open(things(2), { renderDetails })
    await screen.click(shown().get('button', 'Details of Thing 1'))
    expect(shown().text()).toContain('All about Thing 1')
    await screen.rerender(null)
    await screen.rerender(table(things(2), { renderDetails }))
    expect(shown().text()).toContain('All about Thing 1')
  })

  it('asks for more when the end comes near, once per end', async () => {
    const seen: ((entries: { isIntersecting: boolean }[]) => void)[] = []
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(onSeen: (entries: { isIntersecting: boolean }[]) => void) {
          seen.push(onSeen)
        }
        observe = (): void => undefined
        disconnect = (): void => undefined
      },
    )
    const onMore = vi.fn()
    await open(things(50), { more: { total: 120, onMore } })
    expect(shown().text()).toContain('50 of 120')
    seen.at(-1)?.([{ isIntersecting: true }])
    expect(onMore).toHaveBeenCalledOnce()
    await screen.rerender(table(things(120), { more: { total: 120, onMore } }))
    expect(shown().text()).not.toContain('of 120')
    // Left, the table says how many it had, so that it can begin with as many.
    await screen.rerender(null)
    expect(readTableSession(toTableKey('things', '/things')).loaded).toBe(120)
  })

  it.each([
    [{ data: undefined }, 'Loading things'],
    [{ data: [] }, 'There are no things yet.'],
    [
      { data: undefined, failure: { message: 'It is broken.', onRetry: () => undefined, isRetrying: false } },
      'Could not load thingsIt is broken.Try again',
    ],
    [{ data: undefined, refusal: DENIED }, 'You do not have permission to access this page'],
    [{ data: undefined, refusal: 'This backend has none' }, 'This backend has none'],
  ])('has a look of its own for %o', async (state, said) => {
    await open([], { state: { ...toReadyState<readonly Thing[]>('things', []), ...state } })
    expect(shown().text()).toContain(said)
  })

  it('keeps what is old in sight, marked, with the reason', async () => {
    const failure = { message: 'It is broken.', onRetry: () => undefined, isRetrying: false }
    await open([], { state: { ...toReadyState('things', things(1)), isOld: true, failure } })
    expect(shown().rows()).toEqual([['Thing 0', '0']])
    expect(shown().text()).toContain('Could not load things again. What is shown may be old: It is broken.')
    expect(document.querySelector('table')?.dataset['old']).toBe('true')
  })

  it('can be sorted on a phone where nothing filters it', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query.startsWith('(max-width'),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }))
    await open(things(2), { sort: { order: { by: 'name', direction: 'asc' }, onSort: vi.fn() } })
    await screen.click(shown().get('button', 'Sort'))
    await screen.waitFor(() => expect(shown().field('Sort by')).toHaveProperty('value', 'asc name'))
  })

  it('folds into cards on a phone, where a field sorts instead of headings', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query.startsWith('(max-width'),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }))
    const onSort = vi.fn()
    const filter = { kind: 'choice', key: 'k', title: 'Kind', options: [], value: '', onChange: vi.fn() } as const
    await open(things(2), { sort: { order: { by: 'name', direction: 'asc' }, onSort }, toolbar: { filters: [filter] } })
    expect(document.querySelector('table')?.dataset['fold']).toBe('pairs')
    expect([...document.querySelectorAll('thead th')].map(({ textContent }) => textContent)).toEqual(['Name', 'Size'])
    expect(document.querySelectorAll('thead button')).toHaveLength(0)
    await screen.click(shown().get('button', 'Filters'))
    await screen.waitFor(() => expect(shown().field('Sort by')).toHaveProperty('value', 'asc name'))
  })
})
