// What leads from one document to another, as RFC 6902 writes it.

export type JsonPatchStep =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

/** More say less than the document itself. */
const MAX_STEPS = 500

export function toJsonPatch(before: unknown, after: unknown): readonly JsonPatchStep[] {
  const steps = [...compare(before, after, '')]
  return steps.length > MAX_STEPS ? [{ op: 'replace', path: '', value: after }] : steps
}

function* compare(before: unknown, after: unknown, path: string): Generator<JsonPatchStep> {
  if (before === after) return
  if (Array.isArray(before) && Array.isArray(after)) yield* compareLists(before, after, path)
  else if (isRecord(before) && isRecord(after)) yield* compareMembers(before, after, path)
  else yield { op: 'replace', path, value: after }
}

function* compareMembers(before: JsonRecord, after: JsonRecord, path: string): Generator<JsonPatchStep> {
  for (const name of Object.keys(before)) {
    if (!Object.hasOwn(after, name)) yield { op: 'remove', path: `${path}/${escape(name)}` }
  }
  for (const [name, value] of Object.entries(after)) {
    const place = `${path}/${escape(name)}`
    if (Object.hasOwn(before, name)) yield* compare(before[name], value, place)
    else yield { op: 'add', path: place, value }
  }
}

/** By place: a list that lost its first element is replaced from there on. */
function* compareLists(before: readonly unknown[], after: readonly unknown[], path: string): Generator<JsonPatchStep> {
  const common = Math.min(before.length, after.length)
  for (let index = 0; index < common; index += 1) yield* compare(before[index], after[index], `${path}/${index}`)
  for (let index = before.length - 1; index >= common; index -= 1) yield { op: 'remove', path: `${path}/${index}` }
  for (const value of after.slice(common)) yield { op: 'add', path: `${path}/-`, value }
}

type JsonRecord = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const escape = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
const unescape = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~')

/** The keys of a step's path, as they stand in the document. One empty key for the document as a whole. */
export const keysOfPath = (path: string): readonly string[] => path.slice(1).split('/').map(unescape)
