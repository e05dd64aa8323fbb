// One message to one recipient, ready to be handed over.
import type { Pool } from 'pg'

import { describeFailure } from '../../check-runner/describeFailure.ts'
import type { LookUp } from '../../check-runner/lookApart.ts'
import { TemplateFault } from '../../step-runner/templates.ts'
import type { MailService } from '../mail/createMailer.ts'
import { type Composed, composeMessage } from './composeMessage.ts'
import type { Prepared } from './createDispatcher.ts'
import { toRefusal, type Refusal } from './retry.ts'
import { readRule, type Rule } from './rule.ts'
import type { Send, Sends } from './sends.ts'
import { readSubject, stillHolds, type Subject } from './subject.ts'

/** What keeps a message from being sent at all, in words for people. */
class Unsendable extends Error {
  override readonly name = 'Unsendable'
}

export interface MessageDeps {
  readonly pool: Pick<Pool, 'query'>
  readonly sends: Sends
  readonly lookUp: LookUp
  readonly mailer: Pick<MailService, 'send' | 'link'>
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
    deliver: () => deliver(deps, send, composed),
  }
}

/** The subjects of the message: after a wait only those of whom it still holds. */
async function findTold({ pool, sends }: MessageDeps, rule: Rule, send: Send): Promise<Subject[]> {
  const all = [send, ...(await sends.members(send))]
  const held: string[] = []
  const told: Subject[] = []
  for (const each of all) {
    const event = { name: each.source_event, properties: each.event ?? {} }
    const subject = await readSubject(pool, event)
    if (subject && ((rule.wait_for ?? 0) === 0 || stillHolds(event.name, subject))) told.push(subject)
    else held.push(each.id)
  }
  await sends.holdBack(held)
  return told
}

async function deliver({ pool, mailer }: MessageDeps, send: Send, composed: Composed): Promise<void> {
  const { title, text, link, silenceLink } = composed
  const to = await findAddress(pool, send)
  const data = { title, text, url: link, ...(silenceLink !== null && { silenceUrl: silenceLink }) }
  await mailer.send(send.id, { to, template: 'notification', data })
}

async function findAddress(pool: Pick<Pool, 'query'>, { person_id: personId }: Send): Promise<string> {
  const { rows } = await pool.query<{ email: string }>(
    `select email from people where id = $1 and deleted_at is null and email <> ''`,
    [personId],
  )
  if (!rows[0]) throw new Unsendable('the person is not here any more, or has no e-mail address')
  return rows[0].email
}

/** Why a message was not taken, in words, and whether to try again. */
export function judgeFailure(error: unknown, now: number): Refusal & { readonly text: string } {
  if (error instanceof Unsendable || error instanceof TemplateFault) {
    return { text: error.message, isFinal: true, retryAfterMs: null }
  }
  const { responseCode } = Object(error) as { responseCode?: unknown }
  // SMTP: 4xx is a trouble of the moment, 5xx a refusal.
  const isRefused = typeof responseCode === 'number' && responseCode >= 500
  return { ...toRefusal(null, null, now), text: describeFailure(error), ...(isRefused && { isFinal: true }) }
}
