import { resolveTimeExpression, tryParseTimeExpression } from '@watchroom/shared/time'
import { z } from 'zod'

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

export const toFields = (silence: Silence | null, key: string): SilenceFields => ({
  resource: silence ? resourceOf(silence).key : key,
  from: silence?.from ?? 'now',
  until: silence?.until ?? '',
  recursive: silence?.recursive ?? false,
  description: silence?.description ?? '',
})

/** It would end before it begins. */
class EmptyPeriod extends Error implements HasFaults {
  override readonly name = 'EmptyPeriod'
  readonly faults: readonly FieldFault[] = [{ field: 'until', message: 'Must be after From' }]
}

/** What the form holds with its date math worked out, as servers do for a new one: in UTC. @throws EmptyPeriod */
export function toMoments(period: SilencePeriod, now: number): SilencePeriod {
  const toMoment = (text: string): number => {
    const expression = tryParseTimeExpression(text)
    return expression.ok ? resolveTimeExpression(expression.value, { now, zone: 'UTC' }) : Number.NaN
  }
  const [from, until] = [toMoment(period.from), toMoment(period.until)]
  if (!(from < until)) throw new EmptyPeriod()
  return { ...period, from: new Date(from).toISOString(), until: new Date(until).toISOString() }
}

export type SilenceState = 'active' | 'coming' | 'past'

export function stateOf({ from, until }: Pick<Silence, 'from' | 'until'>, now: number): SilenceState {
  if (Date.parse(from) > now) return 'coming'
  return Date.parse(until) > now ? 'active' : 'past'
}
