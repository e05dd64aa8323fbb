import type { CheckFacts } from './checkFacts.ts'

export interface CheckLeaf {
  readonly kind: 'check'
  readonly check: CheckFacts
  /** The title it has inside its group: what is left of a name below its path. */
  readonly title: string
}

export interface CheckGroup {
  readonly kind: 'group'
  /** Unique among all groups of one grouping. */
  readonly key: string
  readonly title: string
  /** Every check below, however deep. */
  readonly checks: readonly CheckFacts[]
  readonly children: readonly CheckNode[]
}

export type CheckNode = CheckLeaf | CheckGroup

/** Deeper paths stay in one piece: nobody opens nine groups to see one check. */
const MAX_DEPTH = 8

/** The text before the first `/`, else the whole. A slash at either end separates nothing. */
function toFirstSegment(name: string): string {
  const slash = name.indexOf('/')
  return slash > 0 && slash < name.length - 1 ? name.slice(0, slash) : name
}

const join = (parent: string, segment: string): string => (parent === '' ? segment : `${parent}/${segment}`)

function nest(leaves: readonly CheckLeaf[], parent: string, depth: number): CheckNode[] {
  const bySegment = new Map<string, CheckLeaf[]>()
  for (const leaf of leaves) {
    const segment = depth < MAX_DEPTH ? toFirstSegment(leaf.title) : leaf.title
    const siblings = bySegment.get(segment)
    if (siblings === undefined) bySegment.set(segment, [leaf])
    else siblings.push(leaf)
  }
  return [...bySegment].map(([segment, members]): CheckNode => {
    const [only] = members
    // A path with a single member is no path: it keeps its whole name.
    if (members.length === 1 && only !== undefined) return only
    const key = join(parent, segment)
    const inner = members.map((leaf) =>
      leaf.title === segment ? leaf : { ...leaf, title: leaf.title.slice(segment.length + 1) },
    )
    const areTwins = members.every(({ title }) => title === segment)
    const children = areTwins ? inner : nest(inner, key, depth + 1)
    const [child] = children
    // A group whose only child is a group is one path, not two steps.
    if (children.length === 1 && child?.kind === 'group') return { ...child, title: `${segment}/${child.title}` }
    return { kind: 'group', key, title: segment, checks: members.map(({ check }) => check), children }
  })
}

/** The checks as a tree of their names, which are paths, in the order in which they come. */
export function nestByPath(checks: Iterable<CheckFacts>): CheckNode[] {
  const leaves = Array.from(checks, (check): CheckLeaf => ({ kind: 'check', check, title: check.title }))
  return nest(leaves, '', 0)
}
