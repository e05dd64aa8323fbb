import { z } from 'zod'

import { tryParseDuration } from '../../time/index.ts'
import {
  type AnyCheckSpec,
  CHECK_TYPES,
  checkEndpoint,
  CheckSpecSchema,
  checkTimeoutMs,
  type CheckType,
  isCheckType,
  specErrorMap,
  type SpecProblem,
  toSpecIssues,
  tryParseCheckSpec,
} from './checkTypes.ts'
import { LabelsSchema, type Severity, SeveritySchema } from './fields.ts'
import { findExcess } from './findExcess.ts'
import { type CheckSchedule, DEFAULT_INTERVAL_S, tryParseSchedule, tryToIntervalSchedule } from './schedule.ts'

const INTERVAL_MESSAGE = 'expected seconds as a number or a text such as 30s, from 1s to 24d'
const SCHEDULE_MESSAGE = 'expected cron text with five or six fields, @hourly, @daily or @every 30s'

/** A number means seconds here, unlike everywhere else: so the field writes it. */
const IntervalSchema = z.union([z.number(), z.string()]).transform((value, context) => {
  const intervalMs = typeof value === 'number' ? value * 1_000 : tryParseDuration(value)
  if (intervalMs !== null && tryToIntervalSchedule(intervalMs) !== null) return intervalMs / 1_000
  context.addIssue({ code: 'custom', message: INTERVAL_MESSAGE })
  return z.NEVER
})

const CANARY_FIELDS = {
  /** Seconds between runs. `schedule` wins when both are given. */
  interval: IntervalSchema.optional(),
  schedule: z
    .string()
    .refine((text) => tryParseSchedule(text) !== null, SCHEDULE_MESSAGE)
    .optional(),
  /** Used by every check that doesn’t set its own. */
  severity: SeveritySchema.optional(),
  owner: z.string().optional(),
  icon: z.string().optional(),
}
const CANARY_FIELD_NAMES = Object.keys(CANARY_FIELDS) as (keyof typeof CANARY_FIELDS)[]

const CHECK_LISTS = Object.fromEntries(
  CHECK_TYPES.map((type) => [type, z.array(CheckSpecSchema[type]).optional()]),
) as { [Type in CheckType]: z.ZodOptional<z.ZodArray<(typeof CheckSpecSchema)[Type]>> }

/** A whole canary, strictly: for what a person is about to save. `expandCanary` is the tolerant reader of what is stored. */
export const CanarySpecSchema = z.strictObject({ ...CANARY_FIELDS, ...CHECK_LISTS })
export type CanarySpec = z.input<typeof CanarySpecSchema>

/** One check of a canary, with everything the canary gives it. Type and name are unique within the canary. */
export type ExpandedCheck = AnyCheckSpec & {
  name: string
  description: string | null
  icon: string | null
  severity: Severity | null
  owner: string | null
  labels: Record<string, string>
  /** Place in its type's list. */
  index: number
  /** What it talks to, for search and display; never with a password. */
  endpoint: string
  /** Deadline of one run in milliseconds. */
  timeoutMs: number
}

export interface ExpandedCanary {
  schedule: CheckSchedule
  checks: ExpandedCheck[]
  problems: SpecProblem[]
}

/**
 * Turns a canary's spec into its checks.
 *
 * Nothing is all-or-nothing: a malformed check, field or unknown key becomes a problem and the rest still runs. With a
 * malformed schedule the rest runs each minute.
 */
export function expandCanary(spec: unknown): ExpandedCanary {
  const problems: SpecProblem[] = []
  if (typeof spec !== 'object' || spec === null || Array.isArray(spec)) {
    problems.push({ type: 'canary', path: '', message: 'expected an object with a list of checks per type' })
    return { schedule: toSchedule({}), checks: [], problems }
  }
  const excess = findExcess(spec)
  if (excess) return { schedule: toSchedule({}), checks: [], problems: [excess] }
  const given = new Map<string, unknown>(Object.entries(spec))
  const canary = readCanaryFields(given, problems)
  const schedule = toSchedule(canary)
  const checks: ExpandedCheck[] = []
  const taken = new Set<string>()

  for (const [key, elements] of given) {
    if (isCanaryField(key)) continue
    if (!isCheckType(key)) {
      problems.push({ type: key, path: '', message: `unknown check type; known: ${CHECK_TYPES.join(', ')}` })
      continue
    }
    if (elements === null || elements === undefined) continue
    if (!Array.isArray(elements)) {
      problems.push({ type: key, path: '', message: 'expected a list of checks' })
      continue
    }
    for (const [index, element] of elements.entries()) {
      const parsed = tryParseCheckSpec(key, element)
      if (!parsed.ok) {
        const name = readName(element)
        const labels = readLabels(element)
        for (const issue of parsed.error) {
          problems.push({
            type: key,
            index,
            ...(name === undefined ? {} : { name }),
            ...(labels && { labels }),
            ...issue,
          })
        }
        continue
      }
      const check = toExpandedCheck(parsed.value, index, canary, schedule)
      const identity = `${check.type}\n${check.name}`
      if (taken.has(identity)) {
        const message = `another ${check.type} check of this canary has the same name`
        problems.push({ type: key, index, name: check.name, path: 'name', message })
        continue
      }
      taken.add(identity)
      checks.push(check)
    }
  }
  return { schedule, checks, problems }
}

interface CanaryFields {
  interval?: number | undefined
  schedule?: string | undefined
  severity?: Severity | undefined
  owner?: string | undefined
  icon?: string | undefined
}

function isCanaryField(key: string): key is keyof typeof CANARY_FIELDS {
  return Object.hasOwn(CANARY_FIELDS, key)
}

function readCanaryFields(given: ReadonlyMap<string, unknown>, problems: SpecProblem[]): CanaryFields {
  const fields: Record<string, unknown> = {}
  for (const name of CANARY_FIELD_NAMES) {
    const value = given.get(name)
    if (value === null || value === undefined || value === '' || value === 0) continue
    const parsed = CANARY_FIELDS[name].safeParse(value, { error: specErrorMap })
    if (parsed.success) fields[name] = parsed.data
    else for (const issue of toSpecIssues(parsed.error)) problems.push({ type: 'canary', ...issue, path: name })
  }
  return fields
}

function toSchedule({ schedule, interval }: CanaryFields): CheckSchedule {
  const scheduled = schedule === undefined ? null : tryParseSchedule(schedule)
  return scheduled ?? { kind: 'interval', intervalMs: (interval ?? DEFAULT_INTERVAL_S) * 1_000 }
}

function toExpandedCheck(
  check: AnyCheckSpec,
  index: number,
  canary: CanaryFields,
  schedule: CheckSchedule,
): ExpandedCheck {
  const { spec } = check
  const endpoint = checkEndpoint(check)
  return {
    ...check,
    index,
    name: spec.name ?? endpoint,
    description: spec.description ?? null,
    icon: spec.icon ?? canary.icon ?? null,
    severity: spec.severity ?? canary.severity ?? null,
    owner: canary.owner ?? null,
    labels: spec.labels ?? {},
    endpoint,
    timeoutMs: checkTimeoutMs(check, schedule.kind === 'interval' ? schedule.intervalMs : null),
  }
}

/** Labels of an element that is invalid elsewhere: people who filter by labels must find what is broken, too. */
function readLabels(element: unknown): Record<string, string> | null {
  if (typeof element !== 'object' || element === null || !('labels' in element)) return null
  return LabelsSchema.safeParse(element.labels).data ?? null
}

function readName(element: unknown): string | undefined {
  if (typeof element !== 'object' || element === null || !('name' in element)) return undefined
  return typeof element.name === 'string' ? element.name : undefined
}
