import type { CheckFacts } from './checkFacts.ts'
import type { CheckSummary } from './checkSummary.ts'

const FIELD_GROUPINGS = ['no-group', 'canary_name', 'name', 'description', 'type'] as const
type FieldGrouping = (typeof FIELD_GROUPINGS)[number]

/** What checks are grouped by; `label:{key}` stands for any label key. */
export type GroupBy = FieldGrouping | `label:${string}`

export const DEFAULT_GROUP_BY: GroupBy = 'canary_name'

const LABEL_PREFIX = 'label:'
const NO_VALUE = '(none)'
const NO_LABEL = 'Others'

/** @returns null when the text names no grouping */
export function tryParseGroupBy(text: string): GroupBy | null {
  const field = FIELD_GROUPINGS.find((grouping) => grouping === text)
  if (field !== undefined) return field
  return text.startsWith(LABEL_PREFIX) && text.length > LABEL_PREFIX.length
    ? `label:${text.slice(LABEL_PREFIX.length)}`
    : null
}

/** Label keys in use, sorted: the choices a person has beside the fixed ones. */
export function toLabelKeys(rows: Iterable<Pick<CheckSummary, 'labels'>>): string[] {
  const keys = new Set<string>()
  for (const { labels } of rows) for (const key in labels) if (Object.hasOwn(labels, key)) keys.add(key)
  return [...keys].toSorted()
}

/** A member of a group with the title it has inside: grouping by name shows only the part after the first `/`. */
export interface GroupMember {
  readonly check: CheckFacts
  readonly title: string
}

export interface CheckGroup {
  readonly key: string
  readonly title: string
  readonly members: readonly GroupMember[]
}

/** Splits on the first `/`. A slash at either end separates nothing. */
function splitName(title: string): [string, string] | null {
  const slash = title.indexOf('/')
  return slash > 0 && slash < title.length - 1 ? [title.slice(0, slash), title.slice(slash + 1)] : null
}

function toGroupTitle(check: CheckFacts, groupBy: Exclude<GroupBy, 'no-group'>): string {
  switch (groupBy) {
    case 'canary_name':
      return check.row.canary_name || NO_VALUE
    case 'description':
      return check.row.description || NO_VALUE
    case 'type':
      return check.row.type || NO_VALUE
    case 'name':
      return splitName(check.title)?.[0] ?? check.title
    default:
      return check.row.labels[groupBy.slice(LABEL_PREFIX.length)] || NO_LABEL
  }
}

/**
 * Groups checks, keeping their order inside a group and the order in which groups first appear.
 *
 * @returns for `no-group` one group per check
 */
export function groupChecks(checks: Iterable<CheckFacts>, groupBy: GroupBy): CheckGroup[] {
  if (groupBy === 'no-group') {
    return Array.from(checks, (check) => ({
      key: check.id,
      title: check.title,
      members: [{ check, title: check.title }],
    }))
  }
  const groups = new Map<string, { key: string; title: string; members: GroupMember[] }>()
  for (const check of checks) {
    const title = toGroupTitle(check, groupBy)
    const member = { check, title: (groupBy === 'name' ? splitName(check.title)?.[1] : undefined) ?? check.title }
    const group = groups.get(title)
    if (group === undefined) groups.set(title, { key: title, title, members: [member] })
    else group.members.push(member)
  }
  const result = [...groups.values()]
  if (groupBy !== 'name') return result
  return result.map((group) => {
    const [only] = group.members
    // A path with a single member is no path: it keeps its whole name.
    return group.members.length === 1 && only
      ? { ...group, title: only.check.title, members: [{ ...only, title: only.check.title }] }
      : group
  })
}
