/** Bounds of COLLAB-10. */
export const ROOM_LIMITS = {
  frameBytes: 256 * 1024,
  structs: 2_000,
  deletes: 2_000,
  /** Someone who was offline sends everything at once. */
  firstSyncStructs: 10_000,
  updates: { perSecond: 60, burst: 120 },
  /** For what is missing: an answer costs as much as the whole document, and a page asks once each time it comes. */
  questions: { perSecond: 2, burst: 20 },
  /** Of updates that wait until what one of them names was looked up. */
  waitingBytes: 512 * 1024,
  documentBytes: 5 * 1024 * 1024,
  bufferedBytes: 1024 * 1024,
  /** Of updates on their way to the log; it takes some KiB in the time of a commit, unless it answers no more. */
  inFlightBytes: 4 * 1024 * 1024,
} as const
