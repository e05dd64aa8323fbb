import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { type DrawnCalls, giveCanvas } from '#support/web/canvas.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { TimeChart, type TimeChartProps } from '../../../../web/src/ui/chart/TimeChart.tsx'

const START = Date.parse('2026-01-01T00:00:00Z')
const MINUTE = 60_000
const points = Array.from({ length: 10 }, (_, index) => ({
  at: START + index * MINUTE,
  value: 100 + index,
  isBad: index === 3,
}))

let drawn: DrawnCalls
let screen: RenderedScreen
const zooms: [number, number][] = []
const props: TimeChartProps = {
  points,
  from: START,
  to: START + 10 * MINUTE,
  gapMs: 3 * MINUTE,
  label: 'Latency over time',
  summary: '10 points, 1 with failures.',
  formatValue: (value) => `${value}ms`,
  describe: (index) => `point ${index}`,
  onZoom: (from, to) => zooms.push([from, to]),
  height: 180,
}
beforeEach(() => {
  drawn = giveCanvas()
  zooms.length = 0
})
afterEach(async () => {
  await screen.close()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const slider = () => document.querySelector<HTMLElement>('[role="slider"]')
const readout = () => document.querySelector('.wr-chart-readout')?.textContent
const cross = () => document.querySelector<HTMLElement>('.wr-chart-cross')
const pressWithShift = (key: string) =>
  act(async () => slider()?.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey: true, bubbles: true })))

describe('TimeChart', () => {
  it('draws, and says what there is to see', async () => {
    screen = await renderScreen(<TimeChart {...props} />)
    expect(document.querySelector('.wr-chart canvas')).not.toBeNull()
    expect(drawn.calls.length).toBeGreaterThan(0)
    expect(slider()?.getAttribute('aria-label')).toBe('Latency over time')
    expect(slider()?.getAttribute('aria-valuetext')).toBe('point 9')
    const description = document.getElementById(slider()?.getAttribute('aria-describedby') ?? '')
    expect(description?.textContent).toContain('10 points, 1 with failures.')
    expect(cross()?.hidden).toBe(true)
  })

  it('moves the cross-hair with the arrows and reads each point', async () => {
    screen = await renderScreen(<TimeChart {...props} />)
    await screen.press('ArrowLeft', slider())
    expect([readout(), slider()?.getAttribute('aria-valuenow')]).toEqual(['point 9', '10'])
    await screen.press('ArrowLeft', slider())
    expect([readout(), slider()?.getAttribute('aria-valuetext')]).toEqual(['point 8', 'point 8'])
    expect(cross()?.hidden).toBe(false)
    await screen.press('Home', slider())
    await screen.press('ArrowRight', slider())
    await screen.press('ArrowRight', slider())
    await screen.press('ArrowRight', slider())
    expect(cross()?.dataset['bad']).toBe('true')
  })

  it('selects with Shift and zooms with Enter', async () => {
    screen = await renderScreen(<TimeChart {...props} />)
    await screen.press('ArrowLeft', slider())
    await pressWithShift('ArrowLeft')
    await pressWithShift('ArrowLeft')
    await screen.press('Enter', slider())
    expect(zooms).toEqual([[START + 7 * MINUTE, START + 9 * MINUTE]])
    expect(readout()).toBe('')
  })

  it('keeps Escape to itself only while there is something to put away', async () => {
    let heard = 0
    const handle = (event: KeyboardEvent) => {
      if (event.key === 'Escape') heard += 1
    }
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- stands for the dialog around the chart
    screen = await renderScreen(<div onKeyDown={(event) => handle(event.nativeEvent)}>{<TimeChart {...props} />}</div>)
    await screen.press('ArrowLeft', slider())
    await screen.press('Escape', slider())
    expect([heard, cross()?.hidden]).toEqual([0, true])
    await screen.press('Escape', slider())
    expect(heard).toBe(1)
  })

  it('stays on its point when new ones arrive', async () => {
    screen = await renderScreen(<TimeChart {...props} />)
    await screen.press('Home', slider())
    await screen.press('ArrowRight', slider())
    expect(readout()).toBe('point 1')
    const later = points.slice(1).concat({ at: START + 10 * MINUTE, value: 5, isBad: false })
    await screen.rerender(<TimeChart {...props} points={later} from={START + MINUTE} to={START + 11 * MINUTE} />)
    expect(readout()).toBe('point 0')
  })

  it('says what there is to see when there are no points', async () => {
    screen = await renderScreen(<TimeChart {...props} points={[]} summary="0 points, no failures." />)
    expect(slider()?.getAttribute('aria-valuetext')).toBe('0 points, no failures.')
  })

  it('reads the colors anew when the theme changes', async () => {
    screen = await renderScreen(<TimeChart {...props} />)
    const before = drawn.calls.length
    document.body.classList.toggle('bp6-dark')
    await screen.waitFor(() => expect(drawn.calls.length).toBeGreaterThan(before))
    document.body.classList.toggle('bp6-dark')
  })
})
