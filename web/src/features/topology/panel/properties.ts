import { type ComponentProperty, inOrder, toPropertyLook } from '@watchroom/shared/topology'

const GROUP = /[:/]/

/** Names that say one thing together: they share a row (backend reference 10.6). */
const PAIRS: readonly (readonly [string, string])[] = [
  ['region', 'zone'],
  ['vpc', 'subnet'],
  ['os', 'arch'],
  ['version', 'part-of'],
]

interface PropertyGroup {
  /** Empty for those that stand alone. */
  readonly name: string
  /** Properties that share a row stand beside each other. */
  readonly rows: readonly (readonly ComponentProperty[])[]
}

/** Properties beside those of the card. Names such as `git/branch` stand below their first part, after those that stand alone. */
export function groupProperties(properties: readonly ComponentProperty[] | null | undefined): PropertyGroup[] {
  const groups = new Map<string, ComponentProperty[]>()
  for (const property of inOrder(properties)) {
    if (property.headline === true || toPropertyLook(property) === null) continue
    const at = property.name.search(GROUP)
    const group = at > 0 ? property.name.slice(0, at) : ''
    const shown = { ...property, label: toLabel(property, at > 0 ? property.name.slice(at + 1) : property.name) }
    groups.set(group, [...(groups.get(group) ?? []), shown])
  }
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, members]) => ({ name, rows: toRows(members) }))
}

const toLabel = ({ label, namespace }: ComponentProperty, name: string): string =>
  [namespace, label || name].filter(Boolean).join('/')

/** What it is called within its group. */
const wordOf = ({ name }: ComponentProperty): string => name.slice(name.search(GROUP) + 1).toLowerCase()

function toRows(members: readonly ComponentProperty[]): ComponentProperty[][] {
  const rows: ComponentProperty[][] = []
  const taken = new Set<ComponentProperty>()
  for (const property of members) {
    if (taken.has(property)) continue
    const pair = PAIRS.find((words) => words.includes(wordOf(property)))
    const other = members.find((one) => one !== property && !taken.has(one) && pair?.includes(wordOf(one)))
    const row = other === undefined || pair === undefined ? [property] : [property, other]
    for (const one of row) taken.add(one)
    rows.push(pair === undefined ? row : row.toSorted((a, b) => pair.indexOf(wordOf(a)) - pair.indexOf(wordOf(b))))
  }
  return rows
}
