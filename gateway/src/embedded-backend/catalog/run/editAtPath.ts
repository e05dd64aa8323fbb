import type { JsonPath, JsonPathStep } from '@watchroom/shared/specs'

/** In place of a value that is to be left out. */
export const LEFT_OUT = Symbol('left out')

/** The document with another value wherever the path leads; the document itself stays as it is. */
export function editAtPath(value: unknown, path: JsonPath, replacement: unknown): unknown {
  const [step, ...rest] = path
  if (!step) return replacement
  if (step.kind === 'deep') {
    const edited = editAtPath(value, rest, replacement)
    return editParts(edited, (part) => editAtPath(part, path, replacement))
  }
  return editParts(value, (part, key, length) =>
    leadsTo(step, key, length) ? editAtPath(part, rest, replacement) : part,
  )
}

function editParts(value: unknown, edit: (part: unknown, key: string | number, length: number) => unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((part, index) => edit(part, index, value.length)).filter((part) => part !== LEFT_OUT)
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, part]): [string, unknown] => [name, edit(part, name, 0)])
      .filter(([, part]) => part !== LEFT_OUT),
  )
}

function leadsTo(step: JsonPathStep, key: string | number, length: number): boolean {
  if (step.kind === 'all') return true
  if (step.kind === 'member') return step.name === key
  return step.kind === 'place' && (step.index < 0 ? length + step.index : step.index) === key
}
