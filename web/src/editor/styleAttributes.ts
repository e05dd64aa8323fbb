// The Content-Security-Policy allows no style attribute in HTML, and Monaco places every line with one. Monaco hands all
// such HTML to a policy of ours first: it renames the attribute, and an observer sets the same through the object model,
// which the policy does not govern. The observer runs before the browser paints.

const RENAMED = 'data-wr-style'
/** Attributes of a tag as Monaco writes them; text is escaped, so `<` always begins a tag. */
const STYLE_IN_TAG = /(<[a-z][^<>]*?\s)style="/gi

/** HTML with its style attributes under another name. */
export function withRenamedStyles(html: string): string {
  return html.replace(STYLE_IN_TAG, `$1${RENAMED}="`)
}

/** Sets the styles that `withRenamedStyles` moved away, now and for whatever is added below `root` later. */
export function applyRenamedStyles(root: HTMLElement): { close(): void } {
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) if (node instanceof Element) applyBelow(node)
  })
  observer.observe(root, { childList: true, subtree: true })
  applyBelow(root)
  return { close: () => observer.disconnect() }
}

function applyBelow(root: Element): void {
  if (root.hasAttribute(RENAMED)) apply(root)
  for (const element of root.querySelectorAll(`[${RENAMED}]`)) apply(element)
}

function apply(element: Element): void {
  const { style } = element as HTMLElement | SVGElement
  for (const declaration of (element.getAttribute(RENAMED) ?? '').split(';')) {
    const colon = declaration.indexOf(':')
    const property = declaration.slice(0, colon).trim()
    // What Monaco has set by itself meanwhile is newer.
    if (colon > 0 && style.getPropertyValue(property) === '') style.setProperty(property, declaration.slice(colon + 1))
  }
  element.removeAttribute(RENAMED)
}
