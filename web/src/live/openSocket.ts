import { type Hello, LIVE_EVENT, PACKED_ENCODING, PROTOCOL_VERSIONS } from '@watchroom/shared/protocol'
import { io, WebSocket as WebSocketTransport } from 'socket.io-client'

import { PAGE_ORGANIZATION } from '../url/pageOrganization.ts'
import type { Inflate, OpenSocket } from './contract.ts'
import { SocketAhead } from './socketAhead.ts'

// The only importer of socket.io-client. Its reconnection is off: `createLink` decides when to come back.

/** Inflates in the browser's native code. Wrapping the bytes in a `Blob` would cost milliseconds per message. */
export const inflateRaw: Inflate = (data) => {
  const packed = new Response(data as Uint8Array<ArrayBuffer>).body
  return new Response(packed?.pipeThrough(new DecompressionStream('deflate-raw'))).text()
}

/**
 * @param url address of the gateway; empty for the page's own
 * @param headers sent with the handshake; only outside of browsers
 * @param as whose credential to use: a person's session, or that of a screen without an account
 */
export function createOpenSocket(url = '', headers?: Record<string, string>, as: Hello['as'] = 'person'): OpenSocket {
  return (handlers) => {
    const hello: Hello = { versions: [...PROTOCOL_VERSIONS], encodings: [PACKED_ENCODING], as }
    const socket = io(url, {
      path: '/socket.io/',
      ...(url === ''
        ? { transportImplementations: [as === 'person' ? SocketAhead : WebSocketTransport] }
        : { transports: ['websocket'] }),
      forceNew: true,
      reconnection: false,
      auth: hello,
      ...(PAGE_ORGANIZATION === undefined ? {} : { query: { organization: PAGE_ORGANIZATION } }),
      ...(headers ? { extraHeaders: headers } : {}),
    })
    socket.on(LIVE_EVENT, (raw: unknown) => handlers.onMessage(raw))
    socket.on('connect_error', (error: Error & { data?: unknown }) => handlers.onRefused(error.data))
    socket.on('disconnect', () => handlers.onClose())
    return {
      send: (message) => {
        socket.emit(LIVE_EVENT, message)
      },
      close: () => {
        socket.removeAllListeners()
        socket.disconnect()
      },
    }
  }
}
