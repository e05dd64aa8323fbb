import { z } from 'zod'

import { deepEqual } from './deepEqual.ts'
import { fromNumbers, fromTimes, type Numbers, NumbersSchema, toNumbers, toTimes } from './packNumbers.ts'
import { putInNumbers, takeOutNumbers } from './packTexts.ts'
import { fromUuids, toUuids } from './packUuids.ts'

// One column of values, written so that deflate finds little left to do (LIVE-47). Readers know every form there ever was;
// which of them are written is decided here alone.

/**
 * `v` the values; `f`, `c`, `n` columns of objects that all have the same fields; `u` UUIDs; `t` times; `i` whole numbers;
 * `q`, `w` values that stand `w` times in a row each; `x`, `d` texts and the columns of the numbers in them.
 */
export type Column =
  | { v: unknown[] }
  | { f: string[]; c: Column[]; n: number }
  | { u: string; n: number }
  | { i: Numbers }
  | { q: Column; w: number[] }
  | { x: Column; d: Column[] }
  | Numbers

const count = z.number().int().nonnegative()
export const ColumnSchema: z.ZodType<Column> = z.lazy(() =>
  z.union([
    z.object({ v: z.array(z.unknown()) }),
    z.object({ f: z.array(z.string()), c: z.array(ColumnSchema), n: count }),
    z.object({ u: z.string(), n: count }),
    z.object({ i: NumbersSchema }),
    z.object({ q: ColumnSchema, w: z.array(count) }),
    z.object({ x: ColumnSchema, d: z.array(ColumnSchema) }),
    NumbersSchema,
  ]),
)

export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const definedKeys = (fields: Fields): string[] => Object.keys(fields).filter((key) => fields[key] !== undefined)

const isText = (value: unknown): value is string => typeof value === 'string'

/** @param known columns of numbers of the block so far; new ones are appended */
export function toColumn(values: readonly unknown[], known: number[][]): Column {
  const runs = toRuns(values)
  if (runs) return { q: toColumn(runs.heads, known), w: runs.lengths }
  const first = values[0]
  if (typeof first === 'number') {
    const i = toNumbers(values, known)
    return i ? { i } : { v: [...values] }
  }
  if (isText(first) && values.every(isText)) return toTextColumn(values, known)
  if (isFields(first)) return toFieldColumns(first, values, known) ?? { v: [...values] }
  return { v: [...values] }
}

/** Null when most values differ from the one before. */
function toRuns(values: readonly unknown[]): { heads: unknown[]; lengths: number[] } | null {
  const heads: unknown[] = []
  const lengths: number[] = []
  for (const value of values) {
    const last = heads.length - 1
    if (last >= 0 && deepEqual(heads[last], value)) lengths[last] = (lengths[last] ?? 0) + 1
    else {
      heads.push(value)
      lengths.push(1)
      if (heads.length * 2 > values.length) return null
    }
  }
  return heads.length === 0 ? null : { heads, lengths }
}

function toTextColumn(texts: readonly string[], known: number[][]): Column {
  const uuids = toUuids(texts)
  if (uuids !== null) return { u: uuids, n: texts.length }
  const times = toTimes(texts, known)
  if (times) return times
  const taken = takeOutNumbers(texts)
  if (!taken) return { v: [...texts] }
  return { x: toColumn(taken.forms, known), d: taken.numbers.map((numbers) => toColumn(numbers, known)) }
}

/** Null when they do not all have the same fields. */
function toFieldColumns(first: Fields, values: readonly unknown[], known: number[][]): Column | null {
  const keys = definedKeys(first)
  const shape = keys.join('\0')
  const isUniform = values.every((value) => isFields(value) && definedKeys(value).join('\0') === shape)
  if (!isUniform) return null
  const columns = keys.map((key) =>
    toColumn(
      values.map((value) => (value as Fields)[key]),
      known,
    ),
  )
  return { f: keys, c: columns, n: values.length }
}

/** @param known as for `toColumn`, in the same order */
export function fromColumn(column: Column, known: number[][]): unknown[] {
  if ('v' in column) return column.v
  if ('u' in column) return fromUuids(column.u, column.n)
  if ('t' in column) return fromTimes(column, known)
  if ('i' in column) return fromNumbers(column.i, known)
  if ('q' in column) {
    return fromColumn(column.q, known).flatMap((head, run) => Array<unknown>(column.w[run] ?? 0).fill(head))
  }
  if ('x' in column) {
    const forms = fromColumn(column.x, known).map(String)
    return putInNumbers({ forms, numbers: column.d.map((inner) => fromColumn(inner, known).map(Number)) })
  }
  const columns = column.c.map((inner) => fromColumn(inner, known))
  return Array.from({ length: column.n }, (_, index) => {
    const fields: Fields = {}
    column.f.forEach((key, field) => {
      // A hostile or broken key must not reach the prototype.
      if (key !== '__proto__') fields[key] = columns[field]?.[index]
    })
    return fields
  })
}
