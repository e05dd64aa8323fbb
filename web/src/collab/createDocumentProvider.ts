// Speaks the y-websocket protocol through the stock provider, with changes (COLLAB-2, COLLAB-4): our own frames, control over
// outgoing updates, presence that sends only its own state, and no automatic reconnect.

import { FRAME, type OwnFrame, SYNC, toDocumentName, tryReadOwnFrame } from '@watchroom/shared/collab'
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import { type Awareness, encodeAwarenessUpdate } from 'y-protocols/awareness'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'

import { PAGE_ORGANIZATION } from '../url/pageOrganization.ts'

export interface DocumentProviderDeps {
  readonly incidentId: string
  /** Address of the documents, for example `wss://host/collab`. */
  readonly serverUrl: string
  readonly openSocket: (url: string) => WebSocket
}

/** None is called once the provider is closed. */
export interface DocumentProviderEvents {
  readonly onFrame: (frame: OwnFrame) => void
  /** An update goes out. */
  readonly onFrameSent: () => void
  /** The document holds everything the server has. */
  readonly onSynced: () => void
  /** The connection ended. */
  readonly onLost: () => void
  /** Its socket has closed, too; null when it was closed here. */
  readonly onClosed: (code: number | null) => void
  /** Others wrote something; `takeIn` applies it to the document. */
  readonly onWaiting: () => void
  /** The gateway sent something, whatever it was. */
  readonly onHeard: () => void
}

export interface DocumentProvider {
  /** Applies what others have written to the document as one change, so that fields, lists and storage update once. */
  readonly takeIn: () => void
  readonly isSynced: () => boolean
  /** @param epoch of the content that this browser already has */
  readonly connect: (epoch: string | null) => void
  readonly disconnect: () => void
  readonly close: () => void
}

/** Asks for heartbeats (COLLAB-27), and names the page's organization. */
const WISHES = { beat: '1', ...(PAGE_ORGANIZATION === undefined ? {} : { organization: PAGE_ORGANIZATION }) }

export function createDocumentProvider(
  awareness: Awareness,
  { incidentId, serverUrl, openSocket }: DocumentProviderDeps,
  events: DocumentProviderEvents,
): DocumentProvider {
  const { doc } = awareness
  let isClosed = false
  const provider = new WebsocketProvider(serverUrl, toDocumentName('incident', incidentId), doc, {
    awareness,
    connect: false,
    // Otherwise tabs would exchange edits without the server's checks, even across two logins.
    disableBc: true,
    // Called with `new`; a constructor may return another object.
    WebSocketPolyfill: function Socket(url: string) {
      return watchFrames(openSocket(url), events.onFrameSent)
    } as unknown as typeof WebSocket,
    shouldReconnect: () => false,
  })

  provider.on('sync', (isSynced: boolean) => {
    if (isSynced && !isClosed) events.onSynced()
  })
  provider.on('connection-close', (event: { code: number } | null) => {
    // The stock provider would reconnect by itself, without jitter; here the owner decides when.
    provider.shouldConnect = false
    events.onLost()
    // The provider is still closing; listeners must find it closed.
    queueMicrotask(() => {
      if (!isClosed) events.onClosed(event?.code ?? null)
    })
  })
  for (const type of ['ack', 'rejected', 'role', 'saved', 'beat'] as const) {
    provider.messageHandlers[FRAME[type]] = (_encoder, decoder) => {
      const value = tryReadOwnFrame(type, decoder)
      if (value && !isClosed) events.onFrame({ type, value } as OwnFrame)
    }
  }
  const takeIn = holdUpdates(provider, events.onWaiting)
  // Any message proves that the link is alive.
  provider.messageHandlers = provider.messageHandlers.map((handle) => (...message) => {
    events.onHeard()
    handle(...message)
  })
  sendOwnPresence(provider)

  return {
    takeIn,
    isSynced: () => provider.synced,
    connect: (epoch) => {
      // The epoch lets the gateway refuse a copy of another lineage before any of it arrives (COLLAB-19).
      provider.params = { ...WISHES, page: String(doc.clientID), ...(epoch === null ? {} : { epoch }) }
      provider.connect()
    },
    disconnect: () => provider.disconnect(),
    close: () => {
      isClosed = true
      // Says goodbye while there is a socket; otherwise others would see this peer for a few more seconds.
      awareness.setLocalState(null)
      provider.destroy()
      awareness.destroy()
    },
  }
}

/** @returns a function that applies what is waiting */
function holdUpdates(provider: WebsocketProvider, onWaiting: () => void): () => void {
  let waiting: Uint8Array[] = []
  const handleSync = provider.messageHandlers[FRAME.sync]
  provider.messageHandlers[FRAME.sync] = (encoder, decoder, ...rest) => {
    const start = decoder.pos
    if (decoding.readVarUint(decoder) === SYNC.update) {
      waiting.push(decoding.readVarUint8Array(decoder))
      onWaiting()
      return
    }
    decoder.pos = start
    handleSync?.(encoder, decoder, ...rest)
  }
  return () => {
    if (waiting.length === 0) return
    const updates = waiting
    waiting = []
    const apply = (): void => {
      for (const update of updates) Y.applyUpdate(provider.doc, update, provider)
    }
    Y.transact(provider.doc, apply, provider, false)
  }
}

/** Sends only this page's state: the stock handler sends every state it hears back to the server. */
function sendOwnPresence(provider: WebsocketProvider): void {
  const { awareness, doc } = provider
  // oxlint-disable-next-line no-underscore-dangle -- the provider has no option for it; the name is part of its types
  awareness.off('update', provider._awarenessUpdateHandler)
  awareness.on('update', ({ removed }: { removed: number[] }, origin: unknown) => {
    const { ws } = provider
    if (!(origin === 'local' || removed.includes(doc.clientID)) || !provider.wsconnected || ws === null) return
    const encoder = encoding.createEncoder()
    encoding.writeVarUint(encoder, FRAME.awareness)
    encoding.writeVarUint8Array(encoder, encodeAwarenessUpdate(awareness, [doc.clientID]))
    ws.send(encoding.toUint8Array(encoder))
  })
}

/**
 * Counts outgoing updates. Holds back updates until the server's state vector has been answered: an update may build on offline
 * edits that only the answer contains, and the answer, composed later, contains the update as well.
 */
function watchFrames(socket: WebSocket, onFrameSent: () => void): WebSocket {
  const send = socket.send.bind(socket)
  let hasAnswered = false
  socket.send = (data) => {
    // The gateway may have closed it the moment it opened; the browser would then complain about every frame.
    if (socket.readyState !== socket.OPEN) return
    const step = data instanceof Uint8Array ? readSyncStep(data) : null
    if (step === SYNC.update && !hasAnswered) return
    send(data)
    if (step === SYNC.step2) hasAnswered = true
    if (step === SYNC.step2 || step === SYNC.update) onFrameSent()
  }
  return socket
}

/** Step of a sync frame, or null for any other frame. */
function readSyncStep(frame: Uint8Array): number | null {
  const decoder = decoding.createDecoder(frame)
  return decoding.readVarUint(decoder) === FRAME.sync ? decoding.readVarUint(decoder) : null
}
