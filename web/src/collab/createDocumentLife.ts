// One life of a document in this browser: from its first byte until a refusal, after which the next life starts with an empty
// document.

import {
  createIncidentEditor,
  createIncidentReader,
  createUndoStack,
  DocumentEditError,
  INCIDENT_SCHEMA_VERSION,
  type IncidentEditor,
  type IncidentView,
  type OwnFrame,
  parseEdgeKey,
  rootOf,
  TYPING_ORIGIN,
  type UndoStack,
} from '@watchroom/shared/collab'
import type { Clock } from '@watchroom/shared/kernel'
import { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'

import type { LinkState, SaveStatus } from './contract.ts'
import { createDocumentProvider, type DocumentProviderDeps } from './createDocumentProvider.ts'
import { createEditLedger, type EditLedger } from './createEditLedger.ts'
import { keepUntilTold } from './keepUntilTold.ts'
import { type Ending, toEnding } from './toEnding.ts'
import { uuidV7 } from './uuidV7.ts'

export interface DocumentLifeDeps extends DocumentProviderDeps {
  readonly userId: string
  readonly clock: Clock
  /** Milliseconds since the epoch, by the server's clock as far as it is known. */
  readonly now: () => number
  readonly random: () => number
  readonly canWrite: () => boolean
  /** The document holds everything the server has. */
  readonly onSynced: (epoch: string) => void
  /** The socket ended. Nothing reconnects by itself. */
  readonly onEnded: (ending: Ending) => void
  /** An edit was refused because its author may only read; the socket stays. */
  readonly onReadOnly: (message: string) => void
  readonly onRole: (canWrite: boolean) => void
  /** `command`: an own edit other than typing; the screen shows its result at once. */
  readonly onChange: (by: 'command' | 'typing' | 'others') => void
  /** Others changed this while we were linked: paths with the client id of whoever changed them last; null if unknown. */
  readonly onTouched: (changed: ReadonlyMap<string, number | null>) => void
  /** The set of own edits awaiting acknowledgement changed. */
  readonly onPending: () => void
  /** What is known about saving changed. */
  readonly onProgress: () => void
  /** The gateway promised to send something at least this often. */
  readonly onBeat: (everyMs: number) => void
  /** The gateway sent something, whatever it was. */
  readonly onHeard: () => void
}

export interface DocumentLife {
  readonly doc: Y.Doc
  /** The content now, including what others have written; untouched entities keep their identity. */
  readonly view: () => IncidentView
  readonly edit: IncidentEditor
  readonly undo: UndoStack
  readonly ledger: EditLedger
  /** @param obstacle why the gateway is keeping this page waiting */
  readonly save: (link: LinkState, obstacle: string | null) => Omit<SaveStatus, 'isKept'>
  readonly awareness: Awareness
  readonly isSynced: () => boolean
  /** Which content this is, or null while there is none. */
  readonly epoch: () => string | null
  /** A newer version of the page has changed the layout: this one can show what it knows, but would write it wrongly (DOC-1). */
  readonly isNewer: () => boolean
  readonly canWrite: () => boolean
  readonly connect: () => void
  readonly disconnect: () => void
  readonly close: () => void
}

/** Parts whose changes are tracked, to name what a refusal would lose. */
const FOLLOWED = ['incident', 'hypotheses', 'comments', 'evidence', 'evidenceOff', 'dod', 'edges'] as const

/** Editor methods that only read. */
const READERS: ReadonlySet<string> = new Set(['incidentText', 'hypothesisTitle', 'commentBody'])

const NEWER = 'This incident was opened by a newer version of Watchroom. Reload the page to edit it.'
const UNREADABLE = 'This incident could not be read. Reload the page to try again.'

export function createDocumentLife(deps: DocumentLifeDeps): DocumentLife {
  const doc = new Y.Doc()
  const meta = rootOf(doc, 'meta')
  const reader = createIncidentReader(doc)
  const awareness = new Awareness(doc)
  keepUntilTold(awareness)
  const { clock, onPending } = deps
  const ledger = createEditLedger({ clock, onPending, onOverdue: () => provider.disconnect() })
  let isOver = false
  /** The gateway's message about the last refused edit. */
  let refusal: string | undefined

  let touched: string[] = []
  const touchedByOthers = new Map<string, number | null>()
  for (const root of FOLLOWED) {
    rootOf(doc, root).observeDeep((events, transaction) => {
      if (transaction.local) for (const event of events) touched.push(...toFields(root, event))
      // What arrives with a new link did not happen just now.
      else if (provider.isSynced())
        for (const event of events) for (const [path, by] of toTouched(root, event)) touchedByOthers.set(path, by)
    })
  }
  // Before the provider listens, so that an edit is in the ledger before its frame goes out.
  doc.on('update', (_update: Uint8Array, origin: unknown, _doc: Y.Doc, transaction: Y.Transaction) => {
    if (transaction.local) ledger.note(touched, deps.now())
    touched = []
    if (touchedByOthers.size > 0) deps.onTouched(new Map(touchedByOthers))
    touchedByOthers.clear()
    deps.onChange(!transaction.local ? 'others' : origin === TYPING_ORIGIN ? 'typing' : 'command')
  })

  const provider = createDocumentProvider(awareness, deps, {
    onFrame: receive,
    onFrameSent: ledger.frameSent,
    onSynced: () => {
      const epoch = readEpoch()
      if (epoch !== null) return deps.onSynced(epoch)
      deps.onEnded({ kind: 'failed', failure: UNREADABLE })
      return provider.disconnect()
    },
    onLost: ledger.connectionLost,
    onClosed: (code) => deps.onEnded(toEnding(code, refusal)),
    onWaiting: () => deps.onChange('others'),
    onHeard: deps.onHeard,
  })

  const undoStack = createUndoStack(doc)
  const editor = createIncidentEditor(doc, {
    userId: deps.userId,
    now: () => new Date(deps.now()).toISOString(),
    newId: () => uuidV7(deps.now(), deps.random),
    random: deps.random,
    onCommand: undoStack.record,
  })

  function receive(frame: OwnFrame): void {
    switch (frame.type) {
      case 'ack':
        ledger.acknowledge(frame.value)
        return deps.onProgress()
      case 'saved':
        ledger.saved(frame.value)
        return deps.onProgress()
      case 'beat':
        return deps.onBeat(frame.value.everyMs)
      case 'role':
        return deps.onRole(frame.value.canWrite)
      case 'rejected': {
        const { code, message } = frame.value
        refusal = message
        // After any other refusal the gateway closes the socket.
        if (code !== 'readOnly') return
        queueMicrotask(() => {
          if (!isOver) deps.onReadOnly(message)
        })
      }
    }
  }

  function readEpoch(): string | null {
    const epoch = meta.get('epoch')
    return typeof epoch === 'string' ? epoch : null
  }

  const isNewer = (): boolean => Number(meta.get('schema')) > INCIDENT_SCHEMA_VERSION
  const canWrite = (): boolean => deps.canWrite() && !isNewer()

  return {
    doc,
    view: () => {
      provider.takeIn()
      return reader.view()
    },
    edit: toGuarded(editor, canWrite),
    undo: {
      ...undoStack,
      undo: () => canWrite() && undoStack.undo(),
      redo: () => canWrite() && undoStack.redo(),
    },
    ledger,
    save: (link, obstacle) => {
      const messages = [obstacle, isNewer() ? NEWER : null].filter((message) => message !== null)
      return ledger.status(
        link,
        messages.map((message) => ({ entity: 'incident', id: deps.incidentId, message })),
      )
    },
    awareness,
    isSynced: provider.isSynced,
    epoch: readEpoch,
    isNewer,
    canWrite,
    connect: () => {
      provider.takeIn()
      provider.connect(readEpoch())
    },
    disconnect: provider.disconnect,
    close: () => {
      isOver = true
      provider.close()
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

/** Where a change shows on the screen, `hypotheses/<id>`, `evidence/<id>` or `incident/<field>`, with the client id of its author. */
function toTouched(
  root: (typeof FOLLOWED)[number],
  event: Y.YEvent<Y.AbstractType<unknown>>,
): [string, number | null][] {
  const { target, path } = event
  if (target instanceof Y.Text) return [[seenAt(root, String(path[0])), lastClient(event.changes.added)]]
  return [...event.changes.keys.keys()].map((key) => [
    seenAt(root, String(path[0] ?? key)),
    // oxlint-disable-next-line no-underscore-dangle -- what is public of a map tells its values, not who wrote them
    target._map.get(key)?.id.client ?? null,
  ])
}

function seenAt(root: (typeof FOLLOWED)[number], key: string): string {
  switch (root) {
    case 'edges':
      return `hypotheses/${parseEdgeKey(key)?.child ?? ''}`
    case 'dod':
      return `evidence/${key.split(':')[0] ?? ''}`
    case 'evidenceOff':
      return `evidence/${key}`
    case 'incident':
    case 'hypotheses':
    case 'comments':
    case 'evidence':
      return `${root}/${key}`
  }
}

/** Null when text was only removed. */
const lastClient = (added: ReadonlySet<Y.Item>): number | null => [...added].at(-1)?.id.client ?? null

/** An editor that checks the right to write with each call, because it may end at any moment. */
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
