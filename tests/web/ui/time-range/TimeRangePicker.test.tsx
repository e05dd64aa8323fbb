import { Dialog } from '@blueprintjs/core'
import type { TimeRange } from '@watchroom/shared/time'
import { act, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { TimeRangePicker, type TimeRangePickerProps } from '../../../../web/src/ui/time-range/TimeRangePicker.tsx'
import { FakeClock } from '../../../support/fakeClock.ts'
import { type RenderedScreen, renderScreen } from '../../../support/web/renderScreen.tsx'

const NOW = Date.parse('2026-03-18T10:20:30.000Z')
const LAST_HOUR: TimeRange = { rangeType: 'relative', display: 'Last 1 hour', range: 'now-1h' }
const MARCH: TimeRange = {
  rangeType: 'absolute',
  display: 'Custom',
  from: '2026-03-01T08:00:00.000Z',
  to: '2026-03-01T09:30:00.000Z',
}
const RECENT_KEY = 'recentlyUsedTimeRanges'

let screen: RenderedScreen
const changes: (TimeRange | undefined)[] = []

function Place({ value: initial, ...props }: Omit<TimeRangePickerProps, 'onChange'>) {
  const [value, setValue] = useState(initial)
  const handleChange = (range: TimeRange | undefined): void => {
    changes.push(range)
    setValue(range)
  }
  return <TimeRangePicker {...props} value={value} onChange={handleChange} />
}

const find = (selector: string): HTMLElement | null => document.querySelector<HTMLElement>(selector)
const trigger = (): HTMLElement | null => screen.container.querySelector<HTMLElement>('button[aria-haspopup]')
const panel = (): HTMLElement | null => find('.wr-range-panel')
const search = (): HTMLElement | null => find('input[role=combobox]')
const field = (label: 'From' | 'To'): HTMLInputElement | null => {
  const tag = [...document.querySelectorAll('label')].find(({ textContent }) => textContent?.trim() === label)
  return tag ? (find(`#${CSS.escape(tag.htmlFor)}`) as HTMLInputElement) : null
}
const helpOf = (label: 'From' | 'To'): string | null | undefined =>
  document.getElementById(field(label)?.getAttribute('aria-describedby') ?? '')?.textContent
const button = (name: string): HTMLButtonElement | null =>
  [...document.querySelectorAll<HTMLButtonElement>('.wr-range-panel button')].find(
    (candidate) => (candidate.getAttribute('aria-label') ?? candidate.textContent) === name,
  ) ?? null
const option = (label: string): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>('[role=option]')].find(
    (candidate) => candidate.firstElementChild?.textContent === label,
  ) ?? null
const active = (): string | null | undefined =>
  document.getElementById(search()?.getAttribute('aria-activedescendant') ?? '')?.firstElementChild?.textContent

async function open(props: Omit<TimeRangePickerProps, 'onChange'>): Promise<void> {
  screen = await renderScreen(<Place {...props} />, { clock: new FakeClock(NOW) })
  // Everything here is about UTC unless a test chooses otherwise: the zone of the computer is anything.
  localStorage.setItem('timeZone', '{"v":1,"value":"UTC"}')
  await act(async () => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'timeZone', newValue: '{"v":1,"value":"UTC"}' }))
  })
  trigger()?.focus()
  await screen.click(trigger())
  await screen.waitFor(() => expect(panel()).not.toBeNull())
}

beforeEach(() => {
  changes.length = 0
})
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

describe('the closed picker', () => {
  it.each([
    [undefined, 'Any time'],
    [LAST_HOUR, 'Last 1 hour'],
    [{ rangeType: 'mapped', display: 'Yesterday', timeRange: 'Yesterday' } as const, 'Yesterday'],
  ])('says its range', async (value, text) => {
    screen = await renderScreen(<Place value={value} />)
    expect(trigger()?.textContent).toBe(text)
    expect(trigger()?.getAttribute('aria-label')).toBe(`Time range: ${text}`)
  })

  it('shows a fixed range on the chosen clock and says which it is', async () => {
    await open({ value: MARCH })
    expect(trigger()?.textContent).toBe('2026-03-01 08:00 – 09:30 UTC')
  })

  it('cannot be opened while disabled', async () => {
    screen = await renderScreen(<Place value={LAST_HOUR} disabled />)
    await screen.click(trigger() ?? screen.container.querySelector('button'))
    expect(panel()).toBeNull()
  })
})

describe('the list', () => {
  it('offers past presets and quick ranges, and future presets where they are asked for', async () => {
    await open({ value: undefined, presets: 'both' })
    const titles = [...document.querySelectorAll('[role=listbox] [role=group]')].map((group) =>
      group.getAttribute('aria-label'),
    )
    expect(titles).toEqual(['Past', 'Future', 'Quick ranges'])
    expect(option('Last 5 minutes')).not.toBeNull()
    expect(option('Next 5 years')).not.toBeNull()
    expect(option('This month so far')).not.toBeNull()
  })

  it('chooses a quick range with a click and closes', async () => {
    await open({ value: LAST_HOUR })
    await screen.click(option('Previous week'))
    expect(changes).toEqual([{ rangeType: 'mapped', display: 'Previous week', timeRange: 'Previous week' }])
    expect(trigger()?.textContent).toBe('Previous week')
    await screen.waitFor(() => expect(panel()).toBeNull())
  })

  it('marks the range that is chosen and starts there', async () => {
    await open({ value: LAST_HOUR })
    expect(option('Last 1 hour')?.getAttribute('aria-selected')).toBe('true')
    expect(document.querySelectorAll('[aria-selected=true]')).toHaveLength(1)
    expect(active()).toBe('Last 1 hour')
  })

  it('is worked with the keys alone: focus in the field, arrows around the ends, Enter', async () => {
    await open({ value: undefined })
    expect(document.activeElement).toBe(search())
    expect(active()).toBe('Last 5 minutes')
    await screen.press('ArrowDown')
    await screen.press('ArrowDown')
    expect(active()).toBe('Last 30 minutes')
    await screen.press('PageUp')
    await screen.press('ArrowUp')
    expect(active()).toBe('This year so far')
    await screen.press('PageUp')
    await screen.press('PageDown')
    await screen.press('ArrowDown')
    expect(active()).toBe('Last 5 minutes')
    await screen.press('Enter')
    expect(changes).toEqual([{ rangeType: 'relative', display: 'Last 5 minutes', range: 'now-5m' }])
  })

  it('finds a range by typing, and takes an amount that is no preset', async () => {
    await open({ value: undefined })
    await screen.type(search(), 'yest')
    expect(
      [...document.querySelectorAll('[role=option]')].map((found) => found.firstElementChild?.textContent),
    ).toEqual(['Yesterday', 'Day before yesterday'])
    await screen.type(search(), '45m')
    await screen.press('Enter', search())
    expect(changes).toEqual([{ rangeType: 'relative', display: 'Last 45 minutes', range: 'now-45m' }])
  })

  it('says what can be typed when nothing is found, and Enter does nothing', async () => {
    await open({ value: undefined })
    await screen.type(search(), 'bananas')
    expect(panel()?.textContent).toContain('No matching range.')
    await screen.press('Enter', search())
    await screen.press('ArrowDown', search())
    expect(changes).toEqual([])
  })
})

describe('closing', () => {
  it('closes with Esc and gives the focus back to the button', async () => {
    await open({ value: LAST_HOUR })
    expect(document.activeElement).toBe(search())
    await screen.press('Escape')
    await screen.waitFor(() => expect(panel()).toBeNull())
    await screen.waitFor(() => expect(document.activeElement).toBe(trigger()))
    expect(changes).toEqual([])
  })

  it('leaves the dialog open that it stands in', async () => {
    const handleClose = vi.fn<() => void>()
    screen = await renderScreen(
      <Dialog isOpen autoFocus={false} onClose={handleClose}>
        <Place value={LAST_HOUR} />
      </Dialog>,
    )
    await screen.waitFor(() => expect(find('button[aria-haspopup]')).not.toBeNull())
    await screen.click(find('button[aria-haspopup]'))
    await screen.waitFor(() => expect(search()).not.toBeNull())
    await screen.press('Escape', search())
    await screen.waitFor(() => expect(panel()).toBeNull())
    expect(handleClose).not.toHaveBeenCalled()
  })
})

describe('the absolute range', () => {
  it('needs both ends before it can be submitted, and says so', async () => {
    await open({ value: undefined })
    const reason = (): string | null | undefined =>
      document.getElementById(button('Submit')?.getAttribute('aria-describedby') ?? '')?.textContent
    expect(button('Submit')?.disabled).toBe(true)
    expect(reason()).toBe('Both ends are needed')
    await screen.type(field('From'), '2026-03-01 08:00')
    expect(button('Submit')?.disabled).toBe(true)
    await screen.type(field('To'), '2026-03-01 09')
    expect(button('Submit')?.disabled).toBe(true)
    expect(reason()).toBe('One end isn’t valid yet')
    await screen.type(field('To'), '2026-03-01 09:30')
    expect(button('Submit')?.disabled).toBe(false)
    await act(async () => field('To')?.form?.requestSubmit())
    expect(changes).toEqual([MARCH])
  })

  it('explains at the field what is wrong, once the typing has paused', async () => {
    await open({ value: undefined })
    await screen.type(field('From'), '2026-03-02')
    await screen.type(field('To'), '2026-03-0')
    expect(field('To')?.getAttribute('aria-invalid')).toBe('false')
    await screen.advance(400)
    expect(field('To')?.getAttribute('aria-invalid')).toBe('true')
    expect(helpOf('To')).toBe('A time starts with "now" or a date like 2026-01-31 (character 1)')
    expect(field('From')?.getAttribute('aria-invalid')).toBe('false')
    await screen.type(field('To'), '2026-03-01')
    await screen.advance(400)
    expect(helpOf('To')).toBe('The end must be after the start')
    expect(field('From')?.value).toBe('2026-03-02')
  })

  it('starts with the ends of the current range and shows what an expression comes to', async () => {
    await open({ value: LAST_HOUR })
    expect([field('From')?.value, field('To')?.value]).toEqual(['now-1h', 'now'])
    expect([helpOf('From'), helpOf('To')]).toEqual(['= 2026-03-18 09:20:30', '= 2026-03-18 10:20:30'])
  })

  it('takes expressions, and keeps a pair relative that a relative range says', async () => {
    await open({ value: undefined })
    await screen.type(field('From'), 'now-2d')
    await screen.type(field('To'), 'now')
    await act(async () => field('To')?.form?.requestSubmit())
    expect(changes).toEqual([{ rangeType: 'relative', display: 'Last 2 days', range: 'now-2d' }])
  })

  it('converts typed moments when the clock is switched, and remembers the clock', async () => {
    await open({ value: MARCH })
    expect(field('From')?.value).toBe('2026-03-01 08:00')
    const local = [...document.querySelectorAll('[role=radio]')].find(({ textContent }) =>
      textContent?.startsWith('Local'),
    )
    await screen.click(local ?? null)
    const inThisZone = new Date(MARCH.rangeType === 'absolute' ? MARCH.from : '')
    const [hours, minutes] = [inThisZone.getHours(), inThisZone.getMinutes()].map((part) =>
      String(part).padStart(2, '0'),
    )
    expect(field('From')?.value.slice(11)).toBe(`${hours}:${minutes}`)
    expect(localStorage.getItem('timeZone')).toBe('{"v":1,"value":"local"}')
    await act(async () => field('To')?.form?.requestSubmit())
    expect(changes).toEqual([MARCH])
  })

  it('clears the range', async () => {
    await open({ value: LAST_HOUR })
    await screen.click(button('Clear'))
    expect(changes).toEqual([undefined])
    expect(trigger()?.textContent).toBe('Any time')
  })

  it('picks days from the calendar, whole days at first, and keeps a clock time that was typed', async () => {
    await open({ value: undefined })
    await screen.type(field('To'), '2026-03-20 12:34')
    await screen.click(button('Pick days for from'))
    await screen.waitFor(() => expect(find('.bp6-datepicker')).not.toBeNull())
    const day = (number: string): HTMLElement | null =>
      [...document.querySelectorAll<HTMLElement>('.bp6-datepicker-day, .rdp-day')].find(
        ({ textContent, className }) => textContent === number && !className.includes('outside'),
      ) ?? null
    await screen.waitFor(() => expect(day('10')).not.toBeNull())
    await screen.click(day('10'))
    expect(field('From')?.value).toBe('2026-03-10 00:00')
    expect(field('To')?.value).toBe('2026-03-20 12:34')
    await screen.click(button('Hide calendar'))
    expect(find('.bp6-datepicker')).toBeNull()
  })
})

describe('ranges used before', () => {
  it('are kept when an absolute range is submitted, and offered first the next time', async () => {
    await open({ value: undefined })
    await screen.type(field('From'), '2026-03-01 08:00')
    await screen.type(field('To'), '2026-03-01 09:30')
    await act(async () => field('To')?.form?.requestSubmit())
    expect(localStorage.getItem(RECENT_KEY)).toBe(
      '{"v":1,"value":[{"from":"2026-03-01T08:00:00.000Z","to":"2026-03-01T09:30:00.000Z"}]}',
    )
    await screen.waitFor(() => expect(panel()).toBeNull())
    await screen.click(trigger())
    await screen.waitFor(() => expect(panel()).not.toBeNull())
    expect(document.querySelector('[role=option]')?.firstElementChild?.textContent).toBe('2026-03-01 08:00 – 09:30')
  })

  it('are not kept of presets', async () => {
    await open({ value: undefined })
    await screen.click(option('Last 1 hour'))
    expect(localStorage.getItem(RECENT_KEY)).toBeNull()
  })
})

describe('the clipboard', () => {
  const clipboard = { writeText: vi.fn<(text: string) => Promise<void>>(), readText: vi.fn<() => Promise<string>>() }
  beforeEach(() => {
    clipboard.writeText.mockReset().mockResolvedValue()
    clipboard.readText.mockReset()
    Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
  })

  it('gets the range as JSON', async () => {
    await open({ value: LAST_HOUR })
    await screen.click(button('Copy range'))
    expect(clipboard.writeText).toHaveBeenCalledWith('{"from":"now-1h","to":"now"}')
  })

  it('has nothing to copy without a range', async () => {
    await open({ value: undefined })
    expect(button('Copy range')?.disabled).toBe(true)
  })

  it('gives a range that is used at once', async () => {
    clipboard.readText.mockResolvedValue('2026-03-01 08:00 – 2026-03-01 09:30')
    await open({ value: LAST_HOUR })
    await screen.click(button('Paste range'))
    expect(changes).toEqual([MARCH])
  })

  it('says why what it holds is no range, and changes nothing', async () => {
    clipboard.readText.mockResolvedValue('{"from":"soon","to":"now"}')
    await open({ value: LAST_HOUR })
    await screen.click(button('Paste range'))
    expect(find('.wr-range-refusal[role=alert]')?.textContent).toBe(
      'From: A time starts with "now" or a date like 2026-01-31 (character 1)',
    )
    expect(changes).toEqual([])
  })

  it('names the keys when the browser keeps it closed', async () => {
    clipboard.readText.mockRejectedValue(new DOMException('denied', 'NotAllowedError'))
    await open({ value: LAST_HOUR })
    await screen.click(button('Paste range'))
    expect(find('.wr-range-refusal[role=alert]')?.textContent).toContain('Press Ctrl+V here instead.')
  })

  /** Whether the paste was left to the field. */
  async function pasteInto(target: Element | null, text: string): Promise<boolean> {
    const event = new Event('paste', { bubbles: true, cancelable: true })
    Object.defineProperty(event, 'clipboardData', { value: { getData: () => text } })
    await act(async () => target?.dispatchEvent(event))
    return !event.defaultPrevented
  }

  it('is read by the keys: two ends anywhere, a single moment stays with its field', async () => {
    await open({ value: LAST_HOUR })
    expect(await pasteInto(field('From'), 'now-2d')).toBe(true)
    expect(changes).toEqual([])
    expect(await pasteInto(field('From'), '{"from":"now-6h","to":"now"}')).toBe(false)
    expect(changes).toEqual([{ rangeType: 'relative', display: 'Last 6 hours', range: 'now-6h' }])
  })
})
