import { WebSocket as WebSocketTransport } from 'socket.io-client'

declare global {
  interface Window {
    /** The socket that `firstQuestions.js` opened, the events since, and the message it sends when the socket opens. */
    watchroomSocket?: { readonly socket: WebSocket; readonly events: readonly Event[]; readonly hello: string }
  }
}

/** The first transport takes over the socket that the page opened ahead. Later ones, and one that comes too late, open their own. */
export class SocketAhead extends WebSocketTransport {
  /** The first message, if it was sent already. */
  #said: string | undefined

  override createSocket(...wanted: Parameters<WebSocketTransport['createSocket']>): unknown {
    const { socket, events = [], hello } = window.watchroomSocket ?? {}
    delete window.watchroomSocket
    const isOfUse = socket?.url === wanted[0] && socket.readyState <= WebSocket.OPEN
    if (!isOfUse) return super.createSocket(...wanted)
    // Sent as soon as the socket opened.
    if (events.length > 0) this.#said = hello
    // After the caller has attached its listeners.
    queueMicrotask(() => {
      for (const event of events) socket.dispatchEvent(event)
    })
    return socket
  }

  override doWrite(...[packet, data]: Parameters<WebSocketTransport['doWrite']>): void {
    if (data === this.#said) this.#said = undefined
    else super.doWrite(packet, data)
  }
}
