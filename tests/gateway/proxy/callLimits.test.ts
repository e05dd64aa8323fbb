import { once } from 'node:events'
import { request as ask } from 'node:http'
import { connect } from 'node:net'

import { findRoute } from '@watchroom/shared/access'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { expect, it, onTestFinished } from 'vitest'

import { eventually } from '#support/eventually.ts'
import { FakeClock } from '#support/fakeClock.ts'

import { createCallLimits, enterLine } from '../../../gateway/src/proxy/callLimits.ts'

const PERSON = '018f0000-0000-7000-8000-0000000000a1'
/** Of one person, in the database. */
const PLACES = 4

it('keeps no place for a caller who was gone before their place was asked for', async () => {
  const found = findRoute('GET', '/db/people')
  if (found.kind !== 'found') throw new Error('there is no such route')
  const limits = createCallLimits(new FakeClock())
  let arrived = 0
  const outcomes: unknown[] = []
  const app = Fastify()
  onTestFinished(() => app.close())
  // As a call is judged: who asks, and what they may do, takes a while.
  app.get('/people', async (request: FastifyRequest, reply: FastifyReply) => {
    Object.assign(request, { identity: { userId: PERSON } })
    arrived += 1
    await once(reply.raw, 'close')
    outcomes.push(await enterLine(request, reply, found.rule, limits).catch((error: unknown) => error))
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })

  for (let call = 1; call <= PLACES; call++) {
    const left = ask(`${address}/people`).on('error', () => undefined)
    left.end()
    await eventually(() => expect(arrived).toBe(call))
    left.destroy()
    await eventually(() => expect(outcomes).toHaveLength(call))
  }

  for (const outcome of outcomes) expect(outcome).toMatchObject({ code: 'PROXY_CALLER_GONE' })
  const { signal } = new AbortController()
  const places = await Promise.all(
    Array.from({ length: PLACES }, async () => (await limits.perPerson.database.enter(PERSON, signal)).kind),
  )
  expect(places).toEqual(Array.from({ length: PLACES }, () => 'entered'))
})

it('gives back the places of calls that stood in line on one socket when their caller left', async () => {
  const found = findRoute('GET', '/db/people')
  if (found.kind !== 'found') throw new Error('there is no such route')
  const limits = createCallLimits(new FakeClock())
  let entered = 0
  const app = Fastify()
  onTestFinished(() => app.close())
  app.get('/people', async (request: FastifyRequest, reply: FastifyReply) => {
    Object.assign(request, { identity: { userId: PERSON } })
    await enterLine(request, reply, found.rule, limits)
    entered += 1
    await once(request.raw.socket, 'close')
  })
  const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(address.port), address.hostname)
  socket.write('GET /people HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(PLACES))
  await eventually(() => expect(entered).toBe(PLACES))
  socket.destroy()

  const { signal } = new AbortController()
  const places = await Promise.all(
    Array.from({ length: PLACES }, async () => (await limits.perPerson.database.enter(PERSON, signal)).kind),
  )
  expect(places).toEqual(Array.from({ length: PLACES }, () => 'entered'))
})
