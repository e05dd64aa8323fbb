import { fastify, type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { type RefusalSettings, slowRefusals } from '../../../gateway/src/app/slowRefusals.ts'

const SETTINGS: RefusalSettings = { free: { burst: 2, perSecond: 1 / 60 }, delayMs: 2_000, maxHeld: 1 }
const PERSON = '3f0c8a3e-4f0d-4c6e-9d1b-2f6f6f0d7a11'

let clock: FakeClock
let app: FastifyInstance

beforeEach(() => {
  clock = new FakeClock()
  app = fastify({ trustProxy: true })
  app.decorateRequest('identity', null)
  slowRefusals(app, SETTINGS, clock)
  app.get('/status/:status/:userId?', async (request, reply) => {
    const { status, userId } = request.params as { status: string; userId?: string }
    if (userId !== undefined) Object.assign(request, { identity: { userId } })
    return reply.code(Number(status)).send('')
  })
})

afterEach(() => app.close())

/** @returns a request, and whether it has been answered */
function ask(path: string, address = '192.0.2.1') {
  const asked = { isAnswered: false, answer: app.inject({ url: path, headers: { 'x-forwarded-for': address } }) }
  void asked.answer.then(() => (asked.isAnswered = true))
  return asked
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

async function useUp(path: string, address?: string): Promise<void> {
  for (let count = 0; count < SETTINGS.free.burst; count++) await ask(path, address).answer
}

describe('slowRefusals', () => {
  it.each([400, 401, 403, 413, 421, 429])('holds the next %d of a caller who has had many', async (status) => {
    await useUp(`/status/${status}`)
    const held = ask(`/status/${status}`)
    await settle()
    expect(held.isAnswered).toBe(false)
    await clock.advance(SETTINGS.delayMs)
    expect((await held.answer).statusCode).toBe(status)
  })

  it.each([200, 204, 304, 404, 409, 503])('never holds a %d', async (status) => {
    await useUp('/status/429')
    expect((await ask(`/status/${status}`).answer).statusCode).toBe(status)
  })

  it('holds nobody else: people are told apart by who they are, strangers by their address', async () => {
    await useUp('/status/429')
    await useUp(`/status/429/${PERSON}`)
    const free = [ask('/status/429', '192.0.2.2'), ask('/status/403/another')]
    expect((await Promise.all(free.map(({ answer }) => answer))).map(({ statusCode }) => statusCode)).toEqual([
      429, 403,
    ])
    const held = [ask('/status/429'), ask(`/status/403/${PERSON}`, '192.0.2.3')]
    await settle()
    expect(held.map(({ isAnswered }) => isAnswered)).toEqual([false, false])
    await clock.advance(SETTINGS.delayMs)
    await Promise.all(held.map(({ answer }) => answer))
  })

  it('holds only so many, and ends the connections of the rest', async () => {
    await useUp('/status/429')
    const held = ask('/status/429')
    await settle()
    expect((await ask('/status/429').answer).headers.connection).toBe('close')
    await clock.advance(SETTINGS.delayMs)
    expect((await held.answer).headers.connection).not.toBe('close')
  })

  it('tells what it holds when the gateway stops', async () => {
    await useUp('/status/429')
    const held = ask('/status/429')
    await settle()
    await app.close()
    expect((await held.answer).statusCode).toBe(429)
    expect(clock.pending).toBe(0)
  })
})
