// The rules of an element, made ready: what is a path is parsed, and each expression is asked once for many items.
import {
  findByJsonPath,
  type ItemRules,
  type ItemValue,
  type JsonPath,
  tryParseJsonPath,
} from '@watchroom/shared/specs'

import type { Look } from '../../../check-runner/evaluateLook.ts'
import type { LookUp } from '../../../check-runner/lookApart.ts'
import { SourceFault } from '../family.ts'

/** Items that an expression is evaluated on at once. */
const ROWS_AT_ONCE = 25

/** What rules look at. */
export interface RuleScope {
  readonly config: unknown
  readonly item: unknown
}

/** Values of one rule of one item: a path may find several. */
export type RuleReader = (rule: ItemValue | undefined) => readonly unknown[]

export interface RuleProblem {
  readonly expression: string
  readonly text: string
}

/** Each throws a SourceFault where an expression cannot be asked now: that is no answer, and what is stored must not follow it. */
export interface Expressions {
  /**
   * Asks all expressions of rules over all scopes.
   *
   * @returns a reader for each scope
   */
  ask(rules: readonly ItemValue[], scopes: readonly RuleScope[]): Promise<readonly RuleReader[]>
  /** Truths of expressions over each scope. */
  judge(expressions: readonly string[], scopes: readonly RuleScope[]): Promise<readonly (readonly boolean[])[]>
  /** What an expression makes of each scope, as JSON; undefined where it fails. */
  transform(expression: string, scopes: readonly RuleScope[]): Promise<readonly unknown[]>
}

const MAX_VALUE_CHARACTERS = 10_000
const MAX_DOCUMENT_CHARACTERS = 5_000_000

/** @param onProblem told of each expression that fails on an item */
export function createExpressions(lookUp: LookUp, onProblem: (problem: RuleProblem) => void): Expressions {
  /** Undefined where an expression fails. */
  async function askAll(
    looks: readonly Pick<Look, 'expression' | 'wants' | 'maxCharacters'>[],
    scopes: readonly RuleScope[],
  ): Promise<(boolean | string | undefined)[][]> {
    const found: (boolean | string | undefined)[][] = []
    // A few at a time: checks and playbooks stand in the same line.
    for (let at = 0; at < scopes.length && looks.length > 0; at += ROWS_AT_ONCE) {
      const rows = scopes.slice(at, at + ROWS_AT_ONCE)
      const asked = await Promise.all(rows.map((scope) => Promise.all(looks.map((look) => askOne(look, scope)))))
      // Once all of them have ended: nothing is asked behind the back of a run that is over.
      found.push(...asked.map((row) => row.map(requireAsked)))
    }
    return looks.length === 0 ? scopes.map(() => []) : found
  }

  async function askOne(
    look: Pick<Look, 'expression' | 'wants' | 'maxCharacters'>,
    { config, item }: RuleScope,
  ): Promise<boolean | string | undefined | SourceFault> {
    const variables = [
      { name: 'config', type: 'dyn', value: config },
      { name: 'item', type: 'dyn', value: item },
    ]
    const answer = await lookUp({ ...look, variables })
    if ('value' in answer) return answer.value
    if (answer.problem.isPassing) return new SourceFault(`${look.expression}: ${answer.problem.text}`)
    onProblem({ expression: look.expression, text: answer.problem.text })
    return undefined
  }

  return {
    ask: async (rules, scopes) => {
      const expressions = [...new Set(rules.flatMap((rule) => (typeof rule === 'string' ? [] : [rule.expr])))]
      const looks = expressions.map((expression) => ({
        expression,
        wants: 'text' as const,
        maxCharacters: MAX_VALUE_CHARACTERS,
      }))
      const answers = await askAll(looks, scopes)
      const paths = new Map(rules.flatMap((rule) => (typeof rule === 'string' ? [[rule, tryParsePath(rule)]] : [])))
      return scopes.map((scope, row): RuleReader => (rule) => {
        if (rule === undefined) return []
        if (typeof rule === 'string') {
          const path = paths.get(rule)
          return path ? findByJsonPath(scope.config, path) : [rule]
        }
        const answer = answers[row]?.[expressions.indexOf(rule.expr)]
        return answer === undefined || answer === '' ? [] : [answer]
      })
    },
    judge: async (expressions, scopes) => {
      const looks = expressions.map((expression) => ({ expression, wants: 'truth' as const, maxCharacters: 0 }))
      return (await askAll(looks, scopes)).map((answers) => answers.map((answer) => answer === true))
    },
    transform: async (expression, scopes) => {
      const looks = [{ expression, wants: 'text' as const, maxCharacters: MAX_DOCUMENT_CHARACTERS }]
      return (await askAll(looks, scopes)).map(([answer]) => tryParse(answer))
    },
  }
}

function requireAsked<Answer>(answer: Answer | SourceFault): Answer {
  if (answer instanceof SourceFault) throw answer
  return answer
}

/** @returns null when the text is literal */
const tryParsePath = (rule: string): JsonPath | null => (rule.startsWith('$') ? tryParseJsonPath(rule) : null)

function tryParse(answer: boolean | string | undefined): unknown {
  if (typeof answer !== 'string') return undefined
  try {
    return JSON.parse(answer) as unknown
  } catch {
    return undefined
  }
}

/** Every rule of an element that has a value, but for those that look at the finished item. */
export function valuesOf(rules: ItemRules): ItemValue[] {
  const { id, name, type, class: itemClass, status, health, description, icon, parent, createdAt, deletedAt } = rules
  return [
    id,
    name,
    type,
    itemClass,
    status,
    health,
    description,
    icon,
    parent,
    createdAt,
    deletedAt,
    ...Object.values(rules.costs ?? {}),
    ...Object.values(rules.labels ?? {}),
    ...Object.values(rules.tags ?? {}),
    ...(rules.properties ?? []).map(({ value }) => value),
  ].filter((value) => value !== undefined)
}
