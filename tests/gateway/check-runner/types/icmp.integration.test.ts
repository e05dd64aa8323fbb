import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { buildRunDeps, runToDeadline } from '#support/runDeps.ts'
import { findProgram } from '#support/systemProgram.ts'

import { createIcmpRunner, icmpRunner } from '../../../../gateway/src/check-runner/types/icmp.ts'

/** A program that stands in for ping where the machine's own cannot be made to fail so. */
async function writeProgram(script: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'watchroom-ping-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'ping')
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
  return path
}

describe('icmp runner', () => {
  const hasPing = findProgram('ping') !== null
  const unsupported = { passed: false, invalid: true }

  it('measures the loopback address with the real ping, or says that there is none', async () => {
    const outcome = await icmpRunner.run({ endpoint: '127.0.0.1' }, buildRunDeps())
    const measured = { passed: true, details: { sent: 3, received: 3, lossPercent: 0, averageMs: outcome.durationMs } }
    expect(outcome).toMatchObject(hasPing ? measured : unsupported)
  })

  it('fails on a host that does not exist', async () => {
    const outcome = await icmpRunner.run({ endpoint: 'nowhere.invalid' }, buildRunDeps())
    const unknown = { passed: false, error: expect.stringContaining('nowhere.invalid') as string }
    expect(outcome).toMatchObject(hasPing ? unknown : unsupported)
    expect(outcome.invalid ?? false).toBe(!hasPing)
  })

  it.each([
    [undefined, false],
    [30, true],
  ])('accepts a loss of a quarter when %s percent are allowed: %s', async (packetLossThreshold, passed) => {
    const program = await writeProgram(
      'echo "4 packets transmitted, 3 packets received, 25% packet loss"; echo "round-trip min/avg/max = 1/2.5/4 ms"; exit 1',
    )
    const spec = { endpoint: '192.0.2.1', ...(packetLossThreshold !== undefined && { packetLossThreshold }) }
    const outcome = await createIcmpRunner(program).run(spec, buildRunDeps())
    expect(outcome).toMatchObject({ passed, durationMs: 2.5, message: '2.5 ms on average, 25.0% loss' })
  })

  it('fails when nothing comes back', async () => {
    const program = await writeProgram('echo "3 packets transmitted, 0 received, 100% packet loss, time 403ms"; exit 1')
    const spec = { endpoint: '192.0.2.1', packetLossThreshold: 99 }
    const outcome = await createIcmpRunner(program).run(spec, buildRunDeps())
    expect(outcome).toMatchObject({ passed: false, error: '100.0% of 3 packets lost, at most 99.0% are accepted' })
  })

  it('is not supported where there is no ping', async () => {
    const outcome = await createIcmpRunner('/nonexistent/ping').run({ endpoint: '127.0.0.1' }, buildRunDeps())
    expect(outcome).toMatchObject({ passed: false, invalid: true })
    expect(outcome.error).toMatch(/^not supported here: there is no ping program/)
  })

  it('is not supported where ping is not permitted', async () => {
    const program = await writeProgram('echo "ping: socket: Operation not permitted" >&2; exit 2')
    const outcome = await createIcmpRunner(program).run({ endpoint: '127.0.0.1' }, buildRunDeps())
    expect(outcome).toMatchObject({ passed: false, invalid: true })
    expect(outcome.error).toMatch(/^not supported here: ping is not permitted/)
  })

  it('gives up at the deadline', async () => {
    const spec = { endpoint: '127.0.0.1', packetCount: 20 }
    const outcome = await runToDeadline({ type: 'icmp', name: 'slow', timeoutMs: 200, spec })
    expect(outcome).toMatchObject(hasPing ? { passed: false, error: 'did not finish within 200ms' } : unsupported)
  })
})
