import { useEffect, useMemo, useSyncExternalStore } from 'react'

import { useScreenClock } from '../../../ui/clock.tsx'
import { type LogsAsk, readLogs } from '../queries.ts'
import { createLogFeed, type LogFeed, type LogFeedState } from './createLogFeed.ts'

/**
 * The logs that an ask finds. Another ask begins anew.
 *
 * @param ask the identical object while it asks the same; null: nothing is asked yet
 * @param isLive lines that come are of it
 */
export function useLogFeed(ask: LogsAsk | null, isLive: boolean): { feed: LogFeed; status: LogFeedState['status'] } {
  const { clock } = useScreenClock()
  const feed = useMemo(
    () =>
      createLogFeed({
        clock,
        read: async (more, signal) => (ask === null ? {} : readLogs({ ...ask, ...more }, signal)),
        since: ask?.start,
        isLive,
      }),
    [clock, ask, isLive],
  )
  useEffect(() => {
    if (ask === null) return undefined
    feed.open()
    return feed.close
  }, [feed, ask])
  // The status alone: new lines render only the component that shows them.
  return { feed, status: useSyncExternalStore(feed.subscribe, () => feed.state().status) }
}
