import { checksTopic } from '@watchroom/shared/protocol'
import { type ReactNode, useEffect, useMemo, useState } from 'react'

import { useTopic } from '../../../live/useTopic.ts'
import { useScreenClock } from '../../../ui/clock.tsx'
import { HealthBoard, type RenderPanel } from '../components/HealthBoard.tsx'
import { type LoadPart, preloadParts } from '../parts.ts'
import { fetchCheckSummaries } from '../queries.ts'

/** The checks are there and have been looked at. */
const PRELOAD_AFTER_MS = 2_000

interface HealthScreenProps {
  /** Controls that other areas add to the page's own. */
  children?: ReactNode
  /** Shows a check over the board. */
  renderPanel: RenderPanel
  /** What other areas show on it only later, wanted soonest first; the same array always. */
  parts: readonly LoadPart[]
}

/** `/health`: every check, live; at the chosen rate while the live link is down. */
export function HealthScreen({ children, renderPanel, parts }: HealthScreenProps) {
  const [refreshMs, setRefreshMs] = useState<number | null>()
  const options = useMemo(() => ({ fetchRows: fetchCheckSummaries, refreshMs }), [refreshMs])
  const topic = useTopic(checksTopic, {}, options)
  usePreload(topic.state === 'live', parts)
  return (
    <HealthBoard topic={topic} onRefreshRate={setRefreshMs} renderPanel={renderPanel}>
      {children}
    </HealthBoard>
  )
}

/** Loads what may be wanted next while there is a server to load it from. */
function usePreload(isLive: boolean, parts: readonly LoadPart[]): void {
  const { clock } = useScreenClock()
  useEffect(
    () => (isLive ? clock.schedule(() => void preloadParts(parts), PRELOAD_AFTER_MS) : undefined),
    [clock, isLive, parts],
  )
}
