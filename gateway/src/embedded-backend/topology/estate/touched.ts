import { isUuid } from '@watchroom/shared/kernel'

import type { Touched } from './readComponents.ts'

/** More are as quickly read with all the others. */
const MAX_TOUCHED = 500

const KINDS = { component: 'components', check: 'checks', config: 'configs', incident: 'incidents' } as const

/** What was told and not read yet. */
export interface TouchedRows {
  /** @param payload of the notification: a kind and an id. What is not understood means everything. */
  add(payload: string): void
  addAll(): void
  /** @returns null when there is nothing to read */
  take(): Touched | 'all' | null
}

export function createTouched(): TouchedRows {
  let isAll = false
  let ids = {
    components: new Set<string>(),
    checks: new Set<string>(),
    configs: new Set<string>(),
    incidents: new Set<string>(),
  }
  const count = (): number => Object.values(ids).reduce((sum, each) => sum + each.size, 0)
  const clear = (): void => {
    ids = { components: new Set(), checks: new Set(), configs: new Set(), incidents: new Set() }
  }

  return {
    add: (payload) => {
      const [word, id = ''] = payload.split(':', 2)
      const kind = Object.entries(KINDS).find(([name]) => name === word)?.[1]
      if (kind === undefined || !isUuid(id)) isAll = true
      else ids[kind].add(id)
    },
    addAll: () => {
      isAll = true
    },
    take: () => {
      const [total, wasAll] = [count(), isAll]
      const taken = {
        components: [...ids.components],
        checks: [...ids.checks],
        configs: [...ids.configs],
        incidents: [...ids.incidents],
      }
      isAll = false
      clear()
      if (wasAll || total > MAX_TOUCHED) return 'all'
      return total === 0 ? null : taken
    },
  }
}
