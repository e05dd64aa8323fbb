// Tries a rule on what happened in the last days: the same decisions in the same order, on messages that nobody gets.
import { failed, ok, type Result } from '@watchroom/shared/kernel'
import { type Decision, type Rehearsal, REHEARSED_DAYS, type RehearsalDraft } from '@watchroom/shared/notifications'
import type { Pool } from 'pg'

import type { LookUp } from '../../check-runner/lookApart.ts'
import { askFilter, decide, decideByFilter, MESSAGES_WITHIN_MS, toRepeatMs, toWaitMs } from './decide.ts'
import { findRecipients } from './findRecipients.ts'
import { toGroupKey } from './groupKey.ts'
import { findFaults } from './previewRule.ts'
import { type Mention, readToldBefore, SILENCE_NAME } from './standing.ts'
import { stillHolds } from './subject.ts'
import { readTransitions, type Transition } from './transitions.ts'

interface Deps {
  readonly pool: Pool
  readonly lookUp: LookUp
  readonly now: () => number
}

const DAY_MS = 86_400_000
/** The newest are tried. */
const MAX_TRIED = 5_000
/** The oldest are left out when filters take longer. */
const MAX_ASK_MS = 15_000
const ASKED_TOGETHER = 32

/** A rule as decisions need it. */
interface Tried {
  readonly filter: string | null
  readonly repeat_interval: string | null
  readonly wait_for: number | null
  readonly group_by: string[] | null
}

export async function rehearseRule({ pool, lookUp, now }: Deps, draft: RehearsalDraft): Promise<Rehearsal> {
  const start = new Date(now() - REHEARSED_DAYS * DAY_MS)
  const past = await readTransitions(pool, { since: start, events: draft.events, limit: MAX_TRIED })
  const faults = await findFaults(lookUp, draft, past.list[0]?.subject.scope)
  if (faults.length > 0) return { faults, since: start.toISOString(), transitions: 0, counts: { ...NONE } }
  const rule: Tried = {
    filter: draft.filter ?? null,
    repeat_interval: draft.repeat_interval ?? null,
    wait_for: draft.wait_for ?? null,
    group_by: draft.group_by ?? null,
  }
  const asked = await askFilters({ lookUp, now }, rule, past.list)
  const counts = { ...NONE }
  const passed: Transition[] = []
  for (const { transition, decision } of asked) {
    if (decision === null) passed.push(transition)
    else counts[decision.outcome === 'filtered' ? 'filtered' : 'error'] += 1
  }
  const recipients = await findRecipients(pool, {
    person_id: draft.person_id ?? null,
    team_id: draft.team_id ?? null,
    custom_services: draft.custom_services ?? null,
    properties: draft.properties ?? null,
  })
  const names = recipients.ok ? ok(recipients.value.map(({ name }) => name)) : failed(recipients.error)
  const isCut = past.isCut || asked.length < past.list.length
  const since = (isCut ? asked[0]?.transition.happenedAt : undefined) ?? start
  const earlier = draft.id ? await readToldBefore(pool, { ...rule, id: draft.id }, toResources(passed), since) : []
  const healths = await readHealths(pool, rule, passed)
  const silences = await readSilences(pool, passed)
  play({ rule, names, passed, earlier, healths, silences, now: now() }, counts)
  return { faults, since: since.toISOString(), transitions: asked.length, counts }
}

const NONE: Rehearsal['counts'] = {
  pending: 0,
  sent: 0,
  grouped: 0,
  'held-back': 0,
  silenced: 0,
  'repeat-interval': 0,
  'rate-limited': 0,
  error: 0,
  filtered: 0,
}

/** The newest first, so that it is the oldest that are left out. @returns in the order in which they happened */
async function askFilters({ lookUp, now }: Pick<Deps, 'lookUp' | 'now'>, rule: Tried, all: readonly Transition[]) {
  const until = now() + MAX_ASK_MS
  const newestFirst = all.toReversed()
  const asked: { readonly transition: Transition; readonly decision: Decision | null }[] = []
  for (let start = 0; start < newestFirst.length && now() <= until; start += ASKED_TOGETHER) {
    const some = newestFirst.slice(start, start + ASKED_TOGETHER)
    const answers = await Promise.all(some.map(({ subject }) => askFilter(rule.filter, subject, lookUp)))
    for (const [index, transition] of some.entries())
      asked.push({ transition, decision: decideByFilter(answers[index] ?? null) })
  }
  return asked.toReversed()
}

/** Names of the silences that held then, by transition. */
async function readSilences(pool: Pool, transitions: readonly Transition[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ id: string; name: string }>(
    `select transitions.id, ${SILENCE_NAME} as name from watchroom_internal.transitions
     join notification_silences as silence
       on silence.id = watchroom_internal.matching_silence(kind, resource_id, happened_at)
     where transitions.id = any($1)`,
    [transitions.map(({ id }) => id)],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const toResources = (transitions: readonly Transition[]): string[] => [
  ...new Set(transitions.map(({ subject }) => subject.id)),
]

interface Health {
  readonly at: number
  readonly health: string | null
}

/** How the resources stood from when on, for rules that tell only what still holds. */
async function readHealths(pool: Pool, rule: Tried, transitions: readonly Transition[]) {
  const healths = new Map<string, Health[]>()
  if (!rule.wait_for) return healths
  const { rows } = await pool.query<{ id: string; at: Date; health: string | null }>(
    `select resource_id as id, happened_at as at,
       nullif(case kind when 'check' then subject ->> 'status' else subject ->> 'health' end, '') as health
     from watchroom_internal.transitions where resource_id = any($1) order by happened_at, id`,
    [toResources(transitions)],
  )
  for (const { id, at, health } of rows) healths.set(id, [...(healths.get(id) ?? []), { at: at.getTime(), health }])
  return healths
}

interface Play {
  readonly rule: Tried
  readonly names: Result<string[], string>
  readonly passed: readonly Transition[]
  /** What the rule told before. */
  readonly earlier: readonly Mention[]
  readonly healths: ReadonlyMap<string, readonly Health[]>
  readonly silences: ReadonlyMap<string, string>
  readonly now: number
}

interface Told extends Mention {
  readonly transition: Transition
  status: 'pending' | 'sent' | 'grouped' | 'held-back'
}

/** What waits for its time, the first of its group before the others. */
interface Message {
  readonly groupKey: string | null
  readonly dueAt: number
  readonly members: Told[]
}

function play({ rule, names, passed, earlier, healths, silences, now }: Play, counts: Rehearsal['counts']): void {
  const earlierOf = new Map<string, Mention[]>()
  for (const each of earlier) earlierOf.set(each.resource, [...(earlierOf.get(each.resource) ?? []), each])
  const told = new Map<string, Told[]>()
  let waiting: Message[] = []

  const holds = ({ transition: { name, subject } }: Told, at: number): boolean => {
    if (!rule.wait_for) return true
    const last = healths.get(subject.id)?.findLast((each) => each.at <= at)
    return stillHolds(name, { kind: subject.kind, health: last?.health ?? null })
  }
  const send = ({ dueAt, members }: Message): void => {
    const [leader, ...others] = members
    const isAnyoneTold = members.some((member) => holds(member, dueAt))
    if (leader) leader.status = isAnyoneTold ? 'sent' : 'held-back'
    for (const other of others) other.status = holds(other, dueAt) ? 'grouped' : 'held-back'
  }
  const sendDue = (at: number): void => {
    for (const message of waiting) if (message.dueAt <= at) send(message)
    waiting = waiting.filter(({ dueAt }) => dueAt > at)
  }

  for (const transition of passed) {
    const { subject, name, happenedAt } = transition
    const at = happenedAt.getTime()
    sendDue(at)
    const before: readonly Mention[] = [
      ...(earlierOf.get(subject.id) ?? []),
      ...(told.get(subject.id) ?? []).filter(({ status }) => status !== 'held-back'),
    ]
    const repeatMs = toRepeatMs(rule)
    const { outcome } = decide({
      rule,
      recipients: names,
      silence: silences.get(transition.id) ?? null,
      isRepeated: before.some((each) => each.event === name && each.at > at - repeatMs),
      recent: before.filter((each) => each.at > at - MESSAGES_WITHIN_MS).length,
    })
    if (outcome !== 'told') {
      if (outcome !== 'not-asked') counts[outcome] += 1
      continue
    }
    const groupKey = toGroupKey(name, rule.group_by, subject)
    const open = groupKey === null ? undefined : waiting.find((message) => message.groupKey === groupKey)
    const entry: Told = { resource: subject.id, event: name, at, transition, status: open ? 'grouped' : 'pending' }
    told.set(subject.id, [...(told.get(subject.id) ?? []), entry])
    if (open) open.members.push(entry)
    else waiting.push({ groupKey, dueAt: at + toWaitMs(rule, subject, name), members: [entry] })
  }
  sendDue(now)
  const recipients = names.ok ? names.value.length : 0
  for (const { status } of [...told.values()].flat()) counts[status] += recipients
}
