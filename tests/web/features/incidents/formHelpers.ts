import { act } from 'react'

import type { RenderedScreen } from '#support/web/renderScreen.tsx'

/** Dialogs stand beside the page, not in it. */
export const dialog = (): HTMLElement | null => document.querySelector<HTMLElement>('[role="dialog"]')

/** The field that a label of these words belongs to. */
export function fieldOf(label: string): HTMLElement | null {
  const found = [...document.querySelectorAll('label')].find(({ textContent }) => textContent.trim().startsWith(label))
  const id = found?.getAttribute('for')
  return id ? document.getElementById(id) : null
}

export async function choose(field: HTMLElement | null, value: string): Promise<void> {
  if (!(field instanceof HTMLSelectElement)) throw new Error('there is no such choice')
  await act(async () => {
    // React listens to the native setter; assigning `value` would go unnoticed.
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(field, value)
    field.dispatchEvent(new Event('change', { bubbles: true }))
  })
}

export async function submit(screen: RenderedScreen): Promise<void> {
  await act(async () => {
    dialog()
      ?.querySelector('form')
      ?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
  })
  await screen.advance(0)
}
