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
  /** Holds for every row, as it stands in the address: `deleted_at=is.null`. */
  readonly filter?: string
  /** Column that identifies a row. Default `id`. */
  readonly key?: string
  /** Table that is written, where a view is read. */
  readonly writes?: string
}

/** What is asked of a list. Filters stand as they do in the address, already encoded. */
export interface ListAsk {
  readonly filters?: readonly string[]
  /** By one column; others may stand before it, as `column.direction,`. */
  readonly order: { readonly by: string; readonly direction: 'asc' | 'desc' }
  readonly limit: number
  readonly offset?: number
}

/** Keys of the rows of a table. The first one is about everything that was read of it. */
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
 * Rows that are as they were stay the same objects, also where others come before them: their screens need not be drawn again. What
 * TanStack Query does by itself goes by place, and knows none of them again behind one new row.
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

    /** One page of rows with the number of all that match. The page before stays until this one is there. */
    listQuery: (ask: ListAsk) =>
      queryOptions({
        queryKey: tableKeys.list(name, listPath(ask)),
        queryFn: ({ signal }) => requestPage(listPath(ask), { schema, signal }),
        staleTime: FRESH_MS.never,
        placeholderData: keepPreviousData,
        structuralSharing: (before, page) =>
          keepRows(before === undefined ? [] : [before as RowPage<Row>], [page as RowPage<Row>], keyOf)[0],
      }),

    /** Rows page after page, each with the number of all that match; `limit` is the length of a page. */
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

    /** One row, whatever filter holds for lists: null when there is none. */
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
     * Saves over exactly the row that was read, so that nobody's work is overwritten unseen.
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
      // A row that left every list is gone, too.
      const current = await readOne(id, always)
      return current === null ? { kind: 'gone' } : { kind: 'changed', current }
    },

    /** The row stays and leaves every list. @returns false when it had left before */
    async softDelete(id: string, values: Readonly<Record<string, unknown>> = {}): Promise<boolean> {
      const rows = await request(`/api/db/${writes}?${equals(key, id)}&deleted_at=is.null&select=${key}`, {
        method: 'PATCH',
        body: { deleted_at: 'now()', ...values },
        schema: z.array(z.unknown()),
      })
      return rows.length > 0
    },

    /** Everything that was read of it is asked for again, at once where someone looks. */
    invalidate: (queryClient: QueryClient): Promise<void> =>
      queryClient.invalidateQueries({ queryKey: tableKeys.all(name) }),
  }
}
