import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

import Fastify, { type FastifyReply } from 'fastify'
import { expect, it, onTestFinished } from 'vitest'

import { eventually } from '#support/eventually.ts'

import { callerSignal, isBrokenOff, onceEnded } from '../../../../gateway/src/platform/http/callerSignal.ts'

/** A server that keeps what it was asked, and answers when it is told to. */
async function startServer(): Promise<{ asked: FastifyReply[]; connectTo: () => Promise<Socket> }> {
  const asked: FastifyReply[] = []
  const app = Fastify()
  app.get('/', (_request, reply) => void asked.push(reply))
  const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    return app.close()
  })
  return {
    asked,
    connectTo: async () => {
      const socket = connect(Number(address.port), address.hostname)
      sockets.push(socket)
      await once(socket, 'connect')
      return socket
    },
  }
}

const ASK = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'

async function askedOnce(count = 1): Promise<{ replies: FastifyReply[]; socket: Socket }> {
  const { asked, connectTo } = await startServer()
  const socket = await connectTo()
  socket.write(ASK.repeat(count))
  await eventually(() => expect(asked).toHaveLength(count))
  return { replies: asked, socket }
}

const first = <Item>([item]: readonly Item[]): Item => {
  if (item === undefined) throw new Error('there is none')
  return item
}

it('says that a caller goes', async () => {
  const { replies, socket } = await askedOnce()
  const signal = callerSignal(first(replies))
  expect(signal.aborted).toBe(false)
  socket.destroy()
  await eventually(() => expect(signal.aborted).toBe(true))
  expect(signal.reason).toMatchObject({ name: 'AbortError' })
})

it('tells what ends with its caller from what fails', async () => {
  const { replies, socket } = await askedOnce(2)
  const isGivenUp = (): boolean[] =>
    [new DOMException('given up', 'AbortError'), new Error('it broke')].flatMap((error) =>
      replies.map((reply) => isBrokenOff(error, reply)),
    )
  expect(isGivenUp()).toEqual([false, false, false, false])
  const closed = once(first(replies).request.raw.socket, 'close')
  socket.destroy()
  await closed
  expect(isGivenUp()).toEqual([true, true, false, false])
})

it('says at once that a caller has gone who left before anyone listened', async () => {
  const { replies, socket } = await askedOnce()
  const reply = first(replies)
  socket.destroy()
  await once(reply.raw, 'close')
  expect(callerSignal(reply).aborted).toBe(true)
  let ended = 0
  onceEnded(reply, () => (ended += 1))
  expect(ended).toBe(1)
})

it('says so of each answer that stands in line on one socket, whenever someone listens', async () => {
  const { replies, socket } = await askedOnce(30)
  const early = replies.slice(0, 20).map(callerSignal)
  let ended = 0
  for (const reply of replies.slice(0, 20)) onceEnded(reply, () => (ended += 1))
  const closed = once(first(replies).request.raw.socket, 'close')
  socket.destroy()
  await closed
  expect(new Set(early.map(({ aborted }) => aborted))).toEqual(new Set([true]))
  expect(ended).toBe(20)
  expect(new Set(replies.map((reply) => callerSignal(reply).aborted))).toEqual(new Set([true]))
})

it('takes nobody for gone who got their answer, and tells the next one on the same socket apart', async () => {
  const { asked, connectTo } = await startServer()
  const socket = await connectTo()
  socket.resume().write(ASK)
  await eventually(() => expect(asked).toHaveLength(1))
  const answered = callerSignal(first(asked))
  let ended = 0
  onceEnded(first(asked), () => (ended += 1))
  first(asked).send('here')
  await eventually(() => expect(ended).toBe(1))

  socket.write(ASK)
  await eventually(() => expect(asked).toHaveLength(2))
  const next = callerSignal(first(asked.slice(1)))
  socket.destroy()
  await eventually(() => expect(next.aborted).toBe(true))
  expect([answered.aborted, ended]).toEqual([false, 1])
})

it('adds one listener to a response and to its socket, however many listen', async () => {
  const { replies } = await askedOnce()
  const { raw, request } = first(replies)
  const count = (): number[] => [raw.listenerCount('close'), request.raw.socket.listenerCount('close')]
  const before = count()
  for (let index = 0; index < 12; index++) onceEnded(first(replies), () => undefined)
  expect(count()).toEqual(before.map((listeners) => listeners + 1))
})
