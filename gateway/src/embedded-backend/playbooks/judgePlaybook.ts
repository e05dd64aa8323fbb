// What keeps a playbook from being saved, whoever writes it: all that would keep its runs from beginning, or it from starting by
// itself. Of a row without a spec nothing is asked.
import { type PlaybookSpec, PlaybookSpecSchema } from '@watchroom/shared/playbooks'

import type { LookUp } from '../../check-runner/lookApart.ts'
import type { JudgeRow } from '../server/judgeWrite.ts'
import type { Approval } from './approvals.ts'
import { EVENT_SOURCES, tryParseSchedule, unknownEvent } from './createTriggers.ts'
import { toExpression } from './driveRun.ts'
import { describeFaults, toScope } from './readScope.ts'

interface Deps {
  readonly lookUp: LookUp
  /** Names of those for whom nobody here can approve. */
  readonly findUnable: (approval: Approval) => Promise<readonly string[]>
}

export function createPlaybookJudge({ lookUp, findUnable }: Deps): JudgeRow {
  return async ({ spec }) => {
    if (spec === undefined || spec === null) return null
    const parsed = PlaybookSpecSchema.safeParse(spec)
    const fault = parsed.success
      ? (findUnused(parsed.data) ??
        findTriggerFault(parsed.data) ??
        (await findConditionFault(parsed.data, lookUp)) ??
        (await findApprovalFault(parsed.data, findUnable)))
      : describeFaults(parsed.error.issues.slice(0, 1))
    if (fault === null) return null
    return fault.startsWith('spec: ') ? fault : `spec.${fault}`
  }
}

/** What other servers know and this one does not do: whoever wrote it would count on it. */
function findUnused({ permissions = [], templatesOn, actions }: PlaybookSpec): string | null {
  if (permissions.length > 0) return 'permissions: not looked at here: who may run playbooks is a matter of roles'
  const own = actions.findIndex((action) => action.templatesOn === 'host')
  const path = templatesOn === 'host' ? 'templatesOn' : own < 0 ? null : `actions.${own}.templatesOn`
  return path === null ? null : `${path}: not done here: what runs on an agent is filled in there`
}

function findTriggerFault({ on = {}, parameters = [] }: PlaybookSpec): string | null {
  if (on.schedule !== undefined && tryParseSchedule(on.schedule) === null) {
    return 'on.schedule: expected a cron schedule, @daily and the like, or @every 1h'
  }
  const isAlone =
    on.schedule !== undefined ||
    on.webhook !== undefined ||
    EVENT_SOURCES.some((source) => (on[source]?.length ?? 0) > 0)
  const open = parameters.findIndex(({ required, default: value }) => required === true && (value ?? '') === '')
  if (isAlone && open >= 0) {
    return `parameters.${open}.default: needed where a playbook starts by itself: nobody is there to say it`
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

/** A run would wait for ever. */
async function findApprovalFault(
  { approval, actions }: PlaybookSpec,
  findUnable: Deps['findUnable'],
): Promise<string | null> {
  const asked: [path: string, approval: Approval | undefined][] = [
    ['approval', approval],
    ...actions.map((action, index): [string, Approval | undefined] => [`actions.${index}.approval`, action.approval]),
  ]
  for (const [path, each] of asked) {
    const unable = each === undefined ? [] : await findUnable(each)
    if (unable.length > 0) {
      return `${path}.approvers: nobody here can approve as ${unable.join(', ')}: they need an account, the right to run playbooks, and an address that is proved or confirmed`
    }
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
