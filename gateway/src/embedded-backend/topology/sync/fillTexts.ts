// `$(item.name)` in the texts of a template: an expression over what was looked up.
import type { LookUp } from '../../../check-runner/lookApart.ts'
import { keepsServer } from '../../../step-runner/filledAddress.ts'

/** Brackets within one another, as calls have them, one deep. */
const HOLE = /\$\(((?:[^()]|\([^()]*\))*)\)/g
const MAX_CHARACTERS = 1_000
/** `$(…)` is a command of the shell there, and a value would become words of a program: scripts get theirs as `env`. */
const SCRIPT = 'script'
/** Credentials may stand beside them. */
const ADDRESSES: ReadonlySet<string> = new Set(['url', 'connection'])
/** Of a database. */
const QUERY = 'query'

/** What a lookup within the template makes is filled with what that one finds. */
const isTemplate = (key: string, value: unknown): boolean => key === 'forEach' && typeof value === 'object'

export function holesOf(template: unknown): string[] {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value === 'string') for (const [, hole = ''] of value.matchAll(HOLE)) found.add(hole)
    else if (typeof value === 'object' && value !== null)
      for (const [key, part] of Object.entries(value)) if (key !== SCRIPT && !isTemplate(key, part)) visit(part)
  }
  visit(template)
  return [...found]
}

export interface FilledTexts<Template> {
  readonly filled: Template
  /** What failed; its text is empty. */
  readonly problems: readonly string[]
}

export async function fillTexts<Template>(
  template: Template,
  item: unknown,
  lookUp: LookUp,
): Promise<FilledTexts<Template>> {
  const values = new Map<string, string>()
  const problems: string[] = []
  await Promise.all(
    holesOf(template).map(async (expression) => {
      const variables = [{ name: 'item', type: 'dyn', value: item }]
      const answer = await lookUp({ expression, wants: 'text', maxCharacters: MAX_CHARACTERS, variables })
      if ('problem' in answer) problems.push(`$(${expression}): ${answer.problem.text}`)
      values.set(expression, 'value' in answer ? String(answer.value) : '')
    }),
  )
  if (values.size === 0) return { filled: template, problems }
  const handleFault = (fault: string): void => void problems.push(fault)
  return { filled: createFill(values, handleFault)(template) as Template, problems }
}

/** @param onFault told of a text that values would make another of; it is left empty */
function createFill(values: ReadonlyMap<string, string>, onFault: (fault: string) => void) {
  const valueOf = (hole: string): string => values.get(hole) ?? ''
  const fill = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string') return fillText(value, key)
    if (Array.isArray(value)) return value.map((part) => fill(part, key))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, isTemplate(name, part) ? part : fill(part, name)]),
    )
  }
  const fillText = (written: string, key: string): string => {
    if (key === SCRIPT) return written
    if (key === QUERY) return fillQuery(written)
    const filled = written.replaceAll(HOLE, (_, hole: string) => valueOf(hole))
    if (!ADDRESSES.has(key) || keepsServer(written, HOLE, filled)) return filled
    onFault(`${key}: a value would lead to another server than the one that is written there`)
    return ''
  }
  /** A value is a text of the query, be it SQL or JSON, which has quotes around it. */
  const fillQuery = (written: string): string => {
    if (/^\s*[[{]/.test(written))
      return written.replaceAll(HOLE, (_, hole: string) => JSON.stringify(valueOf(hole)).slice(1, -1))
    let isQuoted = true
    const filled = written.replaceAll(HOLE, (_, hole: string, at: number) => {
      isQuoted &&= written.slice(0, at).replaceAll(HOLE, '').split("'").length % 2 === 0
      return valueOf(hole).replaceAll("'", "''").replaceAll('\\', '')
    })
    if (isQuoted) return filled
    onFault(`${QUERY}: a value stands in single quotes`)
    return ''
  }
  return fill
}
