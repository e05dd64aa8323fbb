// What a notification says: the words of its event, or those of the rule's own template.
import type { NotificationEvent } from '@watchroom/shared/notifications'

import type { LookUp } from '../../check-runner/lookApart.ts'
import { TemplateFault } from '../../step-runner/templateFault.ts'
import { cutText } from '../outbound/cutText.ts'
import { fillNodes } from './fillTemplate.ts'
import { parseTemplate } from './parseTemplate.ts'
import type { Rule } from './rule.ts'
import type { Subject, SubjectKind } from './subject.ts'

export interface Composed {
  readonly title: string
  readonly text: string
  readonly link: string
  /** Where this can be silenced; null for what no silence is about. */
  readonly silenceLink: string | null
}

interface About {
  readonly rule: Pick<Rule, 'title' | 'template'>
  readonly event: string
  readonly subject: Subject
  /** The others of its group. */
  readonly others: readonly Subject[]
}

interface Deps {
  readonly lookUp: LookUp
  /** A link that people open. */
  readonly link: (path: string) => string
}

const MAX_TITLE_CHARACTERS = 300
const MAX_TEXT_CHARACTERS = 8_000
/** Of a group; more are counted. */
const MAX_NAMED = 50
/** As many as `range` goes over. */
const MAX_MEMBERS = 100

const WORDS: Readonly<Record<NotificationEvent, (name: string) => string>> = {
  'check.failed': (name) => `Check ${name} is failing`,
  'check.passed': (name) => `Check ${name} is passing again`,
  'component.healthy': (name) => `Component ${name} is healthy`,
  'component.unhealthy': (name) => `Component ${name} is unhealthy`,
  'component.unknown': (name) => `Nobody knows how component ${name} is doing`,
  'component.warning': (name) => `Component ${name} has a warning`,
  'config.created': (name) => `Catalog item ${name} was created`,
  'config.deleted': (name) => `Catalog item ${name} was deleted`,
  'config.healthy': (name) => `Catalog item ${name} is healthy`,
  'config.unhealthy': (name) => `Catalog item ${name} is unhealthy`,
  'config.unknown': (name) => `Nobody knows how catalog item ${name} is doing`,
  'config.updated': (name) => `Catalog item ${name} was changed`,
  'config.warning': (name) => `Catalog item ${name} has a warning`,
  'playbook.approval.inserted': (name) => `A run of playbook ${name} was approved`,
  'playbook.spec.approval.updated': (name) => `Who approves runs of playbook ${name} was changed`,
}

const PATHS: Readonly<Record<SubjectKind, (id: string) => string>> = {
  check: (id) => `/health?checkId=${id}`,
  component: (id) => `/topology/${id}`,
  config: (id) => `/catalog/${id}`,
  playbook: (id) => `/playbooks/${id}`,
  run: (id) => `/playbooks/runs/${id}`,
}

const linkPathOf = ({ kind, id }: Pick<Subject, 'kind' | 'id'>): string => PATHS[kind](encodeURIComponent(id))

/** @throws TemplateFault when the rule's own words cannot be filled */
export async function composeMessage(about: About, { lookUp, link }: Deps): Promise<Composed> {
  const { rule, event, subject, others } = about
  const path = linkPathOf(subject)
  const isSilenceable = subject.kind !== 'playbook' && subject.kind !== 'run'
  const silenceLink = isSilenceable
    ? link(`/settings/notifications/silence?${subject.kind}_id=${encodeURIComponent(subject.id)}`)
    : null
  const usual = titleOf(event, subject, others)
  const scope = {
    ...subject.scope,
    title: usual,
    link: link(path),
    silence_link: silenceLink ?? '',
    members: [subject, ...others]
      .slice(0, MAX_MEMBERS)
      .map(({ id, name, health }) => ({ id, name, health: health ?? '' })),
  }
  const own = rule.title?.trim() ?? ''
  const title = own.includes('{{')
    ? await fill(own, scope, lookUp)
    : [own, usual].filter((part) => part !== '').join(': ')
  const text = rule.template === null ? usualText(about) : await fill(rule.template, scope, lookUp)
  return {
    title: cutText(toLine(title), MAX_TITLE_CHARACTERS) || usual,
    text: cutText(text, MAX_TEXT_CHARACTERS),
    link: link(path),
    silenceLink,
  }
}

async function fill(template: string, scope: Readonly<Record<string, unknown>>, lookUp: LookUp): Promise<string> {
  const parsed = parseTemplate(template)
  if (parsed.ok) return fillNodes(parsed.value, scope, lookUp)
  const { line, column, message } = parsed.error
  throw new TemplateFault(`line ${line}, column ${column}: ${message}`)
}

/** Titles become headers and subjects: of one line, without characters that steer. */
const toLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

const isKnown = (event: string): event is NotificationEvent => Object.hasOwn(WORDS, event)

function titleOf(event: string, { name }: Subject, others: readonly Subject[]): string {
  const one = isKnown(event) ? WORDS[event](name) : `${name}: ${event}`
  return others.length === 0 ? one : `${one}, and ${others.length} more`
}

function usualText({ event, subject, others }: About): string {
  const facts = [
    ['Event', event],
    ['Name', subject.name],
    ['Type', subject.type],
    ['Reason', subject.reason],
    ['Description', subject.description],
    [
      'Labels',
      Object.entries(subject.labels)
        .map(([key, value]) => `${key}=${String(value)}`)
        .join(', '),
    ],
  ].flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []))
  if (others.length === 0) return facts.join('\n')
  const named = others.slice(0, MAX_NAMED).map(({ name, reason }) => `- ${name}${reason === '' ? '' : `: ${reason}`}`)
  const rest = others.length > MAX_NAMED ? [`and ${others.length - MAX_NAMED} more`] : []
  return [facts.join('\n'), ['The same was said of:', ...named, ...rest].join('\n')].join('\n\n')
}
