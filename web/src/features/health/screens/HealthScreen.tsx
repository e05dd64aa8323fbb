import '../health.css'
import { checksTopic } from '@watchroom/shared/protocol'
import { useMemo, useState } from 'react'

import { useTopic } from '../../../live/useTopic.ts'
import { HealthBoard } from '../components/HealthBoard.tsx'
import { fetchCheckSummaries } from '../queries.ts'

/** `/health`: every check, live; at the chosen rate while the live link is down. */
export function HealthScreen() {
  const [refreshMs, setRefreshMs] = useState<number | null>()
  const options = useMemo(() => ({ fetchRows: fetchCheckSummaries, refreshMs }), [refreshMs])
  return <HealthBoard topic={useTopic(checksTopic, {}, options)} onRefreshRate={setRefreshMs} />
}
