import { afterEach, describe, expect, it } from 'vitest'

import { applyRenamedStyles, withRenamedStyles } from '../../../web/src/editor/styleAttributes.ts'

/** A line as Monaco writes it. */
const LINE =
  '<div style="top:20px;height:20px;" class="view-line"><span class="mtk1" style="width:7px">a &lt; b</span></div>'

describe('style attributes of the editor', () => {
  afterEach(() => document.body.replaceChildren())

  it('leaves no style attribute in HTML and changes nothing else', () => {
    const html = withRenamedStyles(LINE)
    expect(html).not.toMatch(/\sstyle=/)
    expect(html.replaceAll('data-wr-style=', 'style=')).toBe(LINE)
  })

  it('does not touch text that only looks like an attribute', () => {
    const html = '<span class="mtk1">url: style="x"</span>'
    expect(withRenamedStyles(html)).toBe(html)
  })

  it('sets the same styles through the object model, for lines added later too', async () => {
    const editor = document.body.appendChild(document.createElement('div'))
    editor.innerHTML = withRenamedStyles(LINE)
    const styles = applyRenamedStyles(editor)
    editor.insertAdjacentHTML('beforeend', withRenamedStyles(LINE.replace('top:20px', 'top:40px')))
    await Promise.resolve()
    const [first, second] = editor.querySelectorAll<HTMLElement>('.view-line')
    expect([first?.style.top, second?.style.top]).toEqual(['20px', '40px'])
    expect(first?.querySelector('span')?.style.width).toBe('7px')
    expect(editor.querySelector('[data-wr-style]')).toBeNull()
    styles.close()
  })

  it('keeps what was set on an element before its turn came', async () => {
    const editor = document.body.appendChild(document.createElement('div'))
    const styles = applyRenamedStyles(editor)
    editor.insertAdjacentHTML('beforeend', withRenamedStyles(LINE))
    const line = editor.querySelector<HTMLElement>('.view-line')
    line?.style.setProperty('top', '60px')
    await Promise.resolve()
    expect([line?.style.top, line?.style.height]).toEqual(['60px', '20px'])
    styles.close()
  })
})
