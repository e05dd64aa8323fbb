// What the gateway says of the browser or the agent behind a call. Only the gateway can connect to the socket, so its word is taken.
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

import { addressBlock } from '../../platform/addressBlock.ts'
import { PRESENT_HEADER } from '../../platform/backendCaller.ts'

const PresentSchema = z.record(z.guid(), z.array(z.guid()))

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

/** People on the pages of runs where the caller is, by run; nobody where the gateway does not say. */
export function presentPeople({ headers }: FastifyRequest): Readonly<Record<string, readonly string[]>> {
  const said = headers[PRESENT_HEADER]
  return typeof said === 'string' ? PresentSchema.parse(JSON.parse(said)) : {}
}
