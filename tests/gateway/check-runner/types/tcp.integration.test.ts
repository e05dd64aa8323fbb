import { createServer } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'

import { describe, expect, it } from 'vitest'

import { createCertificate } from '#support/certificate.ts'
import { freePort } from '#support/freePort.ts'
import { listen, untilClosed } from '#support/listen.ts'
import { buildRunDeps, runToDeadline } from '#support/runDeps.ts'

import { tcpRunner } from '../../../../gateway/src/check-runner/types/tcp.ts'

const run = (spec: Parameters<typeof tcpRunner.run>[0]) => tcpRunner.run(spec, buildRunDeps())

describe('tcp runner', () => {
  it('passes when someone listens, and closes the connection', async () => {
    const server = createServer((socket) => socket.resume())
    const closed = untilClosed(server)
    const endpoint = `127.0.0.1:${await listen(server)}`
    expect(await run({ endpoint })).toMatchObject({
      passed: true,
      message: `connected to ${endpoint}`,
      details: { remoteAddress: '127.0.0.1' },
    })
    await closed
  })

  it('fails when nobody listens', async () => {
    const port = await freePort()
    expect(await run({ endpoint: `localhost:${port}` })).toMatchObject({
      passed: false,
      error: expect.stringContaining('connection refused') as string,
    })
  })

  it.each([
    [90, true],
    [20, false],
  ])('judges a TLS certificate that lives %i more days', async (daysLeft, passed) => {
    const port = await listen(createSecureServer(createCertificate({ daysLeft }), (socket) => socket.resume()))
    const outcome = await run({ endpoint: `localhost:${port}`, tls: true, insecureSkipVerify: true, maxSSLExpiry: 30 })
    expect(outcome).toMatchObject({ passed, details: { certificate: { daysLeft: daysLeft - 1 } } })
  })

  it('verifies the certificate', async () => {
    const port = await listen(createSecureServer(createCertificate({ daysLeft: 90 })))
    const outcome = await run({ endpoint: `localhost:${port}`, tls: true })
    expect(outcome).toMatchObject({ passed: false, error: 'the certificate is self-signed' })
  })

  it('gives up at the deadline on a handshake that never ends', async () => {
    const server = createServer((socket) => socket.resume())
    const closed = untilClosed(server)
    const port = await listen(server)
    const spec = { endpoint: `127.0.0.1:${port}`, tls: true }
    const outcome = await runToDeadline({ type: 'tcp', name: 'hung', timeoutMs: 150, spec })
    expect(outcome).toMatchObject({ passed: false, error: 'did not finish within 150ms' })
    await closed
  })
})
