import { z } from 'zod'

// Socket.IO tells whether it is writable, not how much waits. The engine keeps packets in `writeBuffer` until its WebSocket
// has written the last batch, and the WebSocket counts what the operating system has not taken: the sum is the truth (LIVE-22).

const PacketsSchema = z.array(z.object({ data: z.union([z.string(), z.instanceof(Uint8Array)]).optional() }))
const ConnectionSchema = z.object({
  writeBuffer: z.array(z.unknown()),
  transport: z.object({ socket: z.object({ bufferedAmount: z.number() }).optional() }),
})

const looked = new WeakSet<object>()

/**
 * Bytes that wait in the engine and its WebSocket. Characters count as bytes: our messages are nearly all ASCII.
 *
 * @param connection Socket.IO's `socket.conn`
 */
export function bufferedBytes(connection: object): number {
  // Asked for every message to every socket: what a connection is like is looked at once.
  if (!looked.has(connection)) ConnectionSchema.parse(connection)
  looked.add(connection)
  const { writeBuffer, transport } = connection as z.infer<typeof ConnectionSchema>
  const unsent = transport.socket?.bufferedAmount ?? 0
  if (writeBuffer.length === 0) return unsent
  return PacketsSchema.parse(writeBuffer).reduce((sum, { data }) => sum + (data?.length ?? 0), unsent)
}

const TerminableSchema = z.object({
  transport: z.object({
    socket: z.object({ terminate: z.custom<() => void>((value) => typeof value === 'function') }),
  }),
})

/** Ends the connection without the closing handshake, for which a stuck peer would be given half a minute. */
export function terminate(connection: unknown): void {
  const terminable = TerminableSchema.safeParse(connection)
  // Called on the object itself: a copy would lose `this`.
  if (terminable.success) (connection as z.infer<typeof TerminableSchema>).transport.socket.terminate()
}

const PausableSchema = z.object({
  transport: z.object({
    socket: z.object({ pause: z.custom<() => void>((value) => typeof value === 'function') }),
  }),
})

/** Leaves what the peer sends where it is; the connection is about to end. */
export function pauseReading(connection: unknown): void {
  const pausable = PausableSchema.safeParse(connection)
  if (pausable.success) (connection as z.infer<typeof PausableSchema>).transport.socket.pause()
}
