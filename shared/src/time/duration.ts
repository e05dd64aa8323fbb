import { ownValue } from '../kernel/index.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MONTH = 30 * DAY

/** Milliseconds per unit. A month has 30 days and a year 12 such months, as in the range keys of the health page. */
const UNITS: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  ms: 1,
  s: SECOND,
  m: MINUTE,
  h: HOUR,
  d: DAY,
  w: 7 * DAY,
  mo: MONTH,
  M: MONTH,
  y: 12 * MONTH,
}

const PART = /(\d+(?:\.\d+)?)(ns|us|ms|mo|s|m|h|d|w|M|y)/gy

/**
 * Reads a duration as it is written in check specs and time range keys: `30s`, `1h30m`, `250ms`, `2d`, `1mo`.
 *
 * @returns milliseconds, or null when the text is not a duration; a bare number is one only when it is 0
 */
export function tryParseDuration(text: string): number | null {
  const trimmed = text.trim()
  if (trimmed === '0') return 0
  if (trimmed === '') return null
  PART.lastIndex = 0
  let total = 0
  let end = 0
  for (let match = PART.exec(trimmed); match; match = PART.exec(trimmed)) {
    total += Number(match[1]) * (ownValue(UNITS, match[2] ?? '') ?? Number.NaN)
    end = PART.lastIndex
  }
  return end === trimmed.length ? total : null
}
