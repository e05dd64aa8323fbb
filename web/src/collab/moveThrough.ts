/** A change to a Y.Text as its events describe it. */
export type TextDelta = readonly {
  readonly retain?: number
  readonly insert?: unknown
  readonly delete?: number
}[]

/** Where a position in the text is after a change. At the point of an insertion, it stays before the inserted text. */
export function moveThrough(index: number, delta: TextDelta): number {
  let at = 0
  let moved = index
  for (const { retain = 0, insert, delete: removed = 0 } of delta) {
    if (at >= moved && removed === 0) break
    if (typeof insert === 'string') {
      moved += insert.length
      at += insert.length
    } else if (removed > 0) {
      if (at < moved) moved -= Math.min(removed, moved - at)
    } else at += retain
  }
  return moved
}
