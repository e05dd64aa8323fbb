import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, type PeerCertificate, TLSSocket } from 'node:tls'

import type { HostPort } from '@watchroom/shared/health/check-types'

import { whenOpen } from '../platform/whenOpen.ts'

export interface SocketOptions extends HostPort {
  isTls: boolean
  /** Accepts any certificate. */
  insecureSkipVerify: boolean
  /** Destroys the socket when aborted, also later, after the connection is there. */
  signal: AbortSignal
}

/** A connected socket, for TLS after the handshake. Rejects with the system's error or the signal's reason. */
export async function openSocket(options: SocketOptions): Promise<Socket> {
  const { host, port, isTls, insecureSkipVerify, signal } = options
  signal.throwIfAborted()
  const socket = isTls
    ? connectTls({
        host,
        port,
        rejectUnauthorized: !insecureSkipVerify,
        ALPNProtocols: ['http/1.1'],
        // An address is not a server name (RFC 6066, section 3).
        ...(isIP(host) === 0 && { servername: host }),
      })
    : connectTcp({ host, port })
  return whenOpen(socket, isTls ? 'secureConnect' : 'connect', signal)
}

/** What is known of a certificate's life, for the detail panel. */
export interface CertificateFacts {
  subject: string
  issuer: string
  validTo: string
  /** Whole days until it expires, negative once it has. */
  daysLeft: number
}

/** Null for a socket without TLS. */
export function readCertificate(socket: Socket, nowMs: number): CertificateFacts | null {
  if (!(socket instanceof TLSSocket)) return null
  const certificate = socket.getPeerCertificate()
  const expiresAt = Date.parse(certificate.valid_to)
  if (Number.isNaN(expiresAt)) return null
  return {
    subject: commonName(certificate.subject),
    issuer: commonName(certificate.issuer),
    validTo: new Date(expiresAt).toISOString(),
    daysLeft: Math.floor((expiresAt - nowMs) / 86_400_000),
  }
}

/** A sentence when the certificate lives less long than asked for. */
export function findCertificateFault(certificate: CertificateFacts | null, minDays: number | undefined): string | null {
  if (minDays === undefined) return null
  if (certificate === null) return 'there is no TLS certificate to look at'
  const { daysLeft, validTo, subject } = certificate
  if (daysLeft >= minDays) return null
  const when = daysLeft < 0 ? 'has expired' : `expires in ${daysLeft} d, fewer than ${minDays} d`
  return `certificate of ${subject} ${when} (${validTo})`
}

function commonName(name: PeerCertificate['subject'] | undefined): string {
  const value = name?.CN ?? name?.O
  return (Array.isArray(value) ? value[0] : value) ?? 'unknown'
}
