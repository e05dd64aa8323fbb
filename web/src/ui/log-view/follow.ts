// Whether a log follows its end. On at first; off when someone scrolls up; on again when they come back to the end. Pure.

export interface Follow {
  readonly isFollowing: boolean
  /** Lines that someone has had before their eyes, while it does not follow. */
  readonly seen: number
}

export const FOLLOWING: Follow = { isFollowing: true, seen: 0 }

export interface LogScroll {
  readonly isUpward: boolean
  readonly isAtEnd: boolean
  /** Lines down to the last one in the window. */
  readonly shown: number
}

export function afterScroll(follow: Follow, { isUpward, isAtEnd, shown }: LogScroll): Follow {
  // What grew faster than it was scrolled is no wish of the person.
  if (isAtEnd && !isUpward) return FOLLOWING
  if (!follow.isFollowing) return shown > follow.seen ? { isFollowing: false, seen: shown } : follow
  return isUpward ? { isFollowing: false, seen: shown } : follow
}

/** @param count of lines there are */
export const stopFollowing = (count: number): Follow => ({ isFollowing: false, seen: count })

export const unseenOf = ({ isFollowing, seen }: Follow, count: number): number =>
  isFollowing ? 0 : Math.max(0, count - seen)
