// Notices that a link has gone silent. Its other end promised to say something every so often (LIVE-41, COLLAB-27).

import { type Clock, createTimer } from '@watchroom/shared/kernel'

/** This long after the last message of a link, no screen takes its data for current any more (LIVE-43, COLLAB-27). */
export const UNPROVEN_AFTER_MS = 3_000
/** A beat may be late by a full interval and a little more: 4.5 s at 2 s, less than the 5 s promised. */
const SILENT_BEATS = 2.25
/** A timer that fires later than this was throttled. Messages may be waiting unread, so they get a turn first. */
const THROTTLED_MS = 1_000
const UNREAD_GRACE_MS = 500

export interface SilenceWatch {
  /** From now on the other end sends something at least this often. */
  start(beatMs: number): void
  /** The other end sent something. */
  heard(): void
  /** Whether it has been silent for so long that nothing is certain. */
  isSilent(): boolean
  stop(): void
}

export interface SilenceWatchDeps {
  readonly clock: Clock
  /** `isSilent` changed. */
  readonly onChange: () => void
  /** Nothing came for longer than the other end promised: the link is dead. The watch has stopped. */
  readonly onDead: () => void
}

export function createSilenceWatch({ clock, onChange, onDead }: SilenceWatchDeps): SilenceWatch {
  const timer = createTimer(clock)
  let heardAt = 0
  let deadAfterMs = 0
  let isSilent = false

  const change = (next: boolean): void => {
    if (isSilent === next) return
    isSilent = next
    onChange()
  }

  const end = (): void => {
    timer.clear()
    isSilent = false
    onDead()
  }

  const listen = (): void => {
    const due = heardAt + (isSilent ? deadAfterMs : UNPROVEN_AFTER_MS)
    timer.set(() => look(due), due - clock.monotonic())
  }

  const look = (due: number): void => {
    const silentMs = clock.monotonic() - heardAt
    if (silentMs < (isSilent ? deadAfterMs : UNPROVEN_AFTER_MS)) return listen()
    if (clock.monotonic() - due > THROTTLED_MS) {
      const heardBefore = heardAt
      timer.set(() => (heardAt === heardBefore ? sink() : listen()), UNREAD_GRACE_MS)
      return
    }
    sink()
  }

  /** A step down: from certain to silent, from silent to dead. */
  const sink = (): void => {
    if (clock.monotonic() - heardAt >= deadAfterMs) return end()
    change(true)
    listen()
  }

  return {
    start: (beatMs) => {
      deadAfterMs = Math.max(UNPROVEN_AFTER_MS, beatMs * SILENT_BEATS)
      heardAt = clock.monotonic()
      listen()
    },
    heard: () => {
      heardAt = clock.monotonic()
      if (!isSilent) return
      change(false)
      listen()
    },
    isSilent: () => isSilent,
    stop: () => {
      timer.clear()
      isSilent = false
    },
  }
}
