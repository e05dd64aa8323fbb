// What may be read beside the table that a path names: rows of other tables, through the embeds of `select`.

import { FOREIGN_KEYS } from './foreignKeys.ts'
import { parseQuery } from './parseQuery.ts'
import { parseSelect, type SelectProblem } from './parseSelect.ts'
import type { Role } from './roles.ts'
import { mayUseRoute } from './routeRule.ts'
import { TABLE_ACCESS, tableAccess } from './tables.ts'

export type SelectRefusal =
  | { readonly kind: SelectProblem }
  /** Nothing that we know has this name, so nobody can say who may read it. */
  | { readonly kind: 'unknown'; readonly name: string }
  /** The caller may not read this table, whatever name it was embedded by. */
  | { readonly kind: 'denied'; readonly table: string }

/** Brackets within brackets, of `and=(or(…))` for example. The console needs three. */
const MAX_NESTING = 16

/**
 * Why a call of the database API is not passed on; null when it is.
 *
 * @param path of the backend, without query
 * @param query as it came, with or without `?`
 */
export function findSelectRefusal(path: string, query: string, roles: readonly Role[]): SelectRefusal | null {
  if (!path.startsWith('/db/')) return null
  const pairs = parseQuery(query)
  if (pairs.some(([name, value]) => nestingOf(name) > MAX_NESTING || nestingOf(value) > MAX_NESTING)) {
    return { kind: 'deep' }
  }
  // PostgREST's library takes a semicolon for an ampersand, and of two selects the first.
  for (const [name, value] of [...pairs, ...parseQuery(query.replaceAll(';', '&'))]) {
    // The backend's own spelling of filters would make a select of this one.
    if (name === 'select.filter') return { kind: 'unreadable' }
    const refusal = name === 'select' ? judge(value, roles) : null
    if (refusal) return refusal
  }
  return null
}

/** How deep the rows of a call stand within each other; 1 for what its own rows embed, 0 when they embed nothing. */
export function embedDepth(query: string): number {
  const selects = parseQuery(query).flatMap(([name, value]) => (name === 'select' ? [parseSelect(value)] : []))
  return Math.max(0, ...selects.flatMap((select) => (select.ok ? select.value.map(({ depth }) => depth) : [])))
}

function judge(select: string, roles: readonly Role[]): SelectRefusal | null {
  const embeds = parseSelect(select)
  if (!embeds.ok) return { kind: embeds.error }
  for (const { target, hints } of embeds.value) {
    const tables = tablesBehind(target)
    if (tables.length === 0) return { kind: 'unknown', name: target }
    // A hint may be a table too: the one in between, whose rows say who belongs to whom.
    const between = hints.flatMap(tablesBehind)
    const closed = [...tables, ...between].find((table) => !mayRead(table, roles))
    if (closed !== undefined) return { kind: 'denied', table: closed }
  }
  return null
}

/** Every table that PostgREST could mean by a name; a function stands for itself. */
function tablesBehind(name: string): string[] {
  const own = [name, `rpc/${name}`].filter((known) => Object.hasOwn(TABLE_ACCESS, known))
  return [...own, ...(LEADS_TO.get(name) ?? [])]
}

const mayRead = (table: string, roles: readonly Role[]): boolean => mayUseRoute(tableAccess(table, 'read'), roles)

/** By column: the tables it refers to somewhere. By constraint, which can be followed either way: both its ends. */
const LEADS_TO: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const found = new Map<string, Set<string>>()
  const add = (name: string, ...tables: readonly string[]): void => {
    found.set(name, new Set([...(found.get(name) ?? []), ...tables]))
  }
  for (const [table, keys] of Object.entries(FOREIGN_KEYS)) {
    for (const [column, target, constraint] of keys) {
      add(column, target)
      add(constraint ?? `${table}_${column}_fkey`, table, target)
    }
  }
  return found
})()

function nestingOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const character of text) {
    if (character === '(') deepest = Math.max(deepest, ++depth)
    else if (character === ')') depth = Math.max(0, depth - 1)
  }
  return deepest
}
