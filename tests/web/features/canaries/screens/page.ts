import type { RenderedScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'

/** What a person finds on the page by its words. */
export function createPage(screen: RenderedScreen) {
  const all = <Found extends Element>(selector: string): Found[] => [...document.querySelectorAll<Found>(selector)]
  /** Several controls under one name. */
  const group = (name: RegExp): HTMLFieldSetElement | null =>
    all<HTMLFieldSetElement>('fieldset').findLast((element) =>
      name.test(element.querySelector('legend')?.textContent ?? ''),
    ) ?? null
  const field = (label: RegExp): HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | null => {
    const found = all<HTMLLabelElement>('label').find((element) => label.test(element.textContent.trim()))
    return found ? document.querySelector(`[id="${found.htmlFor}"]`) : null
  }
  const button = (name: string | RegExp): HTMLElement | null =>
    all<HTMLElement>('button').find((element) => {
      const text = (element.getAttribute('aria-label') ?? element.textContent).trim()
      return typeof name === 'string' ? text === name : name.test(text)
    }) ?? null
  const described = (element: Element | null): string | null => {
    const ids = element?.getAttribute('aria-describedby')?.split(' ') ?? []
    const id = ids.find((part) => part.endsWith('-error'))
    return id === undefined ? null : (document.querySelector(`[id="${id}"]`)?.textContent ?? null)
  }
  return {
    group,
    text: () => document.body.textContent,
    field,
    button,
    fill: (label: RegExp, value: string) => setField(field(label), value),
    press: (name: string | RegExp) => screen.click(button(name)),
    /** The error below a field, a group, or a control that says its name itself. */
    errorOf: (name: RegExp): string | null =>
      described(
        field(name) ??
          group(name) ??
          all('[aria-label]').find((each) => name.test(each.getAttribute('aria-label') ?? '')) ??
          null,
      ),
  }
}
