import {
  findMissing,
  isGroupKey,
  isNotificationEvent,
  NOTIFICATION_EVENTS,
  type RehearsalDraft,
  type RuleDraft,
} from '@watchroom/shared/notifications'
import { toDurationText, tryParseDuration } from '@watchroom/shared/time'
import { z } from 'zod'

import { REQUIRED_TEXT } from '../../ui/form/rules.ts'
// A rule as its form has it, and as it is stored.
import { listNames } from '../../ui/listNames.ts'
import type { EnteredRule, Rule } from './queries.ts'

const MS_TO_NS = 1e6

const toKeys = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const durationText = z
  .string()
  .trim()
  .refine((text) => text === '' || tryParseDuration(text) !== null, 'Must be a duration, for example 5m')

/** The form field of each kind of fallback. */
const FALLBACK_FIELDS: ReadonlyMap<string, 'fallbackPerson' | 'fallbackTeam' | 'fallbackConnection'> = new Map([
  ['person', 'fallbackPerson'],
  ['team', 'fallbackTeam'],
  ['others', 'fallbackConnection'],
])

export const RuleFormSchema = z
  .object({
    title: z.string().max(300),
    events: z.array(z.string()).min(1, REQUIRED_TEXT),
    filter: z.string().max(10_000),
    recipient: z.string(),
    person: z.string(),
    team: z.string(),
    connection: z.string(),
    connectionName: z.string(),
    mailConnection: z.string(),
    fallback: z.string(),
    fallbackPerson: z.string(),
    fallbackTeam: z.string(),
    fallbackConnection: z.string(),
    fallbackAfter: durationText,
    repeat: z.string(),
    wait: durationText,
    group: z
      .string()
      .refine(
        (text) => toKeys(text).every(isGroupKey),
        'Must be type, status_reason, description, labels:name or tags:name',
      ),
    template: z.string(),
    text: z.string().max(20_000),
  })
  .refine(({ template, text }) => template !== 'custom' || text.trim() !== '', { path: ['text'], error: REQUIRED_TEXT })
  .superRefine(({ fallback, ...fields }, context) => {
    const field = FALLBACK_FIELDS.get(fallback)
    if (field !== undefined && fields[field] === '')
      context.addIssue({ code: 'custom', path: [field], message: REQUIRED_TEXT })
  })
export type RuleFields = z.input<typeof RuleFormSchema>

export const NEW_RULE: RuleFields = {
  title: '',
  events: [],
  filter: '',
  recipient: 'person',
  person: '',
  team: '',
  connection: '',
  connectionName: '',
  mailConnection: '',
  fallback: 'none',
  fallbackPerson: '',
  fallbackTeam: '',
  fallbackConnection: '',
  fallbackAfter: '',
  repeat: '',
  wait: '',
  group: '',
  template: 'default',
  text: '',
}

/** The chosen events that can never match the filter, because they lack a field that it uses; null if there are none. */
export function findFilterGap({ filter, events }: Pick<RuleFields, 'filter' | 'events'>): string | null {
  const missing = new Map(
    NOTIFICATION_EVENTS.filter((event) => events.includes(event)).flatMap((event) => {
      const path = findMissing(filter, event)
      return path === null ? [] : [[event, path] as const]
    }),
  )
  if (missing.size === 0) return null
  const lacking = [...missing.keys()]
  const paths = [...new Set(missing.values())].join(' or ')
  return `${listNames(lacking)} ${lacking.length === 1 ? 'has' : 'have'} no ${paths}. The filter can’t match on it there.`
}

export function toFields(rule: EnteredRule): RuleFields {
  const [service] = rule.custom_services ?? []
  return {
    title: rule.title ?? '',
    events: rule.events,
    filter: rule.filter ?? '',
    recipient: rule.team_id ? 'team' : service === undefined ? 'person' : 'others',
    person: rule.person_id ?? '',
    team: rule.team_id ?? '',
    connection: service?.connection ?? '',
    connectionName: service?.name ?? '',
    mailConnection: textProperty(rule.properties, MAIL_CONNECTION),
    ...toFallback(rule.properties),
    repeat: rule.repeat_interval ?? '',
    wait: rule.wait_for ? toDurationText(rule.wait_for / MS_TO_NS) : '',
    group: (rule.group_by ?? []).join(', '),
    template: rule.template == null ? 'default' : 'custom',
    text: rule.template ?? '',
  }
}

/** Events unknown here; another backend may have more. */
export const strangersOf = (events: readonly string[]): string[] =>
  events.filter((event) => !isNotificationEvent(event))

type Services = Rule['custom_services']

/** A service with its own address instead of a connection; null if there is none. The address may contain a credential. */
export function ownServiceOf(services: Services): string | null {
  const [service] = services ?? []
  if (service === undefined || service.connection) return null
  return service.name ? `${service.name} (its own address)` : 'Its own address'
}

/** The properties that define the fallback. */
const FALLBACK = {
  person: 'fallback_person',
  team: 'fallback_team',
  others: 'fallback_connection',
  after: 'fallback_after',
} as const

/** The property that names the connection through which people are mailed. */
const MAIL_CONNECTION = 'connection'

function textProperty(properties: Rule['properties'], name: string): string {
  const value = properties?.[name]
  return typeof value === 'string' ? value : ''
}

/** Whether people are told: a team may have its own ways, or mails. */
export const isMailed = ({ recipient, fallback }: Pick<RuleFields, 'recipient' | 'fallback'>): boolean =>
  [recipient, fallback].some((kind) => kind === 'person' || kind === 'team')

function toFallback(properties: Rule['properties']) {
  const read = (name: string): string => textProperty(properties, name)
  const kind = (['person', 'team', 'others'] as const).find((each) => read(FALLBACK[each]) !== '')
  return {
    fallback: kind ?? 'none',
    fallbackPerson: read(FALLBACK.person),
    fallbackTeam: read(FALLBACK.team),
    fallbackConnection: read(FALLBACK.others),
    fallbackAfter: read(FALLBACK.after),
  }
}

/** Other properties stay. */
function toProperties(fields: RuleFields, stored: Rule['properties']): Record<string, unknown> | null {
  const entered = new Set<string>([...Object.values(FALLBACK), MAIL_CONNECTION])
  const others = Object.entries(stored ?? {}).filter(([name]) => !entered.has(name))
  const whom = {
    [FALLBACK.person]: fields.fallback === 'person' ? fields.fallbackPerson : '',
    [FALLBACK.team]: fields.fallback === 'team' ? fields.fallbackTeam : '',
    [FALLBACK.others]: fields.fallback === 'others' ? fields.fallbackConnection : '',
  }
  const isNamed = Object.values(whom).some((id) => id !== '')
  const properties = Object.entries({
    [MAIL_CONNECTION]: isMailed(fields) ? fields.mailConnection : '',
    ...whom,
    [FALLBACK.after]: isNamed ? fields.fallbackAfter.trim() : '',
  })
  const all = [...others, ...properties.filter(([, value]) => value !== '')]
  return all.length === 0 ? null : Object.fromEntries(all)
}

/** Without a connection, stored services that need none stay. */
function toServices({ recipient, connection, connectionName: name }: RuleFields, stored: Services): Services {
  if (recipient !== 'others') return null
  const isOwn = ownServiceOf(stored) !== null
  if (connection === '') return isOwn ? (stored ?? null) : null
  const [{ url, ...first } = {}, ...more] = stored ?? []
  // With its name, which people can read in the list of rules without the right to read connections.
  return [{ ...first, ...(!isOwn && url !== undefined && { url }), connection, ...(name !== '' && { name }) }, ...more]
}

/** Only one recipient is kept: the others are null. */
export function toValues(fields: RuleFields, stored: Partial<Pick<Rule, 'custom_services' | 'properties'>> = {}) {
  return {
    title: fields.title.trim() || null,
    events: [...NOTIFICATION_EVENTS.filter((event) => fields.events.includes(event)), ...strangersOf(fields.events)],
    filter: fields.filter.trim() || null,
    person_id: fields.recipient === 'person' ? fields.person || null : null,
    team_id: fields.recipient === 'team' ? fields.team || null : null,
    custom_services: toServices(fields, stored.custom_services),
    repeat_interval: fields.repeat || null,
    wait_for: fields.wait.trim() === '' ? null : Math.round((tryParseDuration(fields.wait) ?? 0) * MS_TO_NS),
    group_by: toKeys(fields.group).length === 0 ? null : toKeys(fields.group),
    template: fields.template === 'custom' ? fields.text : null,
    properties: toProperties(fields, stored.properties),
  }
}

export const toDraft = (fields: RuleFields): RuleDraft => {
  const { events, title, filter, template } = toValues(fields)
  return { events, title, filter, template }
}

/** The parts that decide on messages, for a trial run on the past. */
export function toRehearsal(
  fields: RuleFields,
  stored?: Pick<Rule, 'id'> & Parameters<typeof toValues>[1],
): RehearsalDraft {
  const { title: _title, template: _template, ...draft } = toValues(fields, stored)
  return { ...draft, ...(stored && { id: stored.id }) }
}

/** Line by line, to be compared. */
export const toComparable = (fields: RuleFields): string =>
  Object.entries(toValues(fields))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n')
