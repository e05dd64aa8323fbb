import { describe, expect, it } from 'vitest'

import { createAdoptedStyle } from '../../../web/src/editor/createAdoptedStyle.ts'

const rules = (): string =>
  document.adoptedStyleSheets.flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText)).join()

describe('createAdoptedStyle', () => {
  it('stands for a style element: text in force, text replaced, rules added, gone when removed', () => {
    const style = createAdoptedStyle()
    style.textContent = '.a { color: red; }'
    expect(rules()).toContain('.a')
    style.textContent = '.b { color: red; }'
    expect(rules()).not.toContain('.a')
    style.sheet.insertRule('.c { color: red; }', 0)
    expect(rules()).toContain('.c')
    expect(style.textContent).toBe('.b { color: red; }')
    style.remove()
    expect(rules()).toBe('')
  })

  it('leaves the sheets of others alone', () => {
    const [one, other] = [createAdoptedStyle(), createAdoptedStyle()]
    other.textContent = '.other { color: red; }'
    one.remove()
    expect(rules()).toContain('.other')
    other.remove()
  })
})
