import { ownValue } from '../kernel/index.ts'
import type { CheckFacts } from './checkFacts.ts'
import type { CheckSummary } from './checkSummary.ts'
import { type CheckNode, nestByPath } from './nestByPath.ts'

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

function toGroupTitle(check: CheckFacts, groupBy: Exclude<GroupBy, 'no-group' | 'name'>): string {
  switch (groupBy) {
    case 'canary_name':
      return check.row.canary_name || NO_VALUE
    case 'description':
      return check.row.description || NO_VALUE
    case 'type':
      return check.row.type || NO_VALUE
    default:
      return ownValue(check.row.labels, groupBy.slice(LABEL_PREFIX.length)) || NO_LABEL
  }
}

/**
 * Groups checks, keeping their order inside a group and the order in which groups first appear. A group of one is the
 * check itself. Only grouping by name makes groups inside groups.
 */
export function groupChecks(checks: Iterable<CheckFacts>, groupBy: GroupBy): CheckNode[] {
  if (groupBy === 'name') return nestByPath(checks)
  if (groupBy === 'no-group') return Array.from(checks, toLeaf)
  const groups = new Map<string, CheckFacts[]>()
  for (const check of checks) {
    const title = toGroupTitle(check, groupBy)
    const members = groups.get(title)
    if (members === undefined) groups.set(title, [check])
    else members.push(check)
  }
  return [...groups].map(([title, members]): CheckNode => {
    const [only] = members
    return members.length === 1 && only !== undefined
      ? toLeaf(only)
      : { kind: 'group', key: title, title, checks: members, children: members.map(toLeaf) }
  })
}

const toLeaf = (check: CheckFacts): CheckNode => ({ kind: 'check', check, title: check.title })
