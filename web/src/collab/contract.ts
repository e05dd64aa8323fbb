import type { IncidentEditor, IncidentView, Peer, PeerState, UndoStack } from '@watchroom/shared/collab'

import type { Digest } from './toDigest.ts'

/** Where someone is looking or typing: `entity` is a path such as `hypotheses/<id>`, `field` one of its texts. */
export type Place = NonNullable<PeerState['viewing']>

/** What is open on the page. */
export type OpenParts = NonNullable<PeerState['screen']>

/** A peer as the screens see it: one per tab. */
export interface PresentPeer extends Peer {
  readonly clientId: number
  /** Index of the identity color, `--collab-peer-<n>`; the same for all tabs of a person, on every screen. */
  readonly color: number
}

export type DocumentState = 'loading' | 'ready' | 'notFound' | 'denied' | 'failed'
export type LinkState = 'connecting' | 'online' | 'offline'

/** Something that the backend or the gateway refused, with the entity it is about. */
export interface SaveProblem {
  readonly entity: string
  readonly id: string
  readonly message: string
}

export interface SaveStatus {
  /**
   * `saved`: in the backend's tables. `received`: durable at the gateway. `typed`: only here, on its way. `offline`: kept here
   * until the link is back. `problem`: refused somewhere.
   */
  readonly state: 'saved' | 'received' | 'typed' | 'offline' | 'problem'
  /** Whether the link is known to be alive; without it, nothing on the screen is known to be current (COLLAB-27). */
  readonly isProven: boolean
  /** Number of fields (not keystrokes) with own edits that the gateway has not acknowledged. */
  readonly unsent: number
  /** Whether this browser keeps what is unsent when the page is closed. */
  readonly isKept: boolean
  readonly problems: readonly SaveProblem[]
  /** When the oldest edit that is not in the tables yet was made, in wall-clock milliseconds; null when there is none. */
  readonly since: number | null
}

/** Why following ended: the person stopped it, or the peer stopped leading or left. */
export interface FollowEnd {
  readonly peer: PresentPeer
  readonly reason: 'self' | 'stopped' | 'left'
}

/** What someone else just did to an entity. */
export interface Touch {
  /** A change after this touch has ended gets another one. */
  readonly id: number
  /** The peer who made the change; null for programs, and for people who have left. */
  readonly by: PresentPeer | null
}

/** An own edit that a refusal would have lost. It stays until the person copies or dismisses it. */
export interface RejectedText {
  readonly id: string
  /** Path of the field, for example `hypotheses/<id>/title`. */
  readonly field: string
  /** What the field is, in words. */
  readonly label: string
  readonly text: string
  readonly reason: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/**
 * An open incident document. Every part keeps its identity until it changes; the object itself changes with any part.
 * Functions never change.
 */
export interface IncidentRoom {
  readonly state: DocumentState
  /** Why the document cannot be shown: for `failed`, and for `loading` if the gateway said what it is waiting for. */
  readonly failure: string | null
  /** Untouched entities keep their identity between changes. */
  readonly view: IncidentView
  /** Throws DocumentEditError; every call can be undone. A new object after a refusal has started the document over. */
  readonly edit: IncidentEditor
  readonly undo: UndoStack
  readonly canWrite: boolean
  /** May change and remove what others wrote. */
  readonly canModerate: boolean
  readonly link: LinkState
  /** When the last message arrived on a link that is not proven alive, in wall-clock milliseconds; null while it is, and before the first. */
  readonly heardAt: number | null
  /** Offline for so long that the person must be told at full width. */
  readonly isLongOffline: boolean
  readonly save: SaveStatus
  readonly rejected: readonly RejectedText[]
  readonly dismiss: (rejectedId: string) => void
  /** Everyone else here, one per tab. */
  readonly peers: readonly PresentPeer[]
  readonly self: PresentPeer
  readonly setPlace: (place: {
    viewing?: Place | null
    editing?: Place | null
    typing?: boolean
    screen?: OpenParts | null
  }) => void
  /** Client id of the peer who is followed. Ends by itself when they leave or stop leading. */
  readonly following: number | null
  /** How following last ended; null before that, and while someone is followed. */
  readonly followEnd: FollowEnd | null
  /** Peers that follow this tab. */
  readonly followers: readonly PresentPeer[]
  /** Follows a peer who agreed to it (`leading`); null stops. */
  readonly follow: (clientId: number | null) => void
  /** Agrees to be followed, and says how far the view is scrolled, 0 to 1. */
  readonly lead: (isLeading: boolean, ratio?: number) => void
  /** What others changed in the last few seconds, by path, for example `hypotheses/<id>` or `incident/status`. */
  readonly touched: ReadonlyMap<string, Touch>
  /** What changed since this browser last showed the document; null when nothing did, or once it was dismissed. */
  readonly digest: Digest | null
  readonly dismissDigest: () => void
}
