import type { RenderedScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'

/** What a person finds on the page by its words. */
export function createPage(screen: RenderedScreen) {
  const all = <Found extends Element>(selector: string): Found[] => [...document.querySelectorAll<Found>(selector)]
  const field = (label: RegExp): HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | null => {
    const found = all<HTMLLabelElement>('label').find((element) => label.test(element.textContent.trim()))
    return found ? document.querySelector(`[id="${found.htmlFor}"]`) : null
  }
  const button = (name: string | RegExp): HTMLElement | null =>
    all<HTMLElement>('button').find((element) => {
      const text = (element.getAttribute('aria-label') ?? element.textContent).trim()
      return typeof name === 'string' ? text === name : name.test(text)
    }) ?? null
  return {
    text: () => document.body.textContent,
    field,
    button,
    fill: (label: RegExp, value: string) => setField(field(label), value),
    press: (name: string | RegExp) => screen.click(button(name)),
    /** The error below a field. */
    errorOf: (label: RegExp): string | null => {
      const ids = field(label)?.getAttribute('aria-describedby')?.split(' ') ?? []
      const id = ids.find((part) => part.endsWith('-error'))
      return id === undefined ? null : (document.querySelector(`[id="${id}"]`)?.textContent ?? null)
    },
  }
}
