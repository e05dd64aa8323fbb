import {
  formatWallTime,
  fromWallTime,
  resolveTimeExpression,
  toWallTime,
  tryParseTimeExpression,
} from '@watchroom/shared/time'
import { z } from 'zod'

import type { TimeZoneChoice } from '../../preferences/timeZone.ts'
import type { FieldFault, HasFaults } from '../../ui/form/fieldFault.ts'
import { REQUIRED_TEXT, requiredText } from '../../ui/form/rules.ts'
import type { Silence, SilencePeriod } from './queries.ts'
import { SILENCE_PARAMETERS, type SilenceSearch } from './search.ts'

const moment = requiredText.refine(
  (text) => tryParseTimeExpression(text).ok,
  'Must be a time or date math, for example now+1h',
)

export const SilenceFormSchema = z.object({
  resource: z.string().min(1, REQUIRED_TEXT),
  from: moment,
  until: moment,
  recursive: z.boolean(),
  description: z.string().max(1_000),
})
export type SilenceFields = z.input<typeof SilenceFormSchema>

const KINDS = ['check', 'canary', 'component', 'config'] as const

/** The resource of a silence, as `kind_id:id`: exactly one. */
export function resourceOf(silence: Silence): { key: string; kind: string; name: string } {
  const kind = KINDS.find((each) => silence[each]) ?? 'check'
  const found = silence[kind]
  return { key: `${kind}_id:${found?.id ?? ''}`, kind, name: found?.name ?? found?.id ?? 'a resource that is gone' }
}

/** What the address names: one resource, or none. */
export function toResourceKey(search: SilenceSearch): string {
  const name = SILENCE_PARAMETERS.find((parameter) => search[parameter] !== '')
  return name === undefined ? '' : `${name}:${search[name]}`
}

export function toAbout(key: string): Readonly<Record<string, string>> {
  const [name = '', id = ''] = key.split(':')
  return name === '' || id === '' ? {} : { [name]: id }
}

export const toFields = (silence: Silence | null, key: string, zone: TimeZoneChoice): SilenceFields => ({
  resource: silence ? resourceOf(silence).key : key,
  from: silence ? toTyped(silence.from, zone) : 'now',
  until: silence ? toTyped(silence.until, zone) : '',
  recursive: silence?.recursive ?? false,
  description: silence?.description ?? '',
})

/** As typed in the zone. Of an hour that occurs twice, only the first can be typed: the second stays an absolute moment. */
function toTyped(text: string, zone: TimeZoneChoice): string {
  const moment = Date.parse(text)
  return fromWallTime(toWallTime(moment, zone), zone) === moment ? formatWallTime(moment, zone) : text
}

/** It would end before it begins. */
class EmptyPeriod extends Error implements HasFaults {
  override readonly name = 'EmptyPeriod'
  readonly faults: readonly FieldFault[] = [{ field: 'until', message: 'Must be after From' }]
}

interface Reading {
  readonly now: number
  /** Whose clock was typed. */
  readonly zone: TimeZoneChoice
}

/** The moment that was entered, or null while nothing can be read. */
export function readMoment(text: string, reading: Reading): number | null {
  const expression = tryParseTimeExpression(text)
  return expression.ok ? resolveTimeExpression(expression.value, reading) : null
}

/** The values of the form with date math resolved. @throws EmptyPeriod */
export function toMoments(period: SilencePeriod, reading: Reading): SilencePeriod {
  const from = readMoment(period.from, reading) ?? Number.NaN
  const until = readMoment(period.until, reading) ?? Number.NaN
  if (!(from < until)) throw new EmptyPeriod()
  return { ...period, from: new Date(from).toISOString(), until: new Date(until).toISOString() }
}

/**
 * A new silence as entered, so that the server's clock decides when it begins. Servers read times and days in UTC, so what would mean
 * another moment there is sent as an absolute moment. @throws EmptyPeriod
 */
export function toSent(period: SilencePeriod, reading: Reading): SilencePeriod {
  const meant = toMoments(period, reading)
  const toEnd = (end: 'from' | 'until'): string => {
    const isSameInUtc = readMoment(period[end], { ...reading, zone: 'UTC' }) === Date.parse(meant[end])
    return isSameInUtc ? period[end] : meant[end]
  }
  return { ...period, from: toEnd('from'), until: toEnd('until') }
}

export type SilenceState = 'active' | 'coming' | 'past'

export function stateOf({ from, until }: Pick<Silence, 'from' | 'until'>, now: number): SilenceState {
  if (Date.parse(from) > now) return 'coming'
  return Date.parse(until) > now ? 'active' : 'past'
}
