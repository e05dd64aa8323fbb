import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  replaceEqualDeep,
} from '@tanstack/react-query'
import { z } from 'zod'

import type { SaveResult } from '../ui/form/saveResult.ts'
import { FRESH_MS } from './queryClient.ts'
import { request, requestPage } from './request.ts'

export interface TableOptions<Row extends object> {
  /** Table or view behind /api/db that is read. */
  readonly name: string
  readonly row: z.ZodType<Row>
  /** Columns and embeds of a list; all columns when absent. */
  readonly select?: string
  /** Columns and embeds of a single row; those of a list when absent. */
  readonly selectOne?: string
  /** Applies to every row, as written in the URL: `deleted_at=is.null`. */
  readonly filter?: string
  /** Column that identifies a row. Default `id`. */
  readonly key?: string
  /** Table that is written, where a view is read. */
  readonly writes?: string
}

/** What a list is asked for. Filters are written as in the URL, already encoded. */
export interface ListAsk {
  readonly filters?: readonly string[]
  /** By one column; others may precede it, as `column.direction,`. */
  readonly order: { readonly by: string; readonly direction: 'asc' | 'desc' }
  readonly limit: number
  readonly offset?: number
}

interface PageAddress {
  readonly sortBy: string
  readonly sortOrder: 'asc' | 'desc'
  readonly pageIndex: number
  readonly pageSize: number
}

/** The page that an address names, of the rows that pass the filters. */
export const toPageAsk = (
  { sortBy, sortOrder, pageIndex, pageSize }: PageAddress,
  filters: readonly string[],
): ListAsk => ({
  filters,
  order: { by: sortBy, direction: sortOrder },
  limit: pageSize,
  offset: pageIndex * pageSize,
})

/** Cache keys for the rows of a table. `all` covers everything that was read from it. */
export const tableKeys = {
  all: (name: string) => ['tables', name] as const,
  lists: (name: string) => ['tables', name, 'list'] as const,
  list: (name: string, address: string) => ['tables', name, 'list', address] as const,
  one: (name: string, id: string) => ['tables', name, 'one', id] as const,
}

const encode = encodeURIComponent

/** `*text*`, or nothing. `*` is the filter's own wildcard and cannot be escaped; `%` and `_` are the database's. */
export function toLikePattern(text: string): string {
  const pattern = text
    .trim()
    .replaceAll('*', '')
    .replaceAll(/[\\%_]/g, String.raw`\$&`)
  return pattern === '' ? '' : `*${pattern}*`
}

/** A value in a list of conditions: quoted, so that commas and brackets are its own. */
export const quoteValue = (value: string): string => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`

/** `column=ilike.*text*`, or nothing. */
export function textFilter(column: string, text: string): string[] {
  const pattern = toLikePattern(text)
  return pattern === '' ? [] : [`${column}=ilike.${encode(pattern)}`]
}

/** `or=(one.ilike."*text*",…)`, or nothing. */
export function anyTextFilter(columns: readonly string[], text: string): string[] {
  const pattern = toLikePattern(text)
  if (pattern === '') return []
  const like = quoteValue(pattern)
  return [`or=(${encode(columns.map((column) => `${column}.ilike.${like}`).join())})`]
}

/** `column=eq.value`; a value that is an object is compared as a whole. */
export function equals(column: string, value: unknown): string {
  if (value === null || value === undefined) return `${column}=is.null`
  return `${column}=eq.${encode(typeof value === 'string' ? value : JSON.stringify(value))}`
}

interface RowPage<Row> {
  readonly rows: Row[]
  readonly total: number
}

type EndlessRows<Row> = InfiniteData<RowPage<Row>>

/**
 * Rows that did not change stay the same objects, even when others are inserted before them, so that they need not render again.
 * TanStack Query itself compares by position and would recognize none of the rows after a new one.
 */
function keepRows<Row>(
  before: readonly RowPage<Row>[],
  pages: readonly RowPage<Row>[],
  keyOf: (row: Row) => string,
): readonly RowPage<Row>[] {
  const known = new Map(before.flatMap(({ rows }) => rows.map((row) => [keyOf(row), row] as const)))
  const kept = pages.map(({ rows, total }, at) => {
    const next = rows.map((row) => replaceEqualDeep(known.get(keyOf(row)), row))
    const old = before[at]
    const isSame = old?.total === total && isSameList(old.rows, next)
    return isSame ? old : { rows: next, total }
  })
  return isSameList(before, kept) ? before : kept
}

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, at) => item === other[at])

export type Table<Row extends object> = ReturnType<typeof defineTable<Row>>

/** A table of the backend: how its rows are read, kept and written. */
export function defineTable<Row extends object>(options: TableOptions<Row>) {
  const { name, row: schema, select = '*', selectOne = select, filter, key = 'id', writes = name } = options
  const always = filter === undefined ? [] : [filter]

  const listPath = ({ filters = [], order, limit, offset = 0 }: ListAsk): string => {
    const params = [
      `select=${select}`,
      ...always,
      ...filters,
      `order=${order.by}.${order.direction}.nullslast`,
      `limit=${limit}`,
      `offset=${offset}`,
    ]
    return `/api/db/${name}?${params.join('&')}`
  }

  const keyOf = (row: Row): string => String(row[key as keyof Row])

  async function readOne(id: string, conditions: readonly string[], signal?: AbortSignal): Promise<Row | null> {
    const params = [`select=${selectOne}`, equals(key, id), ...conditions, 'limit=1']
    const rows = await request(`/api/db/${name}?${params.join('&')}`, { schema: z.array(schema), signal })
    return rows[0] ?? null
  }

  return {
    name,
    listPath,
    keyOf,

    /** One page of rows with the number of all that match. The previous page stays until this one has loaded. */
    listQuery: (ask: ListAsk) =>
      queryOptions({
        queryKey: tableKeys.list(name, listPath(ask)),
        queryFn: ({ signal }) => requestPage(listPath(ask), { schema, signal }),
        staleTime: FRESH_MS.never,
        placeholderData: keepPreviousData,
        structuralSharing: (before, page) =>
          keepRows(before === undefined ? [] : [before as RowPage<Row>], [page as RowPage<Row>], keyOf)[0],
      }),

    /** Rows page by page, each page with the number of all that match; `limit` is the page size. */
    endlessQuery: (ask: Omit<ListAsk, 'offset'>) =>
      infiniteQueryOptions({
        queryKey: [...tableKeys.list(name, listPath(ask)), 'endless'],
        queryFn: ({ pageParam, signal }) => requestPage(listPath({ ...ask, offset: pageParam }), { schema, signal }),
        initialPageParam: 0,
        getNextPageParam: (last, pages) => {
          const read = pages.reduce((sum, { rows }) => sum + rows.length, 0)
          return last.rows.length > 0 && read < last.total ? read : undefined
        },
        staleTime: FRESH_MS.never,
        structuralSharing: (before, read) => {
          const [old, data] = [before, read] as [EndlessRows<Row> | undefined, EndlessRows<Row>]
          const pages = keepRows(old?.pages ?? [], data.pages, keyOf)
          return pages === old?.pages ? old : { ...data, pages }
        },
      }),

    /** One row, regardless of the filter for lists; null when there is none. */
    oneQuery: (id: string) =>
      queryOptions({
        queryKey: tableKeys.one(name, id),
        queryFn: ({ signal }) => readOne(id, [], signal),
        staleTime: FRESH_MS.never,
      }),

    async insert(values: Readonly<Record<string, unknown>>): Promise<Row> {
      const rows = await request(`/api/db/${writes}?select=${selectOne}`, {
        method: 'POST',
        body: values,
        schema: z.array(schema).length(1),
      })
      return rows[0] as Row
    },

    /**
     * Saves over exactly the row that was read, so that nobody's work is overwritten unnoticed.
     *
     * @param unchanged columns that must still be as they were read
     */
    async update(
      loaded: Row,
      values: Readonly<Record<string, unknown>>,
      unchanged: readonly (keyof Row & string)[],
    ): Promise<SaveResult<Row>> {
      const id = keyOf(loaded)
      const conditions = [
        equals(key, id),
        ...always,
        ...unchanged.map((column) => equals(column, loaded[column])),
        `select=${selectOne}`,
      ]
      const saved = await request(`/api/db/${writes}?${conditions.join('&')}`, {
        method: 'PATCH',
        body: values,
        schema: z.array(schema),
      })
      if (saved[0] !== undefined) return { kind: 'saved', row: saved[0] }
      // A row that is no longer in any list counts as gone.
      const current = await readOne(id, always)
      return current === null ? { kind: 'gone' } : { kind: 'changed', current }
    },

    /** Marks the row as deleted, so that no list shows it. @returns false when it was deleted already */
    async softDelete(id: string, values: Readonly<Record<string, unknown>> = {}): Promise<boolean> {
      const rows = await request(`/api/db/${writes}?${equals(key, id)}&deleted_at=is.null&select=${key}`, {
        method: 'PATCH',
        body: { deleted_at: 'now()', ...values },
        schema: z.array(z.unknown()),
      })
      return rows.length > 0
    },

    /** Reads everything from the table again: right away where it is on screen. */
    invalidate: (queryClient: QueryClient): Promise<void> =>
      queryClient.invalidateQueries({ queryKey: tableKeys.all(name) }),
  }
}
