import { keepNewest } from '@watchroom/shared/kernel'
import type { Judge } from '@watchroom/shared/topology'

import type { LookUp } from '../../../check-runner/lookApart.ts'

const MAX_STATUS_CHARACTERS = 100
/** Expressions are few, and most see what they saw before. */
const MAX_VERDICTS = 5_000
const NOT_YET = { problem: 'is still being worked out' }

/** What the expressions of components say, which another process works out. */
export interface Verdicts {
  /** What is not known yet is asked later; until then what the component's expression said before stands. */
  readonly judge: Judge
  /** Components that wait for an answer. */
  readonly waiting: ReadonlySet<string>
  /** Asks what is not known. @returns the components to be judged again */
  ask(): Promise<ReadonlySet<string>>
  /** Of components that are gone. */
  forget(ids: Iterable<string>): void
}

type Verdict = ReturnType<Judge>
interface Question {
  readonly expression: string
  readonly seen: Parameters<Judge>[1]
}

export function createVerdicts(lookUp: LookUp): Verdicts {
  /** By expression and what it sees. */
  const known = new Map<string, Verdict>()
  /** By component and expression. */
  const said = new Map<string, Map<string, Verdict>>()
  const questions = new Map<string, Question>()
  const waiting = new Set<string>()

  const answer = async (key: string, { expression, seen }: Question): Promise<void> => {
    const found = await lookUp({
      expression,
      wants: 'text',
      maxCharacters: MAX_STATUS_CHARACTERS,
      variables: [
        { name: 'summary', type: 'map<string, dyn>', value: seen.summary },
        { name: 'self', type: 'map<string, dyn>', value: seen.self },
      ],
    })
    known.set(key, 'problem' in found ? { problem: found.problem.text } : { text: String(found.value) })
  }

  return {
    waiting,
    judge: (expression, seen, id) => {
      const key = JSON.stringify([expression, seen])
      const verdict = known.get(key)
      if (verdict === undefined) {
        questions.set(key, { expression, seen })
        waiting.add(id)
        return said.get(id)?.get(expression) ?? NOT_YET
      }
      const ofComponent = said.get(id) ?? new Map<string, Verdict>()
      said.set(id, ofComponent.set(expression, verdict))
      return verdict
    },
    ask: async () => {
      const [asked, askers] = [[...questions], new Set(waiting)]
      questions.clear()
      await Promise.all(asked.map(([key, question]) => answer(key, question)))
      for (const id of askers) waiting.delete(id)
      keepNewest(known, MAX_VERDICTS + asked.length)
      return askers
    },
    forget: (ids) => {
      for (const id of ids) said.delete(id)
    },
  }
}
