// Requests for the list of config items, in the backend's form (backend reference 2.5 and 5.8).
import { CONFIG_SELECT, toHealthParams, toWordFilterText } from '@watchroom/shared/catalog'
import { assertNever } from '@watchroom/shared/kernel'

import { splitIds } from '../../api/splitIds.ts'
import { anyTextFilter, quoteValue } from '../../api/tables.ts'
import { parseThreeWay } from '../../url/threeWay.ts'
import { type GroupKey, isPlainKey, orderedGroups } from './grouping.ts'
import { byKey, type PairChoice, parseLabels, parseTags } from './labelFilter.ts'
import { type CatalogSearch, ORDERS, toListOrder } from './search.ts'

const encode = encodeURIComponent

const SEARCHED = ['name', 'type', 'description', 'namespace'] as const

/** Any of the wanted values of a key, and none of the excluded ones; items without the key have none. */
function pairFilters(column: 'labels' | 'tags', pairs: readonly PairChoice[]): string[] {
  return Array.from(byKey(pairs)).flatMap(([key, { wanted, unwanted }]) => {
    const holds = (value: string): string => `cs.${quoteValue(JSON.stringify({ [key]: value }))}`
    const [only, ...others] = wanted
    return [
      ...(only !== undefined && others.length === 0 ? [hasValue(column, key, only)] : []),
      ...(others.length > 0 ? [`or=${encode(`(${wanted.map((value) => `${column}.${holds(value)}`).join()})`)}`] : []),
      ...unwanted.map((value) => `or=${encode(`(${column}.is.null,${column}.not.${holds(value)})`)}`),
    ]
  })
}

const hasValue = (column: string, key: string, value: string): string =>
  isPlainKey(key)
    ? `${column}->>${encode(key)}=eq.${encode(value)}`
    : `${column}=cs.${encode(JSON.stringify({ [key]: value }))}`

function wordFilter(column: string, text: string): string[] {
  const words = toWordFilterText(parseThreeWay(text))
  return words === '' ? [] : [`${column}.filter=${encode(words)}`]
}

function groupOrder(group: GroupKey): string {
  switch (group.by) {
    case 'tag':
      return `tags->>${group.tag}.asc.nullslast`
    case 'changed':
      return 'updated_at.desc.nullslast'
    case 'config_class':
    case 'type':
      return `${group.by}.asc`
    default:
      return assertNever(group, 'what items are grouped by')
  }
}

/** By group, deleted items last within each, then by the chosen column. */
function order(search: CatalogSearch, hidesDeleted: boolean): string {
  const { sortBy, sortOrder } = search
  const columns = ORDERS[toListOrder(sortBy)]
  return [
    ...orderedGroups(search).map(groupOrder),
    ...(hidesDeleted ? [] : ['deleted_at.desc.nullsfirst']),
    ...columns.map((column, at) => `${column}.${at === 0 ? sortOrder : 'asc'}.nullslast`),
    // A unique order: pages must not overlap when columns are equal.
    'id.asc',
  ].join()
}

/** The same rows from the last to the first. */
const turnAround = (columns: string): string =>
  columns.replaceAll(/\.(asc|desc)(?:\.nulls(first|last))?(?=,|$)/g, (_, direction: string, nulls?: string) => {
    const turned = direction === 'asc' ? 'desc' : 'asc'
    return `.${turned}${nulls === undefined ? '' : `.nulls${nulls === 'first' ? 'last' : 'first'}`}`
  })

interface AddressOptions {
  readonly isReversed?: boolean
  readonly select?: string
}

/** The address of the list without its page. */
export function listAddress(
  search: CatalogSearch,
  hidesDeleted: boolean,
  { isReversed = false, select = CONFIG_SELECT }: AddressOptions = {},
): string {
  const { configType } = search
  const columns = order(search, hidesDeleted)
  const params = [
    `select=${select}`,
    ...(configType === '' ? [] : [`type=eq.${encode(configType)}`]),
    ...wordFilter('status', search.status),
    ...toHealthParams(parseThreeWay(search.health)).map(([name, value]) => `${name}=${encode(value)}`),
    ...anyTextFilter(SEARCHED, search.search),
    ...pairFilters('labels', parseLabels(search.labels)),
    ...pairFilters('tags', parseTags(search.tags)),
    ...(hidesDeleted ? ['deleted_at=is.null'] : []),
    `order=${encode(isReversed ? turnAround(columns) : columns)}`,
  ]
  return `/api/db/configs?${params.join('&')}`
}

export interface ListPage {
  readonly offset: number
  readonly limit: number
  /** As many as there were when the page before was read. */
  readonly total?: number
}

/** With more rows than this before a page, only ids are read first: the database would count changes and insights of every row it skips. */
const MANY_PASSED = 1_000

interface PageAddress {
  readonly address: string
  /** Its rows come the other way round. */
  readonly isReversed: boolean
  /** Its rows are ids alone. */
  readonly isOfIds: boolean
}

/** The URL of a page. The database skips every row before it, so pages beyond the middle are read from the end. */
export function toPageAddress(
  search: CatalogSearch,
  hidesDeleted: boolean,
  { offset, limit, total = 0 }: ListPage,
): PageAddress {
  const isReversed = offset > total / 2 && offset < total
  const rows = isReversed ? Math.min(limit, total - offset) : limit
  const from = isReversed ? total - offset - rows : offset
  const isOfIds = from >= MANY_PASSED
  const list = listAddress(search, hidesDeleted, { isReversed, ...(isOfIds ? { select: 'id' } : {}) })
  return { address: `${list}&limit=${rows}&offset=${from}`, isReversed, isOfIds }
}

/** Where the rows of these ids are, in any order. */
export const toRowAddresses = (ids: readonly string[]): string[] =>
  splitIds(ids).map((some) => `/api/db/configs?select=${CONFIG_SELECT}&id=in.(${some.join()})`)
