import type { ConfigSummary } from '@watchroom/shared/catalog'
import { catalogSummaryTopic } from '@watchroom/shared/protocol'
import { useEffect, useEffectEvent, useState } from 'react'

import { useTopic } from '../../live/useTopic.ts'
import { useScreenClock } from '../../ui/clock.tsx'

const NO_PARAMS = {}

/** A summary of some items is read again this long after any changed: it counts all of them. */
const SETTLE_MS = 2_000

/**
 * The summary as it is now.
 *
 * @param isPlain of all items, by type: what the topic has
 * @param rows as they were read; undefined before the first answer
 */
export function useLiveSummary(isPlain: boolean, rows: ConfigSummary[] | undefined, readAgain: () => void) {
  const { clock } = useScreenClock()
  const live = useTopic(catalogSummaryTopic, NO_PARAMS)
  const [seen, setSeen] = useState(live.rows)
  const isBehind = !isPlain && seen !== live.rows
  const catchUp = useEffectEvent(() => {
    setSeen(live.rows)
    readAgain()
  })
  // Once for a burst, however long it lasts.
  useEffect(() => (isBehind ? clock.schedule(() => catchUp(), SETTLE_MS) : undefined), [clock, isBehind])
  const isTold = live.state === 'live' || live.rows.length > 0
  return { rows: isPlain && isTold && rows !== undefined ? live.rows : rows, live }
}
