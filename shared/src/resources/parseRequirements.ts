import { failed, ok, ownValue, type Result } from '../kernel/index.ts'

/** One condition of a selector as Kubernetes writes them. */
export interface Requirement {
  readonly key: string
  readonly operator: 'in' | 'not-in' | 'exists' | 'absent'
  /** Empty for the last two. */
  readonly values: readonly string[]
}

const MAX_REQUIREMENTS = 20

/** In quotes where it holds what ends a word: `"front end"`, with `\` before a quote and a `\` in it. */
const QUOTED = String.raw`"(?:[^"\\]|\\[^])*"`
const WORD = String.raw`(?:${QUOTED}|[^\s!=,()"][^\s!=,()]*)`

/** `a in (b,c)`, `a=b`, `a!=b`, `!a` or `a`, up to the next comma. */
const REQUIREMENT = new RegExp(
  String.raw`^\s*(?:!\s*(?<absent>${WORD})|(?<key>${WORD})(?:\s+(?<set>in|notin)\s*\((?<list>(?:${QUOTED}|[^()"])*)\)|\s*(?<equality>==?|!=)\s*(?<value>${WORD}?))?)\s*(?:,|$)`,
)
const LISTED = new RegExp(String.raw`\s*(${QUOTED}|[^,"]*?)\s*(?:,|$)`, 'y')

/** `a=b,c!=d,e in (f,g),h notin (i),j,!k`; the failure says what cannot be read. */
export function parseRequirements(text: string): Result<Requirement[], string> {
  const requirements: Requirement[] = []
  let rest = text
  while (rest.trim() !== '') {
    const groups = REQUIREMENT.exec(rest)
    const requirement = groups?.groups === undefined ? null : toRequirement(groups.groups)
    if (groups === null || requirement === null) return failed(`cannot read the selector at: ${rest.trim()}`)
    if (requirements.length === MAX_REQUIREMENTS) return failed(`a selector has at most ${MAX_REQUIREMENTS} conditions`)
    requirements.push(requirement)
    rest = rest.slice(groups[0].length)
  }
  return ok(requirements)
}

/** What `parseRequirements` reads back. */
export const formatRequirements = (requirements: readonly Requirement[]): string =>
  requirements
    .map(({ key, operator, values }) => {
      const name = toWord(key)
      if (operator === 'exists') return name
      if (operator === 'absent') return `!${name}`
      const [value = '', ...more] = values.map(toWord)
      if (more.length > 0) return `${name} ${operator === 'in' ? 'in' : 'notin'} (${values.map(toWord).join()})`
      return `${name}${operator === 'in' ? '=' : '!='}${value}`
    })
    .join()

const toWord = (text: string): string => (/[\s!=,()"]/.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : text)

const ofWord = (word: string): string => (word.startsWith('"') ? word.slice(1, -1).replaceAll(/\\([^])/g, '$1') : word)

/** Null where its list cannot be read. */
function toRequirement(groups: Record<string, string | undefined>): Requirement | null {
  const { absent, set, equality, list = '' } = groups
  const key = ofWord(groups['key'] ?? '')
  if (absent !== undefined) return { key: ofWord(absent), operator: 'absent', values: [] }
  if (set !== undefined) {
    const values = readList(list)
    return values && { key, operator: set === 'in' ? 'in' : 'not-in', values }
  }
  if (equality === undefined) return { key, operator: 'exists', values: [] }
  return { key, operator: equality === '!=' ? 'not-in' : 'in', values: [ofWord(groups['value'] ?? '')] }
}

function readList(list: string): string[] | null {
  const values: string[] = []
  LISTED.lastIndex = 0
  for (;;) {
    const [whole, word = ''] = LISTED.exec(list) ?? []
    if (whole === undefined) return null
    values.push(ofWord(word))
    if (!whole.endsWith(',')) return values
  }
}

/** Whether labels meet the requirements. A missing label has none of the values. */
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
