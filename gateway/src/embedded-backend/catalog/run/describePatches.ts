// What became of a document in a few words, as lists of changes show it. Documents come here with their secrets masked.
import { type JsonPatchStep, keysOfPath } from './jsonPatch.ts'

/** Of more fields a list shows the names alone. */
const MAX_FIELDS_WITH_VALUES = 2
const MAX_FIELDS = 5
const MAX_VALUE_CHARACTERS = 40

/** @param before the document that the steps lead from */
export function describePatches(steps: readonly JsonPatchStep[], before: unknown): string {
  const fields = [...new Set(steps.map(({ path }) => path))]
  if (steps.length === fields.length && fields.length <= MAX_FIELDS_WITH_VALUES)
    return steps.map((step) => describe(step, before)).join(', ')
  const names = [...new Set(fields.map(toName))]
  const rest = names.length - MAX_FIELDS
  return names.slice(0, MAX_FIELDS).join(', ') + (rest > 0 ? ` and ${rest.toLocaleString('en')} more` : '')
}

function describe(step: JsonPatchStep, before: unknown): string {
  const name = toName(step.path)
  if (step.op === 'remove') return `${name} removed`
  const after = toText(step.value)
  if (step.op === 'add') return after === null ? `${name} added` : `${name}: ${after} added`
  const was = toText(findAt(before, step.path))
  return was === null || after === null ? `${name} changed` : `${name}: ${was} → ${after}`
}

/** Keys as people write them: a list where something was put at its end, all where the document was replaced as a whole. */
const toName = (path: string): string => keysOfPath(path.replace(/\/-$/, '')).join('.') || 'all'

function findAt(document: unknown, path: string): unknown {
  if (path === '') return document
  return keysOfPath(path).reduce<unknown>(
    (within, key) =>
      typeof within === 'object' && within !== null && Object.hasOwn(within, key)
        ? (within as Readonly<Record<string, unknown>>)[key]
        : undefined,
    document,
  )
}

/** @returns null for what a few words do not say: lists, objects, long texts and several lines */
function toText(value: unknown): string | null {
  if (value === null) return 'null'
  if (typeof value !== 'string') return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
  if (value === '') return '""'
  return value.length <= MAX_VALUE_CHARACTERS && !/[\r\n]/.test(value) ? value : null
}
