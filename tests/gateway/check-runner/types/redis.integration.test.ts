import { createServer } from 'node:net'

import { describe, expect, it } from 'vitest'

import { changingName } from '#support/changingName.ts'
import { freePort } from '#support/freePort.ts'
import { listen, untilClosed } from '#support/listen.ts'
import { startRedis } from '#support/redis.ts'
import { buildRunDeps, runToDeadline } from '#support/runDeps.ts'

import { redisRunner } from '../../../../gateway/src/check-runner/types/redis.ts'

const run = (spec: Parameters<typeof redisRunner.run>[0]) => redisRunner.run(spec, buildRunDeps())

describe('redis runner', () => {
  it('passes when the server answers', async () => {
    const { port } = await startRedis()
    const outcome = await run({ addr: `127.0.0.1:${port}`, db: 3 })
    expect(outcome).toMatchObject({ passed: true, message: 'PONG' })
    expect(outcome.durationMs).toBeGreaterThan(0)
  })

  it('signs in', async () => {
    const { port } = await startRedis({ password: 'hunter2' })
    expect(await run({ addr: `127.0.0.1:${port}`, password: 'hunter2' })).toMatchObject({ passed: true })
    expect(await run({ addr: `127.0.0.1:${port}`, username: 'default', password: 'hunter2' })).toMatchObject({
      passed: true,
    })
  })

  it.each([
    [{}, /NOAUTH/],
    [{ password: 'wrong-password' }, /WRONGPASS/],
    [{ password: 'hunter2', db: 99 }, /DB index is out of range/],
  ])('fails with what the server says to %j', async (fields, error) => {
    const { port } = await startRedis({ password: 'hunter2' })
    const outcome = await run({ addr: `127.0.0.1:${port}`, ...fields })
    expect(outcome.passed).toBe(false)
    expect(outcome.error).toMatch(error)
    expect(outcome.error).not.toContain('wrong-password')
  })

  it('looks a name up once, and asks where that was', async () => {
    const { port } = await startRedis()
    const { wayOut, lookUps } = changingName()
    const ask = () => redisRunner.run({ addr: `changing.test:${port}` }, buildRunDeps({ wayOut }))
    expect(await ask()).toMatchObject({ passed: true })
    expect(lookUps).toEqual(['changing.test'])
    expect(await ask()).toMatchObject({ passed: false, error: expect.stringContaining('metadata of a cloud') })
  })

  it('says that nobody listens', async () => {
    const port = await freePort()
    expect(await run({ addr: `127.0.0.1:${port}` })).toMatchObject({
      passed: false,
      error: `connection refused (127.0.0.1:${port})`,
    })
  })

  it('gives up at the deadline on a server that never answers, and closes the connection', async () => {
    const server = createServer((socket) => socket.resume())
    const closed = untilClosed(server)
    const spec = { addr: `127.0.0.1:${await listen(server)}` }
    const outcome = await runToDeadline({ type: 'redis', name: 'mute', timeoutMs: 150, spec })
    expect(outcome).toMatchObject({ passed: false, error: 'did not finish within 150ms' })
    await closed
  })
})
