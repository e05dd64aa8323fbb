import { toTailStart } from '@watchroom/shared/logs'
import { logTailTopic } from '@watchroom/shared/protocol'
import { useEffect, useMemo, useRef } from 'react'

import { Freshness } from '../../../live/Freshness.tsx'
import { useTopic } from '../../../live/useTopic.ts'
import { type LogsAsk, readLogs } from '../queries.ts'
import type { LogFeed } from './createLogFeed.ts'

/** How often new lines are asked for while there is no socket. */
const POLL_MS = 2_000

interface LogTailProps {
  ask: LogsAsk
  feed: LogFeed
  /** The first answer is there. */
  isReady: boolean
}

/** Feeds new lines into a feed, and shows how fresh they are. */
export function LogTail({ ask, feed, isReady }: LogTailProps) {
  const polls = useRef(0)
  const options = useMemo(
    () => ({
      refreshMs: POLL_MS,
      fetchRows: async (signal: AbortSignal) => {
        const last = feed.lines.at(-1)?.at
        const page = await readLogs({ ...ask, ...(last ? { start: toTailStart(last) } : {}) }, signal)
        polls.current += 1
        return [{ seq: polls.current, lines: (page.results ?? []).toReversed(), dropped: 0 }]
      },
    }),
    [ask, feed],
  )
  const params = { componentId: ask.id, selector: ask.name, query: ask.query ?? '' }
  const topic = useTopic(logTailTopic, params, options)
  useEffect(() => feed.offer(topic.rows), [feed, topic.rows])
  // Between the first answer and the tail, and while the link was down, lines arrived unannounced.
  const isLive = isReady && topic.state === 'live'
  useEffect(() => {
    if (isLive) feed.catchUp()
  }, [feed, isLive])
  return <Freshness view={topic} />
}
