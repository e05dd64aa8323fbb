// The browser side of one shared incident: connects and comes back, says how far edits got, keeps them while there is no
// link, and saves the texts of what is refused. Free of React; sockets, time, chance and storage are passed in.

import {
  INCIDENT_SCHEMA_VERSION,
  type IncidentView,
  type OwnFrame,
  PeerSchema,
  type PeerState,
  type PeerUser,
  type Rejected,
} from '@watchroom/shared/collab'
import { type Clock, createTimer, sleep } from '@watchroom/shared/kernel'
import { CLOSE_CODES, closeReaction, deepEqual } from '@watchroom/shared/protocol'

import { createSilenceWatch } from '../live/createSilenceWatch.ts'
import { reconnectDelay } from '../live/reconnectDelay.ts'
import type {
  DocumentState,
  IncidentRoom,
  LinkState,
  PresentPeer,
  RejectedText,
  SaveProblem,
  SaveStatus,
} from './contract.ts'
import { createDocumentLife, type DocumentLife } from './createDocumentLife.ts'
import { createOwnPresence } from './createOwnPresence.ts'
import { type DocumentStorage, type KeptDocument, KeptNoteSchema, KeptRejectionsSchema } from './documentStorage.ts'
import { peerColor } from './peerColor.ts'
import { type Digest, type Seen, toDigest, toSeen } from './toDigest.ts'
import { toLostTexts, withoutKnown } from './toRejectedTexts.ts'
import { uuidV7 } from './uuidV7.ts'

/** Typing and changes of others are shown together, at most once a frame of the screen. */
const BATCH_MS = 16
/** A document that has to be seeded from a slow backend takes a few seconds; an acknowledgement takes milliseconds. */
const SYNC_TIMEOUT_MS = 20_000
const ACK_TIMEOUT_MS = 15_000
/** A browser may take for ever to open its storage; the document must not. */
const STORAGE_TIMEOUT_MS = 2_000
/** How long the pill alone is enough to say that there is no link. */
export const LONG_OFFLINE_MS = 10_000
/** After a code that asks a person to wait (4429: five minutes). */
const STOPPED_RETRY_MS = 300_000
const NOTE_DELAY_MS = 250
/** What was seen is as large as the document; a page that dies tells the changes of so long again. */
const SEEN_DELAY_MS = 5_000
/** Less is only a glance elsewhere, or a blip of the network. */
const AWAY_FOR_DIGEST_MS = 60_000

const RELOAD = 'Watchroom was updated. Reload the page.'
const NEWER = 'This incident was opened by a newer version of Watchroom. Reload the page to edit it.'

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
  /** The session is over: somebody has to sign in again. */
  readonly onSessionEnded: () => void
}

export interface IncidentConnection {
  readonly room: () => IncidentRoom
  /** Told whenever `room()` gives another object. */
  readonly subscribe: (listener: () => void) => () => void
  /** The person did something: they are here. */
  readonly noteActivity: () => void
  /** The tab was hidden or shown. */
  readonly setHidden: (isHidden: boolean) => void
  /** Whether a screen shows the document; without one, nobody is told that this person is here. */
  readonly setShown: (isShown: boolean) => void
  /** Connects now instead of after the wait: the network is back, the page is visible, the user signed in. */
  readonly nudge: () => void
  /** The session says anew whether this person may change what others wrote. Whether they may write at all, the gateway says. */
  readonly setModerator: (isModerator: boolean) => void
  /** The browser says that there is no network: nothing has to time out first. */
  readonly networkLost: () => void
  /** Whether leaving the page now may lose something that the person wrote. */
  readonly hasUnsent: () => boolean
  readonly close: () => Promise<void>
}

interface Kept extends KeptDocument {
  readonly epoch: string
}

export function createIncidentConnection(deps: IncidentConnectionDeps): IncidentConnection {
  const { clock, incidentId, storage, user } = deps
  const listeners = new Set<() => void>()
  const batchTimer = createTimer(clock)
  const retryTimer = createTimer(clock)
  const syncTimer = createTimer(clock)
  const ackTimer = createTimer(clock)
  const longOfflineTimer = createTimer(clock)
  const noteTimer = createTimer(clock)
  const seenTimer = createTimer(clock)
  /** Idle until a gateway promises to say something every so often. */
  const silence = createSilenceWatch({ clock, onChange: publish, onDead: () => life.disconnect() })

  let state: DocumentState = 'loading'
  let failure: string | null = null
  let link: LinkState = 'connecting'
  let isLongOffline = false
  let { canWrite, isModerator } = deps
  let isClosed = false
  let isShown = true
  /** Attempts since the last complete sync. */
  let attempt = 0

  let isViewStale = false
  let rejected: readonly RejectedText[] = []
  let rejection: Rejected | null = null
  let problems: readonly SaveProblem[] = []
  /** Why the gateway keeps us waiting. */
  let obstacle: SaveProblem | null = null
  /** Sequence of the newest own durable edit, and up to where the tables hold the document. */
  let acknowledgedUpTo = 0
  let savedUpTo = 0
  /** Wall clock of the oldest own edit that is durable but not in the tables. */
  let receivedSince: number | null = null

  let kept: Kept | null = null
  /** Refused texts that were ever in this tab's tray: those of other tabs are theirs to dismiss. */
  const ownRejections = new Set<string>()
  /** Storage is opened, closed and dropped one after the other. */
  let storageWork: Promise<unknown> = Promise.resolve()
  /** What the person saw last: in this page, or before it. */
  let seen: Seen | null = null
  let seenView: { readonly view: IncidentView; readonly at: number } | null = null
  let digest: Digest | null = null
  let digestBase: Seen | null = null
  /** Monotonic times; null while the tab shows, and while there is a link. The link was never there before the start. */
  let hiddenAt: number | null = null
  let offlineAt: number | null = Number.NEGATIVE_INFINITY

  let following: number | null = null
  let peers: readonly PresentPeer[] = []
  const peersByState = new WeakMap<object, PresentPeer>()

  let life = begin()
  let view = life.view()
  const presence = createOwnPresence(clock, announce)
  let room = compose(null)

  function begin(): DocumentLife {
    return createDocumentLife({
      incidentId,
      userId: user.id,
      serverUrl: deps.serverUrl,
      openSocket: deps.openSocket,
      now: deps.now,
      random: deps.random,
      canWrite: mayWrite,
      onFrame: receive,
      onSynced: handleSynced,
      onClosed: handleClosed,
      onChange: (by) => {
        isViewStale = true
        if (by !== 'others') writeNoteSoon()
        // What is typed stands in its field already; the rest of the screen may wait for the next frame.
        if (by === 'command') publish()
        else publishSoon()
      },
      onWaiting: publishSoon,
      onPresence: () => {
        readPeers()
        publishSoon()
      },
      onHeard: () => silence.heard(),
      onFrameSent: () => {
        if (!ackTimer.isSet()) ackTimer.set(() => life.disconnect(), ACK_TIMEOUT_MS)
      },
    })
  }

  /** A newer page has changed the layout: what this one knows of it is shown, but it would write it wrongly (DOC-1). */
  function isNewer(): boolean {
    return life.schema() > INCIDENT_SCHEMA_VERSION
  }

  function mayWrite(): boolean {
    return canWrite && !isNewer()
  }

  // ---- what the screens see ------------------------------------------------------------------------------------------

  function publishSoon(): void {
    if (!batchTimer.isSet()) batchTimer.set(publish, BATCH_MS)
  }

  function publish(): void {
    if (isClosed) return
    life.takeIn()
    batchTimer.clear()
    const next = compose(room)
    if (next === room) return
    room = next
    for (const listener of listeners) listener()
  }

  function compose(before: IncidentRoom | null): IncidentRoom {
    if (isViewStale) {
      isViewStale = false
      view = life.view()
      noteSeen()
    }
    const next: IncidentRoom = {
      state,
      failure,
      view,
      edit: life.edit,
      undo: life.undo,
      canWrite: mayWrite(),
      canModerate: mayWrite() && isModerator,
      link: provenLink(),
      isLongOffline,
      save: keepEqual(before?.save, toSaveStatus()),
      rejected,
      dismiss,
      peers,
      self: keepEqual(before?.self, toSelf()),
      setPlace,
      following,
      followers: keepItems(before?.followers, toFollowers()),
      follow,
      lead,
      digest,
      dismissDigest,
    }
    const names = Object.keys(next) as (keyof IncidentRoom)[]
    return before && names.every((name) => before[name] === next[name]) ? before : next
  }

  /** What is certain of the link: one that has gone silent is none, before it is given up (COLLAB-27). */
  function provenLink(): LinkState {
    return link === 'online' && silence.isSilent() ? 'offline' : link
  }

  function toSaveStatus(): SaveStatus {
    const { count, since } = life.ledger.pending()
    const newer = isNewer() ? { entity: 'incident', id: incidentId, message: NEWER } : null
    const allProblems = [...problems, ...(obstacle ? [obstacle] : []), ...(newer ? [newer] : [])]
    const isReceived = count === 0 && receivedSince !== null
    return {
      state:
        allProblems.length > 0
          ? 'problem'
          : provenLink() === 'offline'
            ? 'offline'
            : count > 0
              ? 'typed'
              : isReceived
                ? 'received'
                : 'saved',
      isProven: provenLink() === 'online',
      unsent: count,
      problems: allProblems,
      since: receivedSince ?? since,
    }
  }

  // ---- link ------------------------------------------------------------------------------------------------------------

  function connect(): void {
    retryTimer.clear()
    syncTimer.set(() => life.disconnect(), SYNC_TIMEOUT_MS)
    life.connect()
  }

  function retryIn(delayMs: number): void {
    retryTimer.set(connect, delayMs)
  }

  function setLink(next: LinkState): void {
    link = next
    if (next === 'offline') {
      if (isLongOffline || longOfflineTimer.isSet()) return
      longOfflineTimer.set(() => {
        isLongOffline = true
        publish()
      }, LONG_OFFLINE_MS)
    } else {
      longOfflineTimer.clear()
      isLongOffline = false
    }
  }

  function handleSynced(): void {
    syncTimer.clear()
    const epoch = life.epoch()
    if (epoch === null) return fail('This incident could not be read. Reload the page to try again.')
    attempt = 0
    obstacle = null
    state = 'ready'
    setLink('online')
    announce(presence.state())
    isViewStale = true
    const news = life.view()
    rejected = withoutKnown(rejected, news)
    if (!kept) void keepInBrowser(epoch)
    const offlineMs = offlineAt === null ? 0 : clock.monotonic() - offlineAt
    if (hiddenAt === null && (offlineMs >= AWAY_FOR_DIGEST_MS || digestBase !== null)) offerDigest()
    offlineAt = null
    publish()
  }

  function handleClosed(code: number | null): void {
    syncTimer.clear()
    ackTimer.clear()
    silence.stop()
    offlineAt ??= clock.monotonic()
    setLink('offline')
    end(code)
    publish()
  }

  /** What a closed socket asks for. */
  function end(code: number | null): void {
    switch (code) {
      case CLOSE_CODES.loginNeeded.code:
        deps.onSessionEnded()
        return
      case CLOSE_CODES.accessRemoved.code:
        parkOwnEdits('Access to this incident was removed')
        startOver()
        state = 'denied'
        forgetAll()
        return
      case CLOSE_CODES.notFound.code:
        parkOwnEdits('This incident no longer exists')
        startOver()
        state = 'notFound'
        return
      case CLOSE_CODES.updateRejected.code:
      case CLOSE_CODES.tooLarge.code:
        parkOwnEdits(rejection?.message ?? 'The gateway refused this change')
        startOver()
        return retryIn(reconnectDelay(attempt++, deps.random))
      case CLOSE_CODES.epochGone.code:
        parkOwnEdits('The document was replaced by a new one')
        startOver()
        return retryIn(reconnectDelay(attempt++, deps.random))
      case null:
        return retryIn(reconnectDelay(attempt++, deps.random))
      default:
    }
    switch (closeReaction(code)) {
      case 'retry':
        return retryIn(reconnectDelay(attempt++, deps.random))
      case 'reload':
        return fail(RELOAD)
      case 'signIn':
        return deps.onSessionEnded()
      case 'stop': {
        const known = Object.values(CLOSE_CODES).find((entry) => entry.code === code)
        obstacle = {
          entity: 'incident',
          id: incidentId,
          message: rejection?.message ?? known?.meaning ?? `The gateway ended the connection (${code})`,
        }
        retryIn(STOPPED_RETRY_MS)
      }
    }
  }

  function fail(message: string): void {
    state = 'failed'
    failure = message
    life.disconnect()
    retryTimer.clear()
    publish()
  }

  function receive(frame: OwnFrame): void {
    switch (frame.type) {
      case 'ack': {
        const { since } = life.ledger.pending()
        const arrived = life.ledger.acknowledge(frame.value.received)
        ackTimer.clear()
        if (life.ledger.isWaiting()) ackTimer.set(() => life.disconnect(), ACK_TIMEOUT_MS)
        if (arrived > 0) {
          acknowledgedUpTo = frame.value.sequence
          if (acknowledgedUpTo > savedUpTo) receivedSince ??= since
          writeNoteSoon()
        }
        break
      }
      case 'saved':
        savedUpTo = frame.value.sequence
        if (savedUpTo >= acknowledgedUpTo) receivedSince = null
        problems = deepEqual(problems, frame.value.problems) ? problems : frame.value.problems
        break
      case 'beat':
        silence.start(frame.value.everyMs)
        return
      case 'role':
        canWrite = frame.value.canWrite
        break
      case 'rejected':
        rejection = frame.value
        // Any other refusal is followed by the end of the socket.
        if (frame.value.code === 'readOnly') queueMicrotask(restartAsReader)
    }
    publish()
  }

  function restartAsReader(): void {
    if (isClosed || rejection?.code !== 'readOnly') return
    parkOwnEdits(rejection.message)
    startOver()
    connect()
    publish()
  }

  // ---- refusals ----------------------------------------------------------------------------------------------------------

  /** Texts of edits that will not be accepted move to the tray; nothing is sent again by itself (COLLAB-7). */
  function parkOwnEdits(reason: string): void {
    const { count, fields } = life.ledger.pending()
    if (count === 0) return
    const lost = toLostTexts(life.view(), fields)
    const texts = lost.length > 0 ? lost : [{ field: '', label: 'A change without text', text: '' }]
    const at = deps.now()
    putIntoTray(texts.map((text) => ({ ...text, id: uuidV7(at, deps.random), reason, at })))
  }

  function putIntoTray(texts: readonly RejectedText[]): void {
    rejected = [...rejected, ...texts]
    for (const { id } of texts) ownRejections.add(id)
  }

  /** Continues with an empty document; what this browser kept of the former one is forgotten. */
  function startOver(): void {
    silence.stop()
    life.close()
    const former = kept
    kept = null
    if (former) void runOnStorage(() => former.drop())
    life = begin()
    announce(presence.state())
    state = 'loading'
    rejection = null
    view = life.view()
    isViewStale = false
    // Counted again against the document that comes.
    digest = null
    problems = []
    receivedSince = null
    // Another epoch counts from the start.
    acknowledgedUpTo = 0
    savedUpTo = 0
    ackTimer.clear()
    readPeers()
  }

  function dismiss(rejectedId: string): void {
    rejected = rejected.filter(({ id }) => id !== rejectedId)
    writeNoteSoon()
    publish()
  }

  // ---- storage -----------------------------------------------------------------------------------------------------------

  /** A browser may forbid storage or be out of it: everything works without, until the page is left. */
  function runOnStorage<Value>(task: () => Promise<Value>): Promise<Value | null> {
    const result = storageWork.then(task).catch(() => null)
    storageWork = result
    return result
  }

  async function keepInBrowser(epoch: string): Promise<void> {
    const target = life
    const opened = await runOnStorage(async () => {
      const found = await storage.open({ userId: user.id, incidentId, epoch }, target.doc)
      return { ...found, note: KeptNoteSchema.safeParse(await found.readNote()) }
    })
    if (!opened) return
    if (isClosed || target !== life || kept) {
      void runOnStorage(() => opened.close())
      return
    }
    kept = { ...opened, epoch }
    const { note } = opened
    if (note.success) {
      target.ledger.restore(note.data.pending)
      const known = new Set(rejected.map(({ id }) => id))
      putIntoTray(note.data.rejected.filter(({ id }) => !known.has(id)))
      seen = note.data.seen
      seenView = null
    }
    if (target.epoch() !== null && target.schema() <= INCIDENT_SCHEMA_VERSION && state === 'loading') {
      state = 'ready'
      offerDigest()
    }
    isViewStale = true
    writeNoteSoon()
    publish()
  }

  function writeNoteSoon(): void {
    if (!noteTimer.isSet()) noteTimer.set(writeNote, NOTE_DELAY_MS)
  }

  function writeSeen(): void {
    seenTimer.clear()
    lastSeen()
    writeNote()
  }

  function writeNote(): void {
    noteTimer.clear()
    const target = kept
    if (!target) return
    const { count, since, fields } = life.ledger.pending()
    const note = { pending: { count, since, fields: [...fields] }, rejected: [...rejected], seen: seen ?? lastSeen() }
    void runOnStorage(async () => {
      const before = KeptRejectionsSchema.safeParse(await target.readNote())
      const ofOtherTabs = before.success ? before.data.rejected.filter(({ id }) => !ownRejections.has(id)) : []
      await target.writeNote({ ...note, rejected: [...ofOtherTabs, ...note.rejected] })
    })
  }

  function forgetAll(): void {
    void runOnStorage(() => storage.wipe())
  }

  // ---- since you left ------------------------------------------------------------------------------------------------

  /** The person looks at the document as it is now. */
  function noteSeen(): void {
    if (state !== 'ready' || hiddenAt !== null || !isShown) return
    // Without a link it is the document of then that they see.
    const at = life.isSynced() ? deps.now() : (seenView?.at ?? seen?.at ?? deps.now())
    seenView = { view, at }
    if (!seenTimer.isSet()) seenTimer.set(writeSeen, SEEN_DELAY_MS)
  }

  function lastSeen(): Seen | null {
    if (seenView) seen = toSeen(seenView.view, seenView.at)
    seenView = null
    return seen
  }

  function offerDigest(): void {
    digestBase ??= lastSeen()
    if (digestBase === null) return
    digest = toDigest(digestBase, life.view(), user.id)
    if (digest === null) digestBase = null
  }

  function dismissDigest(): void {
    digest = null
    digestBase = null
    publish()
  }

  // ---- presence ------------------------------------------------------------------------------------------------------------

  function announce(own: PeerState): void {
    life.awareness.setLocalState(isShown ? own : null)
    publishSoon()
  }

  function readPeers(): void {
    const present: PresentPeer[] = []
    for (const [clientId, value] of life.awareness.getStates()) {
      if (clientId === life.doc.clientID) continue
      const peer = peersByState.get(value) ?? toPeer(clientId, value)
      if (!peer) continue
      peersByState.set(value, peer)
      present.push(peer)
    }
    peers = keepItems(
      peers,
      present.toSorted((a, b) => a.clientId - b.clientId),
    )
    const followed = peers.find(({ clientId }) => clientId === following)
    if (following !== null && !followed?.leading) follow(null)
  }

  function toSelf(): PresentPeer {
    return { ...presence.state(), user, canWrite: mayWrite(), clientId: life.doc.clientID, color: peerColor(user.id) }
  }

  function toFollowers(): readonly PresentPeer[] {
    const ownId = String(life.doc.clientID)
    return peers.filter((peer) => peer.following === ownId)
  }

  function setPlace(place: Parameters<IncidentRoom['setPlace']>[0]): void {
    presence.update(place)
  }

  function follow(clientId: number | null): void {
    const target = peers.find((peer) => peer.clientId === clientId)
    following = target?.leading ? target.clientId : null
    presence.update({ following: following === null ? null : String(following) })
    publish()
  }

  function lead(isLeading: boolean, ratio = 0): void {
    presence.update({ leading: isLeading ? { ratio: Math.min(1, Math.max(0, ratio)) } : null })
  }

  // ---- life of the connection --------------------------------------------------------------------------------------------

  async function start(): Promise<void> {
    const load = async (): Promise<void> => {
      const epoch = await runOnStorage(() => storage.find(user.id, incidentId))
      if (epoch !== null && !isClosed) await keepInBrowser(epoch)
    }
    await Promise.race([load(), sleep(clock, STORAGE_TIMEOUT_MS)])
    if (!isClosed) connect()
  }

  void start()

  return {
    room: () => room,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    noteActivity: presence.noteActivity,
    setHidden: (isHidden) => {
      if (isHidden === (hiddenAt !== null)) return
      presence.setHidden(isHidden)
      if (isHidden) {
        noteSeen()
        writeSeen()
        hiddenAt = clock.monotonic()
        return
      }
      const awayMs = clock.monotonic() - (hiddenAt ?? 0)
      hiddenAt = null
      if (state === 'ready' && awayMs >= AWAY_FOR_DIGEST_MS) offerDigest()
      isViewStale = true
      publish()
    },
    setShown: (shown) => {
      isShown = shown
      announce(presence.state())
    },
    nudge: () => {
      if (isClosed || link === 'online' || state === 'denied' || state === 'notFound' || state === 'failed') return
      // Already on its way, or storage is still being read.
      if (syncTimer.isSet() || (link === 'connecting' && !retryTimer.isSet())) return
      attempt = 0
      connect()
    },
    setModerator: (isOne) => {
      isModerator = isOne
      publish()
    },
    networkLost: () => life.disconnect(),
    // Also what was refused, while only this page has it: the document it was kept with is gone, and the next not there yet.
    hasUnsent: () => life.ledger.pending().count > 0 || (state === 'loading' && kept === null && rejected.length > 0),
    close: async () => {
      if (isClosed) return
      writeSeen()
      isClosed = true
      const timers = [batchTimer, retryTimer, syncTimer, ackTimer, longOfflineTimer, noteTimer, seenTimer]
      for (const timer of timers) timer.clear()
      silence.stop()
      presence.close()
      life.close()
      const former = kept
      if (former) await runOnStorage(() => former.close())
    },
  }
}

function toPeer(clientId: number, value: unknown): PresentPeer | null {
  const parsed = PeerSchema.safeParse(value)
  return parsed.success ? { ...parsed.data, clientId, color: peerColor(parsed.data.user.id) } : null
}

function keepEqual<Value>(before: Value | undefined, after: Value): Value {
  return before !== undefined && deepEqual(before, after) ? before : after
}

function keepItems<Item>(before: readonly Item[] | undefined, after: readonly Item[]): readonly Item[] {
  return before?.length === after.length && before.every((item, index) => item === after[index]) ? before : after
}
