// What a person or a screen reader finds on a page: by role, name and label, never by class. Hidden parts are not found.

const ROLES = {
  alert: '[role="alert"]',
  button: 'button, [role="button"]',
  cell: 'td, [role="cell"], [role="gridcell"]',
  checkbox: 'input[type="checkbox"], [role="checkbox"]',
  complementary: 'aside, [role="complementary"]',
  columnheader: 'th[scope="col"], [role="columnheader"]',
  combobox: 'select, [role="combobox"]',
  dialog: 'dialog, [role="dialog"], [role="alertdialog"]',
  figure: 'figure, [role="figure"]',
  heading: 'h1, h2, h3, h4, h5, h6, [role="heading"]',
  link: 'a[href]',
  list: 'ul, ol, [role="list"]',
  listitem: 'li, [role="listitem"]',
  menuitem: '[role="menuitem"]',
  note: '[role="note"]',
  option: 'option, [role="option"]',
  radio: 'input[type="radio"], [role="radio"]',
  region: 'section[aria-label], section[aria-labelledby], [role="region"]',
  row: 'tr, [role="row"]',
  rowheader: 'th[scope="row"], [role="rowheader"]',
  searchbox: 'input[type="search"], [role="searchbox"]',
  status: 'output, [role="status"]',
  switch: '[role="switch"]',
  tab: '[role="tab"]',
  table: 'table, [role="table"], [role="grid"]',
  textbox: 'input:not([type]), input[type="text"], textarea, [role="textbox"]',
} as const
export type PageRole = keyof typeof ROLES

/** A text is compared as a whole; a pattern may be anywhere. */
type Name = string | RegExp

export interface Page {
  /** @throws when there is none, or more than one */
  get(role: PageRole, name?: Name): HTMLElement
  find(role: PageRole, name?: Name): HTMLElement | null
  all(role: PageRole, name?: Name): HTMLElement[]
  /** A field by its label. @throws when there is none */
  field(label: Name): HTMLElement
  /** What is said of it beside its name, for example by a card that is open beside it. */
  description(element: Element): string
  /** What is told in a corner of the page, wherever one looks. */
  toastText(corner?: 'bottom-right' | 'top-right'): string
  /** Everything that can be read. */
  text(): string
  /** Headings of the columns of a table. */
  headers(): string[]
  /** The rows of a table as the texts of their cells, without those for tools and without headings between rows. */
  rows(): string[][]
  /** The same page, but only what is within. */
  within(element: Element): Page
}

/** @param root the part of the document that is looked at; floating parts are children of the body */
export function pageOf(root: Element = document.body): Page {
  const all = (role: PageRole, name?: Name): HTMLElement[] =>
    [...root.querySelectorAll<HTMLElement>(ROLES[role])].filter(
      (element) => !isHidden(element) && (name === undefined || isNamed(accessibleName(element), name)),
    )
  return {
    all,
    find: (role, name) => all(role, name)[0] ?? null,
    get(role, name) {
      const found = all(role, name)
      if (found.length === 1 && found[0] !== undefined) return found[0]
      const named = all(role).map(accessibleName)
      throw new Error(`${found.length} of the role ${role} named ${String(name)}; there are ${JSON.stringify(named)}`)
    },
    field(label) {
      const fields = root.querySelectorAll<HTMLElement>('input, select, textarea, [role="combobox"], [role="textbox"]')
      const found = [...fields].find((field) => !isHidden(field) && isNamed(accessibleName(field), label))
      if (found === undefined) throw new Error(`no field is labeled ${String(label)}`)
      return found
    },
    description: (element) => textOf(element.getAttribute('aria-describedby') ?? ''),
    toastText: (corner) =>
      [...document.querySelectorAll<HTMLElement>('[data-corner]')]
        .filter(({ dataset }) => corner === undefined || dataset['corner'] === corner)
        .map(({ textContent }) => textContent)
        .join(' '),
    text: () => root.textContent ?? '',
    headers: () =>
      all('columnheader')
        .map(accessibleName)
        .filter((name) => !TOOLS.has(name)),
    rows: () =>
      [...root.querySelectorAll('tbody tr:not([aria-hidden], [data-group])')]
        .map((row) => [...row.querySelectorAll(':scope > td:not([aria-hidden]), :scope > th')])
        .map((cells) => cells.filter((cell) => !isTool(cell)).map((cell) => cell.textContent ?? ''))
        .filter((texts) => texts.length > 0),
    within: (element) => pageOf(element),
  }
}

/** Headings that only name what the buttons below them do. */
const TOOLS: ReadonlySet<string> = new Set(['Actions', 'Details', 'Select all rows'])

/** A cell that holds one control and belongs to no named column. */
const isTool = (cell: Element): boolean =>
  !cell.hasAttribute('data-title') && cell.textContent === '' && cell.querySelector('button, input') !== null

const isHidden = (element: Element): boolean => element.closest('[aria-hidden="true"], [hidden]') !== null

const isNamed = (actual: string, name: Name): boolean =>
  typeof name === 'string' ? actual === name : name.test(actual)

/** The name that a screen reader says, as far as our screens need the rules. */
function accessibleName(element: Element): string {
  const labelledBy = element.getAttribute('aria-labelledby')
  if (labelledBy !== null) return textOf(labelledBy)
  const own = element.getAttribute('aria-label')
  if (own !== null) return own
  if (element.matches('input, select, textarea')) {
    const label = element.id === '' ? null : document.querySelector(`label[for="${CSS.escape(element.id)}"]`)
    const named = label ?? element.closest('label')
    return clean(named?.textContent ?? element.getAttribute('placeholder') ?? '')
  }
  if (element.matches('dialog, [role="dialog"], section, table, ul, ol')) return ''
  return clean(readable(element)) || (element.getAttribute('title') ?? '')
}

/** @param ids as an attribute of `aria` names them */
const textOf = (ids: string): string =>
  clean(
    ids
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  )

const clean = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** Text, and the names of the pictures and controls in it, without what is hidden. */
function readable(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? ''
  if (!(node instanceof Element) || node.getAttribute('aria-hidden') === 'true') return ''
  const label = node.getAttribute('aria-label')
  return label ?? [...node.childNodes].map(readable).join('')
}
