// What a system of tickets is to those who call a team in: one file per type in `systems`.
import type { HttpAnswer, HttpCall } from '../outbound/callHttp.ts'
import type { ResponderClient } from './readClient.ts'

export interface Ticket {
  readonly externalId: string
  /** Where the system talks about it, if elsewhere. */
  readonly threadId: string | null
  /** Where people see it. */
  readonly link: string
}

export interface TicketComment {
  readonly externalId: string
  readonly text: string
  readonly author: string
}

export interface SystemDeps {
  readonly client: ResponderClient
  /** Guarded as connections are. @throws OutboundFault for an answer that is not 2xx */
  readonly call: (call: Omit<HttpCall, 'tls' | 'maxBytes'>) => Promise<HttpAnswer>
}

export interface NewTicket {
  /** By the names of the form. */
  readonly fields: Readonly<Record<string, string>>
  /** Tells the ticket from all others, so that it can be found again. */
  readonly mark: string
  /** An attempt before this one may have made it. */
  readonly mayExist: boolean
}

export interface TicketSystem {
  /** @throws OutboundFault */
  readonly open: (ticket: NewTicket) => Promise<Ticket>
  readonly comment: (ticket: Ticket, text: string) => Promise<void>
  /** The newest, oldest first. */
  readonly comments: (ticket: Ticket) => Promise<readonly TicketComment[]>
  /** What the form offers for its fields. */
  readonly offers: () => Promise<unknown>
}

export type CreateTicketSystem = (deps: SystemDeps) => TicketSystem
