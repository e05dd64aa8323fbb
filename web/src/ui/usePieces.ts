import type { Range, VirtualItem } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useReducer, useState } from 'react'

/**
 * Rows that one frame may add to a list that is there: some 10 ms of the browser's time. The wheel brings fewer; a jump
 * to another part of a long list brings a whole window of them.
 */
export const ROWS_PER_FRAME = 8

type Key = VirtualItem['key']

interface PiecesOptions {
  /** What is in the window, without what is near it. */
  readonly range: Pick<Range, 'startIndex' | 'endIndex'> | null
  /** Key of the row at an index, to notice another list. */
  readonly keyAt: (index: number) => Key
  /** Rows that something waits for, such as the focus. They are never late. */
  readonly isUrgent: (index: number) => boolean
}

/** Of the rows near the window those that this frame shows: all that were there, and as many others as a frame has time for. */
export function usePieces(items: readonly VirtualItem[], options: PiecesOptions): readonly VirtualItem[] {
  const [pieces] = useState(createPieces)
  const [, addMore] = useReducer((count: number) => count + 1, 0)
  const taken = pieces.take(items, options)
  const isPart = taken.length < items.length
  useLayoutEffect(() => pieces.keep(taken))
  useEffect(() => {
    if (!isPart && pieces.isFresh()) return undefined
    // Scrolling is told before the callbacks of its frame: the one after that is the next.
    let frame = requestAnimationFrame(() => {
      pieces.refresh()
      if (isPart) frame = requestAnimationFrame(addMore)
    })
    return () => cancelAnimationFrame(frame)
  })
  return taken
}

/** Knows what is in the document, and how many rows this frame may still add. */
function createPieces() {
  let shown: ReadonlyMap<Key, number> = new Map()
  let left = ROWS_PER_FRAME
  return {
    take(items: readonly VirtualItem[], { range, keyAt, isUrgent }: PiecesOptions): readonly VirtualItem[] {
      const [first] = shown
      const isSameList = first !== undefined && keyAt(first[1]) === first[0]
      if (!isSameList) return items
      const late = items.filter(({ key, index }) => !shown.has(key) && !isUrgent(index))
      if (late.length <= left) return items
      const { startIndex = 0, endIndex = 0 } = range ?? {}
      const distance = ({ index }: VirtualItem): number => Math.max(startIndex - index, index - endIndex, 0)
      const waiting = new Set(late.toSorted((a, b) => distance(a) - distance(b)).slice(left))
      return items.filter((item) => !waiting.has(item))
    },
    keep(taken: readonly VirtualItem[]): void {
      const added = taken.filter(({ key }) => !shown.has(key)).length
      left = Math.max(0, left - added)
      shown = new Map(taken.map(({ key, index }) => [key, index]))
    },
    isFresh: () => left === ROWS_PER_FRAME,
    refresh(): void {
      left = ROWS_PER_FRAME
    },
  }
}
