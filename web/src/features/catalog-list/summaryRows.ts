import { type ConfigSummary, toConfigClass } from '@watchroom/shared/catalog'
import { ownValue } from '@watchroom/shared/kernel'

import type { FlatSearch } from '../../url/searchParams.ts'
import type { GroupKey } from './grouping.ts'
import { parseTags, stringifyTags } from './labelFilter.ts'

/** Items of one type, perhaps of those with one value of a tag. */
export interface SummaryRow {
  readonly key: string
  readonly summary: ConfigSummary
  readonly isPinned: boolean
  /** Empty where nothing is grouped. */
  readonly group: string
  /** Of the tags that rows are grouped by; null for items without one. */
  readonly tags: readonly { readonly key: string; readonly value: string | null }[]
}

const PINNED = 'Pinned'

const groupText = (group: GroupKey, row: ConfigSummary, tags: SummaryRow['tags']): string[] => {
  if (group.by === 'config_class') return [toConfigClass(row.type)]
  if (group.by !== 'tag') return []
  return [`${group.tag}: ${tags.find(({ key }) => key === group.tag)?.value ?? 'none'}`]
}

/** Rows with their groups, those of pinned types first. */
export function toSummaryRows(
  rows: readonly ConfigSummary[],
  groups: readonly GroupKey[],
  favorites: Readonly<Record<string, boolean>>,
): SummaryRow[] {
  return rows
    .map((summary): SummaryRow => {
      const tags = groups.flatMap((group) =>
        // The backend writes the keys of tags in lower case.
        group.by === 'tag' ? [{ key: group.tag, value: toTagValue(ownValue(summary, group.tag.toLowerCase())) }] : [],
      )
      const isPinned = ownValue(favorites, summary.type) === true
      const group = isPinned ? [PINNED] : groups.flatMap((one) => groupText(one, summary, tags))
      return { key: JSON.stringify([summary.type, ...tags]), summary, isPinned, group: group.join(', '), tags }
    })
    .toSorted(
      (a, b) =>
        Number(b.isPinned) - Number(a.isPinned) ||
        a.group.localeCompare(b.group) ||
        a.summary.type.localeCompare(b.summary.type),
    )
}

const toTagValue = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** The address of the items behind a row. */
export const toItems =
  ({ summary, tags }: SummaryRow) =>
  (current: FlatSearch): FlatSearch => {
    const chosen = tags.flatMap(({ key, value }) => (value === null ? [] : [{ key, value, choice: 1 as const }]))
    const before = typeof current['tags'] === 'string' ? parseTags(current['tags']) : []
    const others = before.filter(({ key }) => chosen.every((tag) => tag.key !== key))
    const all = stringifyTags([...others, ...chosen])
    return {
      ...current,
      configType: summary.type,
      tags: all === '' ? undefined : all,
      groupBy: undefined,
      groupByProp: undefined,
    }
  }
