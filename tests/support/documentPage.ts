// A page on a shared document, over a real socket: its own copy, our editor, and an ear for every frame.
import { randomUUID } from 'node:crypto'

import {
  createIncidentEditor,
  FRAME,
  type IncidentEditor,
  type OwnFrame,
  type Rejected,
  SYNC,
  tryReadOwnFrame,
} from '@watchroom/shared/collab'
import * as decoding from 'lib0/decoding'
import { WebSocket } from 'ws'
import * as Y from 'yjs'

import { signedInAs } from './documentServer.ts'
import { until } from './processes.ts'
import { syncFrame } from './roomPeer.ts'

export interface DocumentPage {
  readonly doc: Y.Doc
  readonly edit: IncidentEditor
  readonly socket: WebSocket
  readonly own: OwnFrame[]
  /** Awareness messages received. */
  readonly awareness: Uint8Array[]
  /** The newest refusal; null while there was none. */
  rejected(): Rejected | null
  closed(): number | null
  /** Update frames sent that are not acknowledged. */
  unacknowledged(): number
  close(): void
}

export interface PageOptions {
  readonly userId: string
  /** What the page kept. */
  readonly doc?: Y.Doc
  /** As our own page says it, for example `page=1&beat=1`. */
  readonly query?: string
}

const OWN = ['ack', 'rejected', 'role', 'saved', 'beat'] as const

/** Resolves when the page has the document, or was sent away. */
export async function openPage(url: string, { userId, doc = new Y.Doc(), query }: PageOptions): Promise<DocumentPage> {
  const socket = new WebSocket(query === undefined ? url : `${url}?${query}`, { headers: signedInAs(userId) })
  const own: OwnFrame[] = []
  const awareness: Uint8Array[] = []
  let closed: number | null = null
  let isSynced = false
  let sent = 0
  let received = 0

  const send = (step: number, body: Uint8Array): void => {
    if (socket.readyState !== socket.OPEN) return
    if (step !== SYNC.step1) sent += 1
    socket.send(syncFrame(step, body))
  }
  doc.on('update', (update: Uint8Array, origin: unknown) => {
    if (origin !== socket) send(SYNC.update, update)
  })
  socket.on('open', () => send(SYNC.step1, Y.encodeStateVector(doc)))
  socket.on('error', () => undefined)
  socket.on('close', (code) => {
    closed = code
  })
  socket.on('message', (data: Buffer) => {
    const decoder = decoding.createDecoder(new Uint8Array(data))
    const type = decoding.readVarUint(decoder)
    if (type === FRAME.awareness) awareness.push(decoding.readVarUint8Array(decoder))
    if (type === FRAME.sync) {
      const step = decoding.readVarUint(decoder)
      const body = decoding.readVarUint8Array(decoder)
      if (step === SYNC.step1) send(SYNC.step2, Y.encodeStateAsUpdate(doc, body))
      else Y.applyUpdate(doc, body, socket)
      if (step === SYNC.step2) isSynced = true
      return
    }
    const name = OWN.find((each) => FRAME[each] === type)
    const value = name ? tryReadOwnFrame(name, decoder) : null
    if (!name || !value) return
    const frame = { type: name, value } as OwnFrame
    own.push(frame)
    if (frame.type === 'ack') received = frame.value.received
  })
  await until(() => isSynced || closed !== null, { what: 'the document, or the end', maxMs: 15_000 })
  const edit = createIncidentEditor(doc, {
    userId,
    now: () => new Date().toISOString(),
    newId: randomUUID,
    random: Math.random,
  })
  return {
    doc,
    edit,
    socket,
    own,
    awareness,
    rejected: () => own.findLast((frame) => frame.type === 'rejected')?.value ?? null,
    closed: () => closed,
    unacknowledged: () => sent - received,
    close: () => socket.terminate(),
  }
}
