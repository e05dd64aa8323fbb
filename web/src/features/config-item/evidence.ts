import type { ConfigDetail } from '@watchroom/shared/catalog'

import type { EvidenceDraft } from '../../api/incidentCreation.ts'
import { formatLineRanges, includesLine, type LineRanges } from '../../ui/code/lineRanges.ts'

/** Lines kept around each chosen one, which readers show (second specification, section 9). */
const CONTEXT_LINES = 3

/** An item with the lines that someone chose, in the shape that every console reads. */
export function toConfigEvidence(
  item: Pick<ConfigDetail, 'id' | 'name' | 'type'>,
  lines: readonly string[],
  selected: LineRanges,
): EvidenceDraft {
  const near = selected.map(({ from, to }) => ({ from: from - CONTEXT_LINES, to: to + CONTEXT_LINES }))
  const name = item.name ?? item.id
  return {
    type: 'config',
    config_id: item.id,
    description: selected.length === 0 ? name : `${name}, lines ${formatLineRanges(selected).replaceAll(',', ', ')}`,
    evidence: {
      lines: pick(lines, near),
      selected_lines: pick(lines, selected),
      configName: name,
      configType: item.type,
    },
  }
}

/** By number, counted from 1. */
const pick = (lines: readonly string[], ranges: LineRanges): Record<string, string> =>
  Object.fromEntries(
    lines.flatMap((text, index) => (includesLine(ranges, index + 1) ? [[String(index + 1), text]] : [])),
  )
