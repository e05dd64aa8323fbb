// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'

import { copyText } from '../../../web/src/ui/copyToClipboard.ts'
import { showErrorToast, showToast } from '../../../web/src/ui/toaster.ts'

const shown = (): string => document.querySelector('.bp6-toast-container')?.textContent ?? ''
const waitForText = async (text: string): Promise<void> =>
  // The toaster is loaded when the first toast is shown.
  vi.waitFor(() => expect(shown()).toContain(text), { timeout: 20_000 })

function setClipboard(clipboard: object | undefined): void {
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
}

describe('copyText', () => {
  it('copies and says so', async () => {
    const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue()
    setClipboard({ writeText })
    expect(await copyText('check-1')).toBe(true)
    expect(writeText).toHaveBeenCalledWith('check-1')
    await waitForText('Copied to clipboard')
  })

  it('says that there is no clipboard', async () => {
    setClipboard(undefined)
    expect(await copyText('check-1')).toBe(false)
    await waitForText('Clipboard not available')
  })

  it('says that the browser refused', async () => {
    setClipboard({ writeText: () => Promise.reject(new DOMException('denied', 'NotAllowedError')) })
    expect(await copyText('check-1')).toBe(false)
    await waitForText('Failed to copy to clipboard')
  })
})

describe('toasts', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('leave after five seconds; a failure stays until it is dismissed', async () => {
    vi.useFakeTimers()
    showToast('done for now')
    showErrorToast('it failed')
    await waitForText('done for now')
    const [before, after] = [4_000, 1_500]
    await vi.advanceTimersByTimeAsync(before)
    expect(shown()).toContain('done for now')
    await vi.advanceTimersByTimeAsync(after)
    await vi.waitFor(() => expect(shown()).not.toContain('done for now'), 5_000)
    expect(shown()).toContain('it failed')
  })
})
