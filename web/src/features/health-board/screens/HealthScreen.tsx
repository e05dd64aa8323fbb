import { checksTopic } from '@watchroom/shared/protocol'
import { type ReactNode, useMemo, useState } from 'react'

import { fetchCheckSummaries } from '../../../api/checkSummaries.ts'
import { useTopic } from '../../../live/useTopic.ts'
import { HealthBoard, type RenderPanel } from '../components/HealthBoard.tsx'
import { createPreload, type LoadPart } from '../parts.ts'

interface HealthScreenProps {
  /** Controls that other areas add to the page's own. */
  children?: ReactNode
  /** Shows a check over the board. */
  renderPanel: RenderPanel
  /** What other areas show of a check, wanted soonest first: loaded once someone reaches for the list; the same array always. */
  parts: readonly LoadPart[]
}

/** `/health`: every check, live; at the chosen rate while the live link is down. */
export function HealthScreen({ children, renderPanel, parts }: HealthScreenProps) {
  const [refreshMs, setRefreshMs] = useState<number | null>()
  const options = useMemo(() => ({ fetchRows: fetchCheckSummaries, refreshMs }), [refreshMs])
  const topic = useTopic(checksTopic, {}, options)
  const preloadPanel = useMemo(() => createPreload(parts), [parts])
  return (
    <HealthBoard topic={topic} onRefreshRate={setRefreshMs} onReach={preloadPanel} renderPanel={renderPanel}>
      {children}
    </HealthBoard>
  )
}
