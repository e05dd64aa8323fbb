// The browser's side of one shared incident: assembles its parts and passes events between them. Free of React; sockets, time,
// randomness and storage are passed in.

import type { PeerUser } from '@watchroom/shared/collab'
import type { Clock } from '@watchroom/shared/kernel'

import type { IncidentRoom } from './contract.ts'
import { createConnectionState } from './createConnectionState.ts'
import { createDocumentLife, type DocumentLife } from './createDocumentLife.ts'
import { createRefusedTexts } from './createRefusedTexts.ts'
import { createRoomPresence } from './createRoomPresence.ts'
import { createRoomPublisher } from './createRoomPublisher.ts'
import { createSinceYouLeft } from './createSinceYouLeft.ts'
import { createStoredCopy } from './createStoredCopy.ts'
import type { DocumentStorage } from './documentStorage.ts'
import type { Seen } from './toDigest.ts'
import type { Ending } from './toEnding.ts'

export interface IncidentConnectionDeps {
  readonly incidentId: string
  readonly user: PeerUser
  /** Rights as the session knows them, until the gateway says more. */
  readonly canWrite: boolean
  readonly isModerator: boolean
  /** Address of the documents, for example `wss://host/collab`. */
  readonly serverUrl: string
  readonly openSocket: (url: string) => WebSocket
  readonly clock: Clock
  /** Milliseconds since the epoch, by the server's clock as far as it is known. */
  readonly now: () => number
  readonly random: () => number
  readonly storage: DocumentStorage
  /** The session is over: someone has to sign in again. */
  readonly onSessionEnded: () => void
}

export interface IncidentConnection {
  readonly room: () => IncidentRoom
  /** The listener is called whenever `room()` returns a new object. */
  readonly subscribe: (listener: () => void) => () => void
  /** The person did something: they are here. */
  readonly noteActivity: () => void
  /** It was a key. */
  readonly noteKey: () => void
  /** The tab was hidden or shown. */
  readonly setHidden: (isHidden: boolean) => void
  /** Whether a screen shows the document. If none does, others are not told that this person is here. */
  readonly setShown: (isShown: boolean) => void
  /** Connects now instead of after the wait: the network is back, the page is visible, the user signed in. */
  readonly nudge: () => void
  /** Updates whether this person may change what others wrote, according to the session. The gateway says whether they may write at all. */
  readonly setModerator: (isModerator: boolean) => void
  /** The browser reports that there is no network, so nothing has to time out first. */
  readonly networkLost: () => void
  /** Whether leaving the page now may lose something that the person wrote. */
  readonly hasUnsent: () => boolean
  readonly close: () => Promise<void>
}

export function createIncidentConnection(deps: IncidentConnectionDeps): IncidentConnection {
  const userId = deps.user.id
  let { canWrite, isModerator } = deps
  let isClosed = false
  const screens = createRoomPublisher(deps.clock, compose)
  const { publish, publishSoon, published } = screens
  const connection = createConnectionState({
    ...deps,
    connect: () => life.connect(),
    disconnect: () => life.disconnect(),
    onChange: publish,
  })
  const isInState = (state: IncidentRoom['state']): boolean => connection.shown().state === state
  const away = createSinceYouLeft({
    ...deps,
    userId,
    document: () => (isInState('ready') ? { view: life.view(), isSynced: life.isSynced() } : null),
    isShown: () => presence.isShown(),
    onSeen: () => copy.writeNote(),
  })
  const refused = createRefusedTexts(deps)
  const copy = createStoredCopy({ ...deps, life: () => life, refused, seen: away.seen, onOpened, onKeeping: publish })
  let life = begin()
  const presence = createRoomPresence({ ...deps, life, onChange: publishSoon })
  /** The functions of the room, which never change. */
  const actions = {
    setPlace: presence.setPlace,
    lead: presence.lead,
    follow: published(presence.follow),
    dismissDigest: published(away.dismiss),
    dismiss: published((id: string) => {
      refused.dismiss(id)
      copy.writeNoteSoon()
    }),
  }

  function begin(): DocumentLife {
    return createDocumentLife({
      ...deps,
      userId,
      canWrite: () => canWrite,
      onSynced: published(handleSynced),
      onEnded: published(handleEnded),
      onReadOnly: published((message: string) => {
        startOver(message)
        connection.connect()
      }),
      onRole: published((mayWrite: boolean) => {
        canWrite = mayWrite
      }),
      // What is typed is in its field already; the rest of the screen can wait for the next frame.
      onChange: (by) => (by === 'command' ? publish() : publishSoon()),
      onTouched: (changed) => presence.touched(changed),
      onPending: copy.writeNoteSoon,
      onProgress: publish,
      onBeat: connection.beat,
      onHeard: connection.heard,
    })
  }

  function compose(before: IncidentRoom | null): IncidentRoom {
    const view = life.view()
    if (view !== before?.view) away.look()
    const shown = connection.shown()
    return {
      ...shown,
      ...presence.shown(),
      ...actions,
      view,
      edit: life.edit,
      undo: life.undo,
      canWrite: life.canWrite(),
      canModerate: life.canWrite() && isModerator,
      save: { ...life.save(shown.link, connection.obstacle()), isKept: copy.isKeeping() },
      rejected: refused.all(),
      digest: away.digest(),
    }
  }

  function handleSynced(epoch: string): void {
    connection.synced()
    presence.announce()
    refused.compare(life.view())
    void copy.open(epoch)
    away.linked()
  }

  function handleEnded(ending: Ending): void {
    away.linkLost()
    if ('lost' in ending) startOver(ending.lost)
    // Only for this incident: edits waiting in others must not be lost.
    if (ending.kind === 'denied') copy.remove()
    connection.end(ending)
    if (ending.kind === 'signIn') deps.onSessionEnded()
  }

  function onOpened(seen: Seen | null | undefined): void {
    if (seen !== undefined) away.restore(seen)
    if (isInState('loading') && life.epoch() !== null && !life.isNewer()) {
      connection.ready()
      away.offer()
    }
    away.look()
    publish()
  }

  /** Continues with an empty document, and drops this browser's copy of the former one. */
  function startOver(reason: string): void {
    const former = life
    const { count, fields } = former.ledger.pending()
    if (count > 0) refused.add(former.view(), fields, reason)
    copy.drop()
    life = begin()
    presence.join(life)
    former.close()
    connection.startOver()
    away.startOver()
  }
  void copy.load().then(() => isClosed || connection.connect())

  return {
    room: screens.room,
    subscribe: screens.subscribe,
    noteActivity: presence.noteActivity,
    noteKey: screens.noteKey,
    setHidden: published((isHidden: boolean) => {
      presence.setHidden(isHidden)
      away.setHidden(isHidden)
    }),
    setShown: presence.setShown,
    nudge: connection.nudge,
    setModerator: published((isOne: boolean) => {
      isModerator = isOne
    }),
    networkLost: () => life.disconnect(),
    // Also refused texts that only this page has: the document they were stored with is gone, and the next is not there yet, or never will be.
    hasUnsent: () =>
      life.ledger.pending().count > 0 || (!isInState('ready') && !copy.isOpen() && refused.all().length > 0),
    close: async () => {
      if (isClosed) return
      isClosed = true
      for (const part of [away, screens, connection, presence, life]) part.close()
      await copy.close()
    },
  }
}
