import { ownValue } from '../../kernel/index.ts'
import { tryParseDuration } from '../../time/index.ts'

/** When a canary's checks run. `cron` texts are five fields, six with leading seconds, in UTC. */
export type CheckSchedule = { kind: 'interval'; intervalMs: number } | { kind: 'cron'; expression: string }

/** Seconds between runs when a canary says nothing. */
export const DEFAULT_INTERVAL_S = 60
const MIN_INTERVAL_MS = 1_000
/** Timers hold at most 2^31 ms, about 24.8 days. */
const MAX_INTERVAL_MS = 24 * 86_400_000

const NICKNAMES: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

interface Field {
  min: number
  max: number
  /** The largest step, where that is not as many as there are values. */
  maxStep?: number
  names?: readonly string[]
}

const FIELDS: readonly Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 7, maxStep: 7, names: WEEKDAYS },
]

function toNumber(text: string, field: Field): number | null {
  const named = field.names?.indexOf(text.toLowerCase()) ?? -1
  const value = named >= 0 ? named + field.min : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN
  return value >= field.min && value <= field.max ? value : null
}

function isFieldPart(text: string, field: Field): boolean {
  const [range = '', step, ...more] = text.split('/')
  const maxStep = field.maxStep ?? field.max - field.min + 1
  if (more.length > 0 || (step !== undefined && !(/^[1-9]\d?$/.test(step) && Number(step) <= maxStep))) return false
  if (range === '*' || range === '?') return true
  const [first = '', last, ...rest] = range.split('-')
  const from = toNumber(first, field)
  if (from === null || rest.length > 0) return false
  if (last === undefined) return step === undefined
  const to = toNumber(last, field)
  return to !== null && to >= from
}

function isCron(expression: string): boolean {
  const texts = expression.split(/\s+/)
  if (texts.length !== 5 && texts.length !== 6) return false
  const fields = FIELDS.slice(FIELDS.length - texts.length)
  return fields.every((field, index) => (texts[index] ?? '').split(',').every((part) => isFieldPart(part, field)))
}

/** What a field allows. */
interface CronValues {
  readonly sorted: readonly number[]
  readonly isRestricted: boolean
  has(value: number): boolean
}

/** Seconds, minutes, hours, days of the month, months, days of the week (0 to 6, from Sunday) of cron text that is known to be some. */
export function cronValues(expression: string): CronValues[] {
  const texts = expression.split(/\s+/)
  return [...(texts.length === 5 ? ['0'] : []), ...texts].map((text, index) => {
    const field = FIELDS[index] ?? { min: 0, max: 0 }
    const values = new Set(text.split(',').flatMap((part) => partValues(part, field)))
    // Sunday has two numbers.
    if (index === FIELDS.length - 1 && values.delete(7)) values.add(0)
    return {
      sorted: [...values].toSorted((a, b) => a - b),
      isRestricted: text !== '*' && text !== '?',
      has: (value) => values.has(value),
    }
  })
}

function partValues(text: string, field: Field): number[] {
  const [range = '', step = '1'] = text.split('/')
  const [first = '', last = first] =
    range === '*' || range === '?' ? [String(field.min), String(field.max)] : range.split('-')
  const from = toNumber(first, field) ?? field.min
  const to = toNumber(last, field) ?? field.max
  return Array.from({ length: Math.floor((to - from) / Number(step)) + 1 }, (_, index) => from + index * Number(step))
}

/** An interval that a timer can hold; null when it is under a second or over 24 days. */
export function tryToIntervalSchedule(intervalMs: number): CheckSchedule | null {
  return intervalMs >= MIN_INTERVAL_MS && intervalMs <= MAX_INTERVAL_MS ? { kind: 'interval', intervalMs } : null
}

/** Reads `@every 30s`, `@hourly` and its kin, or cron text. Null when it is none of them. */
export function tryParseSchedule(text: string): CheckSchedule | null {
  const trimmed = text.trim()
  if (/^@every\s/.test(trimmed)) {
    const intervalMs = tryParseDuration(trimmed.slice('@every'.length))
    return intervalMs === null ? null : tryToIntervalSchedule(intervalMs)
  }
  const expression = ownValue(NICKNAMES, trimmed.toLowerCase()) ?? trimmed
  return isCron(expression) ? { kind: 'cron', expression } : null
}
