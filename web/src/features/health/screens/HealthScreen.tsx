import '../health.css'
import { checksTopic } from '@watchroom/shared/protocol'

import { useTopic } from '../../../live/useTopic.ts'
import { HealthBoard } from '../components/HealthBoard.tsx'
import { fetchCheckSummaries } from '../queries.ts'

const OPTIONS = { fetchRows: fetchCheckSummaries }

/** `/health`: every check, live. */
export function HealthScreen() {
  return <HealthBoard topic={useTopic(checksTopic, {}, OPTIONS)} />
}
