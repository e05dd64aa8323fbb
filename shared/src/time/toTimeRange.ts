import { failed, ok, type Result } from '../kernel/index.ts'
import { isRangeKey } from './rangeKeys.ts'
import { formatTimeExpression, resolveTimeExpression, tryParseTimeExpression } from './timeExpression.ts'
import type { TimeRange } from './timeRange.ts'
import {
  isMappedRangeName,
  MAPPED_RANGE_NAMES,
  MAPPED_RANGES,
  rangeOfKey,
  toRelativeRange,
} from './timeRangePresets.ts'
import { toWallTime, type Zone } from './zonedTime.ts'

export interface TimeRangeOptions {
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly zone: Zone
}

/** Why two texts are no range, each reason at the end it belongs to. */
export interface TimeRangeProblem {
  readonly from?: string
  readonly to?: string
}

/**
 * The range between two typed ends, timestamps or expressions. A pair that a quick or relative range says as well becomes
 * that one and keeps moving with the clock; every other pair is fixed to the moments it means now.
 */
export function toTimeRange(
  ends: { readonly from: string; readonly to: string },
  options: TimeRangeOptions,
): Result<TimeRange, TimeRangeProblem> {
  const from = tryParseTimeExpression(ends.from)
  const to = tryParseTimeExpression(ends.to)
  if (!from.ok || !to.ok) {
    return failed({
      ...(from.ok ? {} : { from: from.error.reason }),
      ...(to.ok ? {} : { to: to.error.reason }),
    })
  }
  const [fromText, toText] = [formatTimeExpression(from.value), formatTimeExpression(to.value)]
  const fromMoment = resolveTimeExpression(from.value, options)
  const toMoment = resolveTimeExpression(to.value, { ...options, roundUp: fromText === toText })
  if (fromMoment >= toMoment) return failed({ to: 'The end must be after the start' })

  const name = MAPPED_RANGE_NAMES.find(
    (mapped) => MAPPED_RANGES[mapped].from === fromText && MAPPED_RANGES[mapped].to === toText,
  )
  if (name) return ok({ rangeType: 'mapped', display: name, timeRange: name })
  if (toText === 'now' && from.value.anchor.kind === 'now') return ok(toRelativeRange(fromText))
  if (fromText === 'now' && to.value.anchor.kind === 'now') return ok(toRelativeRange(toText))
  return ok(toAbsoluteRange(fromMoment, toMoment))
}

/** @param from and `to`: milliseconds since the epoch */
export function toAbsoluteRange(from: number, to: number): TimeRange {
  return {
    rangeType: 'absolute',
    display: 'Custom',
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  }
}

/** `2026-01-31 08:00`, with seconds only where they are not zero; reading it in the same zone gives the moment again. */
export function formatWallTime(moment: number, zone: Zone): string {
  const text = formatTimeExpression({ anchor: { kind: 'wall', at: toWallTime(moment, zone) }, steps: [] })
  return text.includes(':') ? text : `${text} 00:00`
}

/** A fixed range for people, to the minute: `2026-01-31 08:00 – 10:30`; the second date only when it is another day. */
export function formatMoments(range: { from: number; to: number }, zone: Zone): string {
  const [from, to] = [range.from, range.to].map((moment) => formatWallTime(moment, zone).slice(0, 16))
  return `${from} – ${from?.slice(0, 10) === to?.slice(0, 10) ? to?.slice(11) : to}`
}

/**
 * Reads a pasted range: JSON with `from` and `to`, `from – to` as text, the name of a quick range, a short key (`3h`), or
 * one expression (`now-2d`).
 *
 * @returns the range, or a sentence why the text is none
 */
export function tryParseTimeRangeText(text: string, options: TimeRangeOptions): Result<TimeRange, string> {
  const trimmed = text.trim()
  if (trimmed === '') return failed('The clipboard holds no text.')
  if (isRangeKey(trimmed)) return ok(rangeOfKey(trimmed))
  if (isMappedRangeName(trimmed)) return ok({ rangeType: 'mapped', display: trimmed, timeRange: trimmed })
  const ends = toEnds(trimmed)
  if (!ends) return failed('Not a time range: expected {"from": …, "to": …} or "from – to".')
  const range = toTimeRange(ends, options)
  if (range.ok) return range
  const { from, to } = range.error
  return failed(from === undefined ? `To: ${to}` : `From: ${from}`)
}

/** Spaces around a hyphen, because dates and date math have their own. */
const SEPARATOR = /\s*[–—]\s*|\s+(?:-|to)\s+/

function toEnds(text: string): { from: string; to: string } | null {
  if (text.startsWith('{')) return toJsonEnds(text)
  const parts = text.split(SEPARATOR)
  const [from = '', to = ''] = parts
  if (parts.length === 2) return { from, to: /^\d{1,2}:/.test(to) ? `${from.slice(0, 10)} ${to}` : to }
  if (parts.length !== 1 || !from.startsWith('now')) return null
  return from.startsWith('now+') ? { from: 'now', to: from } : { from, to: 'now' }
}

function toJsonEnds(text: string): { from: string; to: string } | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null || !('from' in value) || !('to' in value)) return null
  const [from, to] = [toEnd(value.from), toEnd(value.to)]
  return from === null || to === null ? null : { from, to }
}

/** Other programs write milliseconds since the epoch. */
function toEnd(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (typeof value !== 'number' || !(Math.abs(value) < 8.64e15)) return null
  return new Date(value).toISOString()
}
