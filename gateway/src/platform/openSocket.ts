import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'

import type { HostPort } from '@watchroom/shared/health/check-types'

import { whenOpen } from './whenOpen.ts'

export interface TlsOptions extends Pick<ConnectionOptions, 'ca' | 'cert' | 'key'> {
  /** Accepts any certificate. */
  readonly isInsecure: boolean
}

export interface SocketTarget extends HostPort {
  readonly tls: TlsOptions | null
  /** Destroys the socket, also later, when the connection is there. */
  readonly signal: AbortSignal
}

/**
 * A connected socket, for TLS after the handshake.
 *
 * @param where the host really is, and how its name is looked up, for those who judge that
 * @throws the system's error, or the signal's reason
 */
export async function openSocket(
  { host, port, tls, signal }: SocketTarget,
  where: HostPort & { readonly lookup?: LookupFunction } = { host, port },
): Promise<Socket> {
  signal.throwIfAborted()
  const socket =
    tls === null
      ? connectTcp(where)
      : connectTls({
          ...where,
          rejectUnauthorized: !tls.isInsecure,
          ALPNProtocols: ['http/1.1'],
          // An address is not a server name (RFC 6066, section 3).
          ...(isIP(host) === 0 && { servername: host }),
          ...(tls.ca !== undefined && { ca: tls.ca }),
          ...(tls.cert !== undefined && { cert: tls.cert, key: tls.key }),
        })
  return whenOpen(socket, tls === null ? 'connect' : 'secureConnect', signal)
}
