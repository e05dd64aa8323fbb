import { act } from 'react'
import { afterEach, describe, expect, it } from 'vitest'

import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { toReadyState } from '../../../../web/src/ui/dataState.ts'
// Loaded with the first card; here beforehand, so that no test waits for it.
import '../../../../web/src/ui/popups.tsx'
import { ResourceTable } from '../../../../web/src/ui/table/ResourceTable.tsx'
import { whyColumn } from '../../../../web/src/ui/table/Why.tsx'

const OPEN_MS = 1_000
const REASON = 'dial tcp 10.0.0.1:443: connect: connection refused\nafter 4 attempts'

interface Row {
  readonly id: string
  readonly error?: string | null
}
const ROWS: readonly Row[] = [{ id: 'broken', error: REASON }, { id: 'sound', error: null }, { id: 'new' }]
const COLUMNS = [
  { key: 'id', title: 'Name', kind: 'text', isMain: true, value: ({ id }: Row) => id } as const,
  whyColumn<Row>(({ error }) => error),
]

let screen: RenderedScreen
afterEach(() => screen.close())

const open = async (): Promise<void> => {
  screen = await renderScreen(
    <ResourceTable
      name="things"
      label="Things"
      state={toReadyState('things', ROWS)}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      rowLink={({ id }) => ({ to: `/things/${id}` })}
      empty={{}}
    />,
    { address: '/things' },
  )
}
const reason = (): HTMLElement => pageOf().get('button', /connection refused/)
const card = () => document.querySelector('.wr-hover-card')

describe('why something failed', () => {
  it('stands in its row alone', async () => {
    await open()
    expect(pageOf().headers()).toEqual(['Name', 'Why'])
    expect(pageOf().rows()).toEqual([
      ['broken', REASON],
      ['sound', '–'],
      ['new', '–'],
    ])
  })

  it('can be read in full with the keyboard', async () => {
    await open()
    await act(async () => reason().focus())
    await screen.advance(OPEN_MS)
    await screen.waitFor(() => expect(card()?.textContent).toBe(REASON))
    expect(reason().getAttribute('aria-describedby')).toBe(card()?.id)
  })

  it('can be read in full by a tap, which does not open the row', async () => {
    await open()
    await screen.click(reason())
    await screen.waitFor(() => expect(card()?.textContent).toBe(REASON))
    expect(screen.path()).toBe('/things')
  })
})
