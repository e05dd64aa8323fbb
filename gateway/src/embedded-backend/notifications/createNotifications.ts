// Notifications as one part of the backend: events find their rules, rules their recipients, and what is decided on is sent.
import {
  NOTIFICATION_EVENTS,
  type Rehearsal,
  type RehearsalDraft,
  type RuleDraft,
  type RulePreview,
} from '@watchroom/shared/notifications'
import { z } from 'zod'

import { lookApart } from '../../check-runner/lookApart.ts'
import { inTransaction } from '../../platform/database/inTransaction.ts'
import type { Courier, EventHandler, QueuedEvent } from '../jobs/createEventConsumer.ts'
import type { MailService } from '../mail/createMailer.ts'
import { createNetwork, type Network } from '../outbound/createNetwork.ts'
import type { BackendContext } from '../server/context.ts'
import type { JudgeRow } from '../server/judgeWrite.ts'
import { createDispatcher } from './createDispatcher.ts'
import { createRuleJudge } from './judgeRule.ts'
import { judgeFailure, type MessageDeps, prepareMessage } from './message.ts'
import { planFallback } from './planFallback.ts'
import { planSends } from './planSends.ts'
import { previewRule } from './previewRule.ts'
import { rehearseRule } from './rehearseRule.ts'
import { readRule } from './rule.ts'
import { createSends, type Send } from './sends.ts'
import { sendVia } from './sendVia.ts'
import { readTransitionsById, recordTransition } from './transitions.ts'

export interface Notifications {
  /** By the name of the event. */
  readonly eventHandlers: ReadonlyMap<string, EventHandler>
  /** Decides what is sent, by `SEND_EVENT`. */
  readonly courier: Courier
  readonly judge: JudgeRow
  preview(draft: RuleDraft): Promise<RulePreview>
  /** What a rule would have sent lately. */
  rehearse(draft: RehearsalDraft): Promise<Rehearsal>
  /** Sends a message again, now, whether it was sent or given up. @returns false when there is none like that */
  resend(id: string): Promise<boolean>
  start(): void
  /** Sends that are under way are ended; the next start makes them again. Needs the database. */
  close(): Promise<void>
}

const SendSchema = z.object({ event_id: z.string() })

/** The database was away; filters that fail are no failure of the event. */
const RETRY_AFTER_S = [5, 30, 120] as const
/** Transitions that are decided on together. */
const TOGETHER = 100

export interface NotificationsDeps {
  readonly mailer: Pick<MailService, 'send' | 'link'>
  readonly network?: Network
}

export function createNotifications(
  context: BackendContext,
  { mailer, network = createNetwork() }: NotificationsDeps,
): Notifications {
  const { pool, clock, random } = context
  const logger = context.logger.child({ part: 'notifications' })
  const lookUp = lookApart
  const sends = createSends(pool)
  const sendBy: MessageDeps['sendVia'] = (id, message, signal) => sendVia({ ...context, network }, id, message, signal)
  const dispatcher = createDispatcher({
    sends,
    clock,
    random,
    logger,
    prepare: (send) => prepareMessage({ pool, sends, lookUp, mailer, sendVia: sendBy }, send),
    judge: (error) => judgeFailure(error, clock.now()),
    onGivenUp: tellOthers,
  })

  async function tellOthers(send: Send): Promise<void> {
    const rule = send.is_fallback ? null : await readRule(pool, send.notification_id)
    if (rule === null) return
    const members = send.group_key === null ? [] : await sends.members(send)
    const missed = [send, ...members].map((each) => ({
      resourceId: each.resource_id,
      event: each.source_event,
      properties: each.event ?? {},
      transition: each.transition,
      message: send.group_key === null ? null : send.id,
      inMs: 0,
    }))
    await inTransaction(pool, (client) => planFallback(client, rule, missed))
  }

  const plan = async (events: readonly QueuedEvent[]): Promise<void> => {
    const ids = events.map(({ properties }) => SendSchema.parse(properties).event_id)
    await planSends({ pool, lookUp, onWaiting: () => dispatcher.wake() }, await readTransitionsById(pool, ids))
  }

  return {
    eventHandlers: new Map(NOTIFICATION_EVENTS.map((name) => [name, (event) => recordTransition(pool, event)])),
    courier: {
      retryAfterS: RETRY_AFTER_S,
      handle: (event) => plan([event]),
      together: { most: TOGETHER, handle: plan },
    },
    judge: createRuleJudge(lookUp),
    preview: (draft) => previewRule({ pool, lookUp, link: mailer.link }, draft),
    rehearse: (draft) => rehearseRule({ pool, lookUp, now: () => clock.now() }, draft),
    resend: async (id) => {
      const isThere = await sends.again(id)
      dispatcher.wake()
      return isThere
    },
    start: () => dispatcher.wake(),
    close: () => dispatcher.close(),
  }
}
