import { useEffect, useMemo, useSyncExternalStore } from 'react'

import { useScreenClock } from '../../../ui/clock.tsx'
import { type LogsAsk, readLogs } from '../queries.ts'
import { createLogFeed, type LogFeed, type LogFeedState } from './createLogFeed.ts'

/**
 * The logs found for a search. Another search starts over.
 *
 * @param ask the same object while the search is the same; null while nothing is searched
 * @param isLive whether new lines belong to it
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
  // Only the status: new lines re-render only the component that shows them.
  return { feed, status: useSyncExternalStore(feed.subscribe, () => feed.state().status) }
}
