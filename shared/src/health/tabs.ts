import { NIL_UUID, ownValue } from '../kernel/index.ts'
import type { CheckSummary } from './checkSummary.ts'

/** What the tabs above the board split by; `label:{key}` stands for any label key. */
export type TabBy = 'namespace' | 'agent_id' | `label:${string}`

export const DEFAULT_TAB_BY: TabBy = 'namespace'

/** Tab of the checks that have no value of their own. */
const NO_TAB_VALUE = 'none'

const LABEL_PREFIX = 'label:'

/** @returns null when the text names nothing to split by */
export function tryParseTabBy(text: string): TabBy | null {
  if (text === 'namespace' || text === 'agent_id') return text
  return text.startsWith(LABEL_PREFIX) && text.length > LABEL_PREFIX.length
    ? `label:${text.slice(LABEL_PREFIX.length)}`
    : null
}

type TabRow = Pick<CheckSummary, 'namespace' | 'canary_namespace' | 'agent_id' | 'labels'>

/** The one tab, beside `All`, that shows this check. */
export function toTabValue(row: TabRow, tabBy: TabBy): string {
  switch (tabBy) {
    case 'namespace':
      return row.namespace || row.canary_namespace || NO_TAB_VALUE
    case 'agent_id':
      return row.agent_id && row.agent_id !== NIL_UUID ? row.agent_id : NO_TAB_VALUE
    default:
      return ownValue(row.labels, tabBy.slice(LABEL_PREFIX.length)) || NO_TAB_VALUE
  }
}
