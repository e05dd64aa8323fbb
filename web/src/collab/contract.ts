import type { IncidentEditor, IncidentView, Peer, PeerState, UndoStack } from '@watchroom/shared/collab'

import type { Digest } from './toDigest.ts'

/** Where someone looks or types: `entity` is a path such as `hypotheses/<id>`, `field` one of its texts. */
export type Place = NonNullable<PeerState['viewing']>

/** What of the page is open. */
export type OpenParts = NonNullable<PeerState['screen']>

/** A peer as the screens see it: one per tab. */
export interface PresentPeer extends Peer {
  readonly clientId: number
  /** Index of the identity color, `--collab-peer-<n>`; the same for all tabs of a person, on every screen. */
  readonly color: number
}

export type DocumentState = 'loading' | 'ready' | 'notFound' | 'denied' | 'failed'
export type LinkState = 'connecting' | 'online' | 'offline'

/** What the backend or the gateway refused, on the entity it concerns. */
export interface SaveProblem {
  readonly entity: string
  readonly id: string
  readonly message: string
}

export interface SaveStatus {
  /**
   * `saved` in the backend's tables; `received` durable at the gateway; `typed` only here, on its way; `offline` kept here
   * until the link is back; `problem` refused somewhere.
   */
  readonly state: 'saved' | 'received' | 'typed' | 'offline' | 'problem'
  /** Whether the link is known to be alive; without it nothing on the screen is known to be true any more (COLLAB-27). */
  readonly isProven: boolean
  /** Fields, not keystrokes, with own edits that the gateway has not acknowledged. */
  readonly unsent: number
  /** Whether this browser keeps what is unsent when the page is closed. */
  readonly isKept: boolean
  readonly problems: readonly SaveProblem[]
  /** Wall clock of the oldest edit that is not in the tables yet, in milliseconds; null when there is none. */
  readonly since: number | null
}

/** Why nobody is followed any more: by oneself, or because whoever was followed stopped it, or is not here any more. */
export interface FollowEnd {
  readonly peer: PresentPeer
  readonly reason: 'self' | 'stopped' | 'left'
}

/** What someone else just did to an entity. */
export interface Touch {
  /** Another one for what is done after this was over. */
  readonly id: number
  /** Whoever is here under the client id of the change; null for programs, and for whoever is gone already. */
  readonly by: PresentPeer | null
}

/** An own edit that a refusal would have lost; it waits here until the person takes it over or dismisses it. */
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
 * An open incident document. Every part keeps its identity while it does not change; the object itself changes with any
 * part. Functions never change.
 */
export interface IncidentRoom {
  readonly state: DocumentState
  /** Why the document cannot be shown: for `failed`, and for `loading` where the gateway said what it waits for. */
  readonly failure: string | null
  /** Untouched entities keep their identity between changes. */
  readonly view: IncidentView
  /** Throws DocumentEditError; every call can be undone. Another object after a refusal started the document over. */
  readonly edit: IncidentEditor
  readonly undo: UndoStack
  readonly canWrite: boolean
  /** May change and remove what others wrote. */
  readonly canModerate: boolean
  readonly link: LinkState
  /** Wall clock of the last word on a link that is not proven alive, in milliseconds; null while it is, and before any. */
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
  /** Client id of the peer whose places are followed. Ends by itself when that peer leaves or stops leading. */
  readonly following: number | null
  /** How following ended last; null until it did, and while someone is followed. */
  readonly followEnd: FollowEnd | null
  /** Peers that follow this tab. */
  readonly followers: readonly PresentPeer[]
  /** Follows a peer that agreed to it (`leading`); null stops. */
  readonly follow: (clientId: number | null) => void
  /** Agrees to be followed, and tells how far down the place in view is scrolled, 0 to 1. */
  readonly lead: (isLeading: boolean, ratio?: number) => void
  /** What others changed within the last seconds, by path, for example `hypotheses/<id>` or `incident/status`. */
  readonly touched: ReadonlyMap<string, Touch>
  /** What changed between the last look of this browser and now; null when nothing did or it was read. */
  readonly digest: Digest | null
  readonly dismissDigest: () => void
}
