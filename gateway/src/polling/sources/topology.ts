import type { Clock } from '@watchroom/shared/kernel'
import {
  PageAnswerSchema,
  SHOWN_CARDS,
  SHOWN_LEVELS,
  type ShownComponent,
  toShownComponents,
} from '@watchroom/shared/topology'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readUpstream } from './upstream.ts'

/** Where the database tells of changes this is only the safety net; the peer would keep its answer for minutes. */
const INTERVAL_MS = 30_000

export interface TopologySourceDeps {
  readonly backend: BackendClient
  readonly clock: Clock
  /** The component of the page; empty for those at the top. */
  readonly id: string
}

/** What one page of the topology shows. A backend that knows cursors and rows answers with those that are different. */
export function createTopologySource({ backend, clock, id }: TopologySourceDeps): Source<ShownComponent> {
  const below = id === '' ? '' : `&id=${encodeURIComponent(id)}`
  return {
    name: 'topology',
    intervalMs: INTERVAL_MS,
    read: (signal, cursor) => {
      const asOf = clock.now()
      const since = cursor === undefined ? '' : `&since=${encodeURIComponent(cursor)}`
      const path = `/canary/api/topology?depth=${SHOWN_LEVELS}&limit=${SHOWN_CARDS}&noCache=true&rows=true${below}${since}`
      return readUpstream(backend, path, signal, async (response) => {
        const answer = PageAnswerSchema.parse(await response.json())
        const { cursor: next, partial, rows, removed } = answer
        const facts = { asOf, droppedRows: 0, ...(next ? { cursor: next } : {}) }
        if (partial === true) return { ...facts, kind: 'changes', rows: rows ?? [], removed: removed ?? [] }
        return { ...facts, kind: 'all', rows: rows ?? toShownComponents(id, answer) }
      })
    },
  }
}
