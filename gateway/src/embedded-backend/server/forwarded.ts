// What the gateway says of the browser or the agent behind a call. Only the gateway can connect to the socket, so its word is taken.
import type { FastifyRequest } from 'fastify'

import { addressBlock } from '../../platform/addressBlock.ts'

/** Null when the gateway itself calls, in nobody's name. */
export function forwardedAddress({ headers }: FastifyRequest): string | null {
  const forwarded = headers['x-forwarded-for']
  return typeof forwarded === 'string' ? (forwarded.split(',', 1)[0]?.trim() ?? null) : null
}

/** What counts as one place when attempts and calls are counted. */
export function forwardedBlock(request: FastifyRequest): string {
  const address = forwardedAddress(request)
  return address === null ? 'local' : addressBlock(address)
}

/** Whether the browser speaks TLS to whatever stands in front. */
export const isForwardedSecure = ({ headers }: FastifyRequest): boolean => headers['x-forwarded-proto'] === 'https'

/** Host and port that the browser called, one of those that the gateway knows; null when the gateway itself calls. */
export function forwardedHost({ headers }: FastifyRequest): string | null {
  const host = headers['x-forwarded-host']
  return typeof host === 'string' && host !== '' ? host : null
}
