// What keeps a spec of a scraper from being saved: a key that is not known, an expression that is none, a source that is not for
// us to read. Those of other agents are judged where they run.
import { NIL_UUID } from '@watchroom/shared/kernel'
import { findSpecFault, type ItemRules, ScraperSpecSchema } from '@watchroom/shared/specs'

import type { LookUp } from '../../check-runner/lookApart.ts'
import type { JudgeRow } from '../server/judgeWrite.ts'
import type { Family } from './family.ts'
import { sourcesOf } from './run/readItems.ts'
import { valuesOf } from './run/rules.ts'

export function createRowJudge(families: ReadonlyMap<string, Family>, lookUp: LookUp): JudgeRow {
  return async ({ spec, agent_id: agentId }) => {
    if (spec === undefined || (typeof agentId === 'string' && agentId !== NIL_UUID)) return null
    const fault = findSpecFault('config_scrapers', spec)
    if (fault !== null) return fault.startsWith('spec: ') ? fault : `spec.${fault}`
    const parsed = ScraperSpecSchema.parse(spec)
    for (const { family, element, index } of sourcesOf(parsed, families).here) {
      const wrong = (await findMalformed(element, lookUp)) ?? (await family.judge?.(element)) ?? null
      if (wrong !== null) return `spec.${family.name}.${index}.${wrong}`
    }
    return null
  }
}

async function findMalformed(element: ItemRules, lookUp: LookUp): Promise<string | null> {
  const { insights = [], relationships = [], transform } = element
  const texts = [
    ...valuesOf(element),
    ...relationships.flatMap(({ id, name, type }) => [id, name, type]),
    ...insights.map(({ message }) => message),
  ].flatMap((value) => (typeof value === 'object' ? [value.expr] : []))
  if (transform?.expr !== undefined) texts.push(transform.expr)
  const truths = insights.map(({ expr }) => expr)
  const looks = [
    ...texts.map((expression) => ({ expression, wants: 'text' as const })),
    ...truths.map((expression) => ({ expression, wants: 'truth' as const })),
  ]
  for (const look of looks) {
    // There is no item yet, so its value does not matter: only an expression that cannot be read is reported.
    const answer = await lookUp({ ...look, variables: NOTHING })
    if ('problem' in answer && answer.problem.isMalformed) return `expr: ${look.expression}: ${answer.problem.text}`
  }
  return null
}

const NOTHING = ['config', 'item'].map((name) => ({ name, type: 'dyn', value: {} }))
