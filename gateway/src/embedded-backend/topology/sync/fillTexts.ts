// `$(item.name)` in the texts of a template: an expression over what was looked up.
import type { LookUp } from '../../../check-runner/lookApart.ts'

/** Brackets within one another, as calls have them, one deep. */
const HOLE = /\$\(((?:[^()]|\([^()]*\))*)\)/g
const MAX_CHARACTERS = 1_000

export function holesOf(template: unknown): string[] {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value === 'string') for (const [, hole = ''] of value.matchAll(HOLE)) found.add(hole)
    else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) visit(part)
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
  return { filled: values.size === 0 ? template : (fill(template, values) as Template), problems }
}

function fill(value: unknown, values: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return value.replaceAll(HOLE, (_, hole: string) => values.get(hole) ?? '')
  if (Array.isArray(value)) return value.map((part) => fill(part, values))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fill(part, values)]))
}
