// Whether a call of the database API says which rows it is for. Knows PostgREST's grammar as far as that question needs it; what
// is wrong in a filter is PostgREST's to say.

import { parseQuery } from './parseQuery.ts'

/** Parameters that shape an answer or a body and name no rows. */
const SHAPING: ReadonlySet<string> = new Set(['select', 'columns', 'order', 'limit', 'offset', 'on_conflict'])
const LOGIC: ReadonlySet<string> = new Set(['and', 'or', 'not.and', 'not.or'])
/** The backend's own spelling of filters, written as PostgREST's before it is sent (`name.filter=a,b`). */
const FILTER_SUFFIX = '.filter'

/**
 * The sentence for someone who would change or delete all rows of a table; null when the call names rows, or does neither.
 *
 * A filter that matches every row (`id=not.is.null`) is one: how many rows a call may touch is bounded by the tables.
 *
 * @param path of the backend, without query, for example `/db/incidents`
 * @param query as it came, with or without `?`
 */
export function missingRowFilter(method: string, path: string, query: string): string | null {
  if ((method !== 'PATCH' && method !== 'DELETE') || !path.startsWith('/db/') || namesRows(query)) return null
  const table = path.slice('/db/'.length)
  return `${method} of ${table} requires a filter that names the rows, for example ?id=eq.{id}: nothing was changed.`
}

/** Whether a query filters the rows of the table itself: not only its order, its columns or what is embedded. */
export function namesRows(query: string): boolean {
  // PostgREST's library takes a semicolon for an ampersand: whichever way it is read, rows must be named.
  return [query, query.replaceAll(';', '&')].every((reading) => {
    const parameters = parseQuery(reading)
    const embedded = embeddedNames(parameters.flatMap(([name, value]) => (name === 'select' ? [value] : [])))
    return parameters.some(([name, value]) => isRowFilter(name, value, embedded))
  })
}

function isRowFilter(key: string, value: string, embedded: ReadonlySet<string>): boolean {
  if (LOGIC.has(key)) return value.replaceAll(/[\s(),]/g, '') !== ''
  if (key.endsWith(FILTER_SUFFIX)) {
    const items = value.split(',').map((item) => item.replace(/^!/, '').trim())
    return isColumn(key.slice(0, -FILTER_SUFFIX.length)) && items.some((item) => item !== '')
  }
  // Asks whether something is embedded, which newer versions of PostgREST look at only in the answer.
  if (embedded.has(key.trim()) && EXISTENCE.test(value)) return false
  return isColumn(key) && value.trim() !== ''
}

/** A dot leads into an embedded table, whose filters leave the rows of this one alone. */
const isColumn = (key: string): boolean => key.trim() !== '' && !SHAPING.has(key) && !key.includes('.')

const EXISTENCE = /^(?:not\.)?is\.(?:not_)?null$/i

/** Names, aliases and hints in front of a bracket of any depth: what is refused too much is refused with a sentence. */
function embeddedNames(selects: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const select of selects) {
    for (const [, item = ''] of select.matchAll(/([^,()]*)\(/g)) {
      for (const name of item.split(/[:!]/)) names.add(name.trim().replace(/^\.\.\./, ''))
    }
  }
  return names
}
