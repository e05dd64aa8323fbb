// What this runner cannot do, found before anything runs: a check that depends on it says so, and never passes without it.
import {
  isRunnableType,
  TEMPLATE_KINDS,
  type TemplateKind,
  type ValueReference,
} from '@watchroom/shared/health/check-types'
import { SECRET_MASK } from '@watchroom/shared/kernel'

import type { RunnableCheck } from './contract.ts'
import { templatesOf } from './expressions.ts'

const LANGUAGES: Readonly<Record<Exclude<TemplateKind, 'expr'>, string>> = {
  template: 'Go templates',
  javascript: 'Javascript',
  jsonPath: 'JSONPath',
}
const EXPRESSION_ONLY = 'only an expression (expr) is evaluated here'

/** In words, each with the field it is about; empty when the check can run. */
export function findObstacles(check: RunnableCheck): string[] {
  if (!isRunnableType(check.type))
    return [`this runner does not run ${check.type} checks; they are left to backends that do`]
  return [...findConnection(check.spec), ...findReferences(check.spec, []), ...findTemplates(check.spec)]
}

/** A connection that is still in the spec was not looked up: only a backend with a database does that. */
function findConnection(spec: RunnableCheck['spec']): string[] {
  return 'connection' in spec && spec.connection !== undefined
    ? ['connection: this runner has no connections, only what is written here']
    : []
}

function findReferences(value: unknown, path: readonly string[]): string[] {
  if (value === SECRET_MASK) return [`${path.join('.')}: the secret that *** stands for is not stored here; enter it`]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item, index) => findReferences(item, [...path, nameOf(item, index)]))
  if (isReference(value)) {
    return [`${path.join('.')}: this runner cannot read ${describeSource(value)}, only values that are written here`]
  }
  return Object.entries(value).flatMap(([key, field]) => findReferences(field, [...path, key]))
}

const isReference = (value: object): value is ValueReference => 'valueFrom' in value

/** A header is found by its name sooner than by its place. */
function nameOf(item: unknown, index: number): string {
  return typeof item === 'object' && item !== null && 'name' in item ? String(item.name) : String(index)
}

function describeSource({ valueFrom }: ValueReference): string {
  const [kind, source] = Object.entries(valueFrom)[0] ?? ['an empty reference', null]
  const known = { secretKeyRef: 'the secret', configMapKeyRef: 'the config map' }[kind]
  if (known === undefined || typeof source !== 'object' || source === null) return kind
  const { name, key } = source as { name?: unknown; key?: unknown }
  return `${known} ${JSON.stringify(name)} (key ${JSON.stringify(key)})`
}

function findTemplates(spec: RunnableCheck['spec']): string[] {
  const fields = templatesOf(spec)
  const obstacles = (['test', 'display'] as const).flatMap((field) =>
    TEMPLATE_KINDS.flatMap((kind) => {
      if (kind === 'expr' || fields[field]?.[kind] === undefined) return []
      return [`${field}.${kind}: this runner does not evaluate ${LANGUAGES[kind]}; ${EXPRESSION_ONLY}`]
    }),
  )
  const hasTransform = Object.values(fields.transform ?? {}).some((text) => text !== undefined)
  return hasTransform ? [...obstacles, 'transform: this runner does not make several checks of one answer'] : obstacles
}
