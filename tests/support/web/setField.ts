import { act } from 'react'

/** Types into a text area or chooses in a select, as React notices it. */
export async function setField(field: Element | null, value: string): Promise<void> {
  const isArea = field instanceof HTMLTextAreaElement
  if (!isArea && !(field instanceof HTMLSelectElement) && !(field instanceof HTMLInputElement)) {
    throw new Error('there is no such field')
  }
  await act(async () => {
    // React listens to the native setter; assigning `value` would go unnoticed.
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
    field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
  })
}
