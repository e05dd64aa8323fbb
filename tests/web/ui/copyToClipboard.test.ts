import { describe, expect, it, vi } from 'vitest'

import { eventually } from '#support/eventually.ts'

// What is loaded with the first toast: with all of Blueprint it takes longer than a test should.
import '../../../web/src/ui/ToastStack.tsx'
import { copyText } from '../../../web/src/ui/copyToClipboard.ts'

const shown = (): string => document.querySelector('body')?.textContent ?? ''
const waitForText = async (text: string): Promise<void> =>
  // The toaster is loaded when the first toast is shown.
  eventually(() => expect(shown()).toContain(text))

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

  it('names what was copied, where it is short', async () => {
    setClipboard({ writeText: vi.fn<(text: string) => Promise<void>>().mockResolvedValue() })
    expect(await copyText('018f-1', '018f-1')).toBe(true)
    await waitForText('Copied 018f-1 to clipboard')
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
