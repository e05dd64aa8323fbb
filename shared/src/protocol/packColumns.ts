import { z } from 'zod'

// One column of values, written so that deflate finds little left to do. Identifiers and times are most of a board's bytes:
// random identifiers go as base64 instead of hex (21 instead of 36 characters), times as differences to a column they follow.

/**
 * `v` the values; `f`, `c`, `n` columns of objects that all have the same fields; `u` UUIDs; `t` times as milliseconds after
 * `b`, or after the time column number `r` of the same block.
 */
export type Column =
  | { v: unknown[] }
  | { f: string[]; c: Column[]; n: number }
  | { u: string; n: number }
  | { t: number[]; b: number }
  | { t: number[]; r: number }

const count = z.number().int().nonnegative()
export const ColumnSchema: z.ZodType<Column> = z.lazy(() =>
  z.union([
    z.object({ v: z.array(z.unknown()) }),
    z.object({ f: z.array(z.string()), c: z.array(ColumnSchema), n: count }),
    z.object({ u: z.string(), n: count }),
    z.object({ t: z.array(z.number()), b: z.number() }),
    z.object({ t: z.array(z.number()), r: count }),
  ]),
)

export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const definedKeys = (fields: Fields): string[] => Object.keys(fields).filter((key) => fields[key] !== undefined)

/** @param times time columns of the block so far; a new one is appended */
export function toColumn(values: readonly unknown[], times: number[][]): Column {
  const first = values[0]
  if (typeof first === 'string') return toUuids(values) ?? toTimes(values, times) ?? { v: [...values] }
  if (!isFields(first)) return { v: [...values] }
  const keys = definedKeys(first)
  const shape = keys.join('\0')
  const isUniform = values.every((value) => isFields(value) && definedKeys(value).join('\0') === shape)
  if (!isUniform) return { v: [...values] }
  const columns = keys.map((key) =>
    toColumn(
      values.map((value) => (value as Fields)[key]),
      times,
    ),
  )
  return { f: keys, c: columns, n: values.length }
}

/** @param times as for `toColumn`, in the same order */
export function fromColumn(column: Column, times: number[][]): unknown[] {
  if ('v' in column) return column.v
  if ('u' in column) return fromUuids(column.u, column.n)
  if ('t' in column) return fromTimes(column, times)
  const columns = column.c.map((inner) => fromColumn(inner, times))
  return Array.from({ length: column.n }, (_, index) => {
    const fields: Fields = {}
    column.f.forEach((key, field) => {
      // A hostile or broken key must not reach the prototype.
      if (key !== '__proto__') fields[key] = columns[field]?.[index]
    })
    return fields
  })
}

// ---- UUIDs ------------------------------------------------------------------------------------------------------------

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const UUID_DIGITS = 32
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Null when they are not all UUIDs, or so few different ones that deflate does better with the text. */
function toUuids(values: readonly unknown[]): Column | null {
  const areUuids = values.every((value) => typeof value === 'string' && UUID.test(value))
  if (!areUuids || new Set(values).size * 2 < values.length) return null
  const ids = values.map((value) => String(value).replaceAll('-', ''))
  // Digit by digit over all rows: identifiers made about the same time begin alike, and deflate sees the runs.
  let digits = ''
  for (let place = 0; place < UUID_DIGITS; place++) for (const id of ids) digits += id.charAt(place)
  let text = ''
  // Three hexadecimal digits are two characters of base64.
  for (let at = 0; at < digits.length; at += 3) {
    const bits = Number.parseInt(digits.slice(at, at + 3).padEnd(3, '0'), 16)
    text += ALPHABET.charAt(bits >> 6) + ALPHABET.charAt(bits & 63)
  }
  return { u: text, n: values.length }
}

function fromUuids(text: string, length: number): string[] {
  let digits = ''
  for (let at = 0; at < text.length; at += 2) {
    const bits = (ALPHABET.indexOf(text.charAt(at)) << 6) | ALPHABET.indexOf(text.charAt(at + 1))
    digits += bits.toString(16).padStart(3, '0')
  }
  return Array.from({ length }, (_, index) => {
    let id = ''
    for (let place = 0; place < UUID_DIGITS; place++) id += digits.charAt(place * length + index)
    return `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`
  })
}

// ---- times ------------------------------------------------------------------------------------------------------------

/** Milliseconds of a time in exactly the form of `toISOString`, else NaN: what comes back must be what was sent. */
function toMilliseconds(value: unknown): number {
  if (typeof value !== 'string' || value.length !== 24) return Number.NaN
  const time = Date.parse(value)
  return Number.isFinite(time) && new Date(time).toISOString() === value ? time : Number.NaN
}

function toTimes(values: readonly unknown[], times: number[][]): Column | null {
  const moments = values.map(toMilliseconds)
  if (moments.some(Number.isNaN)) return null
  const base = Math.min(...moments)
  let best: Column = { t: moments.map((moment) => moment - base), b: base }
  let bestCost = cost(best.t)
  times.forEach((other, r) => {
    if (other.length !== moments.length) return
    const t = moments.map((moment, index) => moment - (other[index] ?? 0))
    const candidate = cost(t)
    if (candidate < bestCost) {
      best = { t, r }
      bestCost = candidate
    }
  })
  times.push(moments)
  return best
}

/** What deflate will make of the differences, roughly: a number that repeats costs nothing. */
const cost = (differences: readonly number[]): number =>
  differences.reduce((sum, value, index) => sum + (value === differences[index - 1] ? 0 : String(value).length), 0)

function fromTimes(column: { t: number[]; b: number } | { t: number[]; r: number }, times: number[][]): string[] {
  const moments = column.t.map((difference, index) =>
    'b' in column ? column.b + difference : (times[column.r]?.[index] ?? 0) + difference,
  )
  times.push(moments)
  return moments.map((moment) => new Date(moment).toISOString())
}
