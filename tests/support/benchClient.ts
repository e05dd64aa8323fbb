// A raw client of a document server for benchmarks: no editor, and what others write is at most looked at, never applied. One
// process can hold hundreds of them.
import { FRAME, SYNC, tryReadOwnFrame } from '@watchroom/shared/collab'
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import { WebSocket } from 'ws'
import * as Y from 'yjs'

export interface Wire {
  readonly url: string
  readonly headers: Record<string, string>
  /** Hocuspocus puts the document's name before every message and wants to hear a token first. */
  readonly prefix: string | null
}

/** When edits were sent, by client id and clock of their first struct. */
export type SentEdits = Map<string, number>

export interface BenchClient {
  readonly doc: Y.Doc
  readonly socket: WebSocket
  readonly isSynced: () => boolean
  /** Milliseconds from sending to arrival here, of edits that others made. */
  readonly latencies: number[]
  /** Milliseconds from sending to the durable acknowledgement; empty where a server gives none. */
  readonly ackLatencies: number[]
  /** Frames with changes that were sent, the answer to the greeting among them, and how many of them are acknowledged. */
  readonly frames: () => { readonly sent: number; readonly acknowledged: number }
  readonly awarenessFrames: () => number
  readonly closed: () => number | null
  /** Edits of its own that the server refused. */
  readonly rejections: () => number
  /** Sends what `change` does to the document as one update. */
  write(change: (doc: Y.Doc) => void): void
  announce(clock: number, state: unknown): void
  close(): void
}

/** @param sent of all whose latencies are wanted; without it nobody spends time on reading what they wrote */
export function openBenchClient(wire: Wire, sent?: SentEdits): BenchClient {
  const doc = new Y.Doc()
  const socket = new WebSocket(wire.url, { headers: wire.headers, perMessageDeflate: false })
  const latencies: number[] = []
  const ackLatencies: number[] = []
  /** Moments at which update frames were sent, until they are acknowledged. */
  const unacknowledged: number[] = []
  let acknowledged = 0
  let awarenessFrames = 0
  let isSynced = false
  let closed: number | null = null
  let rejections = 0

  const send = (write: (encoder: encoding.Encoder) => void): void => {
    if (socket.readyState !== socket.OPEN) return
    const encoder = encoding.createEncoder()
    if (wire.prefix !== null) encoding.writeVarString(encoder, wire.prefix)
    write(encoder)
    socket.send(encoding.toUint8Array(encoder))
  }
  const sendSync = (step: number, body: Uint8Array): void => {
    if (step !== SYNC.step1) unacknowledged.push(performance.now())
    send((encoder) => {
      encoding.writeVarUint(encoder, FRAME.sync)
      encoding.writeVarUint(encoder, step)
      encoding.writeVarUint8Array(encoder, body)
    })
  }

  socket.on('error', () => undefined)
  socket.on('close', (code) => {
    closed = code
  })
  socket.on('open', () => {
    if (wire.prefix !== null) {
      send((encoder) => {
        encoding.writeVarUint(encoder, FRAME.auth)
        encoding.writeVarUint(encoder, 0)
        encoding.writeVarString(encoder, 'token')
      })
    }
    sendSync(SYNC.step1, Y.encodeStateVector(doc))
  })
  socket.on('message', (data: Buffer) => {
    const decoder = decoding.createDecoder(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    if (wire.prefix !== null) decoding.readVarString(decoder)
    const type = decoding.readVarUint(decoder)
    // 4 is Hocuspocus' answer to a question for what is missing.
    if (type === FRAME.sync || (type === 4 && wire.prefix !== null)) receiveSync(decoder)
    else if (type === FRAME.awareness) awarenessFrames += 1
    else if (type === FRAME.rejected) rejections += 1
    else if (type === FRAME.ack) {
      const received = tryReadOwnFrame('ack', decoder)?.received ?? 0
      const now = performance.now()
      ackLatencies.push(...unacknowledged.slice(acknowledged, received).map((sentAt) => now - sentAt))
      acknowledged = Math.max(acknowledged, received)
    }
  })

  const receiveSync = (decoder: decoding.Decoder): void => {
    const step = decoding.readVarUint(decoder)
    const body = decoding.readVarUint8Array(decoder)
    if (step === SYNC.step1) sendSync(SYNC.step2, Y.encodeStateAsUpdate(doc, body))
    else if (step === SYNC.step2) {
      Y.applyUpdate(doc, body)
      isSynced = true
    } else if (sent) {
      const now = performance.now()
      // The server's own stamps may come before them in one update.
      for (const { id } of Y.decodeUpdate(body).structs) {
        const sentAt = sent.get(`${id.client}:${id.clock}`)
        if (sentAt !== undefined) latencies.push(now - sentAt)
      }
    }
  }

  return {
    doc,
    socket,
    isSynced: () => isSynced,
    latencies,
    ackLatencies,
    frames: () => ({ sent: unacknowledged.length, acknowledged }),
    awarenessFrames: () => awarenessFrames,
    closed: () => closed,
    rejections: () => rejections,
    write: (change) => {
      const before = Y.encodeStateVector(doc)
      const clock = Y.getState(doc.store, doc.clientID)
      doc.transact(() => change(doc))
      sent?.set(`${doc.clientID}:${clock}`, performance.now())
      sendSync(SYNC.update, Y.encodeStateAsUpdate(doc, before))
    },
    announce: (clock, state) =>
      send((encoder) => {
        const inner = encoding.createEncoder()
        encoding.writeVarUint(inner, 1)
        encoding.writeVarUint(inner, doc.clientID)
        encoding.writeVarUint(inner, clock)
        encoding.writeVarString(inner, JSON.stringify(state))
        encoding.writeVarUint(encoder, FRAME.awareness)
        encoding.writeVarUint8Array(encoder, encoding.toUint8Array(inner))
      }),
    close: () => socket.terminate(),
  }
}
