import { act } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { eventually } from '#support/eventually.ts'

// What is loaded with the first toast: with all of Blueprint it takes longer than a test should.
import '../../../web/src/ui/ToastStack.tsx'
import { showErrorToast, showToast, showTopRightToast } from '../../../web/src/ui/toaster.ts'

const toasts = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.bp6-toast')]
const texts = (): (string | null)[] => toasts().map(({ textContent }) => textContent)
const tell = (...shows: (() => void)[]): Promise<void> => act(async () => shows.forEach((show) => show()))
const pass = (durationMs: number): Promise<unknown> => act(() => vi.advanceTimersByTimeAsync(durationMs))
const dispatch = (type: string): Promise<void> =>
  act(async () => void toasts()[0]?.dispatchEvent(new MouseEvent(type, { bubbles: true })))

function dismissAll(): Promise<void> {
  return act(async () => {
    for (const toast of toasts()) toast.querySelector<HTMLElement>('button[aria-label="Close"]')?.click()
  })
}

const STAY_MS = 5_000

beforeAll(async () => {
  // With real timers: React keeps those that it finds when it is loaded.
  showToast('loads the place of the toasts')
  await eventually(() => {
    if (toasts().length !== 1) throw new Error('no toast is shown')
  })
  globalThis.IS_REACT_ACT_ENVIRONMENT = true
  await dismissAll()
}, 30_000)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(async () => {
  await dismissAll()
  vi.useRealTimers()
})

describe('toasts', () => {
  it('leave after five seconds, failures too, or when they are dismissed', async () => {
    await tell(
      () => showToast('done for now'),
      () => showErrorToast('it failed'),
    )
    await pass(STAY_MS - 1)
    expect(texts()).toEqual(['done for now', 'it failed'])
    await pass(1)
    expect(texts()).toEqual([])
    await tell(() => showErrorToast('it failed again'))
    await dismissAll()
    expect(texts()).toEqual([])
  })

  it.each([
    { kind: 'a result', held: 'the pointer', show: showToast, begin: 'mouseover', end: 'mouseout' },
    { kind: 'a result', held: 'the focus', show: showToast, begin: 'focusin', end: 'focusout' },
    { kind: 'a failure', held: 'the pointer', show: showErrorToast, begin: 'mouseover', end: 'mouseout' },
    { kind: 'a failure', held: 'the focus', show: showErrorToast, begin: 'focusin', end: 'focusout' },
  ])('stay while $held is on them: $kind', async ({ show, begin, end }) => {
    await tell(() => show('wait for me'))
    await dispatch(begin)
    await pass(3 * STAY_MS)
    expect(texts()).toEqual(['wait for me'])
    await dispatch(end)
    await pass(STAY_MS)
    expect(texts()).toEqual([])
  })

  it('are three at most in all corners; a failure is the last to make room', async () => {
    await tell(
      () => showErrorToast('it failed'),
      () => showToast('one'),
      () => showTopRightToast('two'),
      () => showToast('three'),
    )
    expect(texts()).toEqual(['two', 'it failed', 'three'])
  })
})
