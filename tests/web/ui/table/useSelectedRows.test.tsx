// Selecting rows, as people do it in a table.
import { act } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { toReadyState } from '../../../../web/src/ui/dataState.ts'
import type { TableColumn } from '../../../../web/src/ui/table/column.ts'
import { ResourceTable, type ResourceTableProps } from '../../../../web/src/ui/table/ResourceTable.tsx'
import type { TableSelection } from '../../../../web/src/ui/table/useSelectedRows.ts'

interface Thing {
  readonly id: string
  readonly name: string
}

const things = (...ids: readonly string[]): Thing[] => ids.map((id) => ({ id, name: `Thing ${id}` }))
const FOUR = things('a', 'b', 'c', 'd')
const COLUMNS: readonly TableColumn<Thing>[] = [
  { key: 'name', title: 'Name', kind: 'text', isMain: true, isSortable: true, value: ({ name }) => name },
]
const keyOf = ({ id }: Thing): string => id

let screen: RenderedScreen
let done: Thing[][]
let deselect: (rows: readonly Thing[]) => void
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})
const page = pageOf()

const toSelection = (more: Partial<TableSelection<Thing>> = {}): TableSelection<Thing> => ({
  actions: [
    {
      text: 'Do',
      onSelect(rows, givenDeselect) {
        done.push([...rows])
        deselect = givenDeselect
      },
    },
  ],
  ...more,
})
const SELECTION = toSelection()

const table = (rows: readonly Thing[], more: Partial<ResourceTableProps<Thing>> = {}) => (
  <ResourceTable
    name="things"
    label="Things"
    state={toReadyState('things', rows)}
    columns={COLUMNS}
    keyOf={keyOf}
    selection={SELECTION}
    empty={{ text: 'There are no things yet.' }}
    {...more}
  />
)
async function open(rows: readonly Thing[] = FOUR, more: Partial<ResourceTableProps<Thing>> = {}): Promise<void> {
  done = []
  screen = await renderScreen(table(rows, more), { address: '/things' })
}

const toggle = (name: string): Promise<void> => screen.click(page.get('checkbox', `Select ${name}`))
const selected = (): string[] =>
  [...document.querySelectorAll('tbody tr[data-selected] th')].map((name) => name.textContent)
const said = (): string => page.get('status').textContent ?? ''

describe('selected rows', () => {
  it('are chosen one by one, a range with Shift, and all of them by the heading', async () => {
    await open()
    await toggle('Thing a')
    expect(selected()).toEqual(['Thing a'])
    expect(said()).toBe('1 selected')
    await act(async () => {
      const click = new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: true })
      page.get('checkbox', 'Select Thing c').dispatchEvent(click)
    })
    expect(selected()).toEqual(['Thing a', 'Thing b', 'Thing c'])
    const all = page.get('checkbox', 'Select all rows') as HTMLInputElement
    expect([all.checked, all.indeterminate]).toEqual([false, true])
    await screen.click(all)
    expect(said()).toBe('4 selected')
    expect([all.checked, all.indeterminate]).toEqual([true, false])
    await screen.click(all)
    expect(selected()).toEqual([])
    expect(said()).toBe('')
  })

  it('are given as they are now, in the order in which they are shown', async () => {
    await open()
    await toggle('Thing c')
    await toggle('Thing a')
    const renamed = FOUR.map((thing) => (thing.id === 'c' ? { ...thing, name: 'Thing c anew' } : thing))
    await screen.rerender(table(renamed))
    await screen.click(page.get('button', 'Do'))
    expect(done).toEqual([[renamed[0], renamed[2]]])
  })

  it('stay selected over live changes and another order; one that goes away does not come back selected', async () => {
    const sort = (direction: 'asc' | 'desc') => ({ order: { by: 'name', direction }, onSort: () => undefined })
    await open(FOUR, { sort: sort('asc') })
    await toggle('Thing b')
    await toggle('Thing d')
    await screen.rerender(table([...FOUR, ...things('e')], { sort: sort('desc') }))
    expect(selected()).toEqual(['Thing d', 'Thing b'])
    await screen.rerender(table(things('a', 'c', 'd'), { sort: sort('desc') }))
    expect(said()).toBe('1 selected')
    await screen.rerender(table(FOUR, { sort: sort('desc') }))
    expect(selected()).toEqual(['Thing d'])
  })

  it('are none after another filter and on another page, where other rows stand', async () => {
    await open(FOUR, { question: 'before' })
    await toggle('Thing b')
    await screen.rerender(table(FOUR, { question: 'after' }))
    expect(selected()).toEqual([])
    await toggle('Thing b')
    const paging = { pageIndex: 1, pageSize: 4, defaultSize: 4, sizes: [4], total: 9, onChange: () => undefined }
    await screen.rerender(table(FOUR, { question: 'after', paging }))
    expect(selected()).toEqual([])
  })

  it('leave the selection when it was done with them, and only they', async () => {
    await open()
    await toggle('Thing a')
    await toggle('Thing b')
    await screen.click(page.get('button', 'Do'))
    expect(said()).toBe('2 selected')
    // While it is being done someone selects another one.
    await toggle('Thing d')
    await act(async () => deselect(things('a')))
    expect(selected()).toEqual(['Thing b', 'Thing d'])
  })

  it('are cleared by a button, which gives the focus to the table', async () => {
    await open()
    await toggle('Thing a')
    await screen.click(page.get('button', 'Clear selection'))
    expect(selected()).toEqual([])
    expect(document.activeElement).toBe(page.get('region', 'Table of things'))
  })

  it('are not those that nothing can be done with', async () => {
    const selection = toSelection({ canSelect: ({ id }) => id !== 'b' })
    await open(FOUR, { selection })
    expect(page.find('checkbox', 'Select Thing b')).toBeNull()
    await screen.click(page.get('checkbox', 'Select all rows'))
    expect(selected()).toEqual(['Thing a', 'Thing c', 'Thing d'])
    expect(page.get('checkbox', 'Select all rows')).toHaveProperty('checked', true)
  })

  it('are reached by arrows from box to box where rows lead nowhere, and a click on a row is not meant', async () => {
    await open()
    await act(async () => page.get('checkbox', 'Select Thing a').focus())
    await screen.press('ArrowDown')
    expect(document.activeElement).toBe(page.get('checkbox', 'Select Thing b'))
    await screen.click(page.get('rowheader', 'Thing b'))
    expect(selected()).toEqual([])
  })

  it('are selected all at once on a phone, too, where no heading is seen', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query.startsWith('(max-width'),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }))
    await open()
    await toggle('Thing a')
    await screen.click(page.get('button', 'Select all 4'))
    expect(said()).toBe('4 selected')
    expect(page.find('button', /Select all/)).toBeNull()
  })

  it('have a column of their own width in a long table, and none without something to do', async () => {
    const rows = Array.from({ length: 101 }, (_, at) => ({ id: `${at}`, name: `Thing ${at}` }))
    await open(rows)
    expect(document.querySelectorAll('col')).toHaveLength(document.querySelectorAll('thead tr > *').length)
    await screen.close()
    screen = await renderScreen(
      <ResourceTable
        name="things"
        label="Things"
        state={toReadyState('things', FOUR)}
        columns={COLUMNS}
        keyOf={keyOf}
        empty={{}}
      />,
    )
    expect(page.all('checkbox')).toEqual([])
  })
})
