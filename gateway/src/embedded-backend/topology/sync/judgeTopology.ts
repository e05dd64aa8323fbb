// What keeps a spec of a topology from being saved: what its schema refuses, and expressions that are none. Those of other agents are
// judged where they run.
import { tryParseSchedule } from '@watchroom/shared/health/check-types'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { expressionsOf, findSpecFault, TopologySpecSchema } from '@watchroom/shared/specs'

import type { LookUp } from '../../../check-runner/lookApart.ts'
import type { JudgeRow } from '../../server/judgeWrite.ts'
import { holesOf } from './fillTexts.ts'

export function createTopologyJudge(lookUp: LookUp): JudgeRow {
  return async ({ spec, schedule, agent_id: agentId }) => {
    if (typeof agentId === 'string' && agentId !== NIL_UUID) return null
    if (typeof schedule === 'string' && schedule !== '' && tryParseSchedule(schedule) === null) {
      return 'schedule: Must be a cron schedule, @daily and the like, or @every 10m'
    }
    if (spec === undefined || spec === null) return null
    const fault = findSpecFault('topologies', spec)
    if (fault !== null) return fault.startsWith('spec: ') ? fault : `spec.${fault}`
    const parsed = TopologySpecSchema.parse(spec)
    const asked = [
      ...expressionsOf(parsed).map(({ path, expression, sees }) => ({
        path: `spec.${path}`,
        expression,
        variables: SEEN[sees],
      })),
      ...templatesOf(parsed.components).map((hole) => ({
        path: 'spec.forEach',
        expression: hole,
        variables: SEEN.item,
      })),
    ]
    for (const { path, expression, variables } of asked) {
      // Whatever an expression says of nothing at all: only one that cannot be read is told.
      const answer = await lookUp({ expression, wants: 'text', variables })
      if ('problem' in answer && answer.problem.isMalformed) return `${path}: ${answer.problem.text}`
    }
    return null
  }
}

const map = (name: string) => ({ name, type: 'map<string, dyn>', value: {} })
const list = (name: string) => ({ name, type: 'list<dyn>', value: [] })
const SEEN = {
  summary: [map('summary'), map('self')],
  parts: [map('component'), list('checks'), list('configs'), map('properties')],
  item: [{ name: 'item', type: 'dyn', value: {} }],
} as const

/** Of every `forEach`, however deep. */
function templatesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]: [string, unknown]) =>
    key === 'forEach' ? holesOf(part) : templatesOf(part),
  )
}
