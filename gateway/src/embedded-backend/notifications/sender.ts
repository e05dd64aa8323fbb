// What a sender of notifications is: one file per type of connections in `senders`.
import type { Network } from '../outbound/createNetwork.ts'
import type { OpenedConnection } from '../outbound/openedConnection.ts'

export interface NotificationMessage {
  readonly title: string
  readonly text: string
  readonly html?: string
  /** The same in parts, for services that lay out what they show. */
  readonly parts?: { readonly text: string; readonly silenceLink: string | null }
  /** Where one sees more. */
  readonly link?: string
  /** The same for every attempt, so that a receiver can tell a repetition. */
  readonly idempotencyKey: string
  /** Addresses of mails; without any a mail goes to the address that it comes from. */
  readonly to?: readonly string[]
}

export interface SendOptions {
  readonly signal: AbortSignal
  readonly network: Network
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly taken: Taken
}

/** Of several targets those that have the message already, by an attempt before this one. */
export interface Taken {
  list(): Promise<ReadonlySet<string>>
  /** Resolves once it is kept for every attempt to come. */
  add(target: string): Promise<void>
}

/** Of a message that is sent once, whatever becomes of it. */
export const NOBODY_YET: Taken = { list: async () => new Set(), add: async () => undefined }

/** What the other side calls the message, where it says so. */
export interface SendResult {
  readonly externalId: string | null
}

/** @throws OutboundFault when the other side refuses it, and the errors of the network */
export type Sender = (
  connection: OpenedConnection,
  message: NotificationMessage,
  options: SendOptions,
) => Promise<SendResult>
