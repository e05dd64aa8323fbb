// What keeps a playbook from being saved, whoever writes it: all that would keep its runs from beginning, or it from starting by
// itself. Of a row without a spec nothing is asked.
import { type PlaybookSpec, PlaybookSpecSchema } from '@watchroom/shared/playbooks'

import type { LookUp } from '../../check-runner/lookApart.ts'
import type { JudgeRow } from '../server/judgeWrite.ts'
import { EVENT_SOURCES, tryParseSchedule, unknownEvent } from './createTriggers.ts'
import { toExpression } from './driveRun.ts'
import { describeFaults, toScope } from './readScope.ts'

export function createPlaybookJudge(lookUp: LookUp): JudgeRow {
  return async ({ spec }) => {
    if (spec === undefined || spec === null) return null
    const parsed = PlaybookSpecSchema.safeParse(spec)
    const fault = parsed.success
      ? (findTriggerFault(parsed.data) ?? (await findConditionFault(parsed.data, lookUp)))
      : describeFaults(parsed.error.issues.slice(0, 1))
    if (fault === null) return null
    return fault.startsWith('spec: ') ? fault : `spec.${fault}`
  }
}

function findTriggerFault({ on = {} }: PlaybookSpec): string | null {
  if (on.schedule !== undefined && tryParseSchedule(on.schedule) === null) {
    return 'on.schedule: expected a cron schedule, @daily and the like, or @every 1h'
  }
  for (const source of EVENT_SOURCES) {
    for (const [index, { event }] of (on[source] ?? []).entries()) {
      const known = unknownEvent(event, source)
      if (known !== null) return `on.${source}.${index}.event: "${event}" is none of ${known.join(', ')}`
    }
  }
  return null
}

async function findConditionFault(spec: PlaybookSpec, lookUp: LookUp): Promise<string | null> {
  for (const [path, expression] of conditionsOf(spec)) {
    const answer = await lookUp({ expression, wants: 'truth', variables: VARIABLES })
    // Whatever an expression says of nothing at all: only one that cannot be read is told.
    if ('problem' in answer && answer.problem.isMalformed) return `${path}: ${answer.problem.text}`
  }
  return null
}

function conditionsOf({ filters = [], actions, on = {} }: PlaybookSpec): [path: string, expression: string][] {
  return [
    ...filters.map((filter, index): [string, string] => [`filters.${index}`, filter]),
    ...actions.flatMap(({ if: condition }, index): [string, string][] =>
      condition === undefined ? [] : [[`actions.${index}.if`, toExpression(condition, false)]],
    ),
    ...EVENT_SOURCES.flatMap((source) =>
      (on[source] ?? []).flatMap(({ filter }, index): [string, string][] =>
        filter === undefined ? [] : [[`on.${source}.${index}.filter`, filter]],
      ),
    ),
  ]
}

const NOTHING = toScope({ target: null, row: {}, params: {}, playbook: { id: '', name: '', title: '' }, user: null })
const VARIABLES = Object.entries(NOTHING).map(([name, value]) => ({ name, type: 'dyn', value }))
