import { parseInert } from './parseInert.ts'

/** What someone would read of it, on one line. Nothing that has no tag is parsed: lists ask for it row by row. */
export function toPlainText(html: string): string {
  const text = html.includes('<') || html.includes('&') ? textOf(parseInert(html)) : html
  return text.replaceAll(/\s+/g, ' ').trim()
}

function textOf(body: HTMLElement): string {
  for (const hidden of body.querySelectorAll('script, style, template, noscript')) hidden.remove()
  // Paragraphs that follow each other are not one word.
  for (const block of body.querySelectorAll('p, div, br, li, h1, h2, h3, h4, tr, pre')) block.append(' ')
  return body.textContent ?? ''
}
