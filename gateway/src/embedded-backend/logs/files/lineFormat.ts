// How lines of a file say when they were written, and what else they carry. A format is found out from the first lines of a file.
import { toStorable } from '@watchroom/shared/kernel'

export interface ReadLine {
  /** Milliseconds since the epoch; null when the line does not say. */
  readonly at: number | null
  readonly message: string
  readonly labels: Readonly<Record<string, string>>
}

export interface LineFormat {
  /** False where lines do not say when they were written. */
  readonly isTimed: boolean
  /** Whether an entry begins with this line; other lines belong to the entry before. */
  readonly isHead: (line: string) => boolean
  readonly read: (text: string) => ReadLine
}

const MAX_LABELS = 40
const MAX_LABEL_LENGTH = 1_000
const TIME_NAMES = ['time', 'timestamp', '@timestamp', 'ts', 'date']
const MESSAGE_NAMES = ['msg', 'message', 'log', 'text', 'event']
/** Numbers below are seconds, from it on milliseconds, from its thousandfold on microseconds and so on. */
const FIRST_MILLISECOND = 100_000_000_000

const ISO =
  /^[[(]?(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))? ?(Z|[+-]\d\d:?\d\d)?[\])]?:?\s*/i
const COMMON = /^[^[\n]{0,300}\[(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-]\d{4})\]/
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** @param lines the first of a file */
export function findFormat(lines: readonly string[]): LineFormat {
  const [first = ''] = lines
  if (tryParseObject(first)) {
    const isTimed = lines.some((line) => (tryParseObject(line) ? readJson(line).at !== null : false))
    return { isTimed, isHead: (line) => line.startsWith('{'), read: readJson }
  }
  const isTimed = lines.some((line) => readStart(line) !== null)
  return { isTimed, isHead: isTimed ? (line) => readStart(line) !== null : () => true, read: readText }
}

function readText(text: string): ReadLine {
  const start = readStart(text)
  return { at: start?.at ?? null, message: text.slice(start?.length ?? 0), labels: {} }
}

/** When a line begins with a moment: that, and how much of the line says nothing else. */
function readStart(line: string): { at: number; length: number } | null {
  const iso = ISO.exec(line)
  if (iso) {
    const [whole, year, month, day, hours, minutes, seconds, fraction = '', zone] = iso
    const at = Date.parse(
      `${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${`${fraction}000`.slice(0, 3)}${toZone(zone)}`,
    )
    return Number.isNaN(at) ? null : { at, length: whole.length }
  }
  const common = COMMON.exec(line)
  if (!common) return null
  const [, day, name = '', year, hours, minutes, seconds, zone] = common
  const month = String(MONTHS.indexOf(name) + 1).padStart(2, '0')
  const at = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}${toZone(zone)}`)
  // It stands within the line: nothing is cut off.
  return Number.isNaN(at) ? null : { at, length: 0 }
}

/** Without a zone it is UTC. */
function toZone(zone: string | undefined): string {
  if (zone === undefined || /^z$/i.test(zone)) return 'Z'
  return zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`
}

function readJson(text: string): ReadLine {
  const end = text.indexOf('\n')
  const entry = tryParseObject(end === -1 ? text : text.slice(0, end))
  if (!entry) return { at: null, message: text, labels: {} }
  const timeName = TIME_NAMES.find((name) => toMoment(entry[name]) !== null)
  const messageName = MESSAGE_NAMES.find((name) => typeof entry[name] === 'string')
  const rest = end === -1 ? '' : text.slice(end)
  const others = Object.entries(entry).filter(([name]) => name !== timeName && name !== messageName)
  return {
    at: timeName === undefined ? null : toMoment(entry[timeName]),
    // A text of JSON may hold what no line may.
    message: messageName === undefined ? text : toStorable(String(entry[messageName])) + rest,
    labels: messageName === undefined ? {} : toLabels(others),
  }
}

function toLabels(entries: readonly (readonly [string, unknown])[]): Record<string, string> {
  const labels = entries.slice(0, MAX_LABELS).flatMap(([name, value]) => {
    if (value === null || value === undefined) return []
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return [[toStorable(name).slice(0, MAX_LABEL_LENGTH), toStorable(text.slice(0, MAX_LABEL_LENGTH))] as const]
  })
  return Object.fromEntries(labels)
}

function toMoment(value: unknown): number | null {
  if (typeof value === 'string') return readStart(value)?.at ?? null
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return null
  let at = value < FIRST_MILLISECOND ? value * 1_000 : value
  while (at >= FIRST_MILLISECOND * 1_000) at /= 1_000
  return Math.round(at)
}

function tryParseObject(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    // Begins like one and is none: plain text.
    return null
  }
}
