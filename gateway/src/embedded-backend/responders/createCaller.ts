// Makes the mail or the ticket that calls a team in.
import { createHash } from 'node:crypto'

import { EmailSchema } from '@watchroom/shared/people'
import type { Logger } from 'pino'

import { describeFailure } from '../../check-runner/describeFailure.ts'
import { maskText } from '../../check-runner/maskOutcome.ts'
import { inTransaction } from '../../platform/database/inTransaction.ts'
import { withDeadline } from '../../platform/withDeadline.ts'
import type { MailService } from '../mail/createMailer.ts'
import { callHttp, expectSuccess } from '../outbound/callHttp.ts'
import type { Network } from '../outbound/createNetwork.ts'
import { cutText } from '../outbound/cutText.ts'
import { OutboundFault } from '../outbound/outboundFault.ts'
import type { BackendContext } from '../server/context.ts'
import { readClient, type ResponderClient } from './readClient.ts'
import { SYSTEMS } from './systems/index.ts'
import { type Responder, startTicket } from './tickets.ts'
import type { TicketSystem } from './ticketSystem.ts'

interface CallerDeps extends Pick<BackendContext, 'pool' | 'vault' | 'clock'> {
  readonly logger: Logger
  readonly mailer: Pick<MailService, 'enqueue' | 'link'>
  readonly network: Network
}

type ClientOf = Pick<Responder, 'teamId' | 'type'>

export interface Caller {
  /** @throws an error without credentials */
  callIn(responder: Responder): Promise<void>
  /** For one errand with a team's system of tickets. @throws an error without credentials */
  withSystem(
    clientOf: ClientOf,
    act: (system: TicketSystem, client: ResponderClient) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<void>
}

const MAX_CALL_MS = 20_000
const MAX_ANSWER_BYTES = 8 * 1024 * 1024
const MAX_RECIPIENTS = 10
const MAX_SUBJECT_CHARACTERS = 512
const MAX_BODY_CHARACTERS = 8_192
const MARK_DIGITS = 8

export function createCaller(deps: CallerDeps): Caller {
  const { pool, clock, logger, mailer, network } = deps

  function openSystem(type: string, client: ResponderClient, signal?: AbortSignal): TicketSystem | null {
    const system = SYSTEMS.get(type)
    if (!system) return null
    const call: Parameters<typeof system.create>[0]['call'] = async (asked) => {
      const options = { ...asked, tls: { isInsecure: client.isInsecure }, maxBytes: MAX_ANSWER_BYTES }
      const toReason = (): Error => new OutboundFault(`there was no answer within ${MAX_CALL_MS / 1_000} s`)
      const limit = { clock, limitMs: MAX_CALL_MS, toReason, ...(signal && { signal }) }
      return expectSuccess(await withDeadline(limit, (deadline) => callHttp(network, deadline.signal, options)))
    }
    return system.create({ client, call })
  }

  /** What goes wrong is told without credentials. */
  async function withClient(
    { teamId, type }: ClientOf,
    act: (client: ResponderClient) => Promise<void>,
  ): Promise<void> {
    const client = await readClient(deps, teamId, type)
    if (client === null) throw new OutboundFault(`the team has no responder client ${type}`)
    try {
      await act(client)
    } catch (error) {
      // oxlint-disable-next-line preserve-caught-error -- the original may hold a credential
      throw new Error(maskText(describeFailure(error), client.secrets))
    }
  }

  async function callIn(responder: Responder): Promise<void> {
    const { type, properties } = responder
    await withClient(responder, async (client) => {
      // Whoever adds a responder chooses freely only what the team leaves open.
      const fields = { ...properties, ...client.values }
      if (type === 'email') return mail(responder, fields)
      const system = openSystem(type, client)
      if (system === null) return
      const { isMade, attempts } = await startTicket(pool, responder.id)
      if (isMade) return
      const ticket = await system.open({ fields, mark: toMark(responder.id), mayExist: attempts > 1 })
      await pool.query(
        `with ticket as (
           update watchroom_internal.tickets set external_id = $2, thread_id = $3 where responder_id = $1)
         update responders set external_id = $2,
           properties = (coalesce(properties, '{}') - 'error') || jsonb_build_object('link', $4::text)
         where id = $1`,
        [responder.id, ticket.externalId, ticket.threadId, ticket.link],
      )
      logger.info({ responder: responder.id, type, ticket: ticket.externalId }, 'called a team in')
    })
  }

  /** In one transaction with the note that it was done: the mailer sends it, and tries again. */
  async function mail({ id, incidentId }: Responder, fields: Readonly<Record<string, string>>): Promise<void> {
    const addresses = (fields['to'] ?? '').split(/[,;\s]+/).filter(Boolean)
    if (addresses.length === 0 || addresses.length > MAX_RECIPIENTS)
      throw new OutboundFault(`to: between 1 and ${MAX_RECIPIENTS} addresses`)
    const wrong = addresses.find((address) => !EmailSchema.safeParse(address).success)
    if (wrong !== undefined) throw new OutboundFault(`to: ${wrong} is no e-mail address`)
    await inTransaction(pool, async (client) => {
      const { isMade } = await startTicket(client, id)
      if (isMade) return
      const data = {
        subject: cutText(fields['subject'] ?? '', MAX_SUBJECT_CHARACTERS),
        text: cutText(fields['body'] ?? '', MAX_BODY_CHARACTERS),
        url: mailer.link(`/incidents/${incidentId}`),
      }
      for (const to of new Set(addresses)) await mailer.enqueue(client, { to, template: 'responder', data })
      await client.query(`update watchroom_internal.tickets set external_id = 'mail' where responder_id = $1`, [id])
      await client.query(
        `update responders set properties = properties - 'error' where id = $1 and properties ? 'error'`,
        [id],
      )
    })
  }

  return {
    callIn,
    withSystem: (clientOf, act, signal) =>
      withClient(clientOf, async (client) => {
        const system = openSystem(clientOf.type, client, signal)
        if (system) await act(system, client)
      }),
  }
}

/** The same for all attempts. */
const toMark = (responderId: string): string =>
  createHash('sha256').update(responderId).digest('hex').slice(0, MARK_DIGITS)
