import type { Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

import { useLatest } from '../useLatest.ts'
import { afterScroll, FOLLOWING, stopFollowing, unseenOf } from './follow.ts'

/** Closer to the end than this is at the end: pages are zoomed to parts of pixels. */
const END_PX = 4

export const isAtEnd = (box: HTMLElement): boolean => box.scrollHeight - box.scrollTop - box.clientHeight <= END_PX

interface FollowOptions {
  scroller: RefObject<HTMLDivElement | null>
  count: number
  /** Place of the line that was first at the beginning: those before it came later, and are not new. */
  origin: number
  totalPx: number
  isStill: boolean
  /** More lines are to be read behind the last one here: its end is not the end. */
  hasMore: boolean
  rows: Pick<Virtualizer<HTMLDivElement, HTMLLIElement>, 'range'>
}

/** Keeps the end of a log in sight for as long as its reader wants it. */
export function useFollow({ scroller, count, origin, totalPx, isStill, hasMore, rows }: FollowOptions) {
  const known = count - origin
  const [follow, setFollow] = useState(isStill ? stopFollowing(known) : FOLLOWING)
  const lastTop = useRef(0)
  const { isFollowing } = follow

  const noteScroll = (box: HTMLDivElement): void => {
    const isUpward = box.scrollTop < lastTop.current - 1
    lastTop.current = box.scrollTop
    const shown = (rows.range?.endIndex ?? -1) + 1 - origin
    setFollow((before) => afterScroll(before, { isUpward, isAtEnd: !hasMore && isAtEnd(box), shown }))
  }
  const pin = useLatest((): void => {
    const box = scroller.current
    if (box === null || !isFollowing) return
    // Someone scrolled up since, and the browser has not said so yet: lines that come meanwhile must not pull them back.
    if (box.scrollTop < lastTop.current - 1 && !isAtEnd(box)) {
      noteScroll(box)
      return
    }
    box.scrollTo({ top: box.scrollHeight })
    // What the page itself did is no wish of the person.
    lastTop.current = box.scrollTop
  })
  useLayoutEffect(pin, [pin, isFollowing, count, totalPx])
  const hasRows = count > 0
  useEffect(() => {
    const box = scroller.current
    if (box === null || !hasRows) return undefined
    const observer = new ResizeObserver(pin)
    observer.observe(box)
    return () => observer.disconnect()
  }, [scroller, pin, hasRows])

  return {
    isFollowing,
    unseen: unseenOf(follow, known),
    handleScroll: (): void => {
      if (scroller.current !== null) noteScroll(scroller.current)
    },
    stop: (): void => setFollow(stopFollowing(known)),
    toggle: (): void => setFollow(isFollowing ? stopFollowing(known) : FOLLOWING),
  }
}
