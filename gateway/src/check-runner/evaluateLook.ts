// Evaluates one expression over what a runner saw. Runs in a process of its own (`expressionProcess.ts`): what it builds counts
// against the memory of that process alone.
import { Environment } from '@marcbachmann/cel-js'
import { formatDuration } from '@watchroom/shared/time'

import { DURATION, sentenceOf, toDuration } from '../platform/expressionLanguage.ts'
import { withinBudget } from './withinBudget.ts'

/** One expression and what it looks at; plain enough to be sent to another process. */
export interface Look {
  readonly expression: string
  /** Whether it is to be true or false, or to be shown. */
  readonly wants: 'truth' | 'text'
  /** Of a text; a message on a board when absent. */
  readonly maxCharacters?: number
  readonly variables: readonly LookVariable[]
}

export interface LookVariable {
  readonly name: string
  readonly type: string
  /** Of a length of time: its milliseconds. */
  readonly value: unknown
}

export interface LookProblem {
  readonly text: string
  /** The expression itself is wrong, whatever the target answers. */
  readonly isMalformed: boolean
  /** It could not be asked now, and may be asked later. */
  readonly isPassing?: true
}

export type LookAnswer = { readonly value: boolean | string } | { readonly problem: LookProblem }

const LIMITS = { maxAstNodes: 500, maxDepth: 40, maxListElements: 200, maxMapEntries: 200 }
/** Nobody reads a longer one, and each of its texts may be repeated. */
const MAX_EXPRESSION_LENGTH = 10_000
/** A message is one line on a board, not a document. */
const MAX_SHOWN_CHARACTERS = 500
const UNKNOWN = 'cannot be evaluated'

export function evaluateLook({ expression, wants, variables, maxCharacters = MAX_SHOWN_CHARACTERS }: Look): LookAnswer {
  if (expression.length > MAX_EXPRESSION_LENGTH) {
    return { problem: { text: `is longer than ${MAX_EXPRESSION_LENGTH} characters`, isMalformed: true } }
  }
  // One for each look: what the time limit ends may be left half done.
  const environment = new Environment({ limits: LIMITS })
  for (const { name, type } of variables) environment.registerVariable(name, type)
  const context = Object.fromEntries(
    variables.map(({ name, type, value }) => [name, type === DURATION ? toDuration(Number(value)) : value]),
  )
  const checked = environment.check(expression)
  if (!checked.valid) return { problem: { text: sentenceOf(checked.error, UNKNOWN), isMalformed: true } }
  try {
    const seen = withinBudget((): unknown => {
      const value: unknown = environment.evaluate(expression, context)
      return wants === 'text' ? toText(value, maxCharacters) : value
    })
    if ('ended' in seen) {
      const isPassing = seen.ended === 'starved'
      return {
        problem: { text: 'takes too long on this answer', isMalformed: false, ...(isPassing && { isPassing }) },
      }
    }
    const { found } = seen
    if (typeof found === 'boolean' || (wants === 'text' && typeof found === 'string')) return { value: found }
    return { problem: { text: 'must be true or false', isMalformed: true } }
  } catch (error) {
    return { problem: { text: sentenceOf(error, UNKNOWN), isMalformed: false } }
  }
}

function toText(value: unknown, maxCharacters: number): string {
  const text = typeof value === 'string' ? value : toJson(value)
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)} …` : text
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
