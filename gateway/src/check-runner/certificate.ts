import type { Socket } from 'node:net'
import { type PeerCertificate, TLSSocket } from 'node:tls'

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
