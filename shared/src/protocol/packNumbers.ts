import { z } from 'zod'

// Numbers and times of one column: as differences to a column they follow, or to the least of them, in the largest unit that
// divides them all. The columns of a block refer to each other by their place among its columns of numbers.

const place = z.number().int().nonnegative()
/** By hand: a thousand numbers one by one through a schema take as long as all the rest of a page. */
const numbers = z.custom<number[]>(
  (value) => Array.isArray(value) && value.every((number) => typeof number === 'number'),
  'expected numbers',
)
/** Each difference counts `m`: 1 where it is absent. */
const differences = { t: numbers, m: z.number().optional() }

/** `t` differences to `b`, or to the column of numbers number `r` of the same block. */
export const NumbersSchema = z.union([
  z.object({ ...differences, b: z.number() }),
  z.object({ ...differences, r: place }),
])
export type Numbers = z.infer<typeof NumbersSchema>

/** Columns that a new one is compared with. */
const MAX_COMPARED = 64

/** Milliseconds in seconds and tenths. */
const UNITS = [1_000, 100]

/**
 * @param known columns of numbers of the block so far; this one is appended
 * @returns null when they are not all whole numbers
 */
export function toNumbers(values: readonly unknown[], known: number[][]): Numbers | null {
  const numbers = values.filter((value) => typeof value === 'number' && Number.isSafeInteger(value)) as number[]
  if (numbers.length === 0 || numbers.length !== values.length) return null
  const least = numbers.reduce((a, b) => Math.min(a, b))
  let follows: number | null = null
  let bestCost = cost(numbers, () => least, Infinity)
  // Rows have a dozen columns of numbers; with thousands, each compared with all before it would take minutes.
  known.slice(0, MAX_COMPARED).forEach((other, place) => {
    if (other.length !== numbers.length) return
    const candidate = cost(numbers, (at) => other[at] ?? 0, bestCost)
    if (candidate >= bestCost) return
    follows = place
    bestCost = candidate
  })
  const from = follows === null ? undefined : known[follows]
  const t = numbers.map((number, at) => number - (from?.[at] ?? least))
  known.push(numbers)
  return { ...inLargestUnit(t), ...(follows === null ? { b: least } : { r: follows }) }
}

function inLargestUnit(t: number[]): { t: number[]; m?: number } {
  if (t.every((difference) => difference === 0)) return { t }
  const m = UNITS.find((unit) => t.every((difference) => difference % unit === 0))
  return m === undefined ? { t } : { t: t.map((difference) => difference / m), m }
}

/** What deflate will make of the differences, roughly: one that repeats costs nothing. Stops counting at `limit`. */
function cost(numbers: readonly number[], from: (at: number) => number, limit: number): number {
  let sum = 0
  let before = Number.NaN
  for (let at = 0; at < numbers.length && sum < limit; at++) {
    const difference = (numbers[at] ?? 0) - from(at)
    if (difference !== before) sum += 1 + Math.floor(Math.log10(Math.abs(difference) + 1))
    before = difference
  }
  return sum
}

/** @param known as for `toNumbers`, in the same order */
export function fromNumbers(column: Numbers, known: number[][]): number[] {
  const unit = column.m ?? 1
  const numbers = column.t.map((difference, index) => {
    const from = 'b' in column ? column.b : (known[column.r]?.[index] ?? 0)
    return from + difference * unit
  })
  known.push(numbers)
  return numbers
}

/** As `toNumbers`, in milliseconds; null when they are not all times in exactly the form of `toISOString`. */
export function toTimes(values: readonly unknown[], known: number[][]): Numbers | null {
  const moments = values.map(toMilliseconds)
  return moments.some(Number.isNaN) ? null : toNumbers(moments, known)
}

/** @throws RangeError when a number is no time */
export const fromTimes = (column: Numbers, known: number[][]): string[] =>
  fromNumbers(column, known).map((moment) => new Date(moment).toISOString())

/** NaN for any other form: what comes back must be what was sent. */
function toMilliseconds(value: unknown): number {
  if (typeof value !== 'string' || value.length !== 24) return Number.NaN
  const time = Date.parse(value)
  return Number.isFinite(time) && new Date(time).toISOString() === value ? time : Number.NaN
}
