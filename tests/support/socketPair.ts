// Two queues instead of a socket: a test decides which message arrives when, twice, out of order, or never.

export interface Queue {
  /** Messages under way, oldest first, as the text that would be on the wire. */
  readonly messages: string[]
  push(message: unknown): void
  /** Delivers the message at `index`; the oldest by default. */
  deliver(index?: number): void
  drop(index?: number): void
  /** A second copy, right behind the first. */
  duplicate(index?: number): void
  /** Moves the message at `index` one place back. */
  swap(index: number): void
}

export interface SocketPair {
  readonly toServer: Queue
  readonly toClient: Queue
  readonly isOpen: () => boolean
  /** Ends the socket for both sides; what is under way is lost. */
  readonly cut: () => void
}

const BYTES = '$bytes'

/** What JSON cannot carry travels as Socket.IO's binary attachments would. */
const encode = (message: unknown): string =>
  JSON.stringify(message, (_key, value: unknown) => (isBytes(value) ? { [BYTES]: toBase64(value) } : value))

const decode = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && BYTES in value
      ? new Uint8Array(Buffer.from(String(value[BYTES]), 'base64'))
      : value,
  )

/** Node's Buffer turns itself into plain fields before the replacer sees it. */
const isBytes = (value: unknown): value is Uint8Array | { type: 'Buffer'; data: number[] } =>
  value instanceof Uint8Array ||
  (typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value)

const toBase64 = (value: Uint8Array | { data: number[] }): string =>
  Buffer.from(value instanceof Uint8Array ? value : value.data).toString('base64')

function createQueue(receive: (message: unknown) => void): Queue {
  const messages: string[] = []
  return {
    messages,
    push: (message) => messages.push(encode(message)),
    deliver: (index = 0) => {
      const [text] = messages.splice(index, 1)
      if (text !== undefined) receive(decode(text))
    },
    drop: (index = 0) => {
      messages.splice(index, 1)
    },
    duplicate: (index = 0) => {
      const text = messages[index]
      if (text !== undefined) messages.splice(index + 1, 0, text)
    },
    swap: (index) => {
      const [text] = messages.splice(index, 1)
      if (text !== undefined) messages.splice(index + 1, 0, text)
    },
  }
}

export function createSocketPair(ends: {
  readonly server: { receive: (message: unknown) => void; closed: () => void }
  readonly client: { receive: (message: unknown) => void; closed: () => void }
}): SocketPair {
  let isOpen = true
  const toServer = createQueue((message) => isOpen && ends.server.receive(message))
  const toClient = createQueue((message) => isOpen && ends.client.receive(message))
  return {
    toServer,
    toClient,
    isOpen: () => isOpen,
    cut: () => {
      if (!isOpen) return
      isOpen = false
      toServer.messages.length = 0
      toClient.messages.length = 0
      ends.server.closed()
      ends.client.closed()
    },
  }
}
