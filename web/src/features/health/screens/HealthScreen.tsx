import '../health.css'
import { checksTopic } from '@watchroom/shared/protocol'
import { type ReactNode, useMemo, useState } from 'react'

import { useTopic } from '../../../live/useTopic.ts'
import { HealthBoard } from '../components/HealthBoard.tsx'
import { fetchCheckSummaries } from '../queries.ts'

/**
 * `/health`: every check, live; at the chosen rate while the live link is down.
 *
 * @param props.children controls that other areas add to the page's own
 */
export function HealthScreen({ children }: { children?: ReactNode }) {
  const [refreshMs, setRefreshMs] = useState<number | null>()
  const options = useMemo(() => ({ fetchRows: fetchCheckSummaries, refreshMs }), [refreshMs])
  return (
    <HealthBoard topic={useTopic(checksTopic, {}, options)} onRefreshRate={setRefreshMs}>
      {children}
    </HealthBoard>
  )
}
