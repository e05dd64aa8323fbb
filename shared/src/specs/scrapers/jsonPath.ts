// The part of JSONPath that points at values: members, places in lists, wildcards, and any depth. No filters and no functions: what
// decides is an expression, which is bounded where it runs.
import { ownValue } from '../../kernel/index.ts'

export type JsonPathStep =
  | { readonly kind: 'member'; readonly name: string }
  /** From the end when negative. */
  | { readonly kind: 'place'; readonly index: number }
  | { readonly kind: 'all' }
  /** The value itself and everything below. */
  | { readonly kind: 'deep' }
export type JsonPath = readonly JsonPathStep[]

const MAX_STEPS = 64
/** More are nobody's definition, and `$..*` of a large document is all of it. */
const MAX_FOUND = 10_000
const STEP =
  /(\.\.)|\.?\[\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(-?\d{1,9})|\*)\s*\]|\.([\p{L}_$][\p{L}\p{N}_$-]*)|\.\*/uy
const BARE = /([\p{L}_$][\p{L}\p{N}_$-]*)|\*/uy

/** @returns null when the text is none */
export function tryParseJsonPath(text: string): JsonPath | null {
  const path = text.trim()
  if (!path.startsWith('$')) return null
  const steps: JsonPathStep[] = []
  for (let at = 1; at < path.length;) {
    if (steps.length >= MAX_STEPS) return null
    const isBelowAny = steps.at(-1)?.kind === 'deep' && path[at] !== '['
    const pattern = isBelowAny ? BARE : STEP
    pattern.lastIndex = at
    const match = pattern.exec(path)
    if (!match) return null
    steps.push(isBelowAny ? toBareStep(match) : toStep(match))
    at = pattern.lastIndex
  }
  return steps.at(-1)?.kind === 'deep' ? null : steps
}

const toBareStep = ([, name]: RegExpExecArray): JsonPathStep =>
  name === undefined ? { kind: 'all' } : { kind: 'member', name }

function toStep([, deep, single, double, place, name]: RegExpExecArray): JsonPathStep {
  if (deep !== undefined) return { kind: 'deep' }
  const quoted = single ?? double
  if (quoted !== undefined) return { kind: 'member', name: quoted.replaceAll(/\\(.)/gu, '$1') }
  if (place !== undefined) return { kind: 'place', index: Number(place) }
  return name === undefined ? { kind: 'all' } : { kind: 'member', name }
}

/** Values that the path leads to, in the order of the document. */
export function findByJsonPath(document: unknown, path: JsonPath): unknown[] {
  let found: unknown[] = [document]
  for (const step of path) {
    const next: unknown[] = []
    for (const value of found) {
      for (const part of partsOf(value, step)) {
        if (next.push(part) >= MAX_FOUND) return next
      }
    }
    found = next
  }
  return found
}

function* partsOf(value: unknown, step: JsonPathStep): Generator {
  if (step.kind === 'deep') {
    yield* selfAndBelow(value)
  } else if (Array.isArray(value)) {
    if (step.kind === 'all') yield* value as unknown[]
    const part = step.kind === 'place' ? (value.at(step.index) as unknown) : undefined
    if (part !== undefined) yield part
  } else if (typeof value === 'object' && value !== null) {
    if (step.kind === 'all') yield* Object.values(value)
    const part = step.kind === 'member' ? ownValue(value as Record<string, unknown>, step.name) : undefined
    if (part !== undefined) yield part
  }
}

function* selfAndBelow(value: unknown): Generator {
  yield value
  if (typeof value !== 'object' || value === null) return
  for (const part of Object.values(value)) yield* selfAndBelow(part)
}
