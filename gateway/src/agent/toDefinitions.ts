// From canaries to what is run here and what the upstream is told. Pure.
import type { PulledCanary, PushedCanary, PushedCheck } from '@watchroom/shared/agents/upstream'
import { type ExpandedCheck, expandCanary, type SpecProblem } from '@watchroom/shared/health/check-types'

import { type Schedule, toSchedule } from '../check-runner/schedule.ts'
import { toCheckColumns } from '../check-runner/toCheckColumns.ts'
import { nameUuid } from '../platform/nameUuid.ts'
import type { CanarySource } from './readCanaries.ts'

export interface AgentCheck {
  readonly id: string
  readonly schedule: Schedule
  readonly check: ExpandedCheck
  /** Checks of files are the operator's own; those assigned by the upstream may start processes only where that was allowed. */
  readonly isAssigned: boolean
}

export interface Definitions {
  readonly checks: readonly AgentCheck[]
  readonly pushedCanaries: readonly PushedCanary[]
  readonly pushedChecks: readonly PushedCheck[]
  readonly problems: readonly string[]
}

/** Marks canaries that this agent brings along: the upstream lets it take them away again. */
export const FILE_SOURCE = 'ConfigFile'

export function toDefinitions(
  agentId: string,
  fromFiles: readonly CanarySource[],
  assigned: readonly PulledCanary[],
): Definitions {
  const checks: AgentCheck[] = []
  const pushedCanaries: PushedCanary[] = []
  const pushedChecks: PushedCheck[] = []
  const problems: string[] = []

  const add = (canary: { id: string; namespace: string; spec: unknown; origin: string; isAssigned: boolean }): void => {
    const expanded = expandCanary(canary.spec)
    problems.push(...expanded.problems.map((problem) => `${canary.origin}: ${describe(problem)}`))
    const schedule = toSchedule(expanded.schedule)
    for (const check of expanded.checks) {
      if (check.type === 'self') {
        problems.push(`${canary.origin}: self: these checks measure the product itself, an agent has none of it`)
        continue
      }
      const id = nameUuid(canary.id, `${check.type}\n${check.name}`)
      checks.push({ id, schedule, check, isAssigned: canary.isAssigned })
      pushedChecks.push({ id, canary_id: canary.id, ...toCheckColumns(check, canary.namespace) })
    }
  }

  for (const { name, namespace, labels, spec, origin } of fromFiles) {
    const id = nameUuid(agentId, `${namespace}\n${name}`)
    pushedCanaries.push({ id, name, namespace, labels: { ...labels }, spec, source: FILE_SOURCE })
    add({ id, namespace, spec, origin, isAssigned: false })
  }
  for (const { id, name, namespace, spec } of assigned) {
    add({ id, namespace, spec, origin: `assigned canary ${namespace}/${name}`, isAssigned: true })
  }
  return { checks, pushedCanaries, pushedChecks, problems }
}

function describe({ type, index, path, message }: SpecProblem): string {
  const place = index === undefined ? type : `${type}[${index}]`
  return [place, path, message].filter((part) => part !== '').join(': ')
}
