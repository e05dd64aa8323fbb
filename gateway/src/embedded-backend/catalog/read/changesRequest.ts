// What `POST /catalog/changes` is asked, and by GET in the address (backend reference 7.2): which changes, in which order, which page.
import { type ChangeFilter, CHANGE_FILTERS, parseChangeFilter } from '@watchroom/shared/catalog'
import { isUuid } from '@watchroom/shared/kernel'
import { z } from 'zod'

import { Refusal } from '../../../platform/http/refusal.ts'
import { describeIssues } from '../../../platform/http/requestFault.ts'
import { tryParseDateMath } from '../../server/dateMath.ts'

const MAX_TEXT_CHARACTERS = 4_000
const DEFAULT_PAGE_SIZE = 50
const MAX_PAGE_SIZE = 1_000
const DEFAULT_DEPTH = 5
const MAX_DEPTH = 50
const DEFAULT_FROM = 'now-2d'

const text = z
  .string()
  .max(MAX_TEXT_CHARACTERS)
  .nullish()
  .transform((value) => value?.trim() ?? '')
/** Also as an address writes it. 0 and nothing: what is usual. */
const whole = (max: number) =>
  z
    .union([z.number(), z.string().regex(/^\d*$/, 'must be a whole number').transform(Number)])
    .nullish()
    .pipe(z.int().min(0).max(max).nullish())
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')]).nullish()

const ChangesRequestSchema = z.object({
  ...(Object.fromEntries(CHANGE_FILTERS.map((name) => [name, text])) as Record<
    (typeof CHANGE_FILTERS)[number],
    typeof text
  >),
  from: text,
  to: text,
  page: whole(1_000_000),
  page_size: whole(MAX_PAGE_SIZE),
  sort_by: text,
  recursive: text,
  depth: whole(MAX_DEPTH),
  include_deleted_configs: flag,
})
type ChangesRequest = z.infer<typeof ChangesRequestSchema>

/** Whose changes are meant besides an item's own, as the walk over relationships names its direction. */
const DIRECTIONS = { upstream: 'incoming', downstream: 'outgoing', none: null, all: 'all' } as const

export interface ChangesQuestion {
  readonly filter: ChangeFilter
  /** One item and, where a direction is given, its relatives; null: the whole catalog. */
  readonly start: {
    readonly id: string
    readonly direction: 'incoming' | 'outgoing' | 'all' | null
    readonly depth: number
  } | null
  /** Also changes of deleted items. Those of the item that is asked about are always included. */
  readonly includesDeleted: boolean
  readonly from: Date | null
  readonly to: Date | null
  readonly order: { readonly column: SortColumn; readonly isDescending: boolean }
  readonly limit: number
  readonly offset: number
}

export const SORT_COLUMNS = ['name', 'change_type', 'summary', 'source', 'created_at', 'count'] as const
export type SortColumn = (typeof SORT_COLUMNS)[number]

/**
 * Reads what came as well, so that every reason begins as those of the real server do.
 *
 * @param now milliseconds since the epoch, for date math
 * @throws Refusal with the reason
 */
export function parseChangesRequest(input: unknown, now: number): ChangesQuestion {
  const parsed = ChangesRequestSchema.safeParse(input)
  if (!parsed.success) throw refuse(describeIssues(parsed.error))
  const request = parsed.data
  const filter = parseChangeFilter(request)
  if (!filter.ok) throw refuse(filter.error)
  const { page, page_size: size, depth } = request
  const limit = size || DEFAULT_PAGE_SIZE
  const direction = parseDirection(request.recursive)
  const isOfItem = isUuid(request.id)
  return {
    filter: filter.value,
    start: isOfItem ? { id: request.id, direction, depth: depth || DEFAULT_DEPTH } : null,
    // Without the parameter nothing is hidden.
    includesDeleted: request.include_deleted_configs ?? true,
    ...parseRange(request, now),
    order: parseOrder(request.sort_by),
    limit,
    offset: ((page || 1) - 1) * limit,
  }
}

function parseRange({ from, to }: ChangesRequest, now: number): { from: Date | null; to: Date | null } {
  const start = parseMoment('from', from === '' && to === '' ? DEFAULT_FROM : from, now)
  const end = parseMoment('to', to, now)
  if (start && end && start >= end) throw refuse(`'from' must be before 'to'`)
  return { from: start, to: end }
}

function parseMoment(name: string, expression: string, now: number): Date | null {
  if (expression === '') return null
  const moment = tryParseDateMath(expression, now)
  if (moment === null || Number.isNaN(moment.getTime())) throw refuse(`invalid '${name}' param: ${expression}`)
  return moment
}

function parseDirection(word: string): 'incoming' | 'outgoing' | 'all' | null {
  if (word === '') return DIRECTIONS.downstream
  const known = Object.entries(DIRECTIONS).find(([name]) => name === word)
  if (!known) throw refuse(`'recursive' must be one of upstream, downstream, none, all`)
  return known[1]
}

function parseOrder(sortBy: string): ChangesQuestion['order'] {
  // Newest first where nothing is asked for.
  if (sortBy === '') return { column: 'created_at', isDescending: true }
  const name = sortBy.replace(/^-/, '')
  const column = SORT_COLUMNS.find((known) => known === name)
  if (!column) throw refuse(`invalid 'sort_by' param: ${name}. allowed sort fields are: ${SORT_COLUMNS.join(', ')}`)
  return { column, isDescending: sortBy.startsWith('-') }
}

const refuse = (reason: string): Refusal => new Refusal(400, { error: `bad request: ${reason}` })
