import { act } from 'react'
import { afterEach, expect, it, vi } from 'vitest'

import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { toReadyState } from '../../../../web/src/ui/dataState.ts'
import { eventTimeColumn, useDays, ZoneLabel } from '../../../../web/src/ui/table/eventTimes.tsx'
import { ResourceTable } from '../../../../web/src/ui/table/ResourceTable.tsx'

interface Happening {
  readonly id: string
  readonly at: string
}

let screen: RenderedScreen
afterEach(async () => {
  await screen.close()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const at = ({ at: moment }: Happening): string => moment
const name = { key: 'id', title: 'Name', kind: 'text', isMain: true, value: ({ id }: Happening) => id } as const

function List({ rows, isByTime }: { rows: readonly Happening[]; isByTime: boolean }) {
  const groupOf = useDays(at)
  return (
    <>
      <ZoneLabel />
      <ResourceTable
        name="happenings"
        label="Happenings"
        state={toReadyState('happenings', rows)}
        columns={[eventTimeColumn({ key: 'at', title: 'Time' }, at, !isByTime), name]}
        keyOf={({ id }) => id}
        {...(isByTime ? { groupOf } : {})}
        empty={{}}
      />
    </>
  )
}

const lines = (): string[] => [...document.querySelectorAll('tbody tr')].map((row) => row.textContent)

it('shows times to the second below a divider for each day, in the zone that the page names', async () => {
  screen = await renderScreen(<div />)
  const day = 86_400_000
  const today = Math.floor(screen.clock.now() / day) * day
  const happening = (id: string, moment: number): Happening => ({ id, at: new Date(moment).toISOString() })
  const rows = [
    happening('late', today + 1_724_000),
    happening('early', today + 1_000),
    happening('before', today - 1_000),
    happening('older', today - 5 * day),
  ]
  await screen.rerender(<List rows={rows} isByTime />)
  const newValue = '{"v":1,"value":"UTC"}'
  localStorage.setItem('timeZone', newValue)
  await act(async () => window.dispatchEvent(new StorageEvent('storage', { key: 'timeZone', newValue })))
  expect(pageOf().text()).toContain('Times in UTC')
  const [first, ...rest] = lines()
  expect(first).toMatch(/^Today, \w+, \w+ \d+, \d{4}$/)
  expect(rest).toEqual([
    '00:28:44late',
    '00:00:01early',
    expect.stringMatching(/^Yesterday, /),
    '23:59:59before',
    expect.stringMatching(/^\w+, \w+ \d+, \d{4}$/),
    '00:00:00older',
  ])
})

it('names the day beside each time where the list is in another order', async () => {
  screen = await renderScreen(<div />)
  await screen.rerender(<List rows={[{ id: 'one', at: '2026-01-05T10:00:00Z' }]} isByTime={false} />)
  expect(lines()).toEqual([expect.stringMatching(/^Jan 0[45], \d\d:\d\d:00one$/)])
})
