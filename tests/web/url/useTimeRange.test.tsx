import type { TimeRange } from '@watchroom/shared/time'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { useTimeRange } from '../../../web/src/url/useTimeRange.ts'
import { type RenderedScreen, renderScreen } from '../../support/web/renderScreen.tsx'

const YESTERDAY: TimeRange = { rangeType: 'mapped', display: 'Yesterday', timeRange: 'Yesterday' }

const seen: (TimeRange | undefined)[] = []

function RangeScreen() {
  const [range, setRange] = useTimeRange()
  seen.push(range)
  return (
    <>
      <output>{range?.display ?? 'none'}</output>
      <button id="set" onClick={() => setRange(YESTERDAY)}>
        Yesterday
      </button>
      <button id="clear" onClick={() => setRange(undefined)}>
        Clear
      </button>
    </>
  )
}

let screen: RenderedScreen
const shown = (): string | null | undefined => screen.container.querySelector('output')?.textContent
const button = (id: string): Element | null => screen.container.querySelector(`#${id}`)

beforeEach(() => {
  seen.length = 0
})
afterEach(() => screen.close())

describe('useTimeRange', () => {
  it('reads the address, and writes a choice there beside what others keep', async () => {
    screen = await renderScreen(<RangeScreen />, { address: '/health?query=api&timeRange=1h' })
    expect(shown()).toBe('Last 1 hour')
    await screen.click(button('set'))
    expect(shown()).toBe('Yesterday')
    expect(screen.search()).toBe('?display=Yesterday&query=api&rangeType=mapped&timeRange=Yesterday')
  })

  it('goes back to the range before, because a choice is a step of its own', async () => {
    screen = await renderScreen(<RangeScreen />, { address: '/health?timeRange=1h' })
    await screen.click(button('set'))
    await screen.back()
    expect(shown()).toBe('Last 1 hour')
  })

  it('clears the range', async () => {
    screen = await renderScreen(<RangeScreen />, { address: '/health?query=api&timeRange=1h' })
    await screen.click(button('clear'))
    expect(shown()).toBe('none')
    expect(screen.search()).toBe('?query=api')
  })

  it('keeps the identical range while the address says the same', async () => {
    screen = await renderScreen(<RangeScreen />, { address: '/health?timeRange=1h' })
    const [first] = seen
    await screen.rerender(<RangeScreen />)
    expect(seen.length).toBeGreaterThan(1)
    expect(seen.every((range) => range === first)).toBe(true)
  })
})
