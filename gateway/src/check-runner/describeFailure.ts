import { ownValue } from '@watchroom/shared/kernel'

const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by the other side',
  EPIPE: 'connection closed by the other side',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  EHOSTDOWN: 'host is down',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name cannot be resolved at the moment',
  ECONNECTION: 'connection closed by the other side',
  UND_ERR_SOCKET: 'connection closed before the answer was complete',
  HPE_INVALID_CONSTANT: 'the answer is not HTTP',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate chain ends in a self-signed certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate cannot be verified (an intermediate certificate may be missing)',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the issuer of the certificate is not known here',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
  EPROTO: 'TLS handshake failed',
  ERR_SSL_WRONG_VERSION_NUMBER: 'TLS handshake failed: the other side does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'TLS handshake failed: the other side does not speak TLS',
  ENOENT: 'not found',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  ENOTDIR: 'not a folder',
}

interface SystemError extends Error {
  code?: unknown
  /** The code of the system, where a library replaces it with its own. */
  originalCode?: unknown
  address?: unknown
  port?: unknown
  errors?: unknown
}

/**
 * A network or file failure in words, with the address that was tried where it is known.
 * A host with several addresses fails with an `AggregateError` without a message of its own: the last one speaks.
 */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, originalCode, address, port, errors, cause } = error as SystemError
  if (Array.isArray(errors) && errors.length > 0) return describeFailure(errors.at(-1))
  const known = wordsOf(originalCode) ?? wordsOf(code)
  if (known === undefined) {
    if (cause instanceof Error) return describeFailure(cause)
    return error.message === '' ? (typeof code === 'string' ? code : error.name) : error.message
  }
  return typeof address === 'string' && typeof port === 'number' ? `${known} (${address}:${port})` : known
}

const wordsOf = (code: unknown): string | undefined => (typeof code === 'string' ? ownValue(BY_CODE, code) : undefined)
