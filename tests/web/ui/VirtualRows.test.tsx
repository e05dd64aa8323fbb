import { act } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { VirtualRows } from '../../../web/src/ui/VirtualRows.tsx'

const names = (count: number, word = 'row') => Array.from({ length: count }, (_, index) => `${word} ${index}`)

interface ListProps {
  readonly count: number
  readonly pinned?: readonly string[]
  readonly as?: 'ol' | 'div'
  readonly estimatePx?: number
  readonly isBox?: boolean
  readonly word?: string
}

const NONE: readonly string[] = []

function List({ count, pinned = NONE, as = 'ol', estimatePx = 100, isBox = false, word = 'row' }: ListProps) {
  return (
    <VirtualRows
      as={as}
      {...(as === 'div' ? { role: 'tree' as const } : {})}
      className="list"
      rows={names(count, word)}
      keyOf={(name) => name}
      estimate={() => estimatePx}
      pinned={pinned}
      isBox={isBox}
      renderRow={(name) => <button type="button">{name}</button>}
    />
  )
}

let screen: RenderedScreen
afterEach(async () => {
  await screen.close()
  vi.restoreAllMocks()
  window.scrollTo(0, 0)
})

const shown = () => [...document.querySelectorAll('.list button')].map(({ textContent }) => textContent)
const holes = () => [...document.querySelectorAll<HTMLElement>('.wr-rows-hole')].map(({ style }) => style.height)
const scrollTo = (top: number) =>
  act(async () => {
    window.scrollTo(0, top)
    window.dispatchEvent(new Event('scroll'))
  })

/** No frame of the page comes by itself from now on. */
function holdFrames() {
  const asked = new Map<number, FrameRequestCallback>()
  let last = 0
  vi.spyOn(window, 'requestAnimationFrame').mockImplementation((callback) => {
    last += 1
    asked.set(last, callback)
    return last
  })
  vi.spyOn(window, 'cancelAnimationFrame').mockImplementation((frame) => void asked.delete(frame))
  return {
    count: () => asked.size,
    next: () =>
      act(async () => {
        const callbacks = [...asked.values()]
        asked.clear()
        for (const callback of callbacks) callback(performance.now())
      }),
  }
}

describe('VirtualRows', () => {
  it('has all rows of a short list in the document, and nothing else', async () => {
    screen = await renderScreen(<List count={40} />)
    expect(shown()).toEqual(names(40))
    expect(holes()).toEqual([])
    expect(document.querySelector('.list > li')?.hasAttribute('aria-setsize')).toBe(false)
  })

  it('draws of a short list what is near the window first, and with each frame a piece of the rest', async () => {
    const frames = holdFrames()
    screen = await renderScreen(<List count={30} />)
    const near = shown()
    expect(near).toEqual(names(30).slice(0, near.length))
    expect(near.length).toBeLessThan(25)
    expect(holes()).toHaveLength(1)
    const [first] = pageOf().all('listitem')
    await frames.next()
    expect(shown().length).toBeGreaterThan(near.length)
    expect(shown().length).toBeLessThan(30)
    for (let frame = 0; frame < 4; frame += 1) await frames.next()
    expect(shown()).toEqual(names(30))
    expect(holes()).toEqual([])
    expect(pageOf().all('listitem')[0]).toBe(first)
    await screen.rerender(<List count={40} />)
    expect(shown()).toEqual(names(40))
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
    expect(heights[0]).toBeLessThanOrEqual(60_000)
  })

  it('adds another part of the list in pieces, what is in the window first, and keeps what it has added', async () => {
    const frames = holdFrames()
    screen = await renderScreen(<List count={1_000} estimatePx={20} pinned={['row 990']} />)
    await frames.next()
    const near = shown().length
    // The rows so far are as high as everything in a test, 600 pixels; the others turn out as high as was thought.
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(20)
    await scrollTo(50_000)
    const piece = shown()
    expect(piece.length).toBeLessThan(near / 2)
    expect(piece).toEqual(expect.arrayContaining(['row 500', 'row 990']))
    // What is missing has its room.
    expect(holes().every((height) => Number.parseInt(height, 10) > 0)).toBe(true)
    const row = pageOf().get('button', 'row 500')
    await frames.next()
    // The frame that scrolled has had its piece.
    expect(shown()).toEqual(piece)
    await frames.next()
    expect(shown().length).toBeGreaterThan(piece.length)
    for (let frame = 0; frame < 40; frame += 1) await frames.next()
    expect(shown().length).toBeGreaterThanOrEqual(near - 1)
    expect(frames.count()).toBe(0)
    expect(pageOf().get('button', 'row 500')).toBe(row)
  })

  it('shows another list at once', async () => {
    screen = await renderScreen(<List count={1_000} estimatePx={20} />)
    const near = shown().length
    holdFrames()
    await screen.rerender(<List count={1_000} estimatePx={20} word="line" />)
    expect(shown()[0]).toBe('line 0')
    expect(shown().length).toBeGreaterThanOrEqual(near)
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
