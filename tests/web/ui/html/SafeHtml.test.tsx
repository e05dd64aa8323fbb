import { afterEach, describe, expect, it } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { SafeHtml } from '../../../../web/src/ui/html/SafeHtml.tsx'
import { toPlainText } from '../../../../web/src/ui/html/toPlainText.ts'

let screen: RenderedScreen | undefined
afterEach(async () => {
  await screen?.close()
  screen = undefined
})

const HOSTILE = [
  '<script>globalThis.ran = true</script>',
  '<img src="x" onerror="globalThis.ran = true">',
  '<svg onload="globalThis.ran = true"><script>globalThis.ran = true</script></svg>',
  '<a href="javascript:globalThis.ran = true">run</a>',
  '<a href=" java\nscript:globalThis.ran = true">run</a>',
  '<a href="data:text/html,x">data</a>',
  '<iframe srcdoc="<script>globalThis.ran = true</script>"></iframe>',
  '<style>body { display: none }</style>',
  '<p style="position: fixed" onclick="globalThis.ran = true" id="root" class="wr-x">words</p>',
  '<form action="https://elsewhere.example"><button>Sign in</button><input name="password"></form>',
  '<math><mtext><style><img src=x onerror="globalThis.ran = true"></style></mtext></math>',
  '<template><script>globalThis.ran = true</script></template>',
]

describe('HTML of someone else', () => {
  it('keeps paragraphs, lists, code and links of the web', async () => {
    const html = '<p>Use <b>less</b></p><ul><li><code>cpu</code></li></ul><a href="https://example.org/a?b=1">More</a>'
    screen = await renderScreen(<SafeHtml html={html} />)
    expect(screen.container.querySelector('p b')?.textContent).toBe('less')
    expect(screen.container.querySelector('ul li code')?.textContent).toBe('cpu')
    const link = screen.container.querySelector('a')
    expect(link?.getAttribute('href')).toBe('https://example.org/a?b=1')
    expect(link?.getAttribute('rel')).toContain('noopener')
  })

  it.each(HOSTILE)('runs nothing, loads nothing and leads nowhere: %s', async (html) => {
    screen = await renderScreen(<SafeHtml html={html} />)
    const elements = [...screen.container.querySelectorAll('*')]
    const names = new Set(elements.map((element) => element.nodeName.toLowerCase()))
    for (const name of [
      'script',
      'img',
      'svg',
      'iframe',
      'style',
      'form',
      'input',
      'button',
      'a',
      'math',
      'template',
    ]) {
      expect(names).not.toContain(name)
    }
    expect(elements.flatMap((element) => element.getAttributeNames())).toEqual([])
    expect(globalThis).not.toHaveProperty('ran')
  })

  it('does not run out of stack', async () => {
    screen = await renderScreen(<SafeHtml html={`${'<b>'.repeat(5_000)}deep`} />)
    expect(screen.container.textContent).toContain('deep')
  })

  it('is read as one line of words', () => {
    expect(toPlainText('<p>One</p><p>two &amp; three<script>four()</script></p>')).toBe('One two & three')
    expect(toPlainText('a  b\nc')).toBe('a b c')
    expect(toPlainText('1 < 2')).toBe('1 < 2')
  })
})
