// Decides for each rule what is sent to whom about transitions, and writes that down: those of a burst together. May run again for
// the same transition: what a rule decided on is decided.
import { ok } from '@watchroom/shared/kernel'
import type { Decision } from '@watchroom/shared/notifications'
import type { ClientBase, Pool } from 'pg'

import type { LookUp } from '../../check-runner/lookApart.ts'
import { inTransaction } from '../../platform/database/inTransaction.ts'
import { askFilter, decide, decideByFilter, type FilterAnswer, toWaitMs } from './decide.ts'
import { findRecipients } from './findRecipients.ts'
import { planFallback, readFallbackDelay } from './planFallback.ts'
import { lockRule, type Rule, readListening, setRuleError } from './rule.ts'
import { readSilences, readTold, type Silence } from './standing.ts'
import type { Transition } from './transitions.ts'
import { keepDecisions, noteUnsent, type Unsent, writeSends } from './writeSends.ts'

interface Deps {
  readonly pool: Pool
  readonly lookUp: LookUp
  /** Something waits to be sent. */
  readonly onWaiting: () => void
}

/** One rule and one transition that it asks for. */
interface Plan {
  readonly rule: Rule
  readonly transition: Transition
}

interface Asked extends Plan {
  readonly filter: FilterAnswer
}

/** By the id of a transition; none where nothing is silenced. */
type Silences = ReadonlyMap<string, Silence>

/** Filters that are evaluated together. What evaluates them does the same for checks, which must not wait for a storm. */
const FILTERS_TOGETHER = 16

/** Rejects when a rule could not be decided on, after all the others were. */
export async function planSends({ pool, lookUp, onWaiting }: Deps, transitions: readonly Transition[]): Promise<void> {
  const rules = await readListening(pool, [...new Set(transitions.map(({ name }) => name))])
  const decided = await readDecided(pool, transitions)
  const plans = rules.flatMap((rule) =>
    transitions
      .filter(({ id, name }) => rule.events.includes(name) && !decided.has(`${id} ${rule.id}`))
      .map((transition) => ({ rule, transition })),
  )
  const failures: unknown[] = []
  const asked = await askFilters(plans, lookUp, failures)
  const silences = await readSilences(pool, transitions)
  for (const rule of rules) {
    const own = asked.filter((plan) => plan.rule === rule)
    try {
      if (own.length > 0) await planRule({ pool, onWaiting }, rule, own, silences)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

/** @returns ids of transition and rule, with a blank between them */
async function readDecided(
  database: Pick<ClientBase, 'query'>,
  transitions: readonly Transition[],
): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ key: string }>(
    `select transition || ' ' || notification_id as key from watchroom_internal.decisions where transition = any($1)`,
    [transitions.map(({ id }) => id)],
  )
  return new Set(rows.map(({ key }) => key))
}

/** @param failures why some could not be asked now; those are left out */
async function askFilters(plans: readonly Plan[], lookUp: LookUp, failures: unknown[]): Promise<Asked[]> {
  const asked: Asked[] = []
  for (let from = 0; from < plans.length; from += FILTERS_TOGETHER) {
    const some = plans.slice(from, from + FILTERS_TOGETHER)
    const answers = await Promise.allSettled(
      some.map(({ rule, transition }) => askFilter(rule.filter, transition.subject, lookUp)),
    )
    for (const [index, plan] of some.entries()) {
      const answer = answers[index]
      if (answer?.status === 'fulfilled') asked.push({ ...plan, filter: answer.value })
      else failures.push(answer?.reason)
    }
  }
  return asked
}

async function planRule(
  { pool, onWaiting }: Pick<Deps, 'pool' | 'onWaiting'>,
  rule: Rule,
  asked: readonly Asked[],
  silences: Silences,
): Promise<void> {
  const left = asked.flatMap(({ filter, transition }) => {
    const decision = decideByFilter(filter)
    return decision === null ? [] : [{ transition, decision }]
  })
  const open = asked.filter(({ filter }) => decideByFilter(filter) === null).map(({ transition }) => transition)
  const isWaiting =
    open.length > 0 && (await inTransaction(pool, (client) => decideTogether(client, rule, open, silences)))
  // At once: if anything below fails, the next attempt finds this decided.
  if (isWaiting) onWaiting()
  await keepDecisions(pool, rule, left)
  const broken = asked.find(({ filter }) => filter?.ok === false)?.filter
  if (broken?.ok === false) await setRuleError(pool, rule.id, broken.error)
}

/** Of transitions that the filter of the rule lets through, in their order: what is told of one counts for the next. */
async function decideTogether(
  client: ClientBase,
  rule: Rule,
  transitions: readonly Transition[],
  silences: Silences,
): Promise<boolean> {
  // Two events of one rule are counted one after the other.
  await lockRule(client, rule.id)
  const decided = await readDecided(client, transitions)
  const told = await readTold(client, rule, transitions)
  const recipients = await findRecipients(client, rule)
  const error = recipients.ok ? null : recipients.error
  if (error !== rule.error) await setRuleError(client, rule.id, error)
  const names = recipients.ok ? ok(recipients.value.map(({ name }) => name)) : recipients

  const decisions: { transition: Transition; decision: Decision }[] = []
  const unsent: Unsent[] = []
  const toTell: Transition[] = []
  for (const transition of transitions) {
    if (decided.has(`${transition.id} ${rule.id}`)) continue
    const silence = silences.get(transition.id) ?? null
    const decision = decide({ rule, recipients: names, silence: silence?.name ?? null, ...told.standing(transition) })
    decisions.push({ transition, decision })
    if (decision.outcome === 'told') {
      told.note(transition)
      toTell.push(transition)
    } else {
      unsent.push({ transition, ...toUnsent(decision, silence, error) })
    }
  }
  await keepDecisions(client, rule, decisions)
  await noteUnsent(client, rule, unsent)
  if (!recipients.ok || toTell.length === 0) return false
  const toldBy = await writeSends(client, rule, toTell, recipients.value)
  const delayMs = readFallbackDelay(rule)
  if (delayMs !== null) {
    const missed = toTell.map(({ id, name: event, properties, subject }) => ({
      resourceId: subject.id,
      event,
      properties,
      transition: id,
      message: toldBy.get(id) ?? null,
      inMs: toWaitMs(rule, subject, event) + delayMs,
    }))
    await planFallback(client, rule, missed)
  }
  return true
}

function toUnsent({ outcome }: Decision, silence: Silence | null, error: string | null): Omit<Unsent, 'transition'> {
  if (outcome === 'silenced') return { status: outcome, silenceId: silence?.id ?? null, error: null }
  if (outcome === 'repeat-interval' || outcome === 'rate-limited')
    return { status: outcome, silenceId: null, error: null }
  return { status: 'error', silenceId: null, error }
}
