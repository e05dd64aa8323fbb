// One message to one recipient, ready to be handed over.
import type { Pool } from 'pg'

import { describeFailure } from '../../check-runner/describeFailure.ts'
import type { LookUp } from '../../check-runner/lookApart.ts'
import { NotAsked, TemplateFault } from '../../step-runner/templateFault.ts'
import type { MailService } from '../mail/createMailer.ts'
import { renderMail } from '../mail/mailTemplates.ts'
import { IS_ACTIVE_PERSON } from '../people/activePerson.ts'
import { type Composed, composeMessage } from './composeMessage.ts'
import type { Prepared } from './createDispatcher.ts'
import { MAIL, NO_ADDRESS } from './findRecipients.ts'
import { type Refusal, toRefusalOf } from './retry.ts'
import { readRule, type Rule } from './rule.ts'
import type { NotificationMessage } from './sender.ts'
import type { Send, Sends } from './sends.ts'
import { SendFailure } from './sendVia.ts'
import { readSubjects, stillHolds, type Subject } from './subject.ts'

/** What keeps a message from being sent at all, in words for people. */
class Unsendable extends Error {
  override readonly name = 'Unsendable'
}

export interface MessageDeps {
  readonly pool: Pick<Pool, 'query'>
  readonly sends: Sends
  readonly lookUp: LookUp
  readonly mailer: Pick<MailService, 'send' | 'link'>
  /** Hands it to a connection. @throws SendFailure */
  readonly sendVia: (connectionId: string, message: NotificationMessage, signal: AbortSignal) => Promise<void>
}

export async function prepareMessage(deps: MessageDeps, send: Send): Promise<Prepared> {
  const rule = await readRule(deps.pool, send.notification_id)
  if (rule === null) throw new Unsendable('the rule was deleted')
  const told = await findTold(deps, rule, send)
  const [subject, ...others] = told
  if (!subject) return { kind: 'held-back' }
  const composed = await composeMessage(
    { rule, event: send.source_event, subject, others },
    { lookUp: deps.lookUp, link: deps.mailer.link },
  )
  return {
    kind: 'message',
    title: composed.title,
    body: composed.text,
    deliver: (signal) => deliver(deps, send, composed, signal),
  }
}

/**
 * The subjects of the message: after a wait only those of whom it still holds, for others only those that nobody took. Whoever sends
 * it again is not asked twice.
 */
async function findTold({ pool, sends }: MessageDeps, rule: Rule, send: Send): Promise<Subject[]> {
  const all = send.group_key === null ? [send] : [send, ...(await sends.members(send))]
  const events = all.map((each) => ({ name: each.source_event, properties: each.event ?? {} }))
  const subjects = await readSubjects(pool, events)
  const transitions = all.map(({ transition }) => transition)
  const isAsked = send.resent_key !== null
  const taken = send.is_fallback && !isAsked ? await sends.findTaken(rule.id, transitions) : new Set()
  const held: string[] = []
  const told: Subject[] = []
  for (const [index, { id, source_event: event, transition }] of all.entries()) {
    const subject = subjects[index] ?? null
    if (subject && !taken.has(transition) && (isAsked || (rule.wait_for ?? 0) === 0 || stillHolds(event, subject)))
      told.push(subject)
    else held.push(id)
  }
  if (held.length > 0) await sends.holdBack(held)
  return told
}

async function deliver(deps: MessageDeps, send: Send, composed: Composed, signal: AbortSignal): Promise<void> {
  const { title, text, link, silenceLink } = composed
  const key = send.resent_key ?? send.id
  const to = send.person_id === null ? null : await findAddress(deps.pool, send.person_id)
  const data = { title, text, url: link, ...(silenceLink !== null && { silenceUrl: silenceLink }) }
  if (to !== null && send.receiver === MAIL) return deps.mailer.send(key, { to, template: 'notification', data })
  // A mail by a connection says the same as one by the server's own.
  const mail = renderMail({ template: 'notification', data })
  const message = { title, text: [text, ...(silenceLink === null ? [] : [`Silence it: ${silenceLink}`])].join('\n\n') }
  const connectionId = send.connection_id ?? send.receiver
  const parts = { text, silenceLink }
  const more = { html: mail.html, parts, link, idempotencyKey: key, ...(to !== null && { to: [to] }) }
  return deps.sendVia(connectionId, { ...message, ...more }, signal)
}

async function findAddress(pool: Pick<Pool, 'query'>, personId: string): Promise<string> {
  const { rows } = await pool.query<{ email: string }>(
    `select email from people where id = $1 and ${IS_ACTIVE_PERSON} and email <> ''`,
    [personId],
  )
  if (!rows[0]) throw new Unsendable(NO_ADDRESS)
  return rows[0].email
}

/** Why a message was not taken, in words, and whether to try again. */
export function judgeFailure(error: unknown, now: number): Refusal & { readonly text: string } {
  const isWrong = error instanceof TemplateFault && !(error instanceof NotAsked)
  if (error instanceof Unsendable || isWrong) {
    return { text: error.message, isFinal: true, retryAfterMs: null }
  }
  if (error instanceof SendFailure) return { text: error.message, ...error.refusal }
  return { ...toRefusalOf(error, now), text: describeFailure(error) }
}
