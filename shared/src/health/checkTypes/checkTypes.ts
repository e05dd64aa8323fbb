import type { z } from 'zod'

import { failed, ok, type Result } from '../../kernel/index.ts'
import { alertmanagerCheckType } from './alertmanager.ts'
import { dnsCheckType } from './dns.ts'
import { elasticsearchCheckType } from './elasticsearch.ts'
import { execCheckType } from './exec.ts'
import { DEFAULT_TIMEOUT_MS } from './fields.ts'
import { folderCheckType } from './folder.ts'
import { httpCheckType } from './http.ts'
import { icmpCheckType } from './icmp.ts'
import { mongodbCheckType } from './mongodb.ts'
import { postgresCheckType } from './postgres.ts'
import { redisCheckType } from './redis.ts'
import { selfCheckType } from './self.ts'
import { tcpCheckType } from './tcp.ts'

/** Types that the product's own runner executes, here and in its agents. */
const RUN_HERE = {
  http: httpCheckType,
  tcp: tcpCheckType,
  dns: dnsCheckType,
  icmp: icmpCheckType,
  exec: execCheckType,
  folder: folderCheckType,
  postgres: postgresCheckType,
  redis: redisCheckType,
  self: selfCheckType,
}

/** Types that only other backends execute. They are written here, and say in their result that they cannot run here. */
const RUN_ELSEWHERE = {
  alertmanager: alertmanagerCheckType,
  elasticsearch: elasticsearchCheckType,
  mongodb: mongodbCheckType,
}

/** Every check type, once. Runners, forms and the canary's keys derive from it. */
export const CHECK_TYPE_DEFINITIONS = { ...RUN_HERE, ...RUN_ELSEWHERE }

/** A type that has a runner. */
export type RunnableType = keyof typeof RUN_HERE
export type CheckType = keyof typeof CHECK_TYPE_DEFINITIONS
/** Definition of one check as it is after parsing. */
export type CheckSpec<Type extends CheckType> = z.output<(typeof CHECK_TYPE_DEFINITIONS)[Type]['schema']>
export type AnyCheckSpec = { [Type in CheckType]: { type: Type; spec: CheckSpec<Type> } }[CheckType]

export const CHECK_TYPES = Object.keys(CHECK_TYPE_DEFINITIONS) as CheckType[]

/** Schema of a check's definition, by type. */
export const CheckSpecSchema = Object.fromEntries(
  CHECK_TYPES.map((type) => [type, CHECK_TYPE_DEFINITIONS[type].schema]),
) as { [Type in CheckType]: (typeof CHECK_TYPE_DEFINITIONS)[Type]['schema'] }

export function isCheckType(text: string): text is CheckType {
  return Object.hasOwn(CHECK_TYPE_DEFINITIONS, text)
}

/** Whether the product's own runner executes checks of the type. */
export function isRunnableType(type: CheckType): type is RunnableType {
  return Object.hasOwn(RUN_HERE, type)
}

/** Something wrong in a canary's spec, in words for its author. */
export interface SpecProblem {
  /** Key of the spec it is under: a check type, an unknown key, or `canary` for the canary's own fields. */
  type: string
  /** Place in the type's list. */
  index?: number
  name?: string
  /** Labels of the element, where at least those can be read. */
  labels?: Readonly<Record<string, string>>
  /** Dotted path inside the element; empty when the element itself is meant. */
  path: string
  message: string
}

export type SpecIssue = Pick<SpecProblem, 'path' | 'message'>

/** In the author's words, and without the value that was given: it may be a password. */
export const specErrorMap: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'unrecognized_keys') return `unknown field ${issue.keys.map((key) => `"${key}"`).join(', ')}`
  if (issue.input === undefined) return 'is missing'
  if (issue.code === 'invalid_type') return `expected ${issue.expected}`
  if (issue.code === 'invalid_value') return `expected one of ${issue.values.join(', ')}`
  return undefined
}

/** One entry for each problem: its dotted path, and words for the author of the spec. */
export function toSpecIssues(error: z.ZodError): SpecIssue[] {
  return error.issues.map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message }))
}

/** Reads the definition of one check, for example the column `checks.spec`. */
export function tryParseCheckSpec(type: string, spec: unknown): Result<AnyCheckSpec, SpecIssue[]> {
  if (!isCheckType(type)) {
    return failed([{ path: '', message: `unknown check type "${type}"; known: ${CHECK_TYPES.join(', ')}` }])
  }
  const parsed = CheckSpecSchema[type].safeParse(spec, { error: specErrorMap })
  // One parse serves all types; that the output belongs to `type` is what the lookup by `type` says.
  return parsed.success ? ok({ type, spec: parsed.data } as AnyCheckSpec) : failed(toSpecIssues(parsed.error))
}

/** What a check talks to, for search and display. Never with a password. */
export function checkEndpoint(check: AnyCheckSpec): string {
  const definition = CHECK_TYPE_DEFINITIONS[check.type] as { endpoint(spec: unknown): string }
  return definition.endpoint(check.spec)
}

/**
 * Deadline of one run in milliseconds: what the check asks for, 10 s when it does not, and never longer than the
 * interval, so that runs of one check cannot pile up.
 */
export function checkTimeoutMs(check: AnyCheckSpec, intervalMs: number | null): number {
  return Math.min(check.spec.timeout ?? DEFAULT_TIMEOUT_MS, intervalMs ?? Number.POSITIVE_INFINITY)
}
