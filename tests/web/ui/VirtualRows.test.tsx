import { act } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { VirtualRows } from '../../../web/src/ui/VirtualRows.tsx'

const names = (count: number) => Array.from({ length: count }, (_, index) => `row ${index}`)

interface ListProps {
  readonly count: number
  readonly pinned?: readonly string[]
  readonly as?: 'ol' | 'div'
  readonly isBox?: boolean
}

const NONE: readonly string[] = []

function List({ count, pinned = NONE, as = 'ol', isBox = false }: ListProps) {
  return (
    <VirtualRows
      as={as}
      {...(as === 'div' ? { role: 'tree' as const } : {})}
      className="list"
      rows={names(count)}
      keyOf={(name) => name}
      estimate={() => 100}
      pinned={pinned}
      isBox={isBox}
      renderRow={(name) => <button type="button">{name}</button>}
    />
  )
}

let screen: RenderedScreen
afterEach(() => screen.close())

const shown = () => [...document.querySelectorAll('.list button')].map(({ textContent }) => textContent)
const holes = () => [...document.querySelectorAll<HTMLElement>('.wr-rows-hole')].map(({ style }) => style.height)
const scrollTo = (top: number) =>
  act(async () => {
    window.scrollTo(0, top)
    window.dispatchEvent(new Event('scroll'))
  })

describe('VirtualRows', () => {
  it('has all rows of a short list in the document, and nothing else', async () => {
    screen = await renderScreen(<List count={40} />)
    expect(shown()).toEqual(names(40))
    expect(holes()).toEqual([])
    expect(document.querySelector('.list > li')?.hasAttribute('aria-setsize')).toBe(false)
  })

  it('draws of a short list what is near the window first, and the rest after that frame', async () => {
    const frames: FrameRequestCallback[] = []
    const real = window.requestAnimationFrame.bind(window)
    const frame = vi.spyOn(window, 'requestAnimationFrame').mockImplementation((callback) => {
      frames.push(callback)
      return real(() => undefined)
    })
    screen = await renderScreen(<List count={40} />)
    expect(shown()).toEqual(names(40).slice(0, shown().length))
    expect(shown().length).toBeLessThan(30)
    expect(holes()).toHaveLength(1)
    const [first] = pageOf().all('listitem')
    frame.mockRestore()
    await act(async () => frames.forEach((callback) => callback(performance.now())))
    expect(shown()).toEqual(names(40))
    expect(holes()).toEqual([])
    expect(pageOf().all('listitem')[0]).toBe(first)
  })

  it('stays where it is scrolled to when it becomes too long to be drawn as a whole', async () => {
    screen = await renderScreen(<List count={40} isBox />)
    await screen.waitFor(() => expect(shown()).toHaveLength(40))
    const box = pageOf().get('list')
    box.scrollTop = 3_000
    await screen.rerender(<List count={1_000} isBox />)
    expect(shown().length).toBeLessThan(40)
    expect(box.scrollTop).toBe(3_000)
  })

  it('has of a long list what is near the window, and says how long it is', async () => {
    screen = await renderScreen(<List count={1_000} />)
    expect(shown().length).toBeGreaterThan(5)
    expect(shown().length).toBeLessThan(30)
    expect(shown()[0]).toBe('row 0')
    const first = document.querySelector('.list > li')
    expect([first?.getAttribute('aria-posinset'), first?.getAttribute('aria-setsize')]).toEqual(['1', '1000'])
    expect(holes()).toHaveLength(1)
    // The rows that were never on screen are as high as was thought, at least.
    expect(Number.parseInt(holes()[0] ?? '', 10)).toBeGreaterThanOrEqual((1_000 - shown().length) * 100)
  })

  it('follows the page when it scrolls, and stands for what it leaves out', async () => {
    screen = await renderScreen(<List count={1_000} />)
    await scrollTo(60_000)
    expect(shown()).not.toContain('row 0')
    expect(shown().length).toBeLessThan(30)
    const heights = holes().map((height) => Number.parseInt(height, 10))
    // One before what is near the window and one behind; what is near begins at most an overscan above it.
    expect(heights).toHaveLength(2)
    expect(heights[0]).toBeGreaterThan(55_000)
    expect(heights[0]).toBeLessThan(60_000)
  })

  it('keeps the row with the focus, and those that were asked for, wherever it is scrolled to', async () => {
    screen = await renderScreen(<List count={1_000} pinned={['row 900']} />)
    expect(shown().at(-1)).toBe('row 900')
    const field = document.querySelector<HTMLElement>('.list button')
    await act(async () => field?.focus())
    await scrollTo(60_000)
    expect(document.activeElement).toBe(field)
    expect(shown()[0]).toBe('row 0')
    expect(shown()).toContain('row 900')
    expect(holes().length).toBeGreaterThanOrEqual(2)
  })

  it('is only a body where a tree or something else says what its rows are', async () => {
    screen = await renderScreen(<List count={1_000} as="div" />)
    const tree = document.querySelector('.list')
    expect(tree?.getAttribute('role')).toBe('tree')
    expect([...new Set([...(tree?.children ?? [])].map((row) => row.getAttribute('role')))]).toEqual(['none'])
  })
})
