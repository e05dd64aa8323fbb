// Evaluates the expressions of a check, in the Common Expression Language, over what its runner saw.
import { Environment } from '@marcbachmann/cel-js'
import type { Template } from '@watchroom/shared/health/check-types'
import { formatDuration } from '@watchroom/shared/time'

import { sentenceOf } from '../platform/expressionLanguage.ts'
import type { CheckOutcome, RunnableCheck, RunnerOutcome, Variables } from './contract.ts'
import { withinBudget } from './withinBudget.ts'

const LIMITS = { maxAstNodes: 500, maxDepth: 40, maxListElements: 200, maxMapEntries: 200 }
/** A message is one line on a board, not a document. */
const MAX_SHOWN_CHARACTERS = 500
const UNKNOWN = 'cannot be evaluated'

type Templates = Readonly<Partial<Record<'test' | 'display' | 'transform', Template>>>

/** Those of a definition; not all check types have them. */
export const templatesOf = (spec: RunnableCheck['spec']): Templates => spec as Templates

/** What makes of an outcome what the check's own expressions say. Nothing is looked at where nothing came back. */
export function applyExpressions(
  outcome: CheckOutcome,
  spec: RunnableCheck['spec'],
  variables: RunnerOutcome['variables'],
): CheckOutcome {
  const { test, display } = templatesOf(spec)
  if (variables === undefined || (test?.expr === undefined && display?.expr === undefined)) return outcome
  const seen = variables()
  const problems: Problem[] = []
  let { message } = outcome
  if (display?.expr !== undefined) {
    const shown = look(display.expr, seen)
    if ('problem' in shown) problems.push({ ...shown.problem, text: `display.expr: ${shown.problem.text}` })
    else message = toText(shown.value)
  }
  if (test?.expr !== undefined) {
    const problem = judge(test.expr, seen)
    if (problem) problems.push(problem)
  }
  const told = { ...outcome, ...(message === undefined ? {} : { message }) }
  if (problems.length === 0) return told
  return {
    ...told,
    passed: false,
    error: [outcome.error, ...problems.map(({ text }) => text)].filter((text) => text !== undefined).join('; '),
    ...(problems.some(({ isMalformed }) => isMalformed) && { invalid: true }),
  }
}

interface Problem {
  readonly text: string
  /** The expression itself is wrong, whatever the target answers. */
  readonly isMalformed: boolean
}

function judge(expression: string, variables: Variables): Problem | null {
  const seen = look(expression, variables)
  if ('problem' in seen) return { ...seen.problem, text: `test.expr: ${seen.problem.text}` }
  if (seen.value === true) return null
  if (seen.value === false) return { text: `test.expr is false: ${expression.trim()}`, isMalformed: false }
  return { text: 'test.expr: must be true or false', isMalformed: true }
}

function look(expression: string, variables: Variables): { value: unknown } | { problem: Problem } {
  // One for each look: what the time limit ends may be left half done.
  const environment = new Environment({ limits: LIMITS })
  for (const [name, { type }] of Object.entries(variables)) environment.registerVariable(name, type)
  const context = Object.fromEntries(Object.entries(variables).map(([name, { value }]) => [name, value]))
  const checked = environment.check(expression)
  if (!checked.valid) return { problem: { text: sentenceOf(checked.error, UNKNOWN), isMalformed: true } }
  try {
    const seen = withinBudget((): unknown => environment.evaluate(expression, context))
    return seen ? { value: seen.found } : { problem: { text: 'takes too long on this answer', isMalformed: false } }
  } catch (error) {
    return { problem: { text: sentenceOf(error, UNKNOWN), isMalformed: false } }
  }
}

function toText(value: unknown): string {
  const text = typeof value === 'string' ? value : toJson(value)
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)} …` : text
}

function toJson(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (isDuration(value)) return formatDuration(Number(value.seconds) * 1_000 + Number(value.nanos) / 1e6)
  return JSON.stringify(value, (_key, part: unknown) => {
    if (part instanceof Map) return Object.fromEntries(part) as unknown
    return typeof part === 'bigint' ? Number(part) : part
  })
}

/** The library's own kind of value; an object of an answer may have such keys too. */
const isDuration = (value: unknown): value is { seconds: unknown; nanos: unknown } =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) !== Object.prototype &&
  'seconds' in value &&
  'nanos' in value
