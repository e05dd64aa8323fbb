// A stock y-websocket client that writes numbered tokens and keeps books on which of them were acknowledged as durable.
import { randomUUID } from 'node:crypto'

import { createIncidentEditor, FRAME, readIncident, SYNC, tryReadOwnFrame } from '@watchroom/shared/collab'
import * as decoding from 'lib0/decoding'
import { WebSocket } from 'ws'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'

import type { SignedInPerson } from './incidentGateway.ts'

/** A comment takes 10,000 characters; a token has nine. */
const TOKENS_PER_COMMENT = 200

export interface CountingWriter {
  readonly doc: Y.Doc
  readonly provider: WebsocketProvider
  readonly issued: readonly string[]
  readonly acknowledged: ReadonlySet<string>
  /** Close codes of this client's sockets, oldest first; 1006 is a crash or a refused connection. */
  readonly closeCodes: readonly number[]
  /** Monotonic milliseconds of the newest acknowledgement that covered a token. */
  acknowledgedAt(): number
  /** Writes the next token, connected or not. */
  write(): void
  close(): void
}

export interface CountingWriterOptions {
  readonly url: string
  readonly incidentId: string
  readonly hypothesisId: string
  readonly person: Pick<SignedInPerson, 'id' | 'session'>
  /** One letter, this writer's own. */
  readonly label: string
}

export function createCountingWriter(options: CountingWriterOptions): CountingWriter {
  const headers = { cookie: `ory_kratos_session=${options.person.session}`, origin: options.url }
  const issued: string[] = []
  const acknowledged = new Set<string>()
  let acknowledgedAt = 0
  /** Tokens of the edit being made: it is sent synchronously. */
  let current: string[] = []

  class BookkeepingSocket extends WebSocket {
    /** Per update-bearing frame of this connection, in order: the tokens it makes durable. */
    readonly frames: string[][] = []

    constructor(address: string, protocols?: string[]) {
      super(address, protocols, { headers })
      this.on('message', (data: Buffer) => this.#read(data))
    }

    override send(data: Uint8Array, ...rest: unknown[]): void {
      const decoder = decoding.createDecoder(data)
      if (decoding.readVarUint(decoder) === FRAME.sync) {
        const step = decoding.readVarUint(decoder)
        if (step === SYNC.update) this.frames.push(current)
        // Whatever the server lacks: every token it has not acknowledged is in it, or on its disk already.
        if (step === SYNC.step2) this.frames.push(issued.filter((token) => !acknowledged.has(token)))
      }
      super.send(data, ...(rest as []))
    }

    #read(data: Buffer): void {
      const decoder = decoding.createDecoder(new Uint8Array(data))
      if (decoding.readVarUint(decoder) !== FRAME.ack) return
      const ack = tryReadOwnFrame('ack', decoder)
      for (const frame of this.frames.slice(0, ack?.received ?? 0)) {
        for (const token of frame.splice(0)) {
          acknowledged.add(token)
          acknowledgedAt = performance.now()
        }
      }
    }
  }

  const doc = new Y.Doc()
  const edit = createIncidentEditor(doc, {
    userId: options.person.id,
    now: () => new Date().toISOString(),
    newId: randomUUID,
    random: Math.random,
  })
  const provider = new WebsocketProvider(
    `${options.url.replace('http', 'ws')}/collab`,
    `incident/${options.incidentId}`,
    doc,
    {
      WebSocketPolyfill: BookkeepingSocket as unknown as typeof globalThis.WebSocket,
      disableBc: true,
      maxBackoffTime: 100,
    },
  )
  const closeCodes: number[] = []
  provider.on('connection-close', (event) => {
    if (event) closeCodes.push(event.code)
  })
  // A stock client writes a line to the console for each message type it does not know.
  for (const type of [FRAME.ack, FRAME.rejected, FRAME.role, FRAME.saved]) provider.messageHandlers[type] = () => {}
  let commentId: string | null = null

  return {
    doc,
    provider,
    issued,
    acknowledged,
    closeCodes,
    acknowledgedAt: () => acknowledgedAt,
    write: () => {
      const token = `${options.label}${String(issued.length).padStart(7, '0')};`
      issued.push(token)
      current = [token]
      if (commentId === null || issued.length % TOKENS_PER_COMMENT === 1) {
        commentId = edit.addComment({ hypothesisId: options.hypothesisId, body: token })
      } else {
        const body = edit.commentBody(commentId)
        body.insert(body.length, token)
      }
      current = []
    },
    close: () => provider.destroy(),
  }
}

/** How often each token stands in the document. */
export function countTokens(doc: Y.Doc): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { body } of readIncident(doc).comments) {
    for (const token of body.match(/[a-z]\d{7};/g) ?? []) counts.set(token, (counts.get(token) ?? 0) + 1)
  }
  return counts
}
