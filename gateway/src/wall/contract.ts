import type { IncomingHttpHeaders } from 'node:http'

import type { CheckBoardRow } from '@watchroom/shared/health'
import type { FastifyInstance } from 'fastify'

import type { Feed } from '../polling/contract.ts'

/** A screen without an account: what it is, and the one board it may read. */
export interface Device {
  readonly linkId: string
  readonly linkName: string
  readonly boardId: string
}

/** The second kind of caller of live topics, beside people. Knows nothing of sessions, and `Access` knows nothing of it. */
export interface Devices {
  /**
   * The device behind a request's own cookie.
   *
   * @returns null when there is none, or its link was revoked or has expired
   * @throws CodedError DATABASE_UNAVAILABLE when nobody can tell
   */
  identify(headers: IncomingHttpHeaders): Promise<Device | null>
  /** Called when links changed, here or on another gateway. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void
}

export interface Wall {
  readonly devices: Devices
  /** The checks of one board. */
  readonly feed: (boardId: string) => Feed<CheckBoardRow>
  /** Another gateway, or this one, wrote boards or links. */
  readonly wake: () => void
  readonly register: (app: FastifyInstance) => Promise<void>
  readonly close: () => void
}
