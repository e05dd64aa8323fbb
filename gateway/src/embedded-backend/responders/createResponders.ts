// Calls teams in where their settings say how: a mail, or a ticket in another system whose comments are those of the incident.
// Other types of responders are recorded and run elsewhere.
import { isUuid, messageOf } from '@watchroom/shared/kernel'

import { everySchedule } from '../../check-runner/schedule.ts'
import type { Courier } from '../jobs/createEventConsumer.ts'
import { type Job, RETENTION } from '../jobs/job.ts'
import type { MailService } from '../mail/createMailer.ts'
import { createNetwork, type Network } from '../outbound/createNetwork.ts'
import type { BackendContext } from '../server/context.ts'
import { createCaller } from './createCaller.ts'
import { keepOffers, listClients } from './offers.ts'
import { syncComments } from './syncComments.ts'
import { SYSTEMS } from './systems/index.ts'
import { listTickets, type OpenTicket, readResponder } from './tickets.ts'
import type { TicketSystem } from './ticketSystem.ts'

export interface Responders {
  /** By the name of the event. */
  readonly couriers: ReadonlyMap<string, Courier>
  readonly jobs: readonly Job[]
}

export interface RespondersDeps {
  readonly mailer: Pick<MailService, 'enqueue' | 'link'>
  readonly network?: Network
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A ticket system is away for minutes; whoever was called in must not be forgotten for it. */
const RETRY_AFTER_S = [30, 120, 600, 3_600] as const

export function createResponders(
  context: BackendContext,
  { mailer, network = createNetwork() }: RespondersDeps,
): Responders {
  const { pool } = context
  const logger = context.logger.child({ part: 'responders' })
  const caller = createCaller({ ...context, logger, mailer, network })

  /** One after the other: two at once would carry a comment twice. */
  let talking: Promise<unknown> = Promise.resolve()
  function talk(ticket: OpenTicket, signal?: AbortSignal): Promise<void> {
    const own = talking.then(() => caller.withSystem(ticket, (system) => syncComments(pool, system, ticket), signal))
    talking = own.catch(() => undefined)
    return own
  }

  const onResponder: Courier = {
    retryAfterS: RETRY_AFTER_S,
    handle: async ({ properties: { id = '' } }) => {
      const responder = isUuid(id) ? await readResponder(pool, id) : null
      if (responder === null || (responder.type !== 'email' && !SYSTEMS.has(responder.type))) return
      try {
        await caller.callIn(responder)
      } catch (error) {
        await pool.query(
          `update responders set properties = coalesce(properties, '{}') || jsonb_build_object('error', $2::text) where id = $1`,
          [id, messageOf(error)],
        )
        throw error
      }
    },
  }
  const onComment: Courier = {
    retryAfterS: RETRY_AFTER_S,
    handle: async ({ properties: { id = '' } }) => {
      if (!isUuid(id)) return
      for (const ticket of await listTickets(pool, { commentId: id })) await talk(ticket)
    },
  }

  return {
    couriers: new Map([
      ['incident.responder.added', onResponder],
      ['incident.comment.added', onComment],
    ]),
    jobs: [
      {
        name: 'ResponderCommentsSync',
        resourceType: 'responder',
        schedule: everySchedule(MINUTE_MS),
        deadlineMs: 10 * MINUTE_MS,
        retention: RETENTION.failed,
        run: async ({ signal, report }) => {
          for (const ticket of await listTickets(pool, {})) {
            signal.throwIfAborted()
            try {
              await talk(ticket, signal)
              report.success()
            } catch (error) {
              report.failure(`${ticket.externalId}: ${messageOf(error)}`)
            }
          }
        },
      },
      {
        name: 'ResponderConfigSync',
        resourceType: 'team',
        schedule: everySchedule(HOUR_MS),
        deadlineMs: 10 * MINUTE_MS,
        retention: RETENTION.few,
        run: async ({ signal, report }) => {
          for (const found of await listClients(pool)) {
            signal.throwIfAborted()
            try {
              const keep = async (system: TicketSystem) => keepOffers(pool, found, await system.offers())
              await caller.withSystem(found, keep, signal)
              report.success()
            } catch (error) {
              report.failure(`${found.teamName}: ${messageOf(error)}`)
            }
          }
        },
      },
    ],
  }
}
