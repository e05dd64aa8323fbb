import { act, useState, useSyncExternalStore } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { createLogLines, type LogLines } from '../../../../web/src/ui/log-view/createLogLines.ts'
import type { LineRange } from '../../../../web/src/ui/log-view/lineRange.ts'
import { LogView, type SavedLog } from '../../../../web/src/ui/log-view/LogView.tsx'

const toasts: string[] = []
vi.mock('../../../../web/src/ui/toaster.ts', () => ({
  showToast: (text: string) => toasts.push(text),
  showErrorToast: (text: string) => toasts.push(`error: ${text}`),
}))
const files: string[] = []
vi.mock('../../../../web/src/ui/saveFile.ts', () => ({ saveFile: (name: string) => files.push(name) }))

let screen: RenderedScreen
let log: LogLines
let isReadable = true
beforeEach(() => {
  log = createLogLines()
  toasts.length = 0
  files.length = 0
  isReadable = true
})
afterEach(async () => {
  await screen.close()
  document.body.replaceChildren()
})

const print = (text: string): void => log.append([{ text, at: '2026-01-01T12:34:56.789Z', stream: 'stdout' }])
const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('')

async function read(): Promise<SavedLog> {
  if (!isReadable) throw new Error('no connection')
  return { file: new Blob([log.text()]) }
}
function Log({ first }: { first: LineRange | null }) {
  const revision = useSyncExternalStore(log.subscribe, log.revision)
  const [marked, setMarked] = useState<LineRange | null>(first)
  return (
    <LogView
      label="Output"
      lines={log.lines}
      revision={revision}
      marked={marked}
      onMark={setMarked}
      download={{ name: 'step.log', read }}
      empty="Nothing yet"
      isStill={false}
    />
  )
}
async function open(first: LineRange | null = null): Promise<void> {
  screen = await renderScreen(<Log first={first} />)
}
const button = (name: string): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>('button')].find(
    (element) => element.textContent === name || element.getAttribute('aria-label') === name,
  ) ?? null
const box = (): HTMLElement | null => document.querySelector('[aria-label="Output: lines"]')
const marked = (): string[] =>
  [...document.querySelectorAll('li[data-marked] button')].map(({ textContent }) => textContent)
const told = (): string => [...document.querySelectorAll('output')].at(-1)?.textContent ?? ''

describe('LogView', () => {
  it('says what it waits for, and shows lines as they come', async () => {
    await open()
    expect(document.body.textContent).toContain('Nothing yet')
    await act(async () => print('one\ntw'))
    await act(async () => print('o\n'))
    expect(box()?.textContent).toContain('two')
  })

  it('draws what comes in one go, before the browser tells that it has scrolled to it', async () => {
    print(numbered(1, 100))
    await open()
    await act(async () => print(numbered(101, 3_000)))
    const rows = [...document.querySelectorAll('li')]
    expect(rows.at(-1)?.getAttribute('aria-posinset')).toBe('3000')
    expect(rows.length).toBeLessThan(100)
  })

  it('draws fewer lines beyond the window while the end is followed than for someone who reads', async () => {
    print(numbered(1, 1_000))
    await open()
    await act(async () => print(numbered(1_001, 2_000)))
    const whileFollowing = document.querySelectorAll('li').length
    await screen.press('f', box())
    await act(async () => print(numbered(2_001, 2_002)))
    expect(document.querySelectorAll('li').length).toBeGreaterThan(whileFollowing + 15)
  })

  it('has in the document what is near the window alone, and says how long it is', async () => {
    print(numbered(1, 50_000))
    await open()
    const rows = [...document.querySelectorAll('li')]
    expect(rows.length).toBeLessThan(100)
    expect(rows[0]?.getAttribute('aria-setsize')).toBe('50000')
  })

  it('makes links of http and https alone', async () => {
    print('see https://a.example/x?y=1, or javascript:alert(1) or ftp://b.example\n')
    await open()
    expect([...document.querySelectorAll('a')].map(({ href, rel }) => [href, rel])).toEqual([
      ['https://a.example/x?y=1', 'noreferrer noopener'],
    ])
  })

  it('shows what was printed as text, whatever it looks like', async () => {
    print('<img src=x onerror=alert(1)>\n')
    await open()
    expect(document.querySelector('img')).toBeNull()
    expect(box()?.textContent).toContain('<img src=x onerror=alert(1)>')
  })

  it('cuts a line of megabytes, and says so', async () => {
    print(`${'x'.repeat(10_000)}\n`)
    await open()
    expect(box()?.textContent).toContain('6,000 more characters in the download')
  })

  it('finds lines, goes from one to the next, and marks what was found', async () => {
    print(numbered(1, 30))
    await open()
    await screen.type(document.querySelector('input[type="search"]'), 'LINE 2')
    await screen.advance(200)
    expect(document.body.textContent).toContain('11 lines')
    expect(document.querySelector('mark')?.textContent).toBe('line 2')
    await screen.click(button('Next match'))
    expect(document.body.textContent).toContain('1 of 11')
    await screen.press('n', box())
    expect(document.querySelector('li[aria-current]')?.textContent).toContain('line 20')
    await screen.press('N', box())
    expect(document.body.textContent).toContain('1 of 11')
  })

  it('has the links of marked lines where the keyboard reaches them', async () => {
    print('see https://a.example/x and https://b.example/y\n')
    print('again https://a.example/x, javascript:alert(1)\nhttps://other.example/\n')
    await open({ from: 1, to: 2 })
    const reached = [...document.querySelectorAll<HTMLAnchorElement>('a:not([tabindex])')]
    expect(reached.map(({ href, rel }) => [href, rel])).toEqual([
      ['https://a.example/x', 'noreferrer noopener'],
      ['https://b.example/y', 'noreferrer noopener'],
    ])
  })

  it('marks lines by pointer and by keys, and lets them go', async () => {
    print(numbered(1, 20))
    await open({ from: 3, to: 4 })
    expect(marked()).toEqual(['3', '4'])
    await screen.press('J', box())
    expect(marked()).toEqual(['3', '4', '5'])
    await screen.press('j', box())
    expect(marked()).toEqual(['6'])
    await screen.press('k', box())
    expect(document.body.textContent).toContain('Line 5')
    await screen.click(button('Mark line 5'))
    expect(marked()).toEqual([])
    await screen.click(button('Mark line 2'))
    await screen.press('Escape', box())
    expect(marked()).toEqual([])
  })

  it('shows times on demand, to the thousandth', async () => {
    print('one\n')
    await open()
    expect(document.querySelector('li time')).toBeNull()
    await screen.click(button('Show times'))
    expect(document.querySelector('li time')?.textContent).toMatch(/^\d{2}:34:56[.,]789$/)
  })

  it('follows at first, but not where an address wants certain lines', async () => {
    print(numbered(1, 20))
    await open()
    expect(button('Follow')?.getAttribute('aria-pressed')).toBe('true')
    await screen.press('f', box())
    expect(button('Follow')?.getAttribute('aria-pressed')).toBe('false')
    await act(async () => print(numbered(21, 33)))
    await screen.click(button('13 new lines'))
    expect(button('Follow')?.getAttribute('aria-pressed')).toBe('true')
    await screen.close()
    await open({ from: 2, to: 2 })
    expect(button('Follow')?.getAttribute('aria-pressed')).toBe('false')
  })

  it('does not pull back who scrolled up, though lines come before the browser says so', async () => {
    print(numbered(1, 20))
    await open()
    const scroller = box()
    if (scroller === null) throw new Error('there is no scroller')
    Object.defineProperties(scroller, { scrollHeight: { value: 400 }, clientHeight: { value: 100 } })
    await act(async () => print(numbered(21, 22)))
    expect(scroller.scrollTop).toBeGreaterThan(40)
    scroller.scrollTop = 40
    await act(async () => print(numbered(23, 24)))
    expect(scroller.scrollTop).toBe(40)
    expect(button('Follow')?.getAttribute('aria-pressed')).toBe('false')
  })

  it('tells a screen reader of new lines every five seconds, in one sentence', async () => {
    print('one\n')
    await open()
    await act(async () => print(numbered(2, 40)))
    expect(told()).toBe('')
    await screen.advance(5_000)
    expect(told()).toBe('39 new lines. Last: line 40')
    await screen.advance(5_000)
    expect(told()).toBe('39 new lines. Last: line 40')
  })

  it('hands the whole log over as a file, and says how that went', async () => {
    print('one\n')
    await open()
    await screen.click(button('Download'))
    await screen.waitFor(() => expect(toasts).toEqual(['Downloaded logs']))
    expect(files).toEqual(['step.log'])
    isReadable = false
    await screen.click(button('Download'))
    await screen.waitFor(() => expect(toasts).toEqual(['Downloaded logs', 'error: Failed to download logs']))
  })
})
