import { describe, expect, it } from 'vitest'

import { afterScroll, FOLLOWING, stopFollowing, unseenOf } from '../../../../web/src/ui/log-view/follow.ts'

describe('the follow machine', () => {
  it('is on at first, and misses nothing', () => {
    expect(unseenOf(FOLLOWING, 500)).toBe(0)
  })

  it('goes off when someone scrolls up, and counts what comes meanwhile', () => {
    const follow = afterScroll(FOLLOWING, { isUpward: true, isAtEnd: false, shown: 80 })
    expect(follow.isFollowing).toBe(false)
    expect(unseenOf(follow, 100)).toBe(20)
  })

  it('goes off with the smallest scroll upward, which is still at the end', () => {
    expect(afterScroll(FOLLOWING, { isUpward: true, isAtEnd: true, shown: 100 }).isFollowing).toBe(false)
  })

  it('stays on when lines come faster than the window moves', () => {
    expect(afterScroll(FOLLOWING, { isUpward: false, isAtEnd: false, shown: 90 })).toBe(FOLLOWING)
  })

  it('counts lines as seen that were scrolled to', () => {
    const follow = afterScroll(stopFollowing(80), { isUpward: false, isAtEnd: false, shown: 95 })
    expect(unseenOf(follow, 100)).toBe(5)
    expect(afterScroll(follow, { isUpward: true, isAtEnd: false, shown: 40 })).toBe(follow)
  })

  it('goes on again at the end', () => {
    expect(afterScroll(stopFollowing(80), { isUpward: false, isAtEnd: true, shown: 100 })).toBe(FOLLOWING)
  })
})
