// Date math: `now-2d`, `now/d`, `now-1w/w`, `2026-01-31||+1M/d`, `2026-01-31 08:00`. First specification, section 2.
// `parse` reads the text once; `resolve` says which moment it is, and is the only part that knows a clock and a zone.
import { failed, ok, type Result } from '../kernel/index.ts'
import { fromWallTime, toWallTime, type Zone } from './zonedTime.ts'

export const TIME_UNITS = ['ms', 's', 'm', 'h', 'd', 'w', 'M', 'y'] as const
export type TimeUnit = (typeof TIME_UNITS)[number]

export type TimeStep =
  | { readonly kind: 'move'; readonly amount: number; readonly unit: TimeUnit }
  /** `/d`: to the start of the day, or to its end when rounding up. */
  | { readonly kind: 'round'; readonly unit: TimeUnit }

export type TimeAnchor =
  | { readonly kind: 'now' }
  /** A timestamp with a zone: milliseconds since the epoch. */
  | { readonly kind: 'moment'; readonly at: number }
  /** A timestamp without one: what the clock of the reader's zone shows, as if it were UTC. */
  | { readonly kind: 'wall'; readonly at: number }

export interface TimeExpression {
  readonly anchor: TimeAnchor
  readonly steps: readonly TimeStep[]
}

export interface TimeExpressionError {
  /** Index of the first character that cannot be read, from 0. */
  readonly position: number
  /** Why, for people; names the position, counted from 1. */
  readonly reason: string
}

/** A chain in a link must not cost the reader anything. */
const MAX_LENGTH = 200
const MAX_AMOUNT_DIGITS = 9

const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?/i
const AMOUNT = /\d+/y
/** `H` is what other writers of date math use for hours. */
const UNIT = /ms|[smhHdwMy]/y

/**
 * Reads a moment: `now` or a timestamp, then any chain of `+2d`, `-1w` and `/d`. After a timestamp the chain starts with `||`.
 *
 * @returns the parts, or where and why it cannot be read
 */
export function tryParseTimeExpression(text: string): Result<TimeExpression, TimeExpressionError> {
  const start = text.length - text.trimStart().length
  const end = text.trimEnd().length
  if (end === 0) return fail(0, 'A time is missing')
  if (end - start > MAX_LENGTH) return fail(start + MAX_LENGTH, `A time has at most ${MAX_LENGTH} characters`)

  let position = start
  let anchor: TimeAnchor
  if (text.startsWith('now', start)) {
    anchor = { kind: 'now' }
    position += 3
  } else {
    const timestamp = TIMESTAMP.exec(text.slice(start, end))
    if (!timestamp) return fail(start, 'A time starts with "now" or a date like 2026-01-31')
    const parsed = toAnchor(timestamp)
    if (!parsed) return fail(start, `There is no such date or time as ${timestamp[0]}`)
    anchor = parsed
    position += timestamp[0].length
    if (position < end) {
      if (!text.startsWith('||', position)) return fail(position, 'Expected the end, or "||" before date math')
      position += 2
    }
  }

  const steps: TimeStep[] = []
  while (position < end) {
    const sign = text[position]
    if (sign !== '+' && sign !== '-' && sign !== '/') return fail(position, 'Expected "+", "-" or "/"')
    position += 1
    let amount: string | undefined
    if (sign !== '/') {
      amount = matchAt(AMOUNT, text, position)
      if (amount === undefined) return fail(position, `Expected a number after "${sign}"`)
      if (amount.length > MAX_AMOUNT_DIGITS) return fail(position, 'The number is too large')
      position += amount.length
    }
    const unit = matchAt(UNIT, text, position)
    if (unit === undefined) return fail(position, `Expected a unit (${TIME_UNITS.join(', ')})`)
    position += unit.length
    steps.push(toStep(sign, amount, unit === 'H' ? 'h' : (unit as TimeUnit)))
  }
  return ok({ anchor, steps })
}

function fail(position: number, reason: string): { ok: false; error: TimeExpressionError } {
  return failed({ position, reason: `${reason} (character ${position + 1})` })
}

function matchAt(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position
  return pattern.exec(text)?.[0]
}

function toStep(sign: string, amount: string | undefined, unit: TimeUnit): TimeStep {
  if (amount === undefined) return { kind: 'round', unit }
  // `-0d` moves nowhere; without the zero it would not equal its own copy.
  const size = Number(amount)
  return { kind: 'move', amount: sign === '-' && size > 0 ? -size : size, unit }
}

function toAnchor(match: RegExpExecArray): TimeAnchor | null {
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone] = match
  const wallText = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const wall = Date.parse(`${wallText}.${fraction.padEnd(3, '0').slice(0, 3)}Z`)
  // Date.parse reads the 31st of a shorter month as the 1st of the next.
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, wallText.length) !== wallText) return null
  if (zone === undefined) return { kind: 'wall', at: wall }
  const [, sign, zoneHours = '0', zoneMinutes = '0'] = /([+-])(\d{2}):?(\d{2})?/.exec(zone) ?? []
  if (Number(zoneHours) > 23 || Number(zoneMinutes) > 59) return null
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000
  return { kind: 'moment', at: sign === '-' ? wall + offset : wall - offset }
}

/** The shortest text with the same meaning; reading it gives an equal expression. */
export function formatTimeExpression({ anchor, steps }: TimeExpression): string {
  const chain = steps.map((step) =>
    step.kind === 'round' ? `/${step.unit}` : `${step.amount < 0 ? '-' : '+'}${Math.abs(step.amount)}${step.unit}`,
  )
  const separator = anchor.kind === 'now' || chain.length === 0 ? '' : '||'
  return `${formatAnchor(anchor)}${separator}${chain.join('')}`
}

function formatAnchor(anchor: TimeAnchor): string {
  if (anchor.kind === 'now') return 'now'
  const iso = new Date(anchor.at).toISOString()
  if (anchor.kind === 'moment') return iso
  const [day, clock] = [iso.slice(0, 10), iso.slice(11, 23)]
  if (clock === '00:00:00.000') return day
  return `${day} ${clock.endsWith('.000') ? (clock.endsWith(':00.000') ? clock.slice(0, 5) : clock.slice(0, 8)) : clock}`
}

export interface ResolveTimeOptions {
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly zone: Zone
  /** Whether `/` means the last millisecond of the unit instead of the first. */
  readonly roundUp?: boolean
}

/** The years 1 to 9999, less a day at each end: every zone writes these moments with four digits. */
const FIRST_MOMENT = Date.parse('0001-01-02T00:00:00Z')
const LAST_MOMENT = Date.parse('9999-12-30T23:59:59.999Z')

/**
 * The moment an expression means, in milliseconds since the epoch.
 *
 * Days and longer are steps in the calendar of the zone (a day later is the same clock time, whether 23, 24 or 25 hours
 * pass); hours and shorter are exact. A month later than the 31st is the last day of that month. Weeks start on Monday.
 * Results outside the years 1 to 9999 become the first or last moment of those.
 *
 * @throws RangeError when the zone does not exist
 */
export function resolveTimeExpression(expression: TimeExpression, options: ResolveTimeOptions): number {
  const { now, zone, roundUp = false } = options
  const { anchor } = expression
  let moment = clamp(anchor.kind === 'now' ? now : anchor.kind === 'moment' ? anchor.at : fromWallTime(anchor.at, zone))
  for (const step of expression.steps) {
    if (step.kind === 'move') moment = clamp(move(moment, step, zone))
    else moment = clamp(roundUp ? endOf(moment, step.unit, zone) : startOf(moment, step.unit, zone))
  }
  return moment
}

const DAY_MS = 86_400_000
/** Of the units that are the same in every zone. */
const UNIT_MS: Partial<Record<TimeUnit, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

function move(moment: number, step: { amount: number; unit: TimeUnit }, zone: Zone): number {
  const size = UNIT_MS[step.unit]
  if (size !== undefined) return moment + step.amount * size
  const wall = moveWall(toWallTime(moment, zone), step.amount, step.unit)
  return fromWallTime(clamp(wall), zone)
}

function moveWall(wall: number, amount: number, unit: TimeUnit): number {
  if (unit === 'd' || unit === 'w') return wall + amount * (unit === 'w' ? 7 : 1) * DAY_MS
  const date = new Date(wall)
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + amount * (unit === 'y' ? 12 : 1)
  const [year, month] = [Math.floor(months / 12), ((months % 12) + 12) % 12]
  // A Date cannot hold every year that can be asked for.
  if (year < 1) return FIRST_MOMENT
  if (year > 9999) return LAST_MOMENT
  const day = Math.min(date.getUTCDate(), daysIn(year, month))
  // setUTCFullYear, because Date.UTC reads the years 0 to 99 as 1900 to 1999.
  return date.setUTCFullYear(year, month, day)
}

function daysIn(year: number, month: number): number {
  return new Date(new Date(0).setUTCFullYear(year, month + 1, 0)).getUTCDate()
}

function startOf(moment: number, unit: TimeUnit, zone: Zone): number {
  const wall = toWallTime(moment, zone)
  const start = startOfWall(wall, unit)
  const moved = moment - (wall - start)
  // Within an hour the offset is nearly always the same, and where clocks go back this keeps the second of two equal hours.
  return UNIT_MS[unit] !== undefined && toWallTime(moved, zone) === start ? moved : fromWallTime(start, zone)
}

/** The last millisecond of the unit. */
function endOf(moment: number, unit: TimeUnit, zone: Zone): number {
  const wall = toWallTime(moment, zone)
  const start = startOfWall(wall, unit)
  const size = UNIT_MS[unit]
  if (size !== undefined) return moment - (wall - start) + size - 1
  return fromWallTime(moveWall(start, 1, unit), zone) - 1
}

function startOfWall(wall: number, unit: TimeUnit): number {
  const size = UNIT_MS[unit]
  if (size !== undefined) return wall - modulo(wall, size)
  const date = new Date(wall - modulo(wall, DAY_MS))
  if (unit === 'w') return date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY_MS
  if (unit === 'd') return date.getTime()
  return date.setUTCFullYear(date.getUTCFullYear(), unit === 'y' ? 0 : date.getUTCMonth(), 1)
}

const modulo = (value: number, size: number): number => ((value % size) + size) % size
const clamp = (moment: number): number => Math.min(Math.max(moment, FIRST_MOMENT), LAST_MOMENT)
