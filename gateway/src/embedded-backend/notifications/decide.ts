// What a rule makes of a transition, of facts alone: the same for a message that is sent, for the answer to why one was not, and for
// a rule that is tried on the past.
import type { Result } from '@watchroom/shared/kernel'
import { type Clause, type Decision, findMissing, tryParseRepeatInterval } from '@watchroom/shared/notifications'

import type { LookUp } from '../../check-runner/lookApart.ts'
import { NotAsked, TemplateFault } from '../../step-runner/templateFault.ts'
import { isTrue } from '../../step-runner/templates.ts'
import { toGroupKey } from './groupKey.ts'
import type { Rule } from './rule.ts'
import type { Subject } from './subject.ts'

/** Against storms: messages of one rule about one resource. */
const MAX_MESSAGES = 50
export const MESSAGES_WITHIN_MS = 4 * 3_600_000
/** How long the first of a group waits for others, where the rule names no wait. */
const GROUP_WAIT_MS = 10_000

/** Null for a filter that lets everything through. Of one that asks for what the event does not carry, `missing` says what. */
export type FilterAnswer = Result<{ readonly passes: boolean; readonly missing: string | null }, string> | null

/** Rejects when it could not be asked now. */
export async function askFilter(filter: string | null, subject: Subject, lookUp: LookUp): Promise<FilterAnswer> {
  if (filter === null || filter.trim() === '') return null
  try {
    return { ok: true, value: { passes: await isTrue(filter, subject.scope, lookUp), missing: null } }
  } catch (error) {
    if (!(error instanceof TemplateFault) || error instanceof NotAsked) throw error
    const event = String(subject.scope['event'])
    const missing = findMissing(filter, event)
    if (missing !== null) return { ok: true, value: { passes: false, missing: `${event} has no ${missing}` } }
    const label = findMissingLabel(filter, error.message)
    if (label !== null) return { ok: true, value: { passes: false, missing: `${subject.name} has no ${label}` } }
    return { ok: false, error: `filter: ${error.message}` }
  }
}

/** Keys of labels differ from one resource to the next: one that is not there is nothing wrong with the filter. */
function findMissingLabel(filter: string, error: string): string | null {
  const key = /No such key: (.+)$/.exec(error)?.[1]
  const read = /\b(labels|tags)\s*(?:\.\s*([A-Za-z_]\w*)|\[\s*(?:"([^"]*)"|'([^']*)')\s*\])/g
  const found = [...filter.matchAll(read)].find(([, , ...keys]) => key !== undefined && keys.includes(key))
  return found ? `${found[1]}.${key}` : null
}

/** What its filter says alone; null when the rule goes on. */
export function decideByFilter(filter: FilterAnswer): Decision | null {
  if (filter === null || (filter.ok && filter.value.passes)) return null
  const detail = filter.ok ? filter.value.missing : filter.error
  return { outcome: filter.ok ? 'filtered' : 'error', clauses: [EVENT, { clause: 'filter', isMet: false, detail }] }
}

export interface Facts {
  readonly rule: Pick<Rule, 'filter' | 'repeat_interval'>
  /** Names of those who would be told, or why there is nobody. */
  readonly recipients: Result<readonly string[], string>
  /** What the silence that holds is called; null when none does. */
  readonly silence: string | null
  /** The same was told within the rule's interval. */
  readonly isRepeated: boolean
  /** Transitions of the resource that were told within `MESSAGES_WITHIN_MS`. */
  readonly recent: number
}

/** Of a rule whose filter lets the transition through. */
export function decide({ rule, recipients, silence, isRepeated, recent }: Facts): Decision {
  const clauses: Clause[] = [EVENT]
  const met = (clause: Clause['clause'], detail: string | null = null): void => {
    clauses.push({ clause, isMet: true, detail })
  }
  const end = (clause: Clause['clause'], outcome: Decision['outcome'], detail: string | null): Decision => ({
    outcome,
    clauses: [...clauses, { clause, isMet: false, detail }],
  })
  if (rule.filter?.trim()) met('filter')
  if (!recipients.ok) return end('recipient', 'error', recipients.error)
  met('recipient', recipients.value.join(', '))
  if (silence !== null) return end('silence', 'silenced', silence)
  met('silence')
  if (isRepeated) return end('repeat-interval', 'repeat-interval', rule.repeat_interval)
  if (rule.repeat_interval !== null) met('repeat-interval', rule.repeat_interval)
  if (recent >= MAX_MESSAGES) return end('limit', 'rate-limited', `${recent} in four hours`)
  met('limit')
  return { outcome: 'told', clauses }
}

const EVENT: Clause = { clause: 'event', isMet: true, detail: null }

/** Within which the same is counted and not told; 0 where the rule names no interval. */
export const toRepeatMs = ({ repeat_interval: interval }: Pick<Rule, 'repeat_interval'>): number =>
  (interval === null ? null : tryParseRepeatInterval(interval)) ?? 0

/** How long a message waits, for what no longer holds then, or for others of its group. */
export function toWaitMs(rule: Pick<Rule, 'wait_for' | 'group_by'>, subject: Subject, eventName: string): number {
  const groupKey = toGroupKey(eventName, rule.group_by, subject)
  return (rule.wait_for ?? 0) / 1e6 || (groupKey === null ? 0 : GROUP_WAIT_MS)
}
