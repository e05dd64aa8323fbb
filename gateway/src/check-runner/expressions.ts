// Makes of an outcome what the check's own expressions say, in the Common Expression Language, over what its runner saw.
import type { Template } from '@watchroom/shared/health/check-types'

import { DURATION } from '../platform/expressionLanguage.ts'
import type { CheckOutcome, RunnableCheck, RunnerOutcome, Variables } from './contract.ts'
import type { LookProblem, LookVariable } from './evaluateLook.ts'
import type { LookUp } from './lookApart.ts'

type Templates = Readonly<Partial<Record<'test' | 'display' | 'transform', Template>>>

/** Those of a definition; not all check types have them. */
export const templatesOf = (spec: RunnableCheck['spec']): Templates => spec as Templates

/** What makes of an outcome what the check's own expressions say. Nothing is looked at where nothing came back. */
export async function applyExpressions(
  outcome: CheckOutcome,
  spec: RunnableCheck['spec'],
  variables: RunnerOutcome['variables'],
  lookUp: LookUp,
): Promise<CheckOutcome> {
  const { test, display } = templatesOf(spec)
  if (variables === undefined || (test?.expr === undefined && display?.expr === undefined)) return outcome
  const seen = toLookVariables(variables())
  const problems: LookProblem[] = []
  let { message } = outcome
  if (display?.expr !== undefined) {
    const shown = await lookUp({ expression: display.expr, wants: 'text', variables: seen })
    if ('problem' in shown) problems.push({ ...shown.problem, text: `display.expr: ${shown.problem.text}` })
    else message = String(shown.value)
  }
  if (test?.expr !== undefined) {
    const judged = await lookUp({ expression: test.expr, wants: 'truth', variables: seen })
    if ('problem' in judged) problems.push({ ...judged.problem, text: `test.expr: ${judged.problem.text}` })
    else if (judged.value !== true)
      problems.push({ text: `test.expr is false: ${test.expr.trim()}`, isMalformed: false })
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

/** A length of time is an object of the library that cannot be sent to another process. */
function toLookVariables(variables: Variables): LookVariable[] {
  return Object.entries(variables).map(([name, { type, value }]) => ({
    name,
    type,
    value: type === DURATION ? Number(value) : value,
  }))
}
