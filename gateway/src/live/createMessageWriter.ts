import { LIVE_EVENT, type ServerMessage } from '@watchroom/shared/protocol'
import type { Server, Socket } from 'socket.io'

/** Of Socket.IO's packets those that carry an event. */
const EVENT = 2
const MAX_SHORT = 125
const MAX_MEDIUM = 65_535

/** What the engine is given for one packet: what it is, and that as a frame of the WebSocket, as Socket.IO itself broadcasts. */
interface Written {
  readonly data: string | Buffer
  readonly options: { readonly compress: false; readonly wsPreEncodedFrame: readonly Buffer[] }
}

/** Writes messages to sockets in the order of the calls. One that several sockets get as the identical object is encoded once. */
export function createMessageWriter(io: Server): (socket: Socket, message: ServerMessage) => void {
  const known = new WeakMap<ServerMessage, readonly Written[]>()
  const encode = (message: ServerMessage): readonly Written[] =>
    io.encoder
      .encode({ type: EVENT, nsp: '/', data: [LIVE_EVENT, message] })
      .map((data: string | Buffer) => ({ data, options: { compress: false, wsPreEncodedFrame: [toFrame(data)] } }))

  return (socket, message) => {
    const written = known.get(message) ?? encode(message)
    known.set(message, written)
    for (const { data, options } of written) socket.conn.write(data, options)
  }
}

/** One whole message of a WebSocket, as a server sends it: without a mask. @param data text is a packet of the engine, bytes are one */
function toFrame(data: string | Uint8Array): Buffer {
  // In front of text the engine says that it is a message.
  const payload = typeof data === 'string' ? Buffer.from(`4${data}`) : data
  const length = payload.length
  const header = Buffer.alloc(length <= MAX_SHORT ? 2 : length <= MAX_MEDIUM ? 4 : 10)
  header[0] = typeof data === 'string' ? 0x81 : 0x82
  if (length <= MAX_SHORT) header[1] = length
  else if (length <= MAX_MEDIUM) {
    header[1] = 126
    header.writeUInt16BE(length, 2)
  } else {
    header[1] = 127
    header.writeBigUInt64BE(BigInt(length), 2)
  }
  return Buffer.concat([header, payload])
}
