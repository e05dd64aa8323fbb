import { WebSocket as WebSocketTransport } from 'socket.io-client'

declare global {
  interface Window {
    /** What the page opened while it began to load (`firstQuestions.js`), what was heard of it since, and how it said who asks. */
    watchroomSocket?: { readonly socket: WebSocket; readonly events: readonly Event[]; readonly hello: string }
  }
}

/** Goes on with the socket that the page opened ahead: the first who opens one. For whoever comes later, or too late, a new one is opened. */
export class SocketAhead extends WebSocketTransport {
  /** What need not be said again. */
  #said: string | undefined

  override createSocket(...wanted: Parameters<WebSocketTransport['createSocket']>): unknown {
    const { socket, events = [], hello } = window.watchroomSocket ?? {}
    delete window.watchroomSocket
    const isOfUse = socket?.url === wanted[0] && socket.readyState <= WebSocket.OPEN
    if (!isOfUse) return super.createSocket(...wanted)
    // It is said when the socket opens.
    if (events.length > 0) this.#said = hello
    // Whoever asked for it listens by then.
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
