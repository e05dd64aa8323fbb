import { act } from 'react'

/** Enter in a text field, as a browser does it: unless someone prevents it, the form is submitted by its button. */
export async function pressEnter(field: HTMLInputElement | null): Promise<void> {
  if (field === null) throw new Error('there is no such field')
  await act(async () => {
    const isFree = field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
    const { form } = field
    if (!isFree || form === null) return
    const button = [...form.elements].find((each) => each instanceof HTMLButtonElement && each.type === 'submit')
    if (!(button instanceof HTMLButtonElement) || !button.disabled) form.requestSubmit()
  })
}
