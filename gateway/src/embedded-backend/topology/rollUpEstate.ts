import { keepNewest } from '@watchroom/shared/kernel'
import { createTopologyGraph, type Judge, type TopologyGraph, type TopologyNode } from '@watchroom/shared/topology'

import type { LookUp } from '../../check-runner/lookApart.ts'

/** A component above as many others whose expressions all decide waits for each of them. */
const MAX_ROUNDS = 12
const MAX_STATUS_CHARACTERS = 100
/** Expressions are few, and most see what they saw before. */
const MAX_VERDICTS = 5_000

/** What expressions said, by what they were and saw. */
export type Verdicts = Map<string, ReturnType<Judge>>

/**
 * The estate with what the expressions of its components say, which other processes work out: whatever is not known yet is asked, from the
 * leaves upwards, until nothing is left to ask.
 *
 * @param verdicts what was said before
 */
export async function rollUpEstate(
  nodes: readonly TopologyNode[],
  lookUp: LookUp,
  verdicts: Verdicts,
): Promise<TopologyGraph> {
  for (let round = 1; ; round += 1) {
    const asked = new Map<string, { expression: string; seen: Parameters<Judge>[1] }>()
    const graph = createTopologyGraph(nodes, (expression, seen) => {
      const key = JSON.stringify([expression, seen])
      const known = verdicts.get(key)
      if (known !== undefined) return known
      if (round < MAX_ROUNDS) asked.set(key, { expression, seen })
      return { problem: 'depends on too many other expressions' }
    })
    if (asked.size === 0) {
      keepNewest(verdicts, MAX_VERDICTS)
      return graph
    }
    for (const [key, { expression, seen }] of asked) {
      const answer = await lookUp({
        expression,
        wants: 'text',
        maxCharacters: MAX_STATUS_CHARACTERS,
        variables: [
          { name: 'summary', type: 'map<string, dyn>', value: seen.summary },
          { name: 'self', type: 'map<string, dyn>', value: seen.self },
        ],
      })
      verdicts.set(key, 'problem' in answer ? { problem: answer.problem.text } : { text: String(answer.value) })
    }
  }
}
