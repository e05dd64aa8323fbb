import { createElement, type ReactNode } from 'react'

import { parseInert } from './parseInert.ts'

/** What text may be made of. Of everything else the text stays; of what holds code or style nothing does. */
const KEPT = new Set([
  'b',
  'blockquote',
  'br',
  'code',
  'em',
  'h1',
  'h2',
  'h3',
  'h4',
  'hr',
  'i',
  'li',
  'ol',
  'p',
  'pre',
  'strong',
  'ul',
])
const DROPPED = new Set(['iframe', 'math', 'noscript', 'object', 'script', 'style', 'svg', 'template', 'title'])
const VOID = new Set(['br', 'hr'])
/** Deeper than anyone writes; a browser would run out of stack somewhere. */
const MAX_DEPTH = 50

/** HTML that someone else wrote, as plain parts without attributes: nothing in it runs, loads or leads elsewhere unseen. */
export function SafeHtml({ html, className }: { html: string; className?: string | undefined }) {
  return <div className={className}>{toParts(parseInert(html), 0)}</div>
}

const toParts = (parent: Node, depth: number): ReactNode[] =>
  depth > MAX_DEPTH
    ? [parent.textContent]
    : Array.from(parent.childNodes, (node, at) => toPart(node, `${depth}-${at}`, depth + 1))

function toPart(node: Node, key: string, depth: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (node.nodeType !== Node.ELEMENT_NODE) return null
  const name = node.nodeName.toLowerCase()
  if (DROPPED.has(name)) return null
  if (name === 'a') {
    const href = toWebAddress((node as Element).getAttribute('href'))
    if (href !== null) {
      return (
        <a key={key} href={href} target="_blank" rel="noopener noreferrer">
          {toParts(node, depth)}
        </a>
      )
    }
  }
  if (VOID.has(name)) return createElement(name, { key })
  return createElement(KEPT.has(name) ? name : 'span', { key }, ...toParts(node, depth))
}

/** Addresses of the web alone: others run code, or open other programs. */
function toWebAddress(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null
}
