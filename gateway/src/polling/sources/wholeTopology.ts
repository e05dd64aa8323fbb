import type { Clock } from '@watchroom/shared/kernel'
import { type Component, TopologyAnswerSchema } from '@watchroom/shared/topology'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readUpstream } from './upstream.ts'

/** Where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 30_000
/** More levels than a topology may have. */
const LEVELS = 20

/** Every component, as a list. A backend that knows cursors answers with those that are different. */
export function createWholeTopologySource(deps: { backend: BackendClient; clock: Clock }): Source<Component> {
  return {
    name: 'wholeTopology',
    intervalMs: INTERVAL_MS,
    read: (signal, cursor) => {
      const asOf = deps.clock.now()
      const since = cursor === undefined ? '' : `&since=${encodeURIComponent(cursor)}`
      const path = `/canary/api/topology?depth=${LEVELS}&flatten=true&noCache=true${since}`
      return readUpstream(deps.backend, path, signal, async (response) => {
        const { components, cursor: next, partial } = TopologyAnswerSchema.parse(await response.json())
        const facts = { asOf, rows: components ?? [], droppedRows: 0, ...(next ? { cursor: next } : {}) }
        return partial === true ? { ...facts, kind: 'changes', removed: [] } : { ...facts, kind: 'all' }
      })
    },
  }
}
