// One life of a document in this browser: from its first byte to a refusal, which starts the next life with an empty
// document. Speaks the y-websocket protocol through the stock provider and adds what that leaves out (COLLAB-2, COLLAB-4):
// our own frames, which updates are durable, and a presence that sends its own state alone.

import {
  createIncidentEditor,
  createIncidentReader,
  createUndoStack,
  DocumentEditError,
  FRAME,
  type IncidentEditor,
  type IncidentView,
  type OwnFrame,
  rootOf,
  SYNC,
  toDocumentName,
  tryReadOwnFrame,
  TYPING_ORIGIN,
  type UndoStack,
} from '@watchroom/shared/collab'
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import { Awareness, encodeAwarenessUpdate } from 'y-protocols/awareness'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'

import { createEditLedger, type EditLedger } from './createEditLedger.ts'
import { uuidV7 } from './uuidV7.ts'

export interface DocumentLifeDeps {
  readonly incidentId: string
  readonly userId: string
  /** Address of the documents, for example `wss://host/collab`. */
  readonly serverUrl: string
  readonly openSocket: (url: string) => WebSocket
  /** Milliseconds since the epoch, by the server's clock as far as it is known. */
  readonly now: () => number
  readonly random: () => number
  readonly canWrite: () => boolean
  readonly onFrame: (frame: OwnFrame) => void
  /** The document holds everything the server has. */
  readonly onSynced: () => void
  /** The socket ended; null when it was closed here. Nothing connects again by itself. */
  readonly onClosed: (code: number | null) => void
  /** `command`: an own edit other than typing, whose result the screen shows at once. */
  readonly onChange: (by: 'command' | 'typing' | 'others') => void
  /** Others wrote something that `takeIn` brings into the document. */
  readonly onWaiting: () => void
  readonly onPresence: () => void
  /** The gateway said something, whatever it was. */
  readonly onHeard: () => void
  readonly onFrameSent: () => void
}

export interface DocumentLife {
  readonly doc: Y.Doc
  /** Brings what others wrote meanwhile into the document, as one change: fields, lists and storage follow once. */
  takeIn(): void
  /** What the document says now; untouched entities are the same objects as before. */
  readonly view: () => IncidentView
  readonly edit: IncidentEditor
  readonly undo: UndoStack
  readonly ledger: EditLedger
  readonly awareness: Awareness
  readonly isSynced: () => boolean
  /** Which content this is, or null while there is none. */
  readonly epoch: () => string | null
  readonly schema: () => number
  connect(): void
  disconnect(): void
  close(): void
}

/** Parts whose changes are followed, to be able to name what a refusal would lose. */
const FOLLOWED = ['incident', 'hypotheses', 'comments', 'evidence', 'evidenceOff', 'dod', 'edges'] as const

/** To hear that the link is alive (COLLAB-27). */
const WISHES = { beat: '1' }

/** Methods of the editor that change nothing. */
const READERS: ReadonlySet<string> = new Set(['incidentText', 'hypothesisTitle', 'commentBody'])

export function createDocumentLife(deps: DocumentLifeDeps): DocumentLife {
  const doc = new Y.Doc()
  const reader = createIncidentReader(doc)
  const ledger = createEditLedger()
  const awareness = new Awareness(doc)
  let isOver = false

  let touched: string[] = []
  for (const root of FOLLOWED) {
    rootOf(doc, root).observeDeep((events, transaction) => {
      if (transaction.local) for (const event of events) touched.push(...toFields(root, event))
    })
  }
  // Before the provider listens: an edit is in the ledger before the frame that carries it goes out.
  doc.on('update', (_update: Uint8Array, origin: unknown, _doc: Y.Doc, transaction: Y.Transaction) => {
    if (transaction.local) ledger.note(touched, deps.now())
    touched = []
    deps.onChange(!transaction.local ? 'others' : origin === TYPING_ORIGIN ? 'typing' : 'command')
  })

  const provider = new WebsocketProvider(deps.serverUrl, toDocumentName('incident', deps.incidentId), doc, {
    awareness,
    connect: false,
    // Tabs would pass edits on past the server's checks, and between two logins.
    disableBc: true,
    // Called with `new`; a constructor may give back another object.
    WebSocketPolyfill: function Socket(url: string) {
      return countFrames(deps.openSocket(url))
    } as unknown as typeof WebSocket,
    shouldReconnect: () => false,
  })

  provider.on('sync', (isSynced: boolean) => {
    if (isSynced && !isOver) deps.onSynced()
  })
  provider.on('connection-close', (event: { code: number } | null) => {
    // The provider would come back by itself, without jitter; when to do so is decided by whoever owns this life.
    provider.shouldConnect = false
    ledger.connectionLost()
    // The provider is in the middle of closing: whatever follows must find it closed.
    queueMicrotask(() => {
      if (!isOver) deps.onClosed(event?.code ?? null)
    })
  })
  for (const type of ['ack', 'rejected', 'role', 'saved', 'beat'] as const) {
    provider.messageHandlers[FRAME[type]] = (_encoder, decoder) => {
      const value = tryReadOwnFrame(type, decoder)
      if (value && !isOver) deps.onFrame({ type, value } as OwnFrame)
    }
  }

  let waiting: Uint8Array[] = []
  const takeIn = (): void => {
    if (waiting.length === 0) return
    const updates = waiting
    waiting = []
    const apply = (): void => {
      for (const update of updates) Y.applyUpdate(doc, update, provider)
    }
    Y.transact(doc, apply, provider, false)
  }
  const handleSync = provider.messageHandlers[FRAME.sync]
  provider.messageHandlers[FRAME.sync] = (encoder, decoder, ...rest) => {
    const start = decoder.pos
    if (decoding.readVarUint(decoder) === SYNC.update) {
      waiting.push(decoding.readVarUint8Array(decoder))
      deps.onWaiting()
      return
    }
    decoder.pos = start
    handleSync?.(encoder, decoder, ...rest)
  }

  // Whatever is said proves the link.
  provider.messageHandlers = provider.messageHandlers.map((handle) => (...message) => {
    deps.onHeard()
    handle(...message)
  })

  // The stock handler sends every state it hears back to the server.
  // oxlint-disable-next-line no-underscore-dangle -- the provider has no option for it; the name is part of its types
  awareness.off('update', provider._awarenessUpdateHandler)
  awareness.on('update', ({ removed }: { removed: number[] }, origin: unknown) => {
    if (origin === 'local' || removed.includes(doc.clientID)) sendOwnPresence()
  })
  awareness.on('change', () => {
    if (!isOver) deps.onPresence()
  })

  const undoStack = createUndoStack(doc)
  const editor = createIncidentEditor(doc, {
    userId: deps.userId,
    now: () => new Date(deps.now()).toISOString(),
    newId: () => uuidV7(deps.now(), deps.random),
    random: deps.random,
    onCommand: undoStack.record,
  })

  function readEpoch(): string | null {
    const epoch = rootOf(doc, 'meta').get('epoch')
    return typeof epoch === 'string' ? epoch : null
  }

  function sendOwnPresence(): void {
    const { ws } = provider
    if (!provider.wsconnected || ws === null) return
    const encoder = encoding.createEncoder()
    encoding.writeVarUint(encoder, FRAME.awareness)
    encoding.writeVarUint8Array(encoder, encodeAwarenessUpdate(awareness, [doc.clientID]))
    ws.send(encoding.toUint8Array(encoder))
  }

  /**
   * Counts what goes out. An update that goes out before the answer to the server's state vector is held back: it may
   * build on offline edits that only the answer brings, and the answer, which is composed later, contains it.
   */
  function countFrames(socket: WebSocket): WebSocket {
    const send = socket.send.bind(socket)
    let hasAnswered = false
    socket.send = (data) => {
      const step = data instanceof Uint8Array ? readSyncStep(data) : null
      if (step === SYNC.update && !hasAnswered) return
      send(data)
      if (step === SYNC.step2) hasAnswered = true
      if (step === SYNC.step2 || step === SYNC.update) {
        ledger.frameSent()
        deps.onFrameSent()
      }
    }
    return socket
  }

  return {
    doc,
    takeIn,
    view: () => {
      takeIn()
      return reader.view()
    },
    edit: toGuarded(editor, deps.canWrite),
    undo: {
      ...undoStack,
      undo: () => deps.canWrite() && undoStack.undo(),
      redo: () => deps.canWrite() && undoStack.redo(),
    },
    ledger,
    awareness,
    isSynced: () => provider.synced,
    epoch: readEpoch,
    schema: () => Number(rootOf(doc, 'meta').get('schema')),
    connect: () => {
      takeIn()
      const epoch = readEpoch()
      // The gateway refuses a copy of another lineage before anything of it arrives (COLLAB-19).
      provider.params = { ...WISHES, page: String(doc.clientID), ...(epoch === null ? {} : { epoch }) }
      provider.connect()
    },
    disconnect: () => provider.disconnect(),
    close: () => {
      isOver = true
      waiting = []
      // Says goodbye while there is a socket; without it, others would see this peer for some seconds more.
      awareness.setLocalState(null)
      provider.destroy()
      awareness.destroy()
      undoStack.close()
      reader.close()
      doc.destroy()
    },
  }
}

/** `hypotheses/<id>/title` for text, `<root>/<key>` or `<root>/<id>/<key>` for values. */
function toFields(root: string, event: Y.YEvent<Y.AbstractType<unknown>>): string[] {
  const path = [root, ...event.path].join('/')
  return event.target instanceof Y.Text ? [path] : [...event.changes.keys.keys()].map((key) => `${path}/${key}`)
}

/** Step of a sync frame, or null for any other frame. */
function readSyncStep(frame: Uint8Array): number | null {
  const decoder = decoding.createDecoder(frame)
  return decoding.readVarUint(decoder) === FRAME.sync ? decoding.readVarUint(decoder) : null
}

/** The editor for somebody whose right to write may end at any moment. */
function toGuarded(editor: IncidentEditor, canWrite: () => boolean): IncidentEditor {
  const guard =
    (method: (...args: never[]) => unknown) =>
    (...args: never[]): unknown => {
      if (!canWrite()) throw new DocumentEditError('', 'You may read this incident, not change it')
      return method(...args)
    }
  const entries = Object.entries(editor).map(([name, method]) => [name, READERS.has(name) ? method : guard(method)])
  return Object.fromEntries(entries) as IncidentEditor
}
