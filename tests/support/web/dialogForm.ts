import { act } from 'react'

import type { RenderedScreen } from './renderScreen.tsx'

/** Dialogs stand beside the page, not in it. */
export const dialog = (): HTMLElement | null => document.querySelector<HTMLElement>('[role="dialog"]')

/** The field that a label of these words belongs to. */
export function fieldOf(label: string): HTMLElement | null {
  const found = [...document.querySelectorAll('label')].find(({ textContent }) => textContent.trim().startsWith(label))
  const id = found?.getAttribute('for')
  return id ? document.getElementById(id) : null
}

export async function submit(screen: RenderedScreen): Promise<void> {
  await act(async () => {
    dialog()
      ?.querySelector('form')
      ?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
  })
  await screen.advance(0)
}
