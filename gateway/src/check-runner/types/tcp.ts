import { type CheckSpec, tryParseHostPort } from '@watchroom/shared/health/check-types'

import { findCertificateFault, readCertificate } from '../certificate.ts'
import type { CheckRunner } from '../contract.ts'
import { describeFailure } from '../describeFailure.ts'
import { invalid, judged, notPassed } from '../outcome.ts'

/** Opens a connection and closes it; with `tls` also completes the handshake. */
export const tcpRunner: CheckRunner<CheckSpec<'tcp'>> = {
  async run(spec, { signal, clock, wayOut }) {
    const target = tryParseHostPort(spec.endpoint)
    if (target === null) return invalid(0, `"${spec.endpoint}" is not host:port`)
    const startedAt = clock.monotonic()
    try {
      const socket = await wayOut.open({
        ...target,
        tls: spec.tls === true ? { isInsecure: spec.insecureSkipVerify === true } : null,
        signal,
      })
      const durationMs = clock.monotonic() - startedAt
      const certificate = readCertificate(socket, clock.now())
      const remoteAddress = socket.remoteAddress
      socket.destroy()
      const fault = findCertificateFault(certificate, spec.maxSSLExpiry)
      return judged(durationMs, fault === null ? [] : [fault], `connected to ${spec.endpoint}`, {
        remoteAddress,
        ...(certificate && { certificate }),
      })
    } catch (error) {
      return notPassed(clock.monotonic() - startedAt, describeFailure(error))
    }
  },
}
