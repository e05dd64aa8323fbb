// How a change of a document is judged, whatever kind of document it is.

/** Why a change is refused; the first reason found. `path` names the field for the person and for the log. */
export interface Refusal {
  path: string
  reason: string
}

export interface Author {
  userId: string
  /** May edit and remove what others wrote: admin, editor, commander. */
  isModerator: boolean
}

/** Something outside the document that a change names. */
export interface Named<Kind extends string = string> {
  readonly kind: Kind
  readonly id: string
}

/** What is known of the world outside the document. */
export interface World {
  /** Whether there is no such thing, for certain. */
  readonly isMissing: (named: Named) => boolean
}

/** Watches a document while one update is applied to it. */
export interface ChangeWatch {
  /** Gives the first refusal, or null, and stops watching. */
  finish(): Refusal | null
  /** Entries that the change added, such as `comments/<id>`. */
  added(): readonly string[]
}
