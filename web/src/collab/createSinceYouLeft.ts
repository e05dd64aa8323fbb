// What changed while the person was away. Remembers what they last saw, in this page or an earlier one.

import type { IncidentView } from '@watchroom/shared/collab'
import { type Clock, createTimer } from '@watchroom/shared/kernel'

import { type Digest, type Seen, toDigest, toSeen } from './toDigest.ts'

/** Saving what was seen costs as much as the document is large. A page that crashes reports the changes of this time span again. */
const SEEN_DELAY_MS = 5_000
/** A shorter absence is only a glance elsewhere, or a network blip. */
const AWAY_FOR_DIGEST_MS = 60_000

export interface SinceYouLeft {
  readonly digest: () => Digest | null
  readonly seen: () => Seen | null
  /** The person sees the document as it is now. */
  readonly look: () => void
  /** What they saw in an earlier page. */
  readonly restore: (seen: Seen | null) => void
  readonly offer: () => void
  readonly dismiss: () => void
  /** Compares again with the document that comes next. */
  readonly startOver: () => void
  readonly linkLost: () => void
  readonly linked: () => void
  readonly setHidden: (isHidden: boolean) => void
  readonly close: () => void
}

export interface SinceYouLeftDeps {
  readonly clock: Clock
  readonly now: () => number
  readonly userId: string
  /** Null while there is none to show. */
  readonly document: () => { readonly view: IncidentView; readonly isSynced: boolean } | null
  /** Whether a screen shows it. */
  readonly isShown: () => boolean
  /** `seen` should be stored now. */
  readonly onSeen: () => void
}

export function createSinceYouLeft(deps: SinceYouLeftDeps): SinceYouLeft {
  const { clock } = deps
  const seenTimer = createTimer(clock)
  let seen: Seen | null = null
  /** What the person has seen since `seen`. */
  let glance: { readonly view: IncidentView; readonly at: number } | null = null
  let offered: { readonly base: Seen; readonly digest: Digest | null } | null = null
  /** Monotonic times; null while the tab is visible, or linked. At the start there has never been a link. */
  let hiddenAt: number | null = null
  let unlinkedAt: number | null = Number.NEGATIVE_INFINITY

  const isLong = (since: number): boolean => clock.monotonic() - since >= AWAY_FOR_DIGEST_MS

  const lastSeen = (): Seen | null => {
    if (glance) seen = toSeen(glance.view, glance.at)
    glance = null
    return seen
  }

  const remember = (): void => {
    seenTimer.clear()
    lastSeen()
    deps.onSeen()
  }

  const look = (): void => {
    const document = deps.document()
    if (document === null || hiddenAt !== null || !deps.isShown()) return
    // Without a link, they see the document as it was.
    const at = document.isSynced ? deps.now() : (glance?.at ?? seen?.at ?? deps.now())
    glance = { view: document.view, at }
    if (!seenTimer.isSet()) seenTimer.set(remember, SEEN_DELAY_MS)
  }

  const offer = (): void => {
    const document = deps.document()
    const base = offered?.base ?? lastSeen()
    if (document === null || base === null) return
    const digest = toDigest(base, document.view, deps.userId)
    offered = digest && { base, digest }
  }

  return {
    digest: () => offered?.digest ?? null,
    seen: () => seen ?? lastSeen(),
    look,
    restore: (stored) => {
      seen = stored
      glance = null
    },
    offer,
    dismiss: () => {
      offered = null
    },
    startOver: () => {
      if (offered) offered = { ...offered, digest: null }
    },
    linkLost: () => {
      unlinkedAt ??= clock.monotonic()
    },
    linked: () => {
      if (hiddenAt === null && (offered !== null || (unlinkedAt !== null && isLong(unlinkedAt)))) offer()
      unlinkedAt = null
      look()
    },
    setHidden: (isHidden) => {
      const since = hiddenAt
      if (isHidden === (since !== null)) return
      look()
      if (isHidden) remember()
      hiddenAt = isHidden ? clock.monotonic() : null
      if (since !== null && isLong(since)) offer()
      look()
    },
    close: remember,
  }
}
