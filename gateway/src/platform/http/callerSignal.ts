// Tells when nobody waits for an answer any more. Works after an `await` too: the caller may have left meanwhile, when the event itself
// is already over.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { FastifyReply } from 'fastify'

/** One listener per response and per socket, however many callbacks and requests there are. */
const handlersOf = new WeakMap<ServerResponse, (() => void)[]>()
const openOn = new WeakMap<Socket, Set<() => void>>()

/** Calls back once, when the answer was sent or the caller has gone; at once if that has happened already. */
export function onceEnded({ raw: response, request }: FastifyReply, handleEnd: () => void): void {
  const { socket } = request.raw
  if (isOver(response, socket)) return handleEnd()
  const handlers = handlersOf.get(response) ?? listenTo(response, socket)
  handlers.push(handleEnd)
}

const isOver = (response: ServerResponse, socket: Socket): boolean => response.destroyed || socket.destroyed

/** The caller has left, and what was done for them ended with that: nothing failed. */
export const isBrokenOff = (error: Error, { raw, request }: FastifyReply): boolean =>
  isOver(raw, request.raw.socket) &&
  (error.name === 'AbortError' || ('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'))

function listenTo(response: ServerResponse, socket: Socket): (() => void)[] {
  const handlers: (() => void)[] = []
  handlersOf.set(response, handlers)
  // An answer that stands behind another one of its socket is not told that the socket has closed.
  const open = openOn.get(socket) ?? listenToSocket(socket)
  const end = (): void => {
    response.off('close', end)
    open.delete(end)
    for (const handle of handlers.splice(0)) handle()
  }
  open.add(end)
  response.once('close', end)
  return handlers
}

function listenToSocket(socket: Socket): Set<() => void> {
  const open = new Set<() => void>()
  openOn.set(socket, open)
  socket.once('close', () => {
    for (const end of open) end()
  })
  return open
}

/** Aborted when the caller goes before the answer was sent, and from the beginning if they have gone already. */
export function callerSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  onceEnded(reply, () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  return gone.signal
}
