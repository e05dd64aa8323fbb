// What is pushed to a server of the real product. It knows no extension, and takes what a check's status is from the check's row:
// its results alone show nothing on its board.
import type { Push, PushedCheck, PushedResult } from '@watchroom/shared/agents/upstream'

interface CheckState {
  readonly status: 'healthy' | 'unhealthy'
  readonly last_runtime: string
  readonly last_transition_time: string
  readonly next_runtime: string | null
}

export interface PlainPush {
  /** @param definitions of the checks that run, by id */
  toBody(push: Push, definitions: ReadonlyMap<string, PushedCheck>): Record<string, readonly object[]>
}

export function createPlainPush(): PlainPush {
  /** What the newest pushed result of each check says. */
  const states = new Map<string, CheckState>()

  function follow({ check_id: id, time, status: passed, next_runtime: next }: PushedResult): void {
    const before = states.get(id)
    if (before !== undefined && before.last_runtime > time) return
    const status = passed ? 'healthy' : 'unhealthy'
    states.set(id, {
      status,
      last_runtime: time,
      last_transition_time: before?.status === status ? before.last_transition_time : time,
      next_runtime: next ?? null,
    })
  }

  return {
    toBody: (push, definitions) => {
      const { canaries = [], checks = [], check_statuses: results = [], playbook_actions = [], artifacts = [] } = push
      for (const result of results) follow(result)
      const told = [...new Set(results.map(({ check_id: id }) => id))].flatMap((id) => definitions.get(id) ?? [])
      const kinds = {
        canaries,
        checks: [...checks, ...told].map((check) => ({ ...check, ...states.get(check.id) })),
        check_statuses: results.map(({ next_runtime: _next, ...result }) => result),
        playbook_actions,
        artifacts,
      }
      return Object.fromEntries(Object.entries(kinds).filter(([, rows]) => rows.length > 0))
    },
  }
}
