// Applies the topic of recently changed items to the rows of a list. Pure.
import {
  type Config,
  matchesWordFilter,
  parseWordFilter,
  toConfigHealth,
  toWordFilterText,
} from '@watchroom/shared/catalog'
import { ownValue } from '@watchroom/shared/kernel'
import { CONFIGS_WINDOW } from '@watchroom/shared/protocol'

import { parseThreeWay } from '../../url/threeWay.ts'
import { byKey, parseLabels, parseTags } from './labelFilter.ts'
import type { CatalogSearch } from './search.ts'

/** The current rows. A row without news, or with older news, stays the same object. */
export function patchRows(rows: readonly Config[], live: ReadonlyMap<string, Config>): readonly Config[] {
  return rows.map((row) => {
    const current = live.get(row.id)
    return current === undefined || toMoment(current.updated_at) < toMoment(row.updated_at) ? row : current
  })
}

const toMoment = (text: string | null | undefined): number => (text ? Date.parse(text) : Number.NEGATIVE_INFINITY)

/** When the newest of these items was created, in milliseconds since the epoch. */
export const newestOf = (items: Iterable<Config>): number =>
  [...items].reduce((newest, item) => Math.max(newest, toMoment(item.created_at)), Number.NEGATIVE_INFINITY)

/** What the topic has said about a list since it was read. */
export interface ListNews {
  /** The latest news about each row of the list: the topic drops an item once enough others have changed. */
  readonly known: ReadonlyMap<string, Config>
  /** All changes up to this time are known, in milliseconds since the epoch. */
  readonly through: number
  /** More items changed at once than the topic covers, so rows without news may be outdated. */
  readonly isBehind: boolean
}

/** @param readAt when the list was read; null if just now */
export function beginNews(live: readonly Config[], has: (id: string) => boolean, readAt: number | null): ListNews {
  return followNews({ known: new Map(), through: readAt ?? Number.POSITIVE_INFINITY, isBehind: false }, live, has)
}

/** @param has whether the list has the row; for other rows, the page that contains them will be newer */
export function followNews(
  { known, through, isBehind }: ListNews,
  live: readonly Config[],
  has: (id: string) => boolean,
): ListNews {
  const moments = live.map(changedAt).toSorted((a, b) => b - a)
  const isGap = (moments[CONFIGS_WINDOW - 1] ?? Number.NEGATIVE_INFINITY) > through
  return {
    known: new Map([...known, ...live.filter(({ id }) => has(id)).map((row) => [row.id, row] as const)]),
    through: isGap ? through : (moments[0] ?? through),
    isBehind: isBehind || isGap,
  }
}

const changedAt = ({ updated_at, deleted_at }: Config): number => Math.max(toMoment(updated_at), toMoment(deleted_at))

interface ListNow {
  /** Rows that the list has. */
  readonly rows: readonly Config[]
  /** Whether these are all rows. */
  readonly isWhole: boolean
  /** Creation time of the newest item that was known when they were read. */
  readonly knownUntil: number
  readonly search: CatalogSearch
  readonly hidesDeleted: boolean
}

/** The number of items that reading the list again would add: those created since, or, if all rows were loaded, those that match now. */
export function countNew(live: Iterable<Config>, { rows, isWhole, knownUntil, search, hidesDeleted }: ListNow): number {
  const matches = toMatcher(search, hidesDeleted)
  const candidates = [...live].filter((item) => (isWhole || toMoment(item.created_at) > knownUntil) && matches(item))
  // Mostly there are none, and the list may have ten thousand rows.
  if (candidates.length === 0) return 0
  const has = new Set(rows.map(({ id }) => id))
  return candidates.filter(({ id }) => !has.has(id)).length
}

/** Whether an item belongs to a list, as far as its row tells: rows have no description. */
export function toMatcher(search: CatalogSearch, hidesDeleted: boolean): (item: Config) => boolean {
  const status = parseWordFilter(toWordFilterText(parseThreeWay(search.status)))
  const health = parseWordFilter(toWordFilterText(parseThreeWay(search.health)))
  const words = search.search.trim().toLowerCase()
  const labels = byKey(parseLabels(search.labels))
  const tags = byKey(parseTags(search.tags))
  return (item) =>
    (search.configType === '' || item.type === search.configType) &&
    !(hidesDeleted && item.deleted_at) &&
    matchesWordFilter(status, item.status) &&
    matchesWordFilter(health, toConfigHealth(item.health)) &&
    (words === '' || `${item.name ?? ''}\n${item.type}`.toLowerCase().includes(words)) &&
    hasPairs(item.labels, labels) &&
    hasPairs(item.tags, tags)
}

function hasPairs(pairs: Config['labels'], asked: ReturnType<typeof byKey>): boolean {
  return Array.from(asked).every(([key, { wanted, unwanted }]) => {
    const value = ownValue(pairs ?? {}, key)
    if (value === undefined) return wanted.length === 0
    return (wanted.length === 0 || wanted.includes(value)) && !unwanted.includes(value)
  })
}
