import { toAbsoluteRange } from '@watchroom/shared/time'
import { z } from 'zod'

import { stringifySearch } from '../../url/searchParams.ts'
import type { LogsSearch } from './search.ts'

/** URL of the logs of a component, for example with marked lines in context. */
export const logsPath = (search: Partial<LogsSearch> & { topologyId: string }): string =>
  `/logs${stringifySearch(search)}`

const text = z.string().optional().catch(undefined)
const KeptSchema = z.object({
  selector: text,
  lines: z.array(z.object({ id: text, timestamp: text })).min(1),
})

/** Margin around kept lines without ids. */
const MARGIN_MS = 60_000

interface KeptLog {
  readonly component_id: string | null
  readonly evidence: unknown
}

/** URL of the logs that a piece of evidence came from: with its lines marked if their ids are known, otherwise by time. Null if unknown. */
export function evidencePath({ component_id: topologyId, evidence }: KeptLog): string | null {
  const kept = KeptSchema.safeParse(evidence)
  if (topologyId === null || !kept.success) return null
  const { selector: logsSelector = '', lines } = kept.data
  const [first, last] = [lines[0], lines.at(-1)]
  if (first?.id !== undefined) {
    const lineTo = last === first ? '' : (last?.id ?? '')
    return logsPath({ topologyId, logsSelector, around: first.id, line: first.id, lineTo })
  }
  const [from, to] = [Date.parse(first?.timestamp ?? '') - MARGIN_MS, Date.parse(last?.timestamp ?? '') + MARGIN_MS]
  if (Number.isNaN(from) || Number.isNaN(to)) return logsPath({ topologyId, logsSelector })
  const range = toAbsoluteRange(Math.min(from, to), Math.max(from, to))
  return `/logs${stringifySearch({ topologyId, logsSelector, ...range })}`
}
