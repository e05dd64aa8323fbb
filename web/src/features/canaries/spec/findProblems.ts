import { CanarySpecSchema, expandCanary, isCheckType } from '@watchroom/shared/health/check-types'
import { ownValue } from '@watchroom/shared/kernel'
import type { z } from 'zod'

import type { SpecPath } from '../../../editor/readSpecText.ts'
import { SOURCES } from '../../../ui/form/credential.ts'
import { NUMBER_TEXT, REQUIRED_TEXT } from '../../../ui/form/rules.ts'
import { toCheckFields } from './checkFields.ts'
import { CHECK_FORMS, GROUPS } from './checkForms.ts'
import { LANGUAGES } from './template.ts'

export interface SpecFinding {
  readonly path: SpecPath
  readonly message: string
  /** Only an error keeps from saving. A warning is a field, and a doubt a value, that another backend may know. */
  readonly level: 'error' | 'doubt' | 'warning'
}

/** In the words of a form, and without the value that was given: it may be a password. */
const formWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type') {
    if (issue.expected === 'int') return 'This field must be a whole number'
    return issue.expected === 'number' ? NUMBER_TEXT : `This field must be ${article(issue.expected)}`
  }
  if (issue.code === 'invalid_value') return `This field must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'invalid_union') return 'This field has an unknown form'
  if (issue.code === 'too_small') {
    if (issue.origin === 'string' || issue.origin === 'array') return REQUIRED_TEXT
    return `This field must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`
  }
  if (issue.code !== 'too_big') return undefined
  return `This field must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`
}

const article = (expected: string): string =>
  expected === 'array' ? 'a list' : expected === 'object' ? 'a map of keys and values' : `a ${expected}`

/** What keeps a spec from doing what it says, in the order in which the form shows it. */
export function findSpecProblems(spec: Readonly<Record<string, unknown>>): SpecFinding[] {
  const keys = Object.keys(spec)
  const ranked = findAll(spec).map((finding) => ({ finding, rank: rankOf(finding, keys) }))
  return ranked.toSorted((one, other) => compareRanks(one.rank, other.rank)).map(({ finding }) => finding)
}

/** Place of a finding from the top of the form: canary before checks, a check before the next, warnings at the end. */
function rankOf({ path, level }: SpecFinding, keys: readonly string[]): number[] {
  const [type, index, field] = path
  if (level === 'warning') return [2]
  if (typeof type !== 'string' || !isCheckType(type)) return [0]
  const groups = Object.keys(GROUPS)
  const fields = toCheckFields(type)
  const at = fields.findIndex(({ key }) => key === field)
  return [1, keys.indexOf(type), Number(index ?? -1), groups.indexOf(fields[at]?.group ?? ''), at]
}

const compareRanks = (one: readonly number[], other: readonly number[]): number =>
  one.map((rank, index) => rank - (other[index] ?? rank)).find((difference) => difference !== 0) ?? 0

function findAll(spec: Readonly<Record<string, unknown>>): SpecFinding[] {
  // A key without a value counts as absent, as it does for the runner.
  const given = Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== null && value !== undefined))
  if (!Object.keys(given).some((key) => isCheckType(key) || Array.isArray(given[key]))) {
    return [{ path: [], message: 'Add at least one check', level: 'error' }]
  }
  const parsed = CanarySpecSchema.safeParse(given, { error: formWords })
  const findings = parsed.success ? [] : parsed.error.issues.flatMap((issue) => toFindings(issue, given))
  if (findings.some(({ level }) => level === 'error')) return findings
  // What only shows when all checks are seen together, for example two of the same name.
  const known = new Set(findings.map(({ path }) => String(path[0])))
  return [
    ...findings,
    ...expandCanary(given)
      .problems.filter(({ type, path }) => !known.has(type) && path !== '')
      .map(({ type, index, path, message }): SpecFinding => {
        const place = type === 'canary' ? [] : [type, ...(index === undefined ? [] : [index])]
        return { path: [...place, ...path.split('.')], message, level: 'error' }
      }),
  ]
}

function toFindings(issue: z.core.$ZodIssue, spec: unknown): SpecFinding[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)))
  if (issue.code !== 'unrecognized_keys') {
    // Some fields bring a text of their own, which says nothing to someone who has not filled them in.
    const message = isEmpty(valueAt(spec, path)) ? REQUIRED_TEXT : issue.message
    return [{ path, message, level: 'error' }]
  }
  return issue.keys.map((key) => ({
    path: [...path, key],
    message: path.length === 0 ? 'is not known here and is saved as it is' : 'is not a field of this check',
    level: 'warning',
  }))
}

/** The place of a finding in the form's words: `HTTP 1 › URL`. What the form does not know is called by its key. */
export function describePath(path: SpecPath): string {
  const [type, index, field, ...rest] = path
  if (type === undefined) return ''
  if (typeof type !== 'string' || !isCheckType(type)) return path.map(toWord).join(' › ')
  const check = `${CHECK_FORMS[type].title}${typeof index === 'number' ? ` ${index + 1}` : ''}`
  const label = toCheckFields(type).find(({ key }) => key === field)?.label
  const words = rest.filter((part) => part !== 'valueFrom').map(toWord)
  return [check, ...(field === undefined ? [] : [label ?? toWord(field)]), ...words].join(' › ')
}

/** Keys whose place in the form has another name. */
const WORDS = new Map<unknown, string>([
  ...SOURCES.map(({ value, label }) => [value, label] as const),
  ...Object.entries(LANGUAGES),
])

const toWord = (part: string | number): string =>
  typeof part === 'number' ? String(part + 1) : (WORDS.get(part) ?? part)

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

/** The value at a path of plain data; undefined where the path leads nowhere. */
function valueAt(data: unknown, path: SpecPath): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? ownValue(value as Record<string, unknown>, String(key)) : undefined,
    data,
  )
}
