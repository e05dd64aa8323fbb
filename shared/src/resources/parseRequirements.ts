import { failed, ok, ownValue, type Result } from '../kernel/index.ts'

/** One condition of a selector as Kubernetes writes them. */
export interface Requirement {
  readonly key: string
  readonly operator: 'in' | 'not-in' | 'exists' | 'absent'
  /** Empty for the last two. */
  readonly values: readonly string[]
}

const MAX_REQUIREMENTS = 20

/** `a in (b,c)`, `a=b`, `a!=b`, `!a` or `a`, up to the next comma. */
const REQUIREMENT =
  /^\s*(?:(?<not>!)\s*(?<absent>[^\s!=,()]+)|(?<key>[^\s!=,()]+)(?:\s+(?<set>in|notin)\s*\((?<list>[^()]*)\)|\s*(?<equality>==?|!=)\s*(?<value>[^\s!=,()]*))?)\s*(?:,|$)/

/** `a=b,c!=d,e in (f,g),h notin (i),j,!k`; the failure says what cannot be read. */
export function parseRequirements(text: string): Result<Requirement[], string> {
  const requirements: Requirement[] = []
  let rest = text
  while (rest.trim() !== '') {
    const groups = REQUIREMENT.exec(rest)
    if (groups?.groups === undefined) return failed(`cannot read the selector at: ${rest.trim()}`)
    if (requirements.length === MAX_REQUIREMENTS) return failed(`a selector has at most ${MAX_REQUIREMENTS} conditions`)
    requirements.push(toRequirement(groups.groups))
    rest = rest.slice(groups[0].length)
  }
  return ok(requirements)
}

function toRequirement({ absent, key = '', set, list = '', equality, value = '' }: Record<string, string | undefined>) {
  if (absent !== undefined) return { key: absent, operator: 'absent', values: [] } as const
  if (set !== undefined) {
    const values = list.split(',').map((each) => each.trim())
    return { key, operator: set === 'in' ? 'in' : 'not-in', values } as const
  }
  if (equality === undefined) return { key, operator: 'exists', values: [] } as const
  return { key, operator: equality === '!=' ? 'not-in' : 'in', values: [value] } as const
}

/** Whether labels have what is asked for; what is not there is not one of the values either. */
export function meetsRequirement(
  labels: Readonly<Record<string, string>> | null | undefined,
  { key, operator, values }: Requirement,
): boolean {
  const value = ownValue(labels, key)
  switch (operator) {
    case 'in':
      return value !== undefined && values.includes(value)
    case 'not-in':
      return value === undefined || !values.includes(value)
    case 'exists':
      return value !== undefined
    case 'absent':
      return value === undefined
  }
}
